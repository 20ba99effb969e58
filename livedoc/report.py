"""The tables of the reproducibility page, made from the ledger: superfences' `format` for `ledger` fences."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from livedoc.ledger import disagreements
from livedoc.numbers import localise

if TYPE_CHECKING:
    from markdown import Markdown

    from livedoc.context import Context

WORDS = {
    "it": {
        "environment": ["data della build", "commit", "Python", "sistema", "processore", "BLAS", "thread", "pacchetti"],
        "listings": ["listato", "pagina", "secondi (it)", "secondi (en)", "memoria (MiB)", "valori", "due esecuzioni"],
        "counts": ["listati", "esecuzioni", "valori", "condizioni", "figure"],
        "equal": "uguali",
        "differ": "diverse",
        "changed": "con modifiche non registrate",
        "none": "nessuno",
        "download": "Scarica il registro (ledger.json)",
    },
    "en": {
        "environment": ["date of the build", "commit", "Python", "system", "processor", "BLAS", "threads", "packages"],
        "listings": ["listing", "page", "seconds (it)", "seconds (en)", "memory (MiB)", "values", "two runs"],
        "counts": ["listings", "runs", "values", "claims", "figures"],
        "equal": "equal",
        "differ": "different",
        "changed": "with uncommitted changes",
        "none": "none",
        "download": "Download the ledger (ledger.json)",
    },
}


def ledger_fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **_: Any) -> str:
    """Render a `ledger` fence, whose body says which table: environment, counts, listings or download."""
    context: Context = md.livedoc  # type: ignore[attr-defined]
    what = source.strip()
    tables = {"environment": _environment, "counts": _counts, "listings": _listings, "download": _download}
    if what not in tables:
        return context.fail(context.line_of("```ledger"), f"a ledger fence shows one of {', '.join(tables)}")
    if context.ledger is None:
        return context.fail(context.line_of("```ledger"), "there is no ledger outside a build")
    return tables[what](context, context.ledger(), WORDS.get(context.language, WORDS["en"]))


def _table(headings: list[str], rows: list[list[str]]) -> str:
    """Return a table of cells that are HTML already."""
    head = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        '<div class="bound-table ledger" data-search-exclude><table>'
        + (f"<thead><tr>{head}</tr></thead>" if headings else "")
        + f"<tbody>{body}</tbody></table></div>"
    )


def _environment(context: Context, ledger: dict[str, Any], words: Any) -> str:
    found = ledger["environment"]
    commit = f"<code>{ledger['commit'][:12]}</code>" if ledger["commit"] else words["none"]
    commit += f", {words['changed']}" if ledger["dirty"] else ""
    values = [
        html.escape(ledger["built"].replace("T", " ")),
        commit,
        html.escape(found["python"]),
        html.escape(found["platform"]),
        html.escape(found["cpu"]),
        html.escape(found["blas"] or words["none"]),
        html.escape(", ".join(f"{name}={value}" for name, value in found["threads"].items() if value)),
        html.escape(", ".join(f"{name} {version}" for name, version in found["packages"].items())),
    ]
    return _table(
        [], [[f"<strong>{name}</strong>", value] for name, value in zip(words["environment"], values, strict=True)]
    )


def _counts(context: Context, ledger: dict[str, Any], words: Any) -> str:
    runs = [run for run in ledger["runs"] if run["language"] == context.language]
    counts = [
        len(runs),
        len(ledger["runs"]),
        *(sum(len(run[what]) for run in runs) for what in ("values", "claims", "figures")),
    ]
    return _table(words["counts"], [[str(count) for count in counts]])


def _listings(context: Context, ledger: dict[str, Any], words: Any) -> str:
    pairs: dict[tuple[str, str], dict[str, Any]] = {}
    for run in ledger["runs"]:
        pairs.setdefault((run["page"], run["listing"]), {})[run["language"]] = run
    rows = []
    for (page, name), pair in pairs.items():
        one = pair.get(context.language) or next(iter(pair.values()))
        address = context.links.get(page, "")
        seconds = [
            localise(f"{pair[language]['seconds']:.2f}", context.language) if language in pair else ""
            for language in ("it", "en")
        ]
        rows.append(
            [
                f'<a href="{address}#listing-{name}"><code>{html.escape(one["snippet"])}</code></a>',
                html.escape(f"{page.removesuffix('.md')} #{one['section']}"),
                *seconds,
                str(max(run["memory"] for run in pair.values()) >> 20),
                str(len(one["values"])),
                words["differ"] if disagreements(list(pair.values())) else words["equal"],
            ]
        )
    return _table(words["listings"], rows)


def _download(context: Context, ledger: dict[str, Any], words: Any) -> str:
    return f'<p><a href="{context.top}ledger.json" download>{words["download"]}</a></p>'
