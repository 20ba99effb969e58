"""A notebook as a page of the site: what mkdocs-jupyter made of its cells, in the book's own dress.

nbconvert's page brings 590 kB of styles, scripts from other origins, formulas that one of them would draw, and ids of
its own. What stays is what it made of each cell: Markdown, coloured code, text that was printed.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bs4 import BeautifulSoup

from livedoc import maths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bs4 import Tag

Json = dict[str, Any]

_UNWANTED = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
_MATHS = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<inline>.+?)\$", re.DOTALL)
_DOLLAR = "\ufdd2"
"""A character that is none: it stands for a dollar that begins no formula."""


class ViewerError(Exception):
    """A page that nbconvert did not make as it used to."""


def slimmed(notebook: Json) -> Json:
    """Return what nbconvert is given to convert: drawings are put on the page afterwards, in its own colours."""
    cells = []
    for cell in notebook["cells"]:
        source = [line.replace("\\$", _DOLLAR) for line in cell["source"]] if cell["cell_type"] == "markdown" else None
        printed = [one for one in cell.get("outputs", []) if one["output_type"] == "stream"]
        cells.append(
            {**cell, **({"source": source} if source else {}), **({"outputs": printed} if "outputs" in cell else {})}
        )
    return {**notebook, "cells": cells}


@dataclass
class Page:
    """Makes the page of one notebook.

    Attributes:
        notebook: The notebook.
        figures: The drawings of each listing's figures as they stand on a page, with their captions.
        files: The file of each listing, to be shown above it.
        local: Makes an address of the site one that is relative to the page.
        line: The line that stands under the title, in HTML.
        words: `permalink`, what a link to a section is called, and `figure code`.
    """

    notebook: Json
    figures: Mapping[str, Mapping[str, str]]
    files: Mapping[str, str]
    local: Callable[[str], str]
    line: str
    words: Mapping[str, str]
    toc: list[Json] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    def content(self, converted: str) -> str:
        """Return the page; `toc` then has its headings.

        Args:
            converted: What nbconvert made of the notebook, styles and scripts included.

        Raises:
            ViewerError: When a cell is not in it.
        """
        soup = BeautifulSoup(_UNWANTED.sub("", converted), "html.parser")
        cells = {str(tag["id"]): tag for tag in soup.find_all(id=True)}
        made, open_ = list[str](), ""
        for cell in self.notebook["cells"]:
            found = cells.get(f"cell-id={cell['id']}")
            if found is None:
                raise ViewerError(f"nbconvert did not make the cell {cell['id']}")
            name = cell["metadata"].get("livedoc", {}).get("listing", "")
            if open_ and name != open_:
                made.append("</div>")
            if cell["cell_type"] == "markdown":
                made.append(self._markdown(found))
            elif name and name == open_:
                made.append(self._figure(cell, found, name))
            else:
                file = f'<span class="filename">{html.escape(self.files[name])}</span>' if name in self.files else ""
                made += [f'<div class="listing" id="{cell["id"]}">', self._code(found, file), self._drawn(cell, name)]
                made += [] if name else ["</div>"]
            open_ = name
        made += ["</div>"] if open_ else []
        text = re.sub(r"\ufdd0(\d+)\ufdd1", lambda match: self.pieces[int(match[1])], "\n".join(made))
        return f'<div class="notebook">{text.replace(_DOLLAR, "$")}</div>'

    def _keep(self, piece: str) -> str:
        self.pieces.append(piece)
        return f"\ufdd0{len(self.pieces) - 1}\ufdd1"

    def _markdown(self, cell: Tag) -> str:
        body = cell.select_one(".jp-RenderedMarkdown")
        if body is None:
            raise ViewerError("nbconvert made a cell of prose without prose")
        for text in body.find_all(string=True):
            if not text.find_parent(["code", "pre"]) and "$" in text:
                text.replace_with(_MATHS.sub(self._formula, text))
        for code in body.select("pre"):
            code.name, code["class"] = "code", ""
            del code["class"]
            code.wrap(BeautifulSoup("", "html.parser").new_tag("pre"))
        for link in body.find_all("a", href=True):
            link["href"] = self.local(str(link["href"]))
        for paragraph in body.find_all("p"):
            if re.fullmatch(r"\s*\ufdd0\d+\ufdd1\s*", paragraph.get_text()) and self._displayed(paragraph.get_text()):
                paragraph.name = "div"
        for heading in body.find_all(re.compile("h[1-6]")):
            self._heading(heading)
        return body.decode_contents().strip()

    def _displayed(self, mark: str) -> bool:
        return self.pieces[int(mark.strip()[1:-1])].startswith('<div class="arithmatex">')

    def _formula(self, match: re.Match[str]) -> str:
        display = match["display"] is not None
        tag = "div" if display else "span"
        tex = (match["display"] or match["inline"]).replace(_DOLLAR, "\\$")
        return self._keep(f'<{tag} class="arithmatex">{maths.render(tex, display)}</{tag}>')

    def _heading(self, heading: Tag) -> None:
        """Give a heading the id that stands before it, a link to itself, and its place in the contents."""
        for link in heading.select("a.anchor-link"):
            link.decompose()
        before = heading.find_previous_sibling()
        anchor = before.find("a", id=True) if before and not before.get_text(strip=True) else None
        level = int(heading.name[1])
        if anchor and before:
            heading["id"] = anchor["id"]
            before.decompose()
            seen = re.sub(r"\ufdd0(\d+)\ufdd1", lambda match: self.pieces[int(match[1])], heading.decode_contents())
            name = re.sub("(?s)<katex-output .*?</katex-output>|<[^>]*>", "", seen).strip()
            self._in_contents({"level": level, "id": heading["id"], "name": name, "children": []})
            title = html.escape(self.words["permalink"])
            made = f'<a class="headerlink" href="#{heading["id"]}" title="{title}">¶</a>'
            heading.append(BeautifulSoup(made, "html.parser"))
        else:
            del heading["id"]
        if level == 1:
            heading.insert_after(self._keep(self.line))

    def _in_contents(self, token: Json) -> None:
        level = self.toc
        while level and level[-1]["level"] < token["level"]:
            level = level[-1]["children"]
        level.append(token)

    def _code(self, cell: Tag, file: str = "") -> str:
        code = cell.select_one(".jp-InputArea .highlight-ipynb pre")
        if code is None:
            raise ViewerError("nbconvert made a cell of code without code")
        made = f'<div class="language-python highlight">{file}<pre><code>{code.decode_contents()}</code></pre></div>'
        for output in cell.select(".jp-OutputArea-output pre"):
            made += f'<div class="language-text highlight"><pre><code>{output.decode_contents()}</code></pre></div>'
        return made

    def _drawn(self, cell: Json, name: str, code: str = "") -> str:
        """Return the figures that a cell drew, named by their captions."""
        made, drawings = "", self.figures.get(name, {})
        for output in cell["outputs"]:
            if output["output_type"] == "display_data":
                caption = "".join(output["data"]["text/plain"])
                svg = drawings.get(caption, "")
                identifier = re.search(r'aria-labelledby="([\w-]+)-caption"', svg)
                known = identifier[1] if identifier else ""
                made += (
                    f'<figure class="figure" id="{known}"><figcaption id="{known}-caption">{html.escape(caption)}'
                    f"</figcaption>{self._keep(svg)}{code}</figure>"
                )
        return made

    def _figure(self, cell: Json, found: Tag, name: str) -> str:
        summary = html.escape(self.words["figure code"])
        folded = f'<details class="figure-code"><summary>{summary}</summary>{self._code(found)}</details>'
        return self._drawn(cell, name, folded)
