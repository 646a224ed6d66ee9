"""Figures that disagree: the same measure for the same time in the same unit, with other values in other sources."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from metier.evidence._ledger import EvidenceItem
from metier.evidence._quantities import Quantity, read_quantities
from metier.json_values import JsonObject, JsonValue

_NOT_FIGURES: Final = frozenset({"year", "calendar month", ""})
_PERIOD: Final = re.compile(
    r"(?P<year>(?:19|20)\d{2})\s?年?(?P<part>\s?(?:上半年|下半年|前[一二三]?季度|第?[一二三四1-4]季度|\d{1,2}\s?月|[QH][1-4]))?"
)
_PART_EN: Final = re.compile(
    r"\b(?:first|second) half|\b(?:first|second|third|fourth) quarter|\bQ[1-4]\b|\bH[12]\b", re.I
)
_NEAR_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class FigureStatement:
    """A figure as one source states it: as written there, and the evidence it stands in."""

    text: str
    id: int

    def to_json(self) -> JsonObject:
        return {"text": self.text, "id": self.id}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A measure and a period for which sources state different figures."""

    measure: str
    period: str
    statements: tuple[FigureStatement, ...]

    def to_json(self) -> JsonObject:
        stated: list[JsonValue] = [one.to_json() for one in self.statements]
        return {"measure": self.measure, "period": self.period, "statements": stated}


def find_disagreements(
    items: Iterable[EvidenceItem], measures: Sequence[Sequence[str]], *, rates: Sequence[str] = ()
) -> tuple[Disagreement, ...]:
    """Compare the figures of all evidence.

    `measures` are groups of words for one measure; the first word of a group is its name. Figures are compared if the
    nearest measure before them, the year and part of the year of the sentence, the unit and the direction are the same.
    Percentages are compared for the measures in `rates` only: beside others they say a change or a part.
    """
    stated: dict[tuple[str, str, str, str], dict[str, tuple[Quantity, int]]] = {}
    for one in items:
        period = _find_period(one.text)
        if not period:
            continue
        for quantity in read_quantities(one.text):
            measure = _find_measure(one.text, quantity, measures)
            is_figure = quantity.unit not in _NOT_FIGURES and (quantity.unit != "%" or measure in rates)
            if measure and is_figure:
                group = stated.setdefault((measure, period, quantity.unit, quantity.direction), {})
                group.setdefault(one.place.source, (quantity, one.id))
    return tuple(
        Disagreement(measure, period, tuple(FigureStatement(found.text, number) for found, number in group.values()))
        for (measure, period, _, _), group in stated.items()
        if len({found.value for found, _ in group.values()}) > 1
    )


def _find_period(text: str) -> str:
    """Year and part of the year; empty if the text names none or several years, which nothing could be assigned to."""
    found = {(one["year"], re.sub(r"\s", "", one["part"] or "")) for one in _PERIOD.finditer(text)}
    if len(found) != 1:
        return ""
    ((year, part),) = found
    english = _PART_EN.search(text)
    return f"{year} {part or (english[0].lower() if english else '')}".strip()


def _find_measure(text: str, quantity: Quantity, measures: Sequence[Sequence[str]]) -> str:
    before = text[max(0, quantity.start - _NEAR_CHARS) : quantity.start].casefold()
    places = [(before.rfind(word.casefold()), group[0]) for group in measures for word in group]
    at, name = max(places, default=(-1, ""), key=lambda one: one[0])
    return name if at >= 0 else ""
