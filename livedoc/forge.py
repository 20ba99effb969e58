"""Links from a page to the forge that has its source: report an error, comment, edit, see what changed.

The addresses are those of GitHub, which Forgejo and Gitea share but for editing. A report is an ordinary issue whose
title and body are written already, in the page's language: nothing is stored with the reader, and no script runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from livedoc.article import Article

WORDS = {
    "it": {
        "error": "Errore: {}",
        "comment": "Commento: {}",
        "page": "Pagina: {}",
        "version": "Versione: {} ({})",
        "wrong": "Che cosa non va (la frase, il numero o il listato), e che cosa ci dovrebbe essere:",
    },
    "en": {
        "error": "Error: {}",
        "comment": "Comment: {}",
        "page": "Page: {}",
        "version": "Version: {} ({})",
        "wrong": "What is wrong (the sentence, the number or the listing), and what should be there:",
    },
}


def links(
    root: str, branch: str, source: str, address: str, title: str, language: str, article: Article | None
) -> dict[str, str]:
    """Return the links of a page by what they are for: `error`, `comment`, `edit`, `history`.

    Args:
        root: The address of the repository; without one there are no links.
        branch: The branch that is edited.
        source: The page's source, as a path in the repository.
        address: The page's own address, or nothing.
        title: Its title.
        language: Its language.
        article: What its front matter says, if it is an article.
    """
    if not root:
        return {}
    root, words = root.rstrip("/"), WORDS.get(language, WORDS["en"])
    about = words["page"].format(address or source)
    if article:
        about += "\n" + words["version"].format(article.version, article.updated)
    bodies = {"error": f"{about}\n\n{words['wrong']}\n\n", "comment": f"{about}\n\n"}
    issues = {
        kind: f"{root}/issues/new?{urlencode({'title': words[kind].format(title), 'body': body}, quote_via=quote)}"
        for kind, body in bodies.items()
    }
    place = f"{quote(branch)}/{quote(source)}"
    return {**issues, "edit": f"{root}/edit/{place}", "history": f"{root}/commits/{place}"}
