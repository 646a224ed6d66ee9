"""Charts of a reading: bars, lines, scatter plots and histograms of the rows and columns that are named."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from metier.language import join_names
from metier.questions._drafts import with_unit
from metier.questions._results import Answer, ResultChart
from metier.questions.queries._run import ascends, compute_figure, number_at, select_rows, sort_rows, value_at
from metier.questions.queries._writer import QueryWriter

if TYPE_CHECKING:
    from metier.json_values import JsonObject, JsonValue

_MAX_DRAWN: Final = 40
_ALLOWED: Final = frozenset(
    {*("and", "or", "which", "only", "any", "names", "name", "code", "value", "compare", "after", "between", "to"),
     *("than", "chart", "sort", "order", "most", "outlier", "group", "first", "versus", "not", "figure")}
)  # fmt: skip
_MAX_SPREADS: Final = 3.0


class ChartWriter(QueryWriter):
    """Draws what a reading selects."""

    def write(self) -> Answer | None:
        reading = self._reading
        kinds = [one for one in reading.values_of("chart") if one]
        rows = select_rows(reading)
        if rows is None or not rows or len(kinds) != 1 or not reading.kinds <= _ALLOWED or reading.groups:
            return None
        columns = [at for at in reading.columns if self._is_numeric(at)]
        if kinds[0] == "histogram":
            return self._draw_histogram(rows, columns)
        if kinds[0] == "scatter":
            return self._draw_scatter(rows, columns)
        if reading.has("figure") and "share" not in reading.values_of("figure"):
            return None
        return self._draw_bars(rows, columns, kinds[0])

    def _draw_bars(self, rows: list[int], columns: list[int], kind: str) -> Answer | None:
        reading = self._reading
        if not columns and reading.table.kind == "causes":
            columns = [at for at in range(1, len(reading.table.table.columns)) if self._is_numeric(at)][:1]
        if len(columns) != 1 or reading.table.kind in ("changes", "pairs"):
            return None
        at, numbers = columns[0], [int(one.number) for one in reading.numbers if not one.unit]
        orders = [*reading.values_of("order"), *reading.values_of("most")]
        title = reading.table.table.columns[at].title
        if orders or reading.table.kind == "causes":
            rows = sort_rows(reading, rows, at, ascends=ascends(orders[0], title) if orders else False)
        if (
            len(numbers) != len(reading.numbers)
            or len(numbers) > 1
            or (numbers and not orders and not reading.has("first"))
        ):
            return None
        drawn = rows[: numbers[0]] if numbers else rows[:_MAX_DRAWN]
        if reading.table.kind == "rows" and not reading.conditions and not orders and not numbers:
            return None  # the chart on screen is redrawn
        lines = [self._say("no_pie")] if kind == "pie" else []
        shape = "grouped_bar" if kind == "pie" else kind
        named = f"{reading.table.table.title} · {title}"
        lines.append(
            self._say("drawn", title=named, kind=self._say(shape), count=len(drawn), rows=len(reading.table.names))
        )
        if kind == "pie":
            lines += ["", *self._list_shares(drawn, at)]
        spec = self._make_spec(shape, named, drawn, [at])
        answer = self._finish("\n".join(lines), shown=self._cut(drawn, at))
        return Answer(answer.text, charts=(spec,), shown=answer.shown)

    def _list_shares(self, rows: Sequence[int], at: int) -> list[str]:
        whole = sum(number_at(self._reading, row, at) or 0.0 for row in rows)
        lines = []
        for row in rows:
            value = number_at(self._reading, row, at) or 0.0
            share = f"{100 * value / whole:.1f} %" if whole else "–"
            lines.append(f"- {self._reading.table.names[row]}: {with_unit(value, '')} ({share})")
        return lines

    def _draw_scatter(self, rows: Sequence[int], columns: Sequence[int]) -> Answer | None:
        reading, table = self._reading, self._reading.table.table
        if len(columns) != 2 or reading.numbers or reading.table.kind not in ("rows", "joined"):
            return None
        known = [row for row in rows if all(number_at(reading, row, at) is not None for at in columns)]
        if len(known) < 3:
            return None
        first, second = (table.columns[at].title for at in columns)
        named = self._say("scatter_of", first=first, second=second)
        lines = [self._say("drawn", title=named, kind=self._say("scatter"), count=len(known), rows=len(table.rows))]
        if reading.has("outlier"):
            lines.append(self._say_outliers(known, columns))
        spec = self._make_spec("scatter", named, known, [columns[1]], across=columns[0])
        return Answer(self._finish("\n".join(lines), column=columns[0]).text, charts=(spec,))

    def _say_outliers(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        found: dict[str, None] = {}
        for at in columns:
            values = [number_at(self._reading, row, at) or 0.0 for row in rows]
            middle, spread = compute_figure("mean", values), compute_figure("spread", values)
            far = [row for row, value in zip(rows, values, strict=True) if abs(value - middle) > _MAX_SPREADS * spread]
            found |= dict.fromkeys(self._reading.table.names[row] for row in far)
        return (
            self._say("outliers", names=join_names(tuple(found), self._language)) if found else self._say("no_outliers")
        )

    def _draw_histogram(self, rows: Sequence[int], columns: Sequence[int]) -> Answer | None:
        reading, table = self._reading, self._reading.table.table
        steps = [abs(one.number) for one in reading.numbers]
        if len(columns) != 1 or len(steps) > 1 or reading.table.kind not in ("rows", "joined"):
            return None
        at = columns[0]
        values = [value for row in rows if (value := number_at(reading, row, at)) is not None]
        if not values:
            return None
        step = steps[0] if steps and steps[0] else _choose_step(min(values), max(values))
        low = math.floor(min(values) / step)
        count = max(1, math.ceil(max(values) / step) - low)
        if count > _MAX_DRAWN:
            return None
        bins = [0] * count
        for value in values:
            bins[min(count - 1, math.floor(value / step) - low)] += 1
        labels = [
            self._say(
                "bin",
                low=with_unit(round((low + at) * step, 6), ""),
                high=with_unit(round((low + at + 1) * step, 6), ""),
            )
            for at in range(count)
        ]
        column = table.columns[at]
        named = self._say("bins", column=column.title, rows=len(values), step=with_unit(step, column.unit))
        lines = [
            self._say("drawn", title=named, kind=self._say("histogram"), count=len(values), rows=len(table.rows)),
            "",
        ]
        lines += [f"- {label}: {number}" for label, number in zip(labels, bins, strict=True)]
        heads: list[JsonValue] = [
            {"key": "bin", "title": column.title, "type": "text", "unit": column.unit},
            {"key": "count", "title": self._say("number"), "type": "number", "unit": ""},
        ]
        pairs: list[JsonValue] = [[label, number] for label, number in zip(labels, bins, strict=True)]
        spec: JsonObject = {
            "kind": "grouped_bar",
            "title": named,
            "columns": heads,
            "rows": pairs,
            "x": "bin",
            "y": ["count"],
            "group": "",
        }
        return Answer(
            self._finish("\n".join(lines), column=at).text, charts=(ResultChart(spec, table.said, table.call),)
        )

    def _make_spec(
        self, kind: str, title: str, rows: Sequence[int], columns: Sequence[int], across: int = 0
    ) -> ResultChart:
        table = self._reading.table.table
        kept = [across, *columns]
        heads: list[JsonValue] = [
            {
                "key": table.columns[at].key,
                "title": table.columns[at].title,
                "type": "number" if at else "text",
                "unit": table.columns[at].unit,
            }
            for at in kept
        ]
        cells: list[JsonValue] = [[value_at(self._reading, row, at) for at in kept] for row in rows]
        about = {"x": table.columns[across].key, "y": [table.columns[at].key for at in columns], "group": ""}
        spec: JsonObject = {"kind": kind, "title": title, "columns": heads, "rows": cells, **about}
        return ResultChart(spec, table.said, table.call)


def _choose_step(low: float, high: float) -> float:
    """A round step that makes about ten bins."""
    wide = (high - low) / 10 or 1.0
    size = 10.0 ** math.floor(math.log10(wide))
    return next(size * one for one in (1, 2, 5, 10) if size * one >= wide)
