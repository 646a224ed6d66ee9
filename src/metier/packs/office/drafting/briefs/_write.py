"""The slots of a brief as one sentence in the words that the rules read."""

import re
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.briefs._clauses import is_assured, name_quoted, names_art, restate_total, strip_entry
from metier.packs.office.drafting.briefs._cover import NameCover
from metier.packs.office.drafting.briefs._data import write_data
from metier.packs.office.drafting.briefs._forms import Forms, choose_forms
from metier.packs.office.drafting.briefs._slots import LaidOut, UnreadLine
from metier.packs.office.drafting.briefs._values import is_bold

__all__ = ["write_brief"]

_UNIT: Final = re.compile(r"单位")
_SAME: Final = ("title", "subtitle", "note", "topic", "text", "value", "label", "place")
# Slots that only some things have.
_ONLY_OF: Final = MappingProxyType(
    {
        "tasks": frozenset({"gantt"}),
        "weeks": frozenset({"gantt"}),
        "levels": {"outline"},
        "topic": {"outline"},
        "value": {"kpi"},
        "label": {"kpi"},
        "subtitle": {"cover"},
        "text": {"banner", "word_art"},
    }
)


def write_brief(brief: LaidOut, request: str) -> tuple[str, dict[str, str]]:
    """The sentence, and the names that stand in it under other characters."""
    cover = NameCover()
    forms = choose_forms(request)
    order, title = name_quoted("，".join(brief.order) if forms.is_chinese else ". ".join(brief.order))
    if title and "title" not in brief.texts:
        brief.texts["title"] = title
    order = _name_slide(order, brief, forms)
    kinds = brief.kinds
    _check_said(brief, kinds, forms)
    _check_kinds(brief, kinds)
    if kinds & {"word_art"} and "art" not in brief.texts and "text" in brief.texts:
        brief.texts["art"] = brief.texts.pop("text")
        brief.clauses = [one for one in brief.clauses if not names_art(one)]
    order = _name_order(strip_entry(restate_total(order), kinds) if brief.rows else restate_total(order), brief, forms)
    order = _mark_bold(order, brief)
    brief.order = [order]
    kinds = brief.kinds
    order = cover.cover_units(_drop_assured(order, kinds, forms))
    is_reversed = "actual-budget" in brief.formulas
    parts = [order, *(["差额用实际减预算"] if is_reversed else []), *_list_slots(brief, forms, cover)]
    brief.clauses = [restate_total(one) if kinds & {"quotation"} else one for one in brief.clauses]
    clauses = [_drop_assured(one, kinds, forms) for one in brief.clauses if not is_assured(one, kinds)]
    said = [re.sub(r"[\s,，;；。.]+$", "", cover.cover_units(one)) for one in clauses]
    tail = write_data(brief, kinds, forms, cover)
    behind = [one for one in said if one and not _UNIT.match(one)] if tail and _is_swallowed(kinds, forms) else []
    parts = [re.sub(r"[\s,，;；。.]+$", "", one) for one in parts if one] + [
        one for one in said if one and one not in behind
    ]
    return forms.join(parts, tail) + "".join(f"。{one}" for one in behind), cover.names


def _name_slide(order: str, brief: LaidOut, forms: Forms) -> str:
    """The order for a slide of rows, by its title where only that says what the rows are: 标题：风险与应对."""
    title = brief.texts.get("title", "")
    is_plain = brief.kinds <= {"slide"} and len(brief.order) == 1 and bool(brief.rows)
    if not is_plain or not any(
        one.kind in ("pairs", "timeline") and one.pattern.fullmatch(title) for one in list_topics()
    ):
        return order
    del brief.texts["title"]
    brief.order = [f"{order}{'' if forms.is_chinese else ': '}{title}"]
    return brief.order[0]


def _is_swallowed(kinds: set[str], forms: Forms) -> bool:
    """Whether a clause before the colon of the numbers would be read as their name."""
    return forms.is_chinese and bool(kinds & {"chart", "grouped"})


def _check_said(brief: LaidOut, kinds: set[str], forms: Forms) -> None:
    """Raise `UnreadLine` for a formula, a number or a bold title that the plan would not have."""
    has_formulas = {"budget-actual": "budget" in kinds, "quantity*price": "quotation" in kinds}
    has_formulas["actual-budget"] = "budget" in kinds and forms.is_chinese
    unread = [one for one in brief.formulas if not has_formulas[one]]
    unread += [said for count, said in brief.said_parts if count != len(brief.items)]
    if brief.width is not None and brief.columns and brief.width != len(brief.columns):
        unread.append(str(brief.width))
    if brief.is_bold_title and not brief.lines and not kinds & {"table", "heading", "quotation"}:
        unread.append(brief.texts.get("title", ""))
    if unread:
        raise UnreadLine(unread[0])


def _check_kinds(brief: LaidOut, kinds: set[str]) -> None:
    """Raise `UnreadLine` for a slot that the thing does not have."""
    slots = {"tasks": brief.tasks, "weeks": brief.weeks, "levels": brief.levels, **brief.texts}
    for slot, fits in _ONLY_OF.items():
        if slots.get(slot) and not kinds & fits:
            raise UnreadLine(str(slots[slot]))
    if brief.items and brief.columns:
        raise UnreadLine(brief.items[0])


def _mark_bold(order: str, brief: LaidOut) -> str:
    """An order without the bracket that says that the header row is bold."""
    found = re.search(r"(?:表头|标题行|header(?: row)?|首行)\s*([(（]([^()（）]+)[)）])", order, re.IGNORECASE)
    if found is None or not is_bold(found[2]):
        return order
    brief.is_bold = True
    return f"{order[: found.start(1)].rstrip()}{order[found.end(1) :]}"


def _drop_assured(order: str, kinds: set[str], forms: Forms) -> str:
    """An order without the clauses and brackets that say what the plan has anyway."""
    order = re.sub(r"[(（]([^()（）]*)[)）]", lambda found: "" if is_assured(found[1], kinds) else found[0], order)
    pieces = re.split(r"(?<=[,，。])\s*|(?<=\.)\s+(?=[A-Z])" if forms.is_chinese else r"(?<=\.)\s+(?=[A-Z])", order)
    kept = [one for one in pieces if not is_assured(one, kinds)]
    pairs = [f"{a}{b}" for a, b in pairwise(kept)]
    for pair in (one for one in pairs if is_assured(one, kinds)):
        return "".join(kept).replace(pair, "")
    return ("" if forms.is_chinese else " ").join(kept)


def _name_order(order: str, brief: LaidOut, forms: Forms) -> str:
    """The order, which says what is to be made; by what the fields give where it does not."""
    if brief.kinds - {"heading"} or (brief.texts.get("art") and brief.kinds):
        return order
    if brief.columns or brief.header or brief.width:
        return forms.add(order, "table")
    if brief.lines and "title" in brief.texts:
        return forms.add(order, "heading")
    if "art" in brief.texts:
        return order
    return order


def _list_slots(brief: LaidOut, forms: Forms, cover: NameCover) -> list[str]:
    texts = brief.texts
    parts: list[str] = []
    if brief.levels is not None:
        parts.append(forms.say_levels(brief.levels))
    if "art" in texts:
        parts.append(forms.say("art_title" if brief.kinds & {"template"} else "art", texts["art"]))
    if brief.lines:
        return [*parts, forms.say_lines(texts.get("title", ""), brief.lines)]
    note = "caption" if brief.kinds & {"picture"} else "note"
    parts += [
        forms.say(note if name == "note" else name, texts[name] if name == "place" else cover.cover_text(texts[name]))
        for name in _SAME
        if name in texts
    ]
    parts += _list_tables(brief, forms, cover)
    columns = brief.columns or brief.header
    if brief.width is not None and brief.count is not None and not columns:
        parts.append(forms.say("grid", brief.count, brief.width))
    elif brief.count is not None:
        parts.append(forms.say("rows", brief.count))
    if brief.is_bold:
        parts.append(forms.say("bold"))
    if brief.tasks:
        parts.append(forms.say("tasks", forms.list_names(brief.tasks, cover)))
    if brief.weeks is not None:
        parts.append(forms.say("weeks", brief.weeks))
    return parts


def _list_tables(brief: LaidOut, forms: Forms, cover: NameCover) -> list[str]:
    """The columns of a table that is not written as rows, or those of several tables."""
    if any(not one.columns or one.texts or one.clauses or one.items for one in brief.parts):
        raise UnreadLine(brief.order[0])
    tables = [(forms.list_names(one.columns, cover), one.count) for one in brief.parts]
    parts = [forms.say_tables(tables)] if tables else []
    columns = brief.columns or brief.header
    if columns and (not brief.rows or _has_figures(brief)):
        parts.append(forms.say("columns", forms.list_names(columns, cover)))
    return parts


def _has_figures(brief: LaidOut) -> bool:
    return bool(brief.kinds & {"chart", "budget", "grouped", "quotation", "pairs", "timeline"})
