"""Figures by several keys, of several measures or statistics, the first of each group, and comparisons in time."""

from typing import Any, Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.workspace.data import _compute as compute
from metier.packs.workspace.data._summary import Summary, make_column, show_number
from metier.packs.workspace.data._texts import TEXTS

_MAX_SERIES: Final = 8
_MAX_BARS: Final = 20
_MAX_WIDE: Final = 12
_LAGS: Final = (("M", 12), ("Q", 4), ("Y", 1))


def add_pivot(work: Summary) -> None:
    """Add a pivot of two keys; a time stands in the rows, or in the columns if it is the narrower."""
    request, measure = work.request, work.measure
    by, across = (*request.keys, "", "")[:2] if len(request.keys) > 1 else (request.by, request.across)
    if not (by and across):
        return
    period = _choose_period(work)
    names: dict[str, Any] = {"time": request.time, "period": period} if request.time in (by, across) else {}
    if across == request.time and names:
        by, across = across, by
    if by == request.time and names and _count_values(work, across) > _MAX_WIDE >= _count_periods(work, period):
        by, across = across, by
    given: dict[str, Any] = {"measure": measure.name, "aggregate": request.aggregate, **names}
    columns_named, rows, full = compute.pivot_rows(work.frame, by=by, across=across, **given)
    if not rows:
        return
    told = {one: work.name_key(one, period) for one in (by, across)}
    title = work.title("pivot_title", by=told[by], across=told[across], how=work.how)
    if full != (len(rows), len(columns_named)):
        cut = {"rows": len(rows), "all_rows": full[0], "columns": len(columns_named), "all_columns": full[1]}
        title += TEXTS.render("pivot_cut", work.language, **cut)
    columns: list[JsonValue] = [{"key": "group", "title": told[by], "type": "text"}]
    columns += [
        {"key": f"c{at}", "title": name, "type": "number", "unit": measure.unit}
        for at, name in enumerate(columns_named)
    ]
    work.made.tables.append({"title": title, "columns": columns, "rows": rows})
    work.add_call("pivot_rows", {"by": by, "across": across, **given})
    kind = "line" if by == request.time and names and len(rows) > 1 else "grouped_bar"
    chart: dict[str, Any] = {"kind": kind, "title": title, "columns": columns, "x": "group", "rows": rows}
    work.made.charts.append({**chart, "y": [f"c{at}" for at in range(min(_MAX_SERIES, len(columns_named)))]})
    cells = [
        (row[0], name, cell)
        for row in rows
        for name, cell in zip(columns_named, row[1:], strict=True)
        if cell is not None
    ]
    best = max(cells, key=lambda one: one[2])
    work.made.add_finding(work.say("peak", name=f"{best[0]} × {best[1]}", value=show_number(best[2])))
    work.note_left_out((by, across, measure.name))


def add_table(work: Summary) -> None:
    """Add a table of keys and figures: several measures, several statistics, the first n, or shares."""
    request = work.request
    figures = _list_figures(work)
    period = _choose_period(work)
    keys = list(request.keys)
    if request.top is not None and request.time in keys:
        keys = [request.time, *(one for one in keys if one != request.time)]
    given: dict[str, Any] = {"keys": keys, "figures": figures}
    if request.time in keys:
        given |= {"time": request.time, "period": period}
    if request.top is not None:
        given |= {"top": request.top.count, "lowest": request.top.lowest}
    with_share = request.with_share and figures[0][1] in ("sum", "size") and bool(keys) and request.top is None
    if with_share and figures[0][1] == "sum":
        with_share = not bool((work.frame[figures[0][0]] < 0).any())
    if with_share:
        given["with_share"] = True
    rows, count = compute.table_rows(work.frame, **given)
    if not rows:
        return
    columns = _title_columns(work, keys, figures, period, with_share=with_share)
    what = [_name_figure(work, *one) for one in figures]
    named = [work.name_key(one, period) for one in keys]
    code = ("table_title" if keys else "table_title_all") if request.top is None else "top_title"
    if request.top is not None and request.top.lowest:
        code = "bottom_title"
    told = {"figures": what, "keys": " × ".join(named), "item": named[-1] if named else ""}
    title = work.title(code, count=request.top.count if request.top else 0, **told)
    if count > len(rows):
        title += TEXTS.render("rows_cut", work.language, rows=len(rows), all=count)
    shown = [at for at, one in enumerate(columns) if not (one["key"] == "n" and _counts_rows(figures))]
    work.made.tables.append(
        {"title": title, "columns": [columns[at] for at in shown], "rows": [[row[at] for at in shown] for row in rows]}
    )
    work.add_call("table_rows", given)
    _say_first(work, rows[0], keys, figures, title_of=what)
    if len(keys) == 1 and len(rows) > 1:
        place = len(keys) + 1
        chart: dict[str, Any] = {"kind": "grouped_bar", "title": title, "x": "k0", "y": ["f0"]}
        bars = [[row[0], row[place]] for row in rows[:_MAX_BARS]]
        work.made.charts.append({**chart, "columns": [columns[0], columns[place]], "rows": bars})
    work.note_left_out(tuple(keys))


def _say_first(
    work: Summary, row: list[Any], keys: list[str], figures: list[list[str]], *, title_of: list[str]
) -> None:
    """Say the first row in words."""
    shown = zip(title_of, figures, row[len(keys) + 1 :], strict=False)
    values = [f"{name} {show_number(value)}{_find_unit(work, *figure)}" for name, figure, value in shown]
    name = " × ".join(str(one) for one in row[: len(keys)])
    code = "first_row" if keys else "all_rows"
    work.made.add_finding(TEXTS.render(code, work.language, name=name, values=values, count=f"{row[len(keys)]:,}"))


def _counts_rows(figures: list[list[str]]) -> bool:
    return any(stat == "size" for _, stat in figures)


def _list_figures(work: Summary) -> list[list[str]]:
    """Measure and statistic of each column; a count that names no measure is one of rows."""
    request = work.request
    measures = request.measures or (work.measure.name,)
    stats = [one for one in request.stats if one != "count"]
    figures = []
    for name in measures:
        column = work.table.get(name)
        default = column.aggregate if column is not None else "sum"
        wanted = stats or ([] if "count" in request.stats else [default])
        safe = [one for one in wanted if not (one == "sum" and column is not None and column.unit == "%")]
        figures += [[name, one] for one in safe or (["mean"] if wanted else [])]
    if "count" in request.stats:
        figures.append([request.keys[0] if request.keys else work.measure.name, "size"])
    return figures


def _title_columns(
    work: Summary, keys: list[str], figures: list[list[str]], period: str, *, with_share: bool
) -> list[JsonObject]:
    columns: list[JsonObject] = [
        {"key": f"k{at}", "title": work.name_key(one, period), "type": "text"} for at, one in enumerate(keys)
    ]
    columns.append(make_column("n", work.language))
    for at, (name, stat) in enumerate(figures):
        columns.append({"key": f"f{at}", "title": _name_figure(work, name, stat), "unit": _find_unit(work, name, stat)})
    if with_share:
        columns.append(make_column("share_all", work.language, unit="%"))
        if len(keys) > 1:
            title = TEXTS.render("col_share_of", work.language, name=work.name_key(keys[0], period))
            columns.append(make_column("share_of", work.language, title=title, unit="%"))
    return columns


def _find_unit(work: Summary, name: str, stat: str) -> str:
    found = work.table.get(name)
    return found.unit if found is not None and stat not in ("size", "nunique") else ""


def _name_figure(work: Summary, name: str, stat: str) -> str:
    if stat == "size":
        return TEXTS.render("row_count", work.language)
    return f"{name} ({TEXTS.render(f'how_{stat}', work.language)})"


def add_comparison(work: Summary) -> None:
    """Add each period beside the one before it or a year before it, for each group if one is named."""
    request, by = work.request, next((one for one in work.request.keys if one != work.request.time), "")
    is_year = (found := work.table.get(request.time)) is not None and found.kind == "year"
    given = _plan_comparison(work, by, is_year=is_year)
    others = [one for one in request.where if one[0] != request.time]
    rows, count = compute.compare_rows(compute.select_rows(work.every, others), **given)
    if not rows:
        return
    code = "versus_year" if request.versus == "year" else "versus_previous"
    named = TEXTS.render(f"period_{'Y' if is_year else given['period']}", work.language)
    told = {"period": named, "how": work.how, "versus": TEXTS.render(code, work.language), "by": by}
    title = work.title("compare_title_by" if by else "compare_title", **told)
    if count > len(rows):
        title += TEXTS.render("rows_cut", work.language, rows=len(rows), all=count)
    columns = _title_comparison(work, by, code)
    work.made.tables.append({"title": title, "columns": columns, "rows": rows})
    work.add_call("compare_rows", given, others)
    if not by:
        chart: dict[str, Any] = {"kind": "line", "title": title, "columns": [columns[0], columns[2]], "x": "period"}
        work.made.charts.append({**chart, "y": ["value"], "rows": [[row[0], row[2]] for row in rows]})
    _find_in_comparison(work, rows, code, has_groups=bool(by))
    if not is_year and request.aggregate == "sum":
        dates = work.every[request.time].dropna()
        ends = [one.strftime("%Y-%m-%d") for one in (dates.min(), dates.max())]
        work.made.notes.append(TEXTS.render("partial", work.language, first=ends[0], last=ends[1]))


def _plan_comparison(work: Summary, by: str, *, is_year: bool) -> dict[str, Any]:
    """Arguments of the comparison. The time that is asked for is compared with one that a condition would leave out."""
    request, lags = work.request, dict(_LAGS)
    period = _choose_period(work)
    if request.versus == "year" and period not in lags:
        period = "M"
    given: dict[str, Any] = {
        "time": request.time,
        "measure": work.measure.name,
        "aggregate": request.aggregate,
        "period": period,
        "lag": 1 if request.versus == "previous" or is_year else lags[period],
        "points": work.measure.unit == "%",
    }
    if by:
        given["by"] = by
    for name, sign, value in request.where:
        if name == request.time:
            given["first" if sign == ">=" else "after"] = f"{value:.0f}-01-01" if isinstance(value, float) else value
    return given


def _title_comparison(work: Summary, by: str, code: str) -> list[JsonObject]:
    unit = work.measure.unit
    shown = f"{work.measure.name} ({work.how})"
    change = TEXTS.render("unit_points", work.language) if unit == "%" else "%"
    columns: list[JsonObject] = [{"key": "group", "title": by, "type": "text"}] if by else []
    return [
        *columns,
        make_column("period", work.language, kind="text"),
        make_column("n", work.language),
        make_column("value", work.language, title=shown, unit=unit),
        make_column("before", work.language, title=TEXTS.render(f"col_{code}", work.language), unit=unit),
        make_column("change", work.language, title=TEXTS.render(code, work.language), unit=change),
    ]


def _find_in_comparison(work: Summary, rows: list[list[Any]], code: str, *, has_groups: bool) -> None:
    last = next((row for row in reversed(rows) if row[-1] is not None), None)
    if last is None:
        work.made.add_finding(TEXTS.render("nothing_before", work.language, versus=TEXTS.render(code, work.language)))
        return
    kind = "change_points" if work.measure.unit == "%" else "change_percent"
    shown = TEXTS.render(kind, work.language, value=f"{last[-1]:+,.1f}")
    name = " ".join(str(one) for one in last[: 2 if has_groups else 1])
    told = {"name": name, "value": show_number(last[-3]), "before": show_number(last[-2]), "change": shown}
    work.made.add_finding(work.say("last_change", **told))


def _choose_period(work: Summary) -> str:
    request = work.request
    found = work.table.get(request.time)
    if found is None:
        return ""
    if found.kind == "year":
        return "Y"
    return request.period or compute.choose_period(work.frame[request.time])


def _count_values(work: Summary, name: str) -> int:
    return int(work.frame[name].nunique())


def _count_periods(work: Summary, period: str) -> int:
    times = work.frame[work.request.time].dropna()
    is_date = getattr(times.dtype, "kind", "") == "M"
    return int(times.dt.to_period(period).nunique()) if is_date else int(times.nunique())
