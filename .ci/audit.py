"""Tells what pip-audit found, from its JSON; ends with 1 where it found a vulnerability."""

import json
import sys
from pathlib import Path


def main() -> int:
    """Print one line a vulnerability, and how many packages could not be looked up."""
    try:
        told = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["dependencies"]
    except (OSError, ValueError):
        print("not held against known vulnerabilities: the list could not be reached")
        return 0
    skipped = [package for package in told if "skip_reason" in package]
    found = [(package, fault) for package in told for fault in package.get("vulns", ())]
    print(f"{len(told) - len(skipped)} packages held against known vulnerabilities")
    if skipped:
        print(f"{len(skipped)} packages could not be: {skipped[0]['skip_reason']}, ...")
    for package, fault in found:
        mended = ", ".join(fault["fix_versions"]) or "no version yet"
        print(f"{package['name']} {package['version']}: {fault['id']}, mended in {mended}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
