"""Items and rows of a brief, behind the colon of its sentence."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from metier.packs.office._counts import PERIODS, read_amount
from metier.packs.office.drafting._asides import begins_with_order
from metier.packs.office.drafting.briefs._cover import NameCover
from metier.packs.office.drafting.briefs._forms import Forms
from metier.packs.office.drafting.briefs._slots import LaidOut, UnreadLine
from metier.packs.office.drafting.rows import is_number

__all__ = ["write_data"]

_QUANTITY: Final = re.compile(r"数量|件数|台数|人数|\b(?:qty|quantity|pieces|units|number)\b", re.IGNORECASE)
_PERIOD: Final = re.compile(PERIODS, re.IGNORECASE)
_PAIRED: Final = (
    re.compile(r"(?:主要)?风险|risks?", re.IGNORECASE),
    re.compile(r"应对(?:措施)?|responses?|remed(?:y|ies)", re.IGNORECASE),
)
_PAIR: Final = re.compile(r"\s*(?:[:：|｜→]|——|->|=>|\s[-–—]\s)\s*")
_PRICE: Final = re.compile(r"单价|价格|\b(?:unit price|price|rate|each)\b", re.IGNORECASE)


def write_data(brief: LaidOut, kinds: AbstractSet[str], forms: Forms, cover: NameCover) -> str:
    """The end of the sentence; empty if the brief has neither items nor rows."""
    if "data" in brief.texts:
        return f"{'：' if forms.is_chinese else ': '}{brief.texts['data']}"
    if brief.items and kinds & {"pairs", "timeline", "chart", "grouped"} and not brief.rows:
        pairs = [tuple(re.split(_PAIR, one, maxsplit=1)) for one in brief.items]
        brief.items, brief.rows = (), tuple(pairs)
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
    return "\n" + "\n".join(
        "\t".join(cover.cover(cell) if not is_number(cell) else cell for cell in row) for row in rows
    )


def _write_items(items: Sequence[str], kinds: AbstractSet[str], forms: Forms, cover: NameCover) -> str:
    is_plain = not any(re.search(r"[,，、;；:：—]|\s[-–]\s|→", one) for one in items)
    is_short = (
        is_plain
        and "points" not in kinds
        and all(len(one) <= 12 if forms.is_chinese else len(one.split()) <= 4 for one in items)
    )
    if "points" in kinds and not any(begins_with_order(one) or '"' in one or "”" in one for one in items):
        quoted = [f"“{one}”" if forms.is_chinese else f'"{one}"' for one in items]
        return ("：" if forms.is_chinese else ": ") + ("" if forms.is_chinese else ", ").join(quoted)
    if forms.is_chinese:
        lead = "，分为" if kinds & {"template"} else "："
        return lead + ("、" if is_short else "；").join(items)
    if kinds & {"template"} and is_plain:
        return f", with sections {', '.join(map(cover.cover, items))}"
    return ": " + (", " if is_short else "; ").join(items)


def _write_pairs(rows: "Sequence[tuple[str, ...]]", kinds: AbstractSet[str], forms: Forms) -> str:
    is_usual = "pairs" in kinds and all(form.fullmatch(cell) for form, cell in zip(_PAIRED, rows[0], strict=False))
    rows = rows[1:] if is_usual else rows  # the header that such a slide has anyway
    if any(len(row) != 2 for row in rows) or ("timeline" in kinds and not all(_PERIOD.search(row[0]) for row in rows)):
        raise UnreadLine(" ".join(rows[0]))
    sign = "——" if "pairs" in kinds else ("" if forms.is_chinese else " ")
    ends = "；" if forms.is_chinese else "; "
    return ("：" if forms.is_chinese else ": ") + ends.join(f"{row[0]}{sign}{row[1]}" for row in rows)


def _write_figures(brief: LaidOut, kinds: AbstractSet[str], forms: Forms, cover: NameCover) -> str:
    rows = brief.rows
    if any(not is_number(cell) for row in rows for cell in row[1:]):
        raise UnreadLine(" ".join(next(row for row in rows if not all(map(is_number, row[1:])))))
    words = ("数量{}", "单价{}") if forms.is_chinese else ("quantity {}", "price {}")
    columns = brief.columns or brief.header
    said: list[str] = []
    for row in rows:
        numbers = list(row[1:])
        if "quotation" in kinds:
            numbers = _write_prices(row, columns, words)
        said.append(" ".join([cover.cover(row[0]), *numbers]))
    return ("：" if forms.is_chinese else ": ") + ("；" if forms.is_chinese else "; ").join(said)


def _write_prices(row: tuple[str, ...], columns: Sequence[str], words: tuple[str, str]) -> list[str]:
    """The quantity and the price of a position; an amount beside them must be their product."""
    numbers = row[1:]
    is_amount = len(numbers) == 3 and len(columns) == 4 and _is_product(numbers)
    if len(numbers) != 2 and not is_amount:
        raise UnreadLine(" ".join(row))
    roles = [bool(_PRICE.search(one)) - bool(_QUANTITY.search(one)) for one in columns[1:3]]
    if columns and (len(columns) not in (3, 4) or sorted(roles) != [-1, 1]):
        raise UnreadLine(" ".join(columns))
    return [
        (words[1] if columns and role > 0 else words[0] if columns else word).format(one)
        for role, word, one in zip(roles or [0, 0], words, numbers[:2], strict=False)
    ]


def _is_product(numbers: Sequence[str]) -> bool:
    first, second, amount = (read_amount(re.sub(r"[^\d.,]", "", one)) for one in numbers)
    return first * second == amount
