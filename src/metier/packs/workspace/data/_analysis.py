"""An analysis: tables, charts and findings of one file, with the calls that computed them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from metier.language import Language, join_names
from metier.packs.workspace.data import _compute as compute
from metier.packs.workspace.data._breakdown import add_comparison, add_pivot, add_table
from metier.packs.workspace.data._columns import DataColumn, read_columns
from metier.packs.workspace.data._conditions import LINE
from metier.packs.workspace.data._load import Loaded
from metier.packs.workspace.data._request import FigureRequest, Task
from metier.packs.workspace.data._summary import Analysis, Summary, Typed, make_column, show_conditions, show_number
from metier.packs.workspace.data._texts import TEXTS

if TYPE_CHECKING:
    from metier.json_values import JsonValue

FIRST_LINE: Final = 2  # of the file: its header is the first
_MAX_CHART_ROWS: Final = 20
_SKEW: Final = 1.5
_MAX_PEAKS: Final = 3
_PERIOD: Final = "\x00period"
_PERCENT: Final = MappingProxyType({"gap_share": "%"})
# A row is a column of the file: its numbers have nothing to do with those above and below, which may be dates.
_SPREAD: Final = MappingProxyType(dict.fromkeys(("min", "median", "mean", "max"), "text"))


def type_columns(loaded: Loaded) -> Typed:
    """Convert the texts of a file to their kinds."""
    frame, columns = read_columns(loaded.frame)
    return Typed(frame, columns, loaded)


def join_analyses(parts: Sequence[Analysis]) -> Analysis:
    """One analysis of several, in their order; what two of them say alike is said once."""
    made = Analysis()
    for one in parts:
        made.tables += one.tables
        made.charts += one.charts
        made.findings += [found for found in one.findings if found not in made.findings]
        made.notes += [note for note in one.notes if note not in made.notes]
        made.calls += one.calls
    return made


def profile(table: Typed, file: str, language: Language) -> Analysis:
    """Profile every column: kind, gaps, spread and outliers."""
    made = Analysis(notes=list(table.loaded.notes))
    rows: list[JsonValue] = []
    for row in compute.describe_columns(table.frame, list(table.columns)):
        row[1] = TEXTS.render(f"kind_{row[1]}", language)
        rows.append(row)
    keys = ("name", "kind", "unit", "n", "gaps", "gap_share", "distinct", "min", "median", "mean", "max", "outliers")
    columns = [make_column(key, language, unit=_PERCENT.get(key, ""), kind=_SPREAD.get(key, "")) for key in keys]
    title = TEXTS.render("profile_title", language, file=file, rows=f"{len(table.frame):,}")
    made.tables.append({"title": title, "columns": columns, "rows": rows})
    made.calls.append(("describe_columns", {}))
    _find_in_profile(made, table, language)
    return made


def _find_in_profile(made: Analysis, table: Typed, language: Language) -> None:
    total = len(table.frame)
    gaps = sorted((one for one in table.columns if one.gaps), key=lambda one: -one.gaps)[:3]
    listed = [f"{one.name} {one.gaps:,} ({_percent(100 * one.gaps / total)}%)" for one in gaps]
    text = TEXTS.render("gaps", language, names=listed) if gaps else TEXTS.render("no_gaps", language)
    made.add_finding(text)
    for one in table.columns:
        if one.odd:
            kind = TEXTS.render(f"kind_{one.kind}", language)
            made.notes.append(TEXTS.render("odd", language, name=one.name, count=one.odd, kind=kind))
        if one.unread:
            made.add_finding(TEXTS.render("unread_column", language, name=one.name, value=one.unread))
        if one.note:
            code = "dates_unsure" if "?" in one.note else "dates_mixed"
            code = "decimal_comma" if one.kind == "number" else code
            made.notes.append(TEXTS.render(code, language, name=one.name, forms=one.note.replace("?", "")))
    if ids := [one.name for one in table.columns if one.kind == "id"]:
        made.notes.append(TEXTS.render("ids", language, names=ids))
    # Rows that differ in one column are no duplicates: a column of different values saves comparing all.
    is_unique = any(one.distinct == total for one in table.columns)
    if not is_unique and (same := int(table.loaded.frame.duplicated().sum())):
        made.add_finding(TEXTS.render("duplicates", language, count=f"{same:,}"))
    for one in (one for one in table.columns if one.kind == "number"):
        rows, count = compute.list_outliers(table.frame, one.name, 1)
        if rows:
            told = {"value": show_number(rows[0][1]), "line": rows[0][0], "unit": one.unit, "count": f"{count:,}"}
            there = int(table.frame[one.name].notna().sum())
            made.add_finding(TEXTS.render("outliers", language, name=one.name, n=f"{there:,}", **told))


def summarize(table: Typed, request: FigureRequest, file: str, language: Language) -> Analysis:
    """Compute the figures that the request asks for; an overview has groups and a trend."""
    made = Analysis()
    if missing := _find_missing_lines(table, request):
        last = len(table.frame) + 1
        made.notes.append(TEXTS.render("ask_no_line", language, lines=missing, last=f"{last:,}"))
        return made
    if request.question is not None or not len(compute.select_rows(table.frame, request.where)):
        code, values = request.question or ("ask_no_rows", {"conditions": show_conditions(request.where, language)})
        made.notes.append(TEXTS.render(code, language, **values))
        return made
    measure = table.get(request.measure)
    frame = table.frame
    if measure is None:
        name = TEXTS.render("row_count", language)
        made.notes.append(TEXTS.render("no_measure", language, name=file))
        frame = frame.assign(**{name: 1.0})
        measure = DataColumn(name, "number")
        made.calls.append(("count_rows", {"name": name}))
        made.tables.append({"title": "", "columns": [], "rows": []})
    chosen = compute.select_rows(frame, request.where)
    work = Summary(made, chosen, table, request, measure, language, frame)
    if request.where:
        shown = {"count": f"{len(chosen):,}", "all": f"{len(frame):,}"}
        made.findings.append({"text": work.title("rows_chosen", **shown), "table": ""})
    for task in request.tasks:
        for step in _STEPS[task]:
            step(work)
    if made.tables and not made.tables[0]["columns"]:
        made.tables.pop(0)
    return made


def _find_missing_lines(table: Typed, request: FigureRequest) -> list[str]:
    """Lines that the request names and the file does not have."""
    named = [one for name, _, lines in request.where if name == LINE and isinstance(lines, tuple) for one in lines]
    return [one for one in named if not FIRST_LINE <= int(one) < len(table.frame) + FIRST_LINE]


def _add_groups(work: Summary) -> None:
    request, measure = work.request, work.measure
    if not request.by:
        return
    arguments: dict[str, Any] = {"by": request.by, "measure": measure.name, "aggregate": request.aggregate}
    rows, count, total = compute.group_rows(work.frame, **arguments)
    if not rows:
        return
    code = "groups_title" if count > len(rows) else "groups_title_all"
    title = work.title(code, by=request.by, how=work.how, shown=len(rows), all=count)
    keys = ["n", "value", "share", "mean", "median"]
    columns: list[JsonValue] = [{"key": "group", "title": request.by}]
    for key in keys:
        named = f"{measure.name} ({work.how})" if key == "value" else ""
        unit = "%" if key == "share" else measure.unit if key != "n" else ""
        columns.append(make_column(key, work.language, title=named, unit=unit))
    kept = [at for at, key in enumerate(["group", *keys]) if _is_shown(key, request.aggregate, total, rows)]
    shown: list[JsonValue] = [[row[at] for at in kept] for row in rows]
    work.made.tables.append({"title": title, "columns": [columns[at] for at in kept], "rows": shown})
    work.add_call("group_rows", arguments)
    _find_in_groups(work, rows[0], total)
    left = len(work.frame) - len(work.frame[[request.by, measure.name]].dropna())
    if left:
        work.made.notes.append(work.say("left_out", count=f"{left:,}", by=request.by))
    if len(rows) > 1:
        chart: dict[str, Any] = {
            "kind": "grouped_bar",
            "title": title,
            "columns": columns[:3],
            "x": "group",
            "y": ["value"],
        }
        work.made.charts.append({**chart, "rows": [row[:3] for row in rows[:_MAX_CHART_ROWS]]})


def _is_shown(key: str, aggregate: str, total: float | None, rows: Sequence[Sequence[object]]) -> bool:
    if key == "share":
        return bool(total) and rows[0][3] is not None
    return not (key == "mean" and aggregate == "mean")


def _find_in_groups(work: Summary, first: Sequence[object], total: float | None) -> None:
    by = work.request.by
    told = {"name": first[0], "count": f"{first[1]:,}", "value": show_number(first[2]), "median": show_number(first[5])}
    if work.request.aggregate == "mean":
        work.made.add_finding(work.say("top_mean", by=by, **told))
    elif first[3] is None:
        work.made.add_finding(work.say("top_sum_plain", by=by, **told))
    else:
        work.made.add_finding(work.say("top_sum", by=by, share=first[3], total=show_number(total), **told))
        one = compute.find_dominant(work.frame, by, work.measure.name, str(first[0]))
        if one is not None:
            value = show_number(compute.round_number(one[1]))
            work.made.add_finding(work.say("dominant", name=first[0], line=one[0], value=value, share=one[2]))


def _add_trend(work: Summary) -> None:
    request, measure = work.request, work.measure
    if not request.time:
        return
    is_year = (found := work.table.get(request.time)) is not None and found.kind == "year"
    period = "Y" if is_year else request.period or compute.choose_period(work.frame[request.time])
    points = measure.unit == "%"
    arguments: dict[str, Any] = {
        "time": request.time,
        "measure": measure.name,
        "aggregate": request.aggregate,
        "period": period,
    }
    rows = compute.follow_trend(work.frame, **arguments, points=points)
    if len(rows) < 2:
        return
    title = work.title("trend_title", period=TEXTS.render(f"period_{period}", work.language), how=work.how)
    columns = [
        make_column("period", work.language, kind="text"),
        make_column("n", work.language),
        make_column("value", work.language, title=f"{measure.name} ({work.how})", unit=measure.unit),
        make_column("change", work.language, unit=TEXTS.render("unit_points", work.language) if points else "%"),
    ]
    work.made.tables.append({"title": title, "columns": columns, "rows": rows})
    work.add_call("follow_trend", {**arguments, "points": points})
    chart: dict[str, Any] = {
        "kind": "line",
        "title": title,
        "columns": [columns[0], columns[2]],
        "x": "period",
        "y": ["value"],
    }
    work.made.charts.append({**chart, "rows": [[row[0], row[2]] for row in rows if row[2] is not None]})
    _find_in_trend(work, rows, period, points=points, is_year=is_year)


def _find_in_trend(work: Summary, rows: Sequence[Sequence[Any]], period: str, *, points: bool, is_year: bool) -> None:
    there = [row for row in rows if row[2] is not None]
    first, last = there[0], there[-1]
    change = last[2] - first[2] if points else (100 * (last[2] - first[2]) / first[2] if first[2] > 0 else None)
    told = {"first": first[0], "last": last[0], "start": show_number(first[2]), "end": show_number(last[2])}
    signed = "–" if change is None else f"{change:+,.1f}"
    code = "change_points" if points else "change_percent"
    shown = TEXTS.render(code, work.language, value=signed) if change is not None else signed
    work.made.add_finding(work.say("trend_change", change=shown, **told))
    peak = max(row[2] for row in there)
    names = [str(row[0]) for row in there if row[2] == peak]
    shown = join_names([*names[:_MAX_PEAKS], *(["…"] if names[_MAX_PEAKS:] else [])], work.language)
    work.made.add_finding(work.say("peak" if len(names) == 1 else "peaks", name=shown, value=show_number(peak)))
    if not is_year and work.request.aggregate == "sum":
        _find_in_peak(work, names[0], period)
        dates = work.frame[work.request.time].dropna()
        ends = [one.strftime("%Y-%m-%d") for one in (dates.min(), dates.max())]
        work.made.notes.append(TEXTS.render("partial", work.language, first=ends[0], last=ends[1]))


def _find_in_peak(work: Summary, name: str, period: str) -> None:
    """Say if one row alone makes the peak."""
    times = work.frame[work.request.time].dt.to_period(period)
    one = compute.find_dominant(work.frame.assign(**{_PERIOD: times}), _PERIOD, work.measure.name, name)
    if one is not None:
        value = show_number(compute.round_number(one[1]))
        work.made.add_finding(work.say("dominant_peak", name=name, line=one[0], value=value, share=one[2]))


def _add_pivot(work: Summary) -> None:
    if len(work.request.keys) > 1 or (work.request.by and work.request.across):
        add_pivot(work)
    else:
        _add_groups(work)


def _add_outliers(work: Summary) -> None:
    rows, count = compute.list_outliers(work.frame, work.measure.name)
    title = work.title("outliers_title", shown=len(rows), all=count)
    columns = [
        make_column("line", work.language),
        make_column("value", work.language, title=work.measure.name, unit=work.measure.unit),
    ]
    work.made.tables.append({"title": title, "columns": columns, "rows": rows})
    work.add_call("list_outliers", {"measure": work.measure.name})
    low, high = compute.find_fences(work.frame[work.measure.name])
    least = float(work.frame[work.measure.name].min())
    low = max(low, least) if low is not None else None
    fences = {"low": show_number(compute.round_number(low)), "high": show_number(compute.round_number(high))}
    work.made.add_finding(work.say("fences" if count else "no_outliers", count=f"{count:,}", **fences))


def _add_skew(work: Summary) -> None:
    values = work.frame[work.measure.name].dropna()
    mean, median = float(values.mean()), float(values.median())
    if median > 0 and mean / median > _SKEW:
        told = {"mean": show_number(compute.round_number(mean)), "median": show_number(compute.round_number(median))}
        work.made.add_finding(work.say("skewed", **told))


_STEPS: Final[Mapping[Task, tuple[Any, ...]]] = MappingProxyType(
    {
        "overview": (_add_groups, _add_trend, _add_skew),
        "groups": (_add_groups, _add_skew),
        "trend": (_add_trend,),
        "pivot": (_add_pivot,),
        "table": (add_table,),
        "compare": (add_comparison,),
        "outliers": (_add_outliers,),
    }
)


def _percent(value: float) -> str:
    return f"{value:.1f}" if value >= 0.1 else "<0.1"
