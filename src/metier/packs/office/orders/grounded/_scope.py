"""The part of a document that an order names: its tables, a sheet, a slide. Nothing outside of it is changed."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading, SheetCells
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders.grounded._words import count_shared
from metier.packs.office.orders.grounded._written import list_written, name_part
from metier.packs.office.orders.workbooks import name_cell

__all__ = ["OrderScope", "find_scope"]

_STAYS: Final = r"(?:都|就|先|也|可)*(?:别|不要|不用|不|勿|保持|除外)"
_NO_TABLES: Final = re.compile(
    rf"(?:不包括|不含|除了|(?<![删移清去])除)表格|表格?(?:里面?|中|内)?的?(?:内容|文字)?{_STAYS}|"
    r"\b(?:not|except|excluding|outside|don['’]?t|do not|leave|without|apart from)\b[^,，;；]{0,20}\btables?\b",
    re.IGNORECASE,
)
_IN_TABLE: Final = re.compile(
    rf"(?:只|仅)?(?:改|换|在|把|将|是)*(?:上|下)?(?:面)?(?:的|这个|那个)?"
    rf"(?:第(?P<zh>{ORDINAL})[个张])?表格?(?:里面?|中|内|里头|当中)的?|只改表格的?|"
    rf"\b(?:only )?(?:in|within|inside) (?:the |this |that )?(?:(?P<en>{EN_ORDINAL}) )?table\b",
    re.IGNORECASE,
)
_SHEET: Final = r"(?:工作表|子表|表格?|sheet页?|页签|表单)"
_NTH_SHEET: Final = re.compile(
    rf"在?(?:第(?P<zh>{ORDINAL})[个张]?|(?P<last>最后一?[个张]?)){_SHEET}(?:里面?|中|上)?的?|"
    rf"\b(?:on|in) (?:the )?(?:(?P<en>{EN_ORDINAL})|(?P<end>last)) (?:work)?(?:sheet|tab)\b",
    re.IGNORECASE,
)
_NTH_SLIDE: Final = re.compile(
    rf"在?(?:第(?P<zh>{ORDINAL})|(?P<last>最后一))[页张](?:幻灯片)?(?:里面?|中|上|的)的?(?![前后])|"
    rf"\bon (?:the )?(?:(?P<en>{EN_ORDINAL})|(?P<end>last)) slide\b|\bon slide (?P<number>\d+)\b",
    re.IGNORECASE,
)
_REST_STAYS: Final = re.compile(
    rf"(?:其[他它余]|别的|剩下的?|正文)\S{{0,6}}?{_STAYS}[动变改碰]|"
    r"\b(?:rest|everything else|others?|nothing else|anything else|text)\b[^,;]{0,20}"
    r"\b(?:stays?|as (?:it )?is|alone|unchanged|untouched)\b|\b(?:touch|change) (?:nothing|anything) else\b",
    re.IGNORECASE,
)
_CUT: Final = re.compile(r"[,，;；。!！]+|\.(?!\d)|\s+and\s+|另外|同时|并且?|然后", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OrderScope:
    """A part of a document, and the clauses of the order that are not bound to it, and those that are."""

    allows: Callable[[str], bool]
    free: tuple[str, ...]
    bound: tuple[str, ...]
    said: str  # the order without the words for the part

    def holds(self, steps: Sequence[JsonObject], reading: Reading) -> bool:
        """Whether the steps change nothing outside but what a clause of its own names."""
        texts = dict(_list_parts(reading))
        outside = [one for one in list_written(steps, reading) if not self.allows(one.part)]
        return all(self._is_free(texts.get(one.part, one.held)) for one in outside)

    def _is_free(self, text: str) -> bool:
        """Whether a clause without the words for the part is about a text, more than those with them are."""
        free, bound = (max((count_shared(one, text) for one in said), default=0.0) for said in (self.free, self.bound))
        return free >= 1 and free > bound

    def narrow(self, reading: Reading) -> Reading:
        """The document as if it had this part only."""
        slides = []
        for one in reading.slides:
            tables = tuple("\n".join("\t".join(row) for row in rows) for rows in one.tables)
            if self.allows(f"s{one.number}"):
                slides.append(one)
            elif tables and self.allows(f"s{one.number}t"):
                slides.append(replace(one, title="", texts=tables))
        return replace(
            reading,
            pieces=tuple(one for one in reading.pieces if self.allows(name_part(one.address))),
            sheets=tuple(one for one in reading.sheets if self.allows(one.name)),
            slides=tuple(slides),
        )

    def bind(self, steps: Sequence[JsonObject], narrowed: Reading) -> list[JsonObject]:
        """Steps for the narrowed document, with the addresses that keep them inside of it."""
        return [made for one in steps for made in _bind(one, narrowed)]


def _bind(step: JsonObject, narrowed: Reading) -> Iterator[JsonObject]:
    if step["op"] != "replace_text" or step.get("address"):
        yield step
        return
    old = str(step.get("find_text", ""))
    places = [one.address for one in narrowed.pieces if one.kind != "comment" and old in one.text]
    places += [_name_area(one) for one in narrowed.sheets if any(old in str(cell.value) for cell in one.cells)]
    places += [f"s{one.number}" for one in narrowed.slides if any(old in text for text in (one.title, *one.texts))]
    yield from ({**step, "address": one} for one in places)


def _name_area(sheet: SheetCells) -> str:
    ends = [re.fullmatch(r"([A-Z]+)(\d+)", one.address.rpartition("!")[2]) for one in sheet.cells]
    cells = [(len(one[1]), one[1], int(one[2])) for one in ends if one is not None]
    column, row = max(cells)[1], max(one[2] for one in cells)
    return f"{name_cell(sheet.name, 1, 1)}:{column}{row}"


def _list_parts(reading: Reading) -> Iterator[tuple[str, str]]:
    parts: dict[str, list[str]] = {}
    for piece in reading.pieces:
        parts.setdefault(name_part(piece.address), []).append(piece.text)
    for sheet in reading.sheets:
        parts[sheet.name] = [str(cell.value) for cell in sheet.cells]
    for slide in reading.slides:
        parts[f"s{slide.number}"] = [slide.title, *slide.texts]
    return iter((part, "\n".join(texts)) for part, texts in parts.items())


def find_scope(said: str, reading: Reading) -> OrderScope | None:
    """The part that a message names; None if it names none, or several."""
    mask = RequestText(said).mask
    mask = mask[: mask.find(":")] if ":" in mask else mask
    for form, make in _list_forms(reading):
        found = list(form.finditer(mask))
        if len(found) == 1 and (allows := make(found[0])) is not None:
            return OrderScope(allows, *_divide(mask, form), _without(said, found[0]))
    return None


def _without(said: str, found: re.Match[str]) -> str:
    rest = said[found.end() :].lstrip(" ,，") if not said[: found.start()].strip() else said[found.end() :]
    return f"{said[: found.start()]}{rest}".strip(" ,，")


def _divide(mask: str, form: re.Pattern[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Clauses that have a place of their own, and those that are bound to the part.

    All are bound if the words for the part stand alone, or if the rest must stay.
    """
    clauses = tuple(one.strip() for one in _CUT.split(mask) if one and one.strip())
    is_alone = any(form.search(one) and len(form.sub("", one).strip(" 的")) < 2 for one in clauses)
    if is_alone or _REST_STAYS.search(mask):
        return (), clauses
    return tuple(one for one in clauses if not form.search(one)), tuple(one for one in clauses if form.search(one))


def _list_forms(
    reading: Reading,
) -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], Callable[[str], bool] | None]]]:
    if reading.kind == "xlsx":
        names = [one.name for one in reading.sheets if not one.hidden]
        yield _NTH_SHEET, lambda found: _allow(_nth(found, names))
        for name in names:
            word = re.escape(name)
            zh = rf"在?{word}(?:这|那)?[个张]?{_SHEET}?(?:里面?|中|上)的?"
            en = rf"\b(?:on|in) (?:the )?(?:sheet {word}|{word} (?:work)?(?:sheet|tab))\b"
            yield re.compile(f"{zh}|{en}", re.IGNORECASE), _always(_allow(name))
        return
    if reading.kind == "pptx":
        numbers = [f"s{one.number}" for one in reading.slides]
        yield _NTH_SLIDE, lambda found: _allow(_nth(found, numbers))
        yield _IN_TABLE, lambda _: lambda part: part.endswith("t")
        return
    yield _NO_TABLES, lambda _: lambda part: not part.startswith("t")
    yield _IN_TABLE, lambda found: _allow_tables(_number(found))


def _always(
    allows: Callable[[str], bool] | None,
) -> Callable[[re.Match[str]], Callable[[str], bool] | None]:
    return lambda _: allows


def _number(found: re.Match[str]) -> int:
    groups = found.groupdict()
    if groups.get("last") or groups.get("end"):
        return -1
    said = next((groups[name] for name in ("zh", "en", "number") if groups.get(name)), "")
    return (read_ordinal(said) or 0) if said else 0


def _nth(found: re.Match[str], names: Sequence[str]) -> str:
    at = _number(found)
    return names[at - 1 if at > 0 else at] if at and at <= len(names) else ""


def _allow(name: str) -> Callable[[str], bool] | None:
    return (lambda part: part.removesuffix("t") == name or part == name) if name else None


def _allow_tables(number: int) -> Callable[[str], bool]:
    return lambda part: part.startswith("t") and (not number or part == f"t{number}")
