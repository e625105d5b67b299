"""Take the README's pictures from the running dashboard: `python docs/screenshots.py`."""

import io
import sys
import tempfile
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402  (comes with Streamlit)
from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser.driver import Visitor  # noqa: E402
from tests.browser.server import serve  # noqa: E402

SHOTS = {
    "weights-light": ("", "light", 800),
    "weights-dark": ("?sharpness=2.5&row=3", "dark", 800),
    "edit-light": ("edit", "light", 940),
    "order-dark": ("order", "dark", 1000),
}


def main() -> None:
    """Save each page as a PNG of 160 colours, small enough to keep in the tree."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(ROOT, Path(folder) / "log") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (path, scheme, height) in SHOTS.items():
            size = {"width": 1280, "height": height}
            page = browser.new_page(viewport=size, color_scheme=scheme)
            visitor = Visitor(page, server)
            visitor.arrive_at(f"{server.address}/{path}")
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(160).save(ROOT / "docs" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
