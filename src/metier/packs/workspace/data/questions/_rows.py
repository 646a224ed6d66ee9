"""Figures of a question: the value of some rows, of each group, and the notes that belong to them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from metier.language import join_names
from metier.packs.workspace.data import _compute as compute
from metier.packs.workspace.data._summary import show_number
from metier.packs.workspace.data.questions._sentences import SENTENCES
from metier.packs.workspace.data.questions._tokens import find_role

if TYPE_CHECKING:
    from datetime import date

    import pandas as pd

    from metier.language import Language
    from metier.packs.workspace.data._columns import DataColumn
    from metier.packs.workspace.data._summary import Typed
    from metier.packs.workspace.data.questions._query import DataQuery

FIRST_LINE: Final = 2  # of the file: its header is the first
_GROUP: Final = "\x00group"


def show_figure(value: object) -> str:
    """A number for people: thousands separated, no zeros behind the point."""
    shown = show_number(compute.round_number(value))
    return shown.removesuffix(".0")


class DataRows:
    """Rows of a table, and how the measure of a question is computed from some of them.

    `without` is the column, or "time", whose values in the question do not limit the rows that the figures rest on.
    """

    def __init__(self, query: "DataQuery", table: "Typed", language: "Language") -> None:
        import pandas as pd

        self._pd = pd
        self._query = query
        self._table = table
        self._language: Language = language
        self.money = find_role("money", table.columns)
        self.cost = find_role("cost", table.columns)
        self.time = query.time
        self.without = ""
        stats = query.values_of("stat")
        self.stat = stats[0] if stats else query.measure.aggregate if query.measure else "sum"

    def say(self, code: str, **values: object) -> str:
        return SENTENCES.render(code, self._language, **values)

    @property
    def frame(self) -> "pd.DataFrame":
        return self._table.frame

    @property
    def columns(self) -> "Sequence[DataColumn]":
        return self._table.columns

    @property
    def measure(self) -> str:
        """The measure in words."""
        query = self._query
        if query.counts:
            return self.say("col_rows")
        if query.derived and self.money and self.cost:
            code = "margin" if query.derived == "margin" else "profit"
            return self.say(code, money=self.money.name, cost=self.cost.name)
        name = query.measure.name if query.measure else ""
        return self.say(
            "of_median" if self.stat == "median" else "of_mean" if self.stat == "mean" else "of_sum", measure=name
        )

    def reduce(self, part: "pd.DataFrame") -> float | None:
        """The measure of some rows; None if none of them has a value."""
        query = self._query
        if query.counts:
            return float(len(part))
        if query.derived and self.money and self.cost:
            used = part[[self.money.name, self.cost.name]].dropna()
            money, cost = float(used[self.money.name].sum()), float(used[self.cost.name].sum())
            if query.derived == "profit":
                return money - cost if len(used) else None
            return 100 * (money - cost) / money if money else None
        values = part[query.measure.name].dropna() if query.measure else part.iloc[:0, 0]
        if values.empty:
            return None
        return float(values.agg(self.stat))

    def write(self, value: float | None) -> str:
        """A value of the measure with its unit."""
        unit = "%" if self._query.derived == "margin" else ""
        if not unit and not self._query.counts and self._query.measure is not None:
            unit = self._query.measure.unit
        return f"{show_figure(value)}{f' {unit}' if unit else ''}"

    def write_gap(self, value: float) -> str:
        """A difference of the measure: of percentages in points."""
        if self.is_rate:
            return self.say("points", value=show_figure(value))
        return self.write(value)

    @property
    def is_rate(self) -> bool:
        """Whether the measure is a percentage, whose differences have no percentage of their own."""
        unit = self._query.measure.unit if self._query.measure is not None else ""
        return self._query.derived == "margin" or (unit == "%" and not self._query.derived and not self._query.counts)

    def write_ends(self) -> tuple[str, str]:
        """The first and the last day of the data; empty without one."""
        days = self.frame[self.time.name].dropna() if self.time else None
        if days is None or days.empty:
            return "", ""
        return days.min().strftime("%Y-%m-%d"), days.max().strftime("%Y-%m-%d")

    def count_losses(self, frame: "pd.DataFrame") -> str:
        """How many rows cost more than they bring in; empty without both columns."""
        if self.money is None or self.cost is None:
            return ""
        used = frame[[self.money.name, self.cost.name]].dropna()
        count = int((used[self.money.name] < used[self.cost.name]).sum())
        told = {"measure": self.measure, "sign": "<", "limit": "0"}
        text = self.say("rows_fitting", count=count, all=f"{len(used):,}", **told)
        return "\n".join([text, *self.note_costs(frame)])

    def write_typical_time(
        self, frame: "pd.DataFrame", period: str, total: float, told: Mapping[str, object]
    ) -> list[str]:
        """The mean over periods that have rows, and what it is with those in between that have none."""
        codes = {"M": "unit_M", "Q": "unit_Q", "W": "unit_W", "D": "unit_D"}
        unit, (held, empty) = self.say(codes[period]), self._count_periods(frame, period)
        lines = [self.say("typical_time", group=unit, **told)]
        every = self.write(total / max(1, held + empty))
        return [*lines, *([self.say("typical_empty", count=empty, group=unit, value=every)] if empty else [])]

    def _count_periods(self, frame: "pd.DataFrame", period: str) -> tuple[int, int]:
        """Periods that have a row, and those between the first and the last of some rows that have none."""
        days = frame[self.time.name].dropna() if self.time else frame.iloc[:0, 0]
        if days.empty:
            return 0, 0
        held = days.dt.to_period(period)
        every = len(self._pd.period_range(held.min(), held.max(), freq=period))
        return int(held.nunique()), every - int(held.nunique())

    def within(self, first: "date", after: "date") -> "pd.Series":
        """Which rows lie in a time."""
        days = self.frame[self.time.name] if self.time else self.frame.iloc[:, 0]
        return (days >= self._pd.Timestamp(first)) & (days < self._pd.Timestamp(after))

    def select(self, *, without: str = "") -> "pd.DataFrame":
        """Rows that have the values and times that the question names; `without` leaves one column out of this."""
        frame = self.frame
        fits = self._pd.Series(data=True, index=frame.index)
        for name, values in self._query.levels.items():
            fits &= frame[name].isin(values) if name != without else True
        for name, values in self._query.excluded.items():
            fits &= ~frame[name].isin(values)
        if self._query.spans and without != "time":
            held = [self.within(first, after) for _, first, after in self._query.spans]
            whole = held[0]
            for one in held[1:]:
                whole = whole | one
            fits &= whole
        return frame[fits]

    def name_groups(self, frame: "pd.DataFrame", by: str, period: str) -> "pd.Series":
        """The group of each row: a value of a column, or a period."""
        if by:
            return frame[by].astype("str").where(frame[by].notna())
        days = frame[self.time.name] if self.time else frame.iloc[:, 0]
        named: pd.Series = days.dt.to_period(period).astype("str").where(days.notna())
        return named

    def group(self, frame: "pd.DataFrame", by: str, period: str) -> list[tuple[str, float, int]]:
        """Each group with its value and how many rows it has, the highest first."""
        names = self.name_groups(frame, by, period)
        sizes = frame.groupby(names, sort=True).size()
        values = self._reduce_groups(frame, names, sizes)
        rows = sizes.to_dict()
        made = [(str(name), float(value), int(rows[name])) for name, value in values.items()]
        return sorted(made, key=lambda one: -one[1])

    def _reduce_groups(self, frame: "pd.DataFrame", names: "pd.Series", sizes: "pd.Series") -> "pd.Series":
        """The measure of each group, as `reduce` has it of some rows: all at once, a file may have a group per row."""
        query = self._query
        if query.counts:
            return sizes
        if query.derived and self.money and self.cost:
            used = frame[[self.money.name, self.cost.name]].dropna()
            sums = used.groupby(names.loc[used.index], sort=True).sum()
            gain = sums[self.money.name] - sums[self.cost.name]
            if query.derived == "profit":
                return gain
            return (100 * gain / sums[self.money.name])[sums[self.money.name] != 0]
        if query.measure is None:
            return sizes.iloc[:0]
        values = frame[query.measure.name].dropna()
        grouped: pd.Series = values.groupby(names.loc[values.index], sort=True).agg(self.stat)
        return grouped.dropna()

    def note_dominant(self, frame: "pd.DataFrame", by: str, period: str, names: Sequence[str]) -> list[str]:
        """Notes on single rows that make more than a third of a group's sum."""
        query = self._query
        if query.counts or query.derived or query.measure is None or self.stat != "sum":
            return []
        named = frame.assign(**{_GROUP: self.name_groups(frame, by, period)})
        notes = []
        for name in names:
            one = compute.find_dominant(named, _GROUP, query.measure.name, name)
            if one is not None:
                value = show_figure(one[1])
                notes.append(self.say("dominant", line=one[0], value=value, share=one[2], name=name))
        return notes

    def note_costs(self, part: "pd.DataFrame") -> list[str]:
        """Note on rows without a cost, if the measure takes costs away."""
        if not self._query.derived or self.cost is None:
            return []
        missing = int(part[self.cost.name].isna().sum())
        if not missing:
            return [self.say("only_costs")]
        return [self.say("no_cost", count=missing, cost=self.cost.name)]

    def find_odd(self) -> tuple[int, int] | None:
        """Label of the row whose measure is farthest from the rest, and how many are outside; None without one."""
        if self._query.measure is None:
            return None
        rows, count = compute.list_outliers(self.frame, self._query.measure.name, 1)
        return (int(rows[0][0]) - FIRST_LINE, count) if rows else None

    def write_row(self, label: int) -> str:
        """All values of a row."""
        told = []
        for one in self.columns:
            value = self.frame.loc[label, one.name]
            if self._pd.isna(value):  # type: ignore[arg-type]  # one label and one column give a scalar
                continue
            if one.kind == "date":
                shown = value.strftime("%Y-%m-%d")  # type: ignore[union-attr]  # a column of dates
            else:
                shown = show_figure(value) if one.kind == "number" else str(value)
            told.append(f"{one.name} {shown}{one.unit}")
        return join_names(told, self._language)
