"""What is ready before the first visitor comes."""

import subprocess
import sys

from tests.browser.server import ROOT

# A process of its own: in this one everything is loaded already.
VISIT = """
import sys
from deploy.serve import prepare
prepare()
before = set(sys.modules)
from streamlit.testing.v1 import AppTest
for page in ("weights", "edit", "order"):
    app = AppTest.from_file("{app}", default_timeout=60).run()
    if page != "weights":
        app.switch_page(f"views/{{page}}.py").run()
    assert not app.exception
print(*sorted(set(sys.modules) - before))
"""
HEAVY = {"altair", "jsonschema", "numpy", "pandas", "pyarrow", "core"}


def test_the_first_visit_loads_nothing_that_takes_long() -> None:
    app = ROOT / "dashboard" / "app.py"
    script = VISIT.format(app=app)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, cwd=ROOT, text=True, check=True
    )
    late = run.stdout.split()
    assert not HEAVY & set(late)
    assert not [module for module in late if module.startswith("dashboard.charts")]
