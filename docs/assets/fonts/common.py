"""Draws the *-common.woff2: what nearly every page needs of each font, so that the rest is loaded when it is needed.

    pip install fonttools brotli
    python common.py

It also writes ../css/fonts.css, which names each beside its whole file, either with the signs that it alone answers
for, and takes those files out of KaTeX's style sheet, where a sign that no font has would fetch them. They are parts of the fonts in
this folder and in ../katex/fonts, under names of their own as the Open Font License asks of a changed font.
"""

import io
import re
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
ASCII = "".join(map(chr, range(0x20, 0x7F)))
TEXT = ASCII + "àèéìíòóùúÀÈÉÌÒÙçäöüßñâêîôûÄÖÜÇáë\u00a0§©¶«»°±·×÷–—‘’“”…•½¼²³¹"
SIGNS = "⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ√≈≠≤≥→←↑↓⇒✓−‖∂π"
MAIN = ASCII + "\u00a0±×·−…⋯⋅∈≤≥≈→∞′⊤∥∀⟨⟩∣ℓ∂≠⊙"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + "αβγδεθλμπσφωϵℓ∂"
FONTS = {
    "literata-latin-400-normal": ("Literata", "400", "normal", TEXT, {}),
    "literata-latin-600-normal": ("Literata", "600", "normal", TEXT, {}),
    "literata-latin-400-italic": ("Literata", "400", "italic", TEXT, {}),
    "source-sans-3-latin-wght-normal": ("Source Sans 3", "200 900", "normal", TEXT, {"wght": (400, 600)}),
    "source-code-pro-latin-wght-normal": ("Source Code Pro", "200 900", "normal", TEXT, {"wght": 400}),
    "literata-symbols": ("Literata", "400", "normal", SIGNS, {}),
    "source-sans-3-symbols": ("Source Sans 3", "200 900", "normal", SIGNS, {}),
    "source-code-pro-symbols": ("Source Code Pro", "200 900", "normal", SIGNS, {}),
    "../katex/fonts/KaTeX_Main-Regular": ("KaTeX_Main", "400", "normal", MAIN, {}),
    "../katex/fonts/KaTeX_Math-Italic": ("KaTeX_Math", "400", "italic", LETTERS, {}),
    "../katex/fonts/KaTeX_Size1-Regular": ("KaTeX_Size1", "400", "normal", " ()[]{}∑∏√∣", {}),
    "../katex/fonts/KaTeX_Size2-Regular": ("KaTeX_Size2", "400", "normal", " ()[]{}∑∏√", {}),
    "../katex/fonts/KaTeX_Size3-Regular": ("KaTeX_Size3", "400", "normal", " ()[]{}√", {}),
    "../katex/fonts/KaTeX_Size4-Regular": ("KaTeX_Size4", "400", "normal", " ()[]{}√", {}),
}
"""Each font: its family, weight and slant, its common signs and, if it is variable, the weights that are used."""

ALSO = {"literata-symbols": [("600", "normal"), ("400", "italic")]}
"""What else a font stands for: the signs have one weight and no slant."""


def common(path: Path, signs: str, axes: dict[str, object]) -> TTFont:
    """Return a font cut down to some signs and weights."""
    font = TTFont(path, recalcTimestamp=False)
    font.flavor = None
    if axes:
        whole = io.BytesIO()
        instantiateVariableFont(font, axes).save(whole)
        whole.seek(0)
        font = TTFont(whole, recalcTimestamp=False)
    features = ["liga", "tnum", "lnum", *(["kern"] if "literata" in path.name else [])]  # pairs are spaced in prose
    options = Options(flavor="woff2", layout_features=features, hinting=False, name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(text=signs)
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in {1, 4, 6, 16}:
            record.string = "Livedoc-Common"
    font.flavor = "woff2"
    return font


def ranges(codes: set[int]) -> str:
    """Return signs as a style sheet names them."""
    found: list[list[int]] = []
    for code in sorted(codes):
        if found and code == found[-1][1] + 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return ", ".join(f"U+{one:X}" + (f"-{other:X}" if other > one else "") for one, other in found)


def main() -> None:
    """Write one file per font beside this program, and the style sheet of all of them."""
    katex = HERE.parent / "katex/katex.min.css"
    styles, faces = katex.read_text(encoding="utf-8"), ["/* Written by ../fonts/common.py. */\n"]
    for name, (family, weight, slant, signs, axes) in FONTS.items():
        font = common(HERE / f"{name}.woff2", signs, axes)
        short = Path(name).name.replace("KaTeX_", "katex-").replace("-latin", "").replace("-wght-normal", "").lower()
        font.save(HERE / f"{short}-common.woff2")
        has, all_signs = set(font.getBestCmap()), set(TTFont(HERE / f"{name}.woff2").getBestCmap())
        for file, codes in ((name, all_signs - has), (f"{short}-common", has)):
            faces += [
                f'@font-face {{font-family: "{family}"; font-weight: {heavy}; font-style: {slanted}; font-display: '
                f'{"block" if "KaTeX" in family else "swap"}; src: url(../fonts/{file}.woff2) format("woff2"); '
                f"unicode-range: {ranges(codes)}}}\n"
                for heavy, slanted in [(weight, slant), *ALSO.get(name, [])]
            ]
        styles = re.sub(rf"@font-face\{{[^}}]*{Path(name).name}\.woff2[^}}]*\}}", "", styles)
    katex.write_text(styles, encoding="utf-8")
    (HERE.parent / "css/fonts.css").write_text("".join(faces).replace("fonts/../", ""), encoding="utf-8")


if __name__ == "__main__":
    main()
