"""Figures of a table: profile, groups, trend and pivot, as lists of rows.

Only pandas and the standard library: `analysis.py` takes this file along, so that it computes the same.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from metier.packs.workspace.data._columns import DataColumn

TOP = 20
MOST = 200
_PERIODS = (("D", 62), ("W", 120), ("M", 1900), ("Q", 5500))
_MIN_SPREAD = 8  # values below which quartiles say nothing about outliers


def describe_columns(frame: pd.DataFrame, columns: list[DataColumn]) -> list[list[Any]]:
    """Rows of the profile: name, kind, unit, n, gaps, their share, distinct, min, median, mean, max, outliers."""
    return [_describe_column(frame[one.name], one) for one in columns]


def _describe_column(values: pd.Series, column: DataColumn) -> list[Any]:
    count = int(values.notna().sum())
    gaps = 100 * (len(values) - count) / len(values) if len(values) else 0.0
    head: list[Any] = [column.name, column.kind, column.unit, count, len(values) - count, round(gaps, 1)]
    head.append(column.distinct)
    if column.kind == "number" and count:
        low, high = find_fences(values)
        outliers = int(((values < low) | (values > high)).sum()) if low is not None and high is not None else None
        figures = [values.min(), values.median(), values.mean(), values.max()]
        return [*head, *(round_number(one) for one in figures), outliers]
    if column.kind in ("date", "year") and count:
        form = "%Y-%m-%d" if column.kind == "date" else ""
        ends = [values.min(), values.max()]
        shown = [one.strftime(form) if form else str(int(one)) for one in ends]
        return [*head, shown[0], None, None, shown[1], None]
    return [*head, None, None, None, None, None]


def find_fences(values: pd.Series) -> tuple[float | None, float | None]:
    """Bounds beyond which a value is an outlier: quartiles -/+ 1.5 times their distance (Tukey)."""
    there = values.dropna()
    if len(there) < _MIN_SPREAD:
        return None, None
    first, third = there.quantile(0.25), there.quantile(0.75)
    spread = third - first
    return (None, None) if spread == 0 else (float(first - 1.5 * spread), float(third + 1.5 * spread))


def list_outliers(frame: pd.DataFrame, measure: str, limit: int = TOP) -> tuple[list[list[Any]], int]:
    """Outliers of a column as (row number, value), the farthest from the median first, and how many there are."""
    values = frame[measure]
    low, high = find_fences(values)
    if low is None or high is None:
        return [], 0
    found = values[(values < low) | (values > high)]
    order = (found - values.median()).abs().sort_values(ascending=False, kind="stable").index[:limit]
    return [[_row_number(at), round_number(found[at])] for at in order], len(found)


def _row_number(at: Any) -> int:
    """Line of the file by the label of a row, which stays when rows are chosen: the header is the first."""
    return int(at) + 2


def group_rows(
    frame: pd.DataFrame, by: str, measure: str, aggregate: str, limit: int = TOP
) -> tuple[list[list[Any]], int, float | None]:
    """Rows of group, n, value, share of the total in percent (of a sum), mean, median; all groups' number; the total.

    The largest come first; rows without a group or a value are left out.
    """
    used = frame[[by, measure]].dropna()
    grouped = used.groupby(by, sort=True)[measure].agg(["count", "sum", "mean", "median"])
    grouped = grouped.sort_values([aggregate, "count"], ascending=False, kind="stable")
    total = float(used[measure].sum()) if aggregate == "sum" else None
    share = total if total and (used[measure] >= 0).all() else None
    rows = [
        [
            _plain(name),
            int(row["count"]),
            round_number(row[aggregate]),
            round(100 * float(row["sum"]) / share, 1) if share else None,
            round_number(row["mean"]),
            round_number(row["median"]),
        ]
        for name, row in grouped.head(limit).iterrows()
    ]
    return rows, len(grouped), None if total is None else round_number(total)


def find_dominant(frame: pd.DataFrame, by: str, measure: str, group: str) -> tuple[int, float, float] | None:
    """Line, value and share in percent of one row that gives more than a third of a group's sum; None without one."""
    values = frame.loc[frame[by].astype("str") == group, measure].dropna()
    total = float(values.sum())
    if len(values) < _MIN_SPREAD or total <= 0 or float(values.max()) < total / 3:
        return None
    return _row_number(values.idxmax()), float(values.max()), round(100 * float(values.max()) / total, 1)


def choose_period(dates: pd.Series) -> str:
    """Period of a trend by the span of its dates: D, W, M, Q or Y."""
    there = dates.dropna()
    days = (there.max() - there.min()).days if len(there) else 0
    return next((period for period, most in _PERIODS if days <= most), "Y")


def follow_trend(
    frame: pd.DataFrame, time: str, measure: str, aggregate: str, period: str, *, points: bool = False
) -> list[list[Any]]:
    """Rows of period, n, value, change against the period before: in percent, or in percentage points if `points`."""
    used = frame[[time, measure]].dropna()
    if used.empty:
        return []
    is_year = not pd.api.types.is_datetime64_any_dtype(used[time])
    keys = used[time].astype(int) if is_year else used[time].dt.to_period(period)
    grouped = used.groupby(keys)[measure].agg(["count", aggregate])
    if not is_year:
        every = pd.period_range(grouped.index.min(), grouped.index.max(), freq=period)
        grouped = grouped.reindex(every)
    rows: list[list[Any]] = []
    before: float | None = None
    for name, row in grouped.iterrows():
        value: float | None = None if pd.isna(row[aggregate]) else float(row[aggregate])
        change = None
        if value is not None and before is not None:
            change = value - before if points else (100 * (value - before) / before if before > 0 else None)
        count = 0 if pd.isna(row["count"]) else int(row["count"])
        rows.append([str(name), count, round_number(value), None if change is None else round(change, 1)])
        before = value
    return rows


def select_rows(frame: pd.DataFrame, where: Sequence[Any]) -> pd.DataFrame:
    """Rows that meet every condition: column, sign, and value (texts, a number, or a day as YYYY-MM-DD).

    Without a name of a column the texts are numbers of lines of the file.
    """
    for column, sign, value in where:
        values: Any = frame[column] if column else pd.Series(map(str, map(_row_number, frame.index)), frame.index)
        if sign in ("in", "not in"):
            fits = values.isin(list(value)) == (sign == "in")
        else:
            bound = pd.Timestamp(value) if isinstance(value, str) else value
            fits = {
                ">=": values.ge,
                ">": values.gt,
                "<=": values.le,
                "<": values.lt,
            }[sign](bound)
        frame = frame[fits]
    return frame


def _take_keys(frame: pd.DataFrame, keys: Sequence[str], time: str, period: str) -> pd.DataFrame:
    """The frame with its time as the names of periods, where the time is a key."""
    if time in keys and pd.api.types.is_datetime64_any_dtype(frame[time]):
        there = frame[time].dropna()
        return frame.assign(**{time: there.dt.to_period(period).astype("str").reindex(frame.index)})
    return frame


def pivot_rows(
    frame: pd.DataFrame,
    by: str,
    across: str,
    measure: str,
    aggregate: Any,
    *,
    limit: int = 12,
    time: str = "",
    period: str = "",
) -> tuple[list[str], list[list[Any]], tuple[int, int]]:
    """Names of the columns, rows of a pivot, and how many rows and columns it would have in full.

    The largest rows and columns are kept; of a time all are kept, in its order.
    """
    used = _take_keys(frame[[by, across, measure]].dropna(), (by, across), time, period)
    table = used.pivot_table(index=by, columns=across, values=measure, aggfunc=aggregate, sort=True)
    full = (len(table), len(table.columns))
    weight = used.groupby(by)[measure].sum().sort_values(ascending=False, kind="stable").index[:TOP]
    wide = used.groupby(across)[measure].sum().sort_values(ascending=False, kind="stable").index[:limit]
    kept = table.index if by == time else weight
    table = table.loc[kept, [one for one in table.columns if one in set(wide)]]
    rows = [
        [_plain(name), *(round_number(cell) for cell in row)]
        for name, row in zip(table.index, table.to_numpy(), strict=True)
    ]
    return [str(_plain(one)) for one in table.columns], rows, full


def table_rows(
    frame: pd.DataFrame,
    keys: Sequence[str],
    figures: Sequence[Sequence[str]],
    *,
    time: str = "",
    period: str = "",
    top: int = 0,
    lowest: bool = False,
    with_share: bool = False,
) -> tuple[list[list[Any]], int]:
    """Rows of the keys, n and each figure (measure and statistic), and how many there are in all.

    With `top` only so many of the last key, the largest (or lowest) first figure first, within each value of the other
    keys. With `with_share` the first figure's share of the total in percent, and of the first key's total.
    """
    names = list(dict.fromkeys(one for one, _ in figures))
    used = _take_keys(frame, keys, time, period)
    used = used.dropna(subset=list(keys)).dropna(subset=names, how="all")
    if used.empty:
        return [], 0
    if not keys:
        return [[len(used), *(round_number(_reduce(used[name], stat)) for name, stat in figures)]], 1
    groups = used.groupby(list(keys), sort=True, observed=True)
    made = pd.DataFrame({"n": groups.size()})
    for at, (name, stat) in enumerate(figures):
        made[f"f{at}"] = groups[name].sum(min_count=1) if stat == "sum" else groups[name].agg(stat)
    if with_share:
        made["share"] = 100 * made["f0"] / made["f0"].sum()
        if len(keys) > 1:
            made["part"] = 100 * made["f0"] / made.groupby(level=0)["f0"].transform("sum")
    if top or (len(keys) == 1 and keys[0] != time):
        made = made.sort_values("f0", ascending=lowest, kind="stable")
    if top and len(keys) > 1:
        made = made.groupby(level=list(range(len(keys) - 1)), sort=True).head(top)
        made = made.sort_index(level=list(range(len(keys) - 1)), sort_remaining=False, kind="stable")
    count = len(made)
    rows = []
    for key, row in made.head(top if top and len(keys) == 1 else MOST).iterrows():
        shares = [round(float(row[one]), 1) for one in ("share", "part") if one in made]
        heads = [_plain(one) for one in key] if isinstance(key, tuple) else [_plain(key)]
        rows.append([*heads, int(row["n"]), *(round_number(row[f"f{at}"]) for at in range(len(figures))), *shares])
    return rows, count


def _reduce(values: pd.Series, stat: str) -> float:
    return float(values.sum(min_count=1) if stat == "sum" else values.agg(stat))


def compare_rows(
    frame: pd.DataFrame,
    time: str,
    measure: str,
    aggregate: str,
    period: str,
    *,
    lag: int,
    by: str = "",
    points: bool = False,
    first: str = "",
    after: str = "",
) -> tuple[list[list[Any]], int]:
    """Rows of group (if `by`), period, n, value, value `lag` periods before, and the change; and how many there are.

    Periods that begin before the day `first` or not before `after` are compared with and not listed.
    """
    used = frame[[*([by] if by else []), time, measure]].dropna()
    rows: list[list[Any]] = []
    for name, part in used.groupby(by, sort=True) if by else [("", used)]:
        dates = part[time]
        is_year = not pd.api.types.is_datetime64_any_dtype(dates)
        keys = pd.PeriodIndex(dates.astype(int).astype(str), freq="Y") if is_year else dates.dt.to_period(period)
        grouped = part.groupby(keys)[measure].agg(["count", aggregate])
        every = pd.period_range(grouped.index.min(), grouped.index.max(), freq="Y" if is_year else period)
        grouped = grouped.reindex(every)
        grouped["before"] = grouped[aggregate].shift(lag)
        for at, row in grouped.iterrows():
            day = at.start_time.strftime("%Y-%m-%d")  # type: ignore[attr-defined]  # the index is one of periods
            value, before = row[aggregate], row["before"]
            if pd.isna(value) or (first and day < first) or (after and day >= after):
                continue
            change = None
            if not pd.isna(before):
                change = value - before if points else (100 * (value - before) / before if before > 0 else None)
            told = None if change is None else round(float(change), 1)
            head = [_plain(name)] if by else []
            rows.append([*head, str(at), int(row["count"]), round_number(value), round_number(before), told])
    return rows[:MOST], len(rows)


def round_number(value: object) -> float | int | None:
    """A number with sensible digits: whole if it is whole, else at least four significant and two decimals at most."""
    if value is None or pd.isna(value):  # type: ignore[call-overload]  # pandas takes any scalar, its type does not say so
        return None
    number = float(value)  # type: ignore[arg-type]  # a scalar of pandas
    if number == int(number) and abs(number) < 1e15:
        return int(number)
    return round(number, 2) if abs(number) >= 10 else float(f"{number:.4g}")


def _plain(value: object) -> object:
    return str(value) if not isinstance(value, float) else (int(value) if value == int(value) else value)
