"""Indicators before and after: what each was and is, which became better or worse, and by how much."""

from collections.abc import Sequence
from typing import Final

from metier.questions._drafts import with_unit
from metier.questions._results import Answer
from metier.questions.queries._run import number_at, relative_change, relative_gain, value_at
from metier.questions.queries._tables import gain_of, unit_of
from metier.questions.queries._writer import QueryWriter

_ALLOWED: Final = frozenset(
    {*("and", "or", "which", "any", "name", "only", "old", "new", "both", "better", "worse", "lowered", "raised"),
     *("gap", "percent", "most", "changed", "size", "names", "versus", "side", "figure")}
)  # fmt: skip

_TURNS: Final = ("both", "old", "new", "changed", "gap", "better", "worse", "raised", "lowered", "size")


class PairWriter(QueryWriter):
    """Writes what a table of indicators before and after says."""

    def write(self) -> Answer | None:
        reading = self._reading
        if not reading.kinds <= _ALLOWED or reading.conditions or reading.columns or reading.missing:
            return None
        if reading.has("figure") and not reading.rows:
            return None
        every = [
            row for row in range(len(reading.table.names)) if number_at(reading, row, reading.table.change) is not None
        ]
        rows = [row for row in every if row in reading.rows] if reading.rows else every
        if not rows:
            return None
        numbers = [one for one in reading.numbers if not one.unit]
        if len(numbers) != len(reading.numbers) or len(numbers) > 1:
            return None
        if reading.has("most"):
            return self._write_most(rows, int(numbers[0].number) if numbers else 1)
        if numbers:
            return None
        if not reading.rows and reading.has("better", "worse"):
            return self._write_turned(rows)
        is_raised = reading.has("raised")
        if not reading.rows and reading.has("which") and is_raised != reading.has("lowered"):
            return self._write_moved(rows, len(rows), is_raised=is_raised)
        is_asked = reading.has(*_TURNS) or (self._names_indicators() and not reading.rows)
        return self._finish(self._say_pairs(rows)) if is_asked else None

    def _names_indicators(self) -> bool:
        return any("indicator" in one.concepts for one in self._reading.tokens)

    def _write_most(self, rows: Sequence[int], count: int) -> Answer | None:
        reading = self._reading
        orders = {one.partition(":")[0] for one in reading.values_of("most")}
        if len(orders) != 1 or not reading.has("better", "worse", "changed", "size", "raised", "lowered"):
            return None
        is_worse = reading.has("worse")
        if (is_raised := reading.has("raised")) != reading.has("lowered") and not reading.has("better", "worse"):
            return self._write_moved(rows, count, is_raised=is_raised, is_least=bool(orders & {"low", "worst"}))
        sign = 1.0 if is_worse else -1.0
        ranked = sorted(rows, key=lambda row: sign * relative_gain(reading, row))
        is_turned = reading.has("better", "worse")
        if is_turned:
            ranked = [
                row for row in ranked if (relative_gain(reading, row) < 0) == is_worse and relative_gain(reading, row)
            ]
        else:
            ranked = sorted(rows, key=lambda row: -abs(relative_gain(reading, row)))
        if not ranked:
            return self._finish(self._say("none_worse" if is_worse else "none_better", rows=len(rows)))
        if orders & {"low", "worst"} and not is_worse:
            ranked.reverse()
        text = self._say_pairs(ranked[: max(1, count)])
        head = self._say("most_gained") if is_turned else self._say("most_changed")
        return self._finish(text if is_worse else f"{head}\n{text}")

    def _write_moved(self, rows: Sequence[int], count: int, *, is_raised: bool, is_least: bool = False) -> Answer:
        """The indicators whose value rose, or fell, by the largest share first; whether that is better is told."""
        found = {row: relative_change(self._reading, row) for row in rows}
        moved = [row for row in rows if found[row] and (found[row] > 0) == is_raised]
        if not moved:
            return self._finish(self._say("none_raised" if is_raised else "none_lowered", rows=len(rows)))
        ranked = sorted(moved, key=lambda row: abs(found[row]), reverse=not is_least)
        head = self._say("most_raised") if is_raised else self._say("most_lowered")
        return self._finish(f"{head}\n{self._say_pairs(ranked[: max(1, count)])}")

    def _write_turned(self, rows: Sequence[int]) -> Answer:
        """The indicators that became better, or worse."""
        is_worse = self._reading.has("worse")
        turned = [row for row in rows if (gain := relative_gain(self._reading, row)) and (gain < 0) == is_worse]
        if not turned:
            return self._finish(self._say("none_worse" if is_worse else "none_better", rows=len(rows)))
        head = self._say(
            "listed", count=len(turned), rows=len(rows), condition=self._say("is_worse" if is_worse else "is_better")
        )
        return self._finish(f"{head}\n{self._say_pairs(turned)}")

    def _say_pairs(self, rows: Sequence[int]) -> str:
        return "\n".join(map(self._say_pair, rows))

    def _say_pair(self, row: int) -> str:
        reading, table = self._reading, self._reading.table
        old, new = value_at(reading, row, table.old), value_at(reading, row, table.new)
        change = number_at(reading, row, table.change) or 0.0
        unit = unit_of(old, table.table.columns[table.old])
        of_change = self._say("points") if unit == "%" else "dB" if unit == "dBm" else unit
        before = number_at(reading, row, table.old)
        sign = "+" if change > 0 else ""
        told = f"{sign}{with_unit(round(change, 3), of_change)}"
        if before and unit not in ("dBm", "dB"):
            told += self._say("pair_relative", share=f"{100 * change / abs(before):+.1f}")
        gain = gain_of(table.names[row], change)
        told += self._say("is_better" if gain > 0 else "is_worse" if gain < 0 else "is_same")
        values = {"before": _write(old, unit), "after": _write(new, unit)}
        return self._say("pair", name=table.names[row], change=told, **values)


def _write(value: object, unit: str) -> str:
    return value if isinstance(value, str) else with_unit(value if isinstance(value, int | float) else None, unit)
