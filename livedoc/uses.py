"""Where the articles use the terms of the glossary: told on its page, and a fault where they do not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from livedoc.context import Context

ARTICLE = {"it": "Articolo {}:", "en": "Article {}:"}
PLACE = "<!-- livedoc.glossary uses {} -->"
"""Stands after a definition until all articles are rendered."""

_PLACE = re.compile(PLACE.format(r"([\w-]+)"))


def is_article(context: Context) -> bool:
    """Return whether a page is a numbered article of the book."""
    return context.article is not None and bool(context.article.number)


def with_uses(content: str, url: str, pages: Iterable[tuple[str, Context]]) -> str:
    """Add to each term of a rendered glossary the sections that use it.

    Args:
        content: The page's HTML.
        url: Its address in the site.
        pages: The address and the context of each page of its language, all rendered.
    """
    from mkdocs.utils import get_relative_url

    articles = sorted(
        ((context.article.number, at, context) for at, context in pages if context.article and context.article.number),
        key=lambda one: one[:2],
    )

    def links(match: re.Match[str]) -> str:
        told = []
        for number, at, context in articles:
            sections = context.terms.get(match[1], {})
            made = [f'<a href="{get_relative_url(at, url)}#{one}">{title}</a>' for one, title in sections.items()]
            if made:
                word = ARTICLE.get(context.language, ARTICLE["en"]).format(number)
                told.append(f'<dd class="glossary-uses" data-search-exclude>{word} {" · ".join(made)}</dd>')
        return "".join(told)

    return _PLACE.sub(links, content)


def unused(contexts: Iterable[Context]) -> list[str]:
    """Return what the articles show to be wrong with the glossary: a term, or an exception, that none of them has."""
    articles = [context for context in contexts if is_article(context)]
    told = []
    for language in dict.fromkeys(context.language for context in articles):
        mine = [context for context in articles if context.language == language]
        glossary = mine[0].glossary
        if glossary is None or not all(context.glossary for context in mine):
            continue  # there is none, or not all of them were rendered
        used = set().union(*(context.terms for context in mine))
        met = set().union(*(context.phrases for context in mine))
        for identifier, words in glossary.terms.items():
            if wording := words.get(language):
                place = f"{glossary.name}:{wording.line}: no article"
                if identifier not in used:
                    told.append(f"{place} uses “{wording.term}” ({language})")
                missed = [phrase for phrase in wording.exceptions if (identifier, phrase) not in met]
                told += [f"{place} has “{phrase}” ({language})" for phrase in missed]
    return told
