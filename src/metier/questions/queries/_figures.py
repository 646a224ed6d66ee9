"""Figures of a reading: counts, shares, means, groups and comparisons."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.language import join_names
from metier.questions._drafts import unit_of_differences, with_unit
from metier.questions._match import is_coordinate, is_high_bad, is_high_good
from metier.questions._results import Answer, ResultTable, TableColumn
from metier.questions.queries._run import ascends, compute_figure, number_at, select_rows, sort_rows, value_at
from metier.questions.queries._tables import concepts_of
from metier.questions.queries._writer import QueryWriter
from metier.visible_text import write_markdown_table

_PLAIN: Final = frozenset(
    {*("and", "or", "which", "only", "any", "names", "name", "code", "value", "compare", "after", "between", "to"),
     *("than", "not", "good", "bad", "delta", "group", "figure")}
)  # fmt: skip
_CHANGE_WORDS: Final = frozenset({"changed", "lowered", "raised", "old", "new", "size", "both"})
_LEVELS: Final = ("%", "dB", "dBm", "°")
_MAX_GROUPS: Final = 30
_MAX_COMPARED: Final = 4


class FigureWriter(QueryWriter):
    """Writes figures of the rows that a reading selects."""

    def write(self) -> Answer | None:
        reading = self._reading
        figures = reading.values_of("figure")
        if reading.has("gap", "versus"):
            return self._write_comparison()
        if reading.groups:
            return self._write_groups(figures)
        orders = set(reading.values_of("most"))
        if {"low", "high"} <= orders or {"worst", "best"} <= orders or "range" in figures:
            return self._write_figures(["range"])
        if "share" in figures:
            return self._write_share()
        plain = [one for one in figures if one in ("mean", "median", "spread", "sum")]
        if plain:
            return self._write_figures(list(dict.fromkeys(plain)))
        return self._write_count() if "count" in figures else None

    def _allows(self, *kinds: str) -> bool:
        own = _CHANGE_WORDS if self._reading.table.kind == "changes" else frozenset[str]()
        return self._reading.kinds <= _PLAIN | own | set(kinds)

    def _numeric_columns(self) -> list[int]:
        return [at for at in self._reading.columns if self._is_numeric(at)]

    def _rows(self) -> list[int] | None:
        return select_rows(self._reading)

    def _write_count(self) -> Answer | None:
        reading, rows = self._reading, self._rows()
        kind = reading.table.kind
        if rows is None or reading.numbers or not self._allows("most"):
            return None
        if kind == "causes":
            return self._write_count_of_cause()
        is_ranked = reading.has("most")
        if is_ranked and kind == "changes":
            return self._write_most_often(rows)
        if is_ranked or (kind == "joined" and not reading.conditions):
            return None
        if self._numeric_columns() and not reading.conditions:
            return None
        return self._finish(
            self._say_listed(rows),
            shown=self._cut_all(rows, None),
            column=next(iter(self._list_limits()), None),
        )

    def _write_most_often(self, rows: Sequence[int]) -> Answer | None:
        """Values of the parameter column by how many rows have them."""
        table = self._reading.table.table
        at = next((at for at, one in enumerate(table.columns) if at and "parameter" in concepts_of(one.title)), None)
        return None if at is None else self._say_groups(rows, at, [], [])

    def _write_count_of_cause(self) -> Answer | None:
        """How many there are of a cause that is named."""
        reading, table = self._reading, self._reading.table.table
        at = next((at for at in range(1, len(table.columns)) if self._is_numeric(at)), None)
        if at is None or reading.has("most"):
            return None
        if not reading.rows or reading.conditions:
            return None
        return self._finish(self._list_rows(reading.rows, [at]))

    def _write_share(self) -> Answer | None:
        reading, rows = self._reading, self._rows()
        if rows is None or not self._allows("most", "first"):
            return None
        if reading.table.kind == "causes":
            return self._write_share_of_causes()
        if (
            not reading.conditions
            and reading.base is not None
            and not (reading.numbers or reading.rows or reading.columns)
        ):
            return self._write_share_of_all(len(rows), reading.base)
        if not reading.conditions or reading.numbers or reading.table.kind == "joined":
            return None
        total = len(reading.table.table.rows)
        text = self._say_listed(rows)
        head, gap, rest = text.partition("\n\n")
        share = self._say("share", share=f"{100 * len(rows) / total:.1f}")
        return self._finish(f"{head} {share}{gap}{rest}", shown=self._cut_all(rows, None))

    def _write_share_of_all(self, count: int, base: ResultTable) -> Answer | None:
        """How many of all rows a table of findings has."""
        if not self._names_title():
            return None
        told = {"count": count, "total": len(base.rows), "share": f"{100 * count / len(base.rows):.1f}"}
        return self._finish(self._say("share_of_all", title=base.title, **told))

    def _write_share_of_causes(self) -> Answer | None:
        reading, table = self._reading, self._reading.table.table
        at = next((at for at in range(1, len(table.columns)) if self._is_numeric(at)), None)
        if at is None:
            return None
        every = sort_rows(reading, range(len(table.rows)), at, ascends=False)
        count = int(reading.numbers[0].number) if reading.numbers else 1 if reading.has("most") else 0
        kept = list(reading.rows) or (every[:count] if count else every)
        whole = sum(number_at(reading, row, at) or 0.0 for row in every)
        if not whole:
            return None
        lines = []
        for row in kept:
            part = number_at(reading, row, at) or 0.0
            lines.append(self._say_part([row], part, whole, at))
        if len(kept) > 1 and len(kept) < len(every):
            lines.append(self._say_part(kept, sum(number_at(reading, row, at) or 0.0 for row in kept), whole, at))
        return self._finish("\n".join([*lines, self._say("may_repeat")]))

    def _say_part(self, rows: Sequence[int], part: float, whole: float, at: int) -> str:
        names = join_names([self._reading.table.names[row] for row in rows], self._language)
        told = {"part": with_unit(part, ""), "whole": with_unit(whole, ""), "share": f"{100 * part / whole:.1f}"}
        return self._say("share_of", names=names, column=self._reading.table.table.columns[at].title, **told)

    def _write_figures(self, figures: Sequence[str]) -> Answer | None:
        reading, rows = self._reading, self._rows()
        if rows is None or reading.numbers or not self._allows("most"):
            return None
        columns = self._numeric_columns()
        if not columns and reading.table.kind == "causes":
            columns = [at for at in range(1, len(reading.table.table.columns)) if self._is_numeric(at)][:1]
        if not columns or reading.table.kind == "changes" or (reading.rows and reading.table.kind == "rows"):
            return None
        lines = [line for at in columns if (line := self._say_figures(at, rows, figures))]
        return self._finish("\n".join(lines), column=columns[0]) if lines else None

    def _say_figures(self, at: int, rows: Sequence[int], figures: Sequence[str]) -> str:
        ordered = sort_rows(self._reading, rows, at, ascends=True)
        values = [value for row in ordered if (value := number_at(self._reading, row, at)) is not None]
        if not values:
            return ""
        column, names = self._reading.table.table.columns[at], self._reading.table.names
        told = []
        for one in figures:
            if one == "sum" and column.unit in _LEVELS:
                told.append(self._say("no_sum"))
                told.append(self._say("mean", value=with_unit(round(compute_figure("mean", values), 2), column.unit)))
            elif one != "range":
                figure = with_unit(round(compute_figure(one, values), 2), _unit_of_figure(one, column))
                told.append(self._say(one, value=figure))
        for code, row in (("low", ordered[0]), ("high", ordered[-1])):
            end = with_unit(value_at(self._reading, row, at), column.unit)
            told.append(self._say(code, value=end, name=names[row]))
        if "range" in figures:
            gap = with_unit(round(values[-1] - values[0], 2), unit_of_differences(column, self._language))
            told.append(self._say("gap", value=gap))
        joined = join_names(told, self._language)
        return self._say("figure", column=column.title, rows=len(values), condition=self._condition(), figures=joined)

    def _write_groups(self, figures: Sequence[str]) -> Answer | None:
        reading, rows = self._reading, self._rows()
        if rows is None or reading.numbers or not self._allows("most", "sort", "order"):
            return None
        named = list(dict.fromkeys(one for one in figures if one in ("mean", "median", "spread", "sum")))
        columns = [at for at in self._numeric_columns() if at not in self._list_limits()]
        if len(reading.groups) > 1 or (columns and not named and not reading.has("group")):
            return None
        if not columns and {"worst", "best"} & set(reading.values_of("most")):
            return None  # how often a value occurs is neither good nor bad
        if reading.has("most") and columns:
            return self._rank_groups(rows, reading.groups[0], columns[0], named[0] if named else "mean")
        return self._say_groups(rows, reading.groups[0], columns, named or ["mean"])

    def _rank_groups(self, rows: Sequence[int], group: int, at: int, figure: str) -> Answer | None:
        """Groups by a figure of a column."""
        if not self._reading.has("figure"):
            return None  # the row with the highest value, or the group with the highest mean: not said
        table, members = self._reading.table.table, self._divide(rows, group)
        values = {name: self._find_numbers(held, at) for name, held in members.items()}
        known = {name: compute_figure(figure, one) for name, one in values.items() if one}
        if not known:
            return None
        column = table.columns[at]
        rises = ascends(self._reading.values_of("most")[0], column.title)
        best = (min if rises else max)(known, key=lambda name: known[name])
        answer = self._say_groups(rows, group, [at], [figure])
        told = self._say(figure, value=with_unit(round(known[best], 2), column.unit))
        head = self._say(
            "best_group", name=best, column=column.title, figure=told, end=self._say("lowest" if rises else "highest")
        )
        return replace(answer, text=f"{head}\n\n{answer.text}")

    def _divide(self, rows: Sequence[int], group: int) -> dict[str, list[int]]:
        """Rows by the value of a column."""
        members: dict[str, list[int]] = {}
        for row in rows:
            members.setdefault(str(value_at(self._reading, row, group)), []).append(row)
        return members

    def _find_numbers(self, rows: Sequence[int], at: int) -> list[float]:
        return [value for row in rows if (value := number_at(self._reading, row, at)) is not None]

    def _say_groups(self, rows: Sequence[int], group: int, columns: Sequence[int], figures: Sequence[str]) -> Answer:
        table = self._reading.table.table
        members = self._divide(rows, group)
        ranked = sorted(members.items(), key=lambda one: (-len(one[1]), one[0]))
        heads = [table.columns[group].title, self._say("number")]
        heads += [f"{table.columns[at].title} · {self._say(f'label_{one}')}" for at in columns for one in figures]
        listed: list[list[str]] = []
        for name, held in ranked[:_MAX_GROUPS]:
            cells = [name, str(len(held))]
            for at in columns:
                values = self._find_numbers(held, at)
                unit = table.columns[at].unit
                cells += [with_unit(round(compute_figure(one, values), 2), unit) if values else "–" for one in figures]
            listed.append(cells)
        told = {"rows": len(rows), "groups": len(members), "column": table.columns[group].title}
        head = self._say("grouped", condition=self._condition(), **told)
        top = ""
        if ranked and not columns and self._reading.has("most"):
            best = [name for name, held in ranked if len(held) == len(ranked[0][1])]
            top = f" {self._say('top_group', name=join_names(best, self._language), count=len(ranked[0][1]))}"
        answer = self._finish("\n".join([f"{head}{top}", "", write_markdown_table(heads, listed)]))
        return replace(answer, tables=(self._cut_all(rows, None),)) if self._reading.table.kind == "changes" else answer

    def _write_comparison(self) -> Answer | None:
        reading = self._reading
        if (
            reading.numbers
            or reading.table.kind in ("changes", "causes", "pairs")
            or not self._allows("gap", "versus", "side", "row")
        ):
            return None
        several = next((one for one in reading.conditions if len(one.values) == 2 and not one.is_not), None)
        if len(reading.conditions) == 1 and several is not None and not reading.rows:
            return self._compare_groups(several.column, several.values)
        if reading.conditions:
            return None
        if len(reading.rows) == 1 and reading.groups and "mean" in reading.values_of("figure"):
            return self._compare_with_group(reading.rows[0], reading.groups[0])
        if len(reading.rows) == 1 and reading.columns and "mean" in reading.values_of("figure"):
            texts = [at for at in reading.columns if not self._is_numeric(at)]
            return self._compare_with_group(reading.rows[0], texts[0] if texts else None)
        table = reading.table.table
        if any(not 1 <= number <= len(table.rows) for number in reading.numbered):
            return None
        rows = list(dict.fromkeys((*reading.rows, *(number - 1 for number in reading.numbered))))
        if not 2 <= len(rows) <= _MAX_COMPARED:
            return None
        every = [
            at
            for at in range(1, len(table.columns))
            if self._is_numeric(at) and not is_coordinate(table.columns[at].title)
        ]
        lines = []
        for at in self._numeric_columns() or every:
            pairs = [(reading.table.names[row], number_at(reading, row, at)) for row in rows]
            known = [(name, value) for name, value in pairs if value is not None]
            if len(known) == len(pairs):
                lines.append(self._say_compared(table.columns[at], known))
        return self._finish("\n".join(lines)) if lines else None

    def _compare_groups(self, group: int, names: Sequence[str]) -> Answer | None:
        """Means of two groups, and how far they are apart."""
        reading = self._reading
        columns = self._numeric_columns()
        if not columns:
            return None
        lines = []
        for at in columns:
            known = []
            for name in names:
                held = [row for row in range(len(reading.table.names)) if str(value_at(reading, row, group)) == name]
                values = [value for row in held if (value := number_at(reading, row, at)) is not None]
                if not values:
                    return None
                known.append(
                    (self._say("mean_of", name=name, rows=len(values)), round(compute_figure("mean", values), 2))
                )
            lines.append(self._say_compared(reading.table.table.columns[at], known))
        return self._finish("\n".join(lines))

    def _compare_with_group(self, row: int, group: int | None) -> Answer | None:
        """A row beside the mean of its group, or of all."""
        reading = self._reading
        columns = self._numeric_columns()
        if len(columns) != 1:
            return None
        at, name = columns[0], str(value_at(reading, row, group)) if group is not None else reading.table.table.title
        held = [
            one
            for one in range(len(reading.table.names))
            if group is None or value_at(reading, one, group) == value_at(reading, row, group)
        ]
        values = [value for one in held if (value := number_at(reading, one, at)) is not None]
        own = number_at(reading, row, at)
        if own is None or not values:
            return None
        average = (self._say("mean_of", name=name, rows=len(values)), round(compute_figure("mean", values), 2))
        column = reading.table.table.columns[at]
        return self._finish(self._say_compared(column, [(reading.table.names[row], own), average]))

    def _say_compared(self, column: TableColumn, known: Sequence[tuple[str, float]]) -> str:
        values = join_names([f"{name} {with_unit(value, column.unit)}" for name, value in known], self._language)
        numbers = [value for _, value in known]
        gap = with_unit(round(max(numbers) - min(numbers), 2), unit_of_differences(column, self._language))
        text = self._say("compare", column=column.title, values=values, gap=gap)
        if max(numbers) == min(numbers):
            return f"{text}{self._say('equal_values')}"
        if not (is_high_bad(column.title) or is_high_good(column.title)):
            return f"{text}{self._say('higher', name=max(known, key=lambda one: one[1])[0])}"
        best = (min if is_high_bad(column.title) else max)(known, key=lambda one: one[1])[0]
        return f"{text}{self._say('better', name=best)}"


def _unit_of_figure(figure: str, column: TableColumn) -> str:
    return "dB" if figure == "spread" and column.unit == "dBm" else column.unit
