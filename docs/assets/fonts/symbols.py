"""Draws the three *-symbols.woff2: the signs that the latin subsets of @fontsource leave out.

    npm install @expo-google-fonts/{literata,source-sans-3,source-code-pro}
    pip install fonttools brotli
    python symbols.py node_modules/@expo-google-fonts

They are parts of the whole fonts, under names of their own as the Open Font License asks of a changed font. Where a
family has no superscript minus or T, they are its own minus and T, scaled and raised to its superscript digits.
"""

import sys
from pathlib import Path

from fontTools.misc.transform import Identity
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

SIGNS = "⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ√∞∂∑≈≠≤≥∈∝←→↑↓↔⇒✓−‖" + "\u2009\u202f" + "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΣΦΨΩ"
FAMILIES = {
    "literata": "literata/400Regular/Literata_400Regular.ttf",
    "source-sans-3": "source-sans-3/400Regular/SourceSans3_400Regular.ttf",
    "source-code-pro": "source-code-pro/400Regular/SourceCodePro_400Regular.ttf",
}


def raise_glyph(font: TTFont, sign: str, base: str) -> None:
    """Add a superscript sign to a font, made of a sign that stands on the line."""
    cmap, glyphs = font.getBestCmap(), font["glyf"]
    if ord(sign) in cmap:
        return
    source, zero, raised = cmap[ord(base)], glyphs[cmap[ord("0")]], glyphs[cmap[ord("⁰")]]
    scale = (raised.yMax - raised.yMin) / (zero.yMax - zero.yMin)
    fixed = font["post"].isFixedPitch or "Code" in str(font["name"].getDebugName(1))
    width = font["hmtx"][source][0]
    shift = (width - width * scale) / 2 if fixed else 0
    pen = TTGlyphPen(font.getGlyphSet())
    place = Identity.translate(shift, raised.yMin - zero.yMin * scale).scale(scale)
    font.getGlyphSet()[source].draw(TransformPen(pen, place))
    name = f"uni{ord(sign):04X}"
    glyphs[name] = pen.glyph()
    font["hmtx"][name] = (width if fixed else round(width * scale), 0)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(sign)] = name


def main(packages: Path) -> None:
    """Write one file per family beside this program."""
    for family, path in FAMILIES.items():
        font = TTFont(packages / path)
        for table in {"vhea", "vmtx"} & set(font.keys()):
            del font[table]
        raise_glyph(font, "⁻", "−")
        raise_glyph(font, "ᵀ", "T")
        options = Options(flavor="woff2", layout_features=[], hinting=False, name_IDs=[0, 1, 2, 13, 14])
        subsetter = Subsetter(options)
        subsetter.populate(text=SIGNS)
        subsetter.subset(font)
        for record in font["name"].names:
            if record.nameID == 1:
                record.string = "Livedoc Symbols"
        font.flavor = "woff2"
        font.save(Path(__file__).with_name(f"{family}-symbols.woff2"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
