"""Draws the icons of this folder from favicon.svg, each on the book's paper, in the colours of the light scheme.

pip install playwright pillow
python render.py /usr/bin/chromium
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

PAPER = "#fdfcf9"
ICONS = {"icon-192": (192, 0.8), "icon-512": (512, 0.8), "maskable-512": (512, 0.62), "touch-180": (180, 0.74)}
"""The size of each in pixels, and how much of its width the drawing takes: a mask may cut a maskable one round."""


def main(browser: str) -> None:
    """Write one PNG per icon beside this program."""
    here = Path(__file__).parent
    svg = here.with_name("favicon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for name, (size, part) in ICONS.items():
            page = chromium.new_page(viewport={"width": size, "height": size}, color_scheme="light")
            width = round(size * part)
            page.set_content(
                f"<style>body{{margin:0;height:{size}px;display:grid;place-content:center;background:{PAPER}}}"
                f"svg{{width:{width}px;display:block}}</style>{svg}"
            )
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(32)
            picture.save(here / f"{name}.png", optimize=True)
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
