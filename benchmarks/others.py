"""How soon the pages of other tools can be read: ``python benchmarks/others.py``.

The same 12 layers × 12 heads × 128 tokens for all. A page is loaded when two frames have passed
after the last change in it; its size is that of its file. ``--python`` names another Python, in
which they are installed, ``--scripts`` a folder that answers what a page asks of the web, by file
name, where the web cannot be reached.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Error, Route

sys.path.insert(0, str(Path(__file__).parents[1]))  # the file is run from its folder

from benchmarks.browser import PROBE, chromium
from benchmarks.others_made import HEADS, LAYERS, PAGES, N

PATIENCE = 120_000  # milliseconds


def main() -> None:
    """Print one line a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--scripts", type=Path)
    arguments, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        maker = Path(__file__).with_name("others_made.py")
        subprocess.run([arguments.python, str(maker), str(folder)], check=True)
        print(f"{f'{LAYERS} layers × {HEADS} heads, n = {N}':<28}{'loaded':>10}{'page':>12}")
        for page in PAGES:
            path = folder / f"{page}.html"
            if path.exists():
                with chromium() as browser:  # a new one: the last page may still keep it busy
                    said = load(browser, path, arguments.scripts)
                print(f"{page:<28}{said:>10}{path.stat().st_size / 1e6:>9.1f} MB", flush=True)
            else:
                print(f"{page:<28}  not installed")


def load(browser: Browser, path: Path, scripts: Path | None) -> str:
    """Seconds until the page is painted, or what was in the way."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(PROBE + 'probe.target = "body"; probe.begin(0);')
    missing: list[str] = []

    def answer(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        if scripts is not None and (scripts / name).exists():
            route.fulfill(path=scripts / name)
        else:
            route.continue_()

    context.route("http*://**/*", answer)
    page = context.new_page()
    page.on("requestfailed", lambda request: missing.append(request.url))
    try:
        page.goto(path.as_uri())
        page.wait_for_function("probe.atRest(1000)")
        seconds = page.evaluate("probe.result().painted") / 1000
    except Error:
        return "too long"
    return "no web" if missing else f"{seconds:.1f} s"


if __name__ == "__main__":
    main()
