"""Findings behind proposed rows: the rows of a report that quote, or are quoted by, a row of the preview."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, choose
from metier.patterns import CHINESE_NUMERALS, compile_later, read_chinese_integer
from metier.questions._results import Results, ResultTable
from metier.questions.named_rows import JUDGES
from metier.questions.proposals._places import NamedPlace

_MIN_QUOTE: Final = 6
_MAX_NAME: Final = 24
_CHINESE: Final = compile_later("[\u4e00-\u9fff]")
_NUMERAL: Final = compile_later(f"[{CHINESE_NUMERALS}]+")
_SAME_ZH: Final = MappingProxyType(
    {"clause": "条", "article": "条", "paragraph": "段", "page": "页", "slide": "页", "section": "节", "chapter": "章"}
)
_CLAUSE_ZH: Final = "条"
_CLAUSE: Final = compile_later(rf"第\d+{_CLAUSE_ZH}")


@dataclass(frozen=True, slots=True)
class ProposedRows:
    """Rows that wait for approval, and the finding behind each; `findings` is the table of these, if there is one."""

    table: ResultTable
    findings: ResultTable | None = None
    linked: tuple[int | None, ...] = ()

    def get_finding(self, row: int) -> tuple[JsonValue, ...] | None:
        """The finding behind a row; None if none is known."""
        at = self.linked[row] if row < len(self.linked) else None
        return None if at is None or self.findings is None else self.findings.rows[at]

    def is_in(self, language: Language) -> bool:
        """Whether the findings are written in a language: sentences of another one are not quoted."""
        heads = "" if self.findings is None else "".join(one.title for one in self.findings.columns)
        has_chinese = _CHINESE.search(heads) is not None
        return choose(language, zh=has_chinese, en=not has_chinese)


@dataclass(frozen=True, slots=True)
class FoundRows:
    """Rows that places mean, from 0; `others` are those whose own place has that name (第二条 of a contract).

    `is_other_place` says that rows have places of that name, such as clauses, but not the one that is named.
    """

    rows: tuple[int, ...]
    others: tuple[int, ...] = ()
    is_missing: bool = False
    is_other_place: bool = False


def link_findings(table: ResultTable, results: Results) -> ProposedRows:
    """The proposal with the table of its turn that has a finding for most of its rows."""
    said = next((one.said for one in results.tables if one.title == table.title), results.said)
    best: ResultTable | None = None
    linked: tuple[int | None, ...] = ()
    for one in results.tables:
        is_judging = any(JUDGES.search(head.title) for head in one.columns)
        if one.said != said or one.title == table.title or not is_judging:
            continue
        found = tuple(_link(row, one) for row in table.rows)
        if sum(at is not None for at in found) > sum(at is not None for at in linked):
            best, linked = one, found
    return ProposedRows(replace(table, said=said), best, linked)


def find_rows(places: Sequence[NamedPlace], proposal: ProposedRows) -> FoundRows:
    """The rows that places mean: by their number, or for parts of a document (第 3 段) by what stands in the row.

    Where a row number may as well be the name of a place, such as 第二条 of a contract, `others` has the rows of that.
    """
    total, rows, others, is_other_place = len(proposal.table.rows), set[int](), set[int](), False
    for place in places:
        named = set(_find_named(place, proposal))
        numbers = set[int]() if place.is_part else {_count_from(one, total) for one in place.numbers}
        numbered = numbers if all(0 <= one < total for one in numbers) else set[int]()
        if not (numbered or named):
            return FoundRows((), is_missing=True)
        is_other_place |= not place.is_part and place.noun == _CLAUSE_ZH and not named and _has_clauses(proposal)
        rows |= numbered or named
        others |= named or numbered
    return FoundRows(
        tuple(sorted(rows)), tuple(sorted(others)) if others != rows else (), is_other_place=is_other_place
    )


def _count_from(number: int, total: int) -> int:
    """Place of a row, from 0; a negative number counts from the end."""
    return number - 1 if number > 0 else total + number


def _link(row: Sequence[JsonValue], findings: ResultTable) -> int | None:
    """The finding that shares the longest text with a row; None if none does, or two share the same."""
    scored = [(_measure_shared(row, one), at) for at, one in enumerate(findings.rows)]
    best = max((score for score, _ in scored), default=0)
    first = [at for score, at in scored if score == best]
    return first[0] if best and len(first) == 1 else None


def _measure_shared(row: Sequence[JsonValue], finding: Sequence[JsonValue]) -> int:
    """How many characters of whole cells one row has of the other."""
    texts, cells = ([one for one in each if isinstance(one, str)] for each in (row, finding))
    quoted = [len(cell) for cell in cells if len(cell) >= _MIN_QUOTE and any(cell in text for text in texts)]
    quoting = [len(text) for text in texts if len(text) >= _MIN_QUOTE and any(text in cell for cell in cells)]
    return sum(quoted) + sum(quoting)


def _find_named(place: NamedPlace, proposal: ProposedRows) -> Iterator[int]:
    """Rows in which a short cell, of the preview or of the finding, is the name of a place."""
    names = set(_list_names(place))
    if not names:
        return
    for at, row in enumerate(proposal.table.rows):
        cells = (*row, *(proposal.get_finding(at) or ()))
        parts = {part for cell in cells if isinstance(cell, str) for part in _list_parts(cell)}
        if names & parts:
            yield at


def _has_clauses(proposal: ProposedRows) -> bool:
    """Whether rows stand in clauses of a document, so that 第二条 may be a clause without a change."""
    rows = enumerate(proposal.table.rows)
    cells = (cell for at, row in rows for cell in (*row, *(proposal.get_finding(at) or ())) if isinstance(cell, str))
    return any(_CLAUSE.fullmatch(part) for cell in cells for part in _list_parts(cell))


def _list_names(place: NamedPlace) -> Iterator[str]:
    """How a cell would name a place; 第二条 may be one as well as a row, 第二行 and "the second" are rows."""
    noun = place.noun.removesuffix("s")
    if not place.is_part and noun != _CLAUSE_ZH:
        return
    for number in place.numbers:
        yield f"{noun}{number}" if noun.isascii() else f"第{number}{noun}"
        if noun in _SAME_ZH:
            yield f"第{number}{_SAME_ZH[noun]}"


def _list_parts(cell: str) -> Iterator[str]:
    """A short cell, and its parts between dots, with digits and without blanks: 第 12 段 · 第五条."""
    if len(cell) <= _MAX_NAME:
        for part in (cell, *cell.split("·")):
            yield _NUMERAL.sub(
                lambda found: str(read_chinese_integer(found[0]) or found[0]), "".join(part.split()).lower()
            )
