"""The pictures under docs/images, taken from the made help desk: python -m tests.browser.pictures docs/images"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import made

# name -> (address, colours, which part of the page stands at the top, height)
PICTURES = {
    "report-overview": ("", "light", "h1", 860),
    "report-slices": ("", "light", "#curves", 800),
    "report-cases": ("f=topic+%3D+%22access%22+and+recall%405+%3C+1&sort=recall%405", "light", "#cases", 760),
    "report-case-dark": ("f=topic+%3D+%22access%22+and+recall%405+%3C+1&case=case-00048", "dark", "#cases", 860),
    "report-right-to-left": ("q=%D8%A3%D9%8A%D9%86&case=case-00002", "light", "#cases", 760),
}


def take(folder: Path) -> None:
    """Write every picture into the folder."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as made_in, sync_playwright() as playwright:
        made.write(Path(made_in), 600)
        address = made.page(Path(made_in)).as_uri()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (hash, colours, top, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1440, "height": height}, color_scheme=colours)
            page.goto(f"{address}#{hash}" if hash else address)
            page.locator("#table tbody tr").first.wait_for()
            page.evaluate(f"document.querySelector('{top}').scrollIntoView()")
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]))
