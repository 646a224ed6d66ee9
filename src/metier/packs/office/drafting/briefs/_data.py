"""Items and rows of a brief, behind the colon of its sentence."""

import re
from collections.abc import Sequence, Set as AbstractSet
from typing import Final

from metier.packs.office._counts import PERIODS
from metier.packs.office.drafting._asides import begins_with_order
from metier.packs.office.drafting.briefs._brief import Brief, UnreadLine
from metier.packs.office.drafting.briefs._cover import NameCover
from metier.packs.office.drafting.briefs._forms import Forms
from metier.packs.office.drafting.briefs._rows import is_number

__all__ = ["write_data"]

_QUANTITY: Final = re.compile(r"数量|件数|台数|人数|\b(?:qty|quantity|pieces|units|number)\b", re.IGNORECASE)
_PERIOD: Final = re.compile(PERIODS, re.IGNORECASE)
_PAIRED: Final = (re.compile(r"(?:主要)?风险|risks?", re.IGNORECASE), re.compile(r"应对(?:措施)?|responses?|remed(?:y|ies)", re.IGNORECASE))
_PRICE: Final = re.compile(r"单价|价格|\b(?:unit price|price|rate|each)\b", re.IGNORECASE)


def write_data(brief: Brief, kinds: AbstractSet[str], forms: Forms, cover: NameCover) -> str:
    """The end of the sentence; empty if the brief has neither items nor rows."""
    if "data" in brief.texts:
        return f"{'：' if forms.is_chinese else ': '}{brief.texts['data']}"
    if brief.rows and brief.items:
        raise UnreadLine(brief.items[0])
    if brief.items:
        return _write_items(brief.items, kinds, forms, cover)
    if not brief.rows:
        return ""
    if kinds & {"pairs", "timeline"}:
        return _write_pairs(brief.rows, kinds, forms)
    if kinds & {"chart", "budget", "grouped", "quotation"}:
        return _write_figures(brief, kinds, forms, cover)
    header = brief.columns or brief.header
    rows = [header, *brief.rows] if header else list(brief.rows)
    if len({len(one) for one in rows}) != 1:
        raise UnreadLine(" ".join(brief.rows[0]))
    return "\n" + "\n".join("\t".join(cover.cover(cell) if not is_number(cell) else cell for cell in row) for row in rows)


def _write_items(items: Sequence[str], kinds: AbstractSet[str], forms: Forms, cover: NameCover) -> str:
    is_plain = not any(re.search(r"[,，、;；:：—]|\s[-–]\s|→", one) for one in items)
    is_short = is_plain and "points" not in kinds and all(len(one) <= 12 if forms.is_chinese else len(one.split()) <= 4 for one in items)
    if "points" in kinds and not any(begins_with_order(one) or '"' in one or "”" in one for one in items):
        quoted = [f"“{one}”" if forms.is_chinese else f'"{one}"' for one in items]
        return ("：" if forms.is_chinese else ": ") + ("" if forms.is_chinese else ", ").join(quoted)
    if forms.is_chinese:
        lead = "，分为" if kinds & {"template"} else "："
        return lead + ("、" if is_short else "；").join(items)
    return ": " + (", " if is_short else "; ").join(items)


def _write_pairs(rows: "Sequence[tuple[str, ...]]", kinds: AbstractSet[str], forms: Forms) -> str:
    is_usual = "pairs" in kinds and all(form.fullmatch(cell) for form, cell in zip(_PAIRED, rows[0], strict=False))
    rows = rows[1:] if is_usual else rows  # the header that such a slide has anyway
    if any(len(row) != 2 for row in rows) or ("timeline" in kinds and not all(_PERIOD.search(row[0]) for row in rows)):
        raise UnreadLine(" ".join(rows[0]))
    sign = "——" if "pairs" in kinds else ("" if forms.is_chinese else " ")
    ends = "；" if forms.is_chinese else "; "
    return ("：" if forms.is_chinese else ": ") + ends.join(f"{row[0]}{sign}{row[1]}" for row in rows)


def _write_figures(brief: Brief, kinds: AbstractSet[str], forms: Forms, cover: NameCover) -> str:
    rows = brief.rows
    if any(not is_number(cell) for row in rows for cell in row[1:]):
        raise UnreadLine(" ".join(next(row for row in rows if not all(map(is_number, row[1:])))))
    words = ("数量{}", "单价{}") if forms.is_chinese else ("quantity {}", "price {}")
    columns = brief.columns or brief.header
    said: list[str] = []
    for row in rows:
        numbers = list(row[1:])
        if "quotation" in kinds:
            if len(numbers) != 2 or (columns and not _names_prices(columns)):
                raise UnreadLine(" ".join(row))
            numbers = [word.format(one) for word, one in zip(words, numbers, strict=True)]
        said.append(" ".join([cover.cover(row[0]), *numbers]))
    return ("：" if forms.is_chinese else ": ") + ("；" if forms.is_chinese else "; ").join(said)


def _names_prices(columns: Sequence[str]) -> bool:
    """Whether the second column is a quantity and the third a price."""
    return len(columns) in (3, 4) and bool(_QUANTITY.search(columns[1]) and _PRICE.search(columns[2]))
