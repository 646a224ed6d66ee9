"""Pages as results: JSON for programs, sentences for people."""

from dataclasses import replace
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, shorten_text
from metier.tools.browser._content import FormField, PageContent, PageForm, PageTable
from metier.tools.browser._problems import BrowserProblem
from metier.tools.browser._texts import TEXTS

_MAX_LINKS: Final = 50
_MAX_NAMED_LINKS: Final = 8
_MAX_QUOTE_CHARS: Final = 1_500
_MAX_FIELDS: Final = 60


def describe_page(content: PageContent, max_chars: int, language: Language) -> dict[str, JsonValue]:
    """What a page holds, with a sentence for people."""
    title = content.title or TEXTS.render("unnamed", language)
    counts = {"chars": len(content.text), "links": len(content.links), "tables": len(content.tables)}
    links: list[JsonValue] = [{"text": text, "url": url} for text, url in content.links[:_MAX_LINKS]]
    return {
        "url": content.url,
        "title": content.title,
        "content": content.text[:max_chars],
        "links": links,
        "tables_found": describe_tables(content, language),
        "forms": [_describe_form(one, number) for number, one in enumerate(content.forms, 1)],
        "wants_login": content.wants_login,
        "summary": TEXTS.render("opened", language, title=title, url=content.url, forms=len(content.forms), **counts),
    }


def describe_tables(content: PageContent, language: Language) -> list[JsonValue]:
    """Tables and lists of a page by name and size."""
    return [
        {"name": name, "kind": table.kind, "rows": len(table.rows), "columns": list(table.columns)[:30]}
        for table, name in name_tables(content, language)
    ]


def name_tables(content: PageContent, language: Language) -> list[tuple[PageTable, str]]:
    """Tables and lists with their titles; those without one are numbered."""
    found: list[tuple[PageTable, str]] = []
    for table in content.tables:
        number = 1 + sum(other.kind == table.kind for other, _ in found)
        found.append((table, table.title or TEXTS.render(table.kind, language, number=number)))
    return found


def find_table(content: PageContent, which: str, language: Language) -> tuple[PageTable, str, list[str]]:
    """The table or list that is meant, its name, and the names of the others.

    `which` is empty, `table`, `list`, a number or a part of the title; without it, the largest table is taken.
    """
    named = name_tables(content, language)
    if not named:
        links = list(dict.fromkeys(text.strip()[:30] for text, _ in content.links if text.strip()))[:_MAX_NAMED_LINKS]
        raise BrowserProblem("no_table_links", links=links) if links else BrowserProblem("no_table")
    wanted = which.strip().casefold()
    matching = [pair for pair in named if pair[0].kind == wanted or (wanted and wanted in pair[1].casefold())]
    if wanted.isdigit() and 0 < int(wanted) <= len(named):
        matching = [named[int(wanted) - 1]]
    if wanted and not matching:
        raise BrowserProblem("which_table", which=which[:100], names=[name for _, name in named])
    table, name = max(matching or named, key=lambda pair: (pair[0].kind == "table", len(pair[0].rows)))
    return _name_columns(table, language), name, [other for one, other in named if one is not table]


def quote_text(content: PageContent, language: Language) -> str:
    """The text of a page for people, marked as the page's own words."""
    if not content.text:
        return TEXTS.render("no_text", language)
    shown = shorten_text(content.text, _MAX_QUOTE_CHARS)
    quoted = TEXTS.render("quoted", language, quote="\n".join(f"> {line}" for line in shown.split("\n")))
    if len(content.text) <= _MAX_QUOTE_CHARS:
        return quoted
    return f"{quoted}\n\n{TEXTS.render('more_text', language, shown=len(shown), chars=len(content.text))}"


def _name_columns(table: PageTable, language: Language) -> PageTable:
    if table.kind == "list":
        return replace(table, columns=tuple(TEXTS.render(f"column_{name}", language) for name in table.columns))
    names = (
        TEXTS.render("column_number", language, number=name) if name == str(at + 1) else name
        for at, name in enumerate(table.columns)
    )
    return replace(table, columns=tuple(names))


def _describe_form(form: PageForm, number: int) -> JsonValue:
    fields: list[JsonValue] = [_describe_field(one) for one in form.fields if not one.is_hidden][:_MAX_FIELDS]
    return {
        "number": number,
        "title": form.title,
        "method": form.method,
        "sent_to": form.action,
        "fields": fields,
    }


def _describe_field(one: FormField) -> JsonValue:
    described: dict[str, JsonValue] = {"name": one.label or one.name, "kind": one.kind, "required": one.required}
    return {**described, "options": [text for _, text in one.options][:30]} if one.options else described
