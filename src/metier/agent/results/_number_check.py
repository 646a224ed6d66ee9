"""Finds figures of a text that are in none of its sources. Pure functions."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from metier.agent.results._numbers import COUNT, UNITS, Date, Figure, Identifier, Number, Unit, read_figures
from metier.json_values import JsonValue

_EXACT: Final = Decimal("1e-9")
_MAX_FRACTION: Final = 10
_MAX_WORD_DIGITS: Final = 2
_MIN_ID_NUMBER_DIGITS: Final = 4


def find_unknown_numbers(text: str, sources: Iterable[JsonValue]) -> tuple[str, ...]:
    """Figures of the text that no source has, as written there and in order; each once.

    A number may be rounded to the digits that it shows. Percent and fraction, units of the same kind, and the ways to
    write a date are the same. A number without a sign matches a negative one: words may say the direction.
    """
    known = _Known(sources)
    unknown = (one.text for one in read_figures(text, skip_counts=True) if not known.has(one))
    return tuple(dict.fromkeys(unknown))


class _Known:
    """Figures of the sources."""

    def __init__(self, sources: Iterable[JsonValue]) -> None:
        figures = _read_sources(sources)
        self._values = _group_values(one for one in figures if isinstance(one, Number))
        self._dates = [one for one in figures if isinstance(one, Date)]
        self._ids = {one.text.casefold() for one in figures if isinstance(one, Identifier)}
        self._skeletons = {one.skeleton for one in figures if isinstance(one, Identifier)}

    def has(self, figure: Figure) -> bool:
        if isinstance(figure, Number):
            return self._has_number(figure) or self._has_list(figure)
        if isinstance(figure, Date):
            return any(_is_same_date(figure, one) for one in self._dates)
        return self._has_id(figure)

    def _has_number(self, number: Number) -> bool:
        return any(
            _has_close(values, number.value * scale, number.step * scale)
            for unit, values in self._values.items()
            for scale in _find_scales(number, unit)
        )

    def _has_list(self, number: Number) -> bool:
        """Whether a number with separators can be read as a list of known ones: 110,120."""
        parts = number.text.split(",")
        return len(parts) > 1 and all(self._has_all(part) for part in parts)

    def _has_id(self, name: Identifier) -> bool:
        folded = name.text.casefold()
        if folded in self._ids:
            return True
        if name.skeleton in self._skeletons:
            return False
        head, _, rest = name.text.partition("-")  # RSRP-110: a word and a number; A1-A3: two names
        if any(char.isdigit() for char in rest) and self._has_all(f"-{rest}" if head.isalpha() else f"{head} {rest}"):
            return True
        return sum(char.isdigit() for char in folded) <= _MAX_WORD_DIGITS and folded[:1].isalpha()

    def _has_all(self, text: str) -> bool:
        found = list(read_figures(text))
        return bool(found) and all(self.has(one) for one in found)


def _read_sources(sources: Iterable[JsonValue]) -> list[Figure]:
    """Figures of all sources. Each text and number is read once: the rows of a result repeat their names."""
    texts, numbers, lengths = _collect_values(sources)
    figures: list[Figure] = [one for text in texts for one in read_figures(text)]
    figures.extend([one for name in figures if isinstance(name, Identifier) for one in _numbers_in_id(name)])
    figures.extend(Number(str(one), Decimal(str(one))) for one in numbers)
    # How many there are is a fact of the result.
    figures.extend(Number(str(one), Decimal(one), unit=COUNT) for one in lengths)
    return figures


def _collect_values(sources: Iterable[JsonValue]) -> tuple[set[str], set[float], set[int]]:
    """Texts and keys, numbers, and lengths of lists in all sources."""
    texts, numbers, lengths = set[str](), set[float](), set[int]()
    waiting = list(sources)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.add(value)
        elif isinstance(value, int | float):
            if not isinstance(value, bool):
                numbers.add(value)
        elif isinstance(value, Mapping):
            texts.update(value)
            waiting.extend(value.values())
        elif isinstance(value, Sequence):
            lengths.add(len(value))
            waiting.extend(value)
    return texts, numbers, lengths


def _numbers_in_id(name: Identifier) -> Iterator[Number]:
    """Long numbers inside a name, which may be written without the letters around them."""
    runs = "".join(char if char.isdigit() else " " for char in name.text).split()
    yield from (Number(run, Decimal(run)) for run in runs if len(run) >= _MIN_ID_NUMBER_DIGITS)


def _is_same_date(date: Date, known: Date) -> bool:
    """Whether what is written of a date agrees with a known one that has at least as much."""
    pairs = ((date.year, known.year), (date.month, known.month), (date.day, known.day))
    return all(part is None or part == other for part, other in pairs)


def _group_values(numbers: Iterable[Number]) -> Mapping[Unit | None, Sequence[Decimal]]:
    """Values by unit, sorted; each also without its sign, as words may say the direction."""
    groups: dict[Unit | None, set[Decimal]] = {}
    for number in numbers:
        groups.setdefault(number.unit, set()).update((number.value, abs(number.value)))
    return {unit: sorted(values) for unit, values in groups.items()}


def _has_close(values: Sequence[Decimal], value: Decimal, step: Decimal) -> bool:
    tolerance = max(step / 2, abs(value) * _EXACT)
    at = bisect_left(values, value - tolerance)
    return at < len(values) and values[at] <= value + tolerance


def _find_scales(number: Number, known: Unit | None) -> Iterator[Decimal]:
    """Factors by which the number may be multiplied to be compared with values of this unit."""
    one, mine = Decimal(1), number.unit
    if mine is not None and known is not None:
        if mine.family == known.family:
            yield mine.factor / known.factor
        return
    yield one
    if mine is not None and mine.family == "percent":
        yield mine.factor / 100
    elif mine is not None:
        yield from {mine.factor / unit.factor for unit in UNITS.values() if unit.family == mine.family} - {one}
    elif known is not None and known.family == "percent" and abs(number.value) <= _MAX_FRACTION:
        yield 100 / known.factor
