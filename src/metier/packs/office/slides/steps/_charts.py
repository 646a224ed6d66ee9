"""Native charts on slides, with their numbers in an embedded workbook."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pptx.chart.chart import Chart
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.oxml.ns import qn
from pptx.util import Pt

from metier.json_values import JsonValue
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets import NewSheet, create_workbook
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession

_KINDS: Final[Mapping[str, XL_CHART_TYPE]] = MappingProxyType(
    {
        "bar": XL_CHART_TYPE.BAR_CLUSTERED,
        "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
        "line": XL_CHART_TYPE.LINE_MARKERS,
        "pie": XL_CHART_TYPE.PIE,
        "area": XL_CHART_TYPE.AREA,
        "scatter": XL_CHART_TYPE.XY_SCATTER,
    }
)


def add_chart(session: SlideSession, action: OfficeAction) -> None:
    """Chart of rows: the first row names the series, the first column the points."""
    slide = session.slide(action)
    heads, rows = _read_rows(session, action)
    kind = action.text("chart_type", "bar")
    name = str(action.fields.get("title") or "")
    title = say("chart", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide), title, ("", name or kind)):
        return
    wanted = session.wanted_box(action, 15.0, 10.0)
    box = session.place(slide, wanted, "chart", least=0.6)
    if box is None:
        slide = session.next_slide(slide)
        box = session.place(slide, wanted, "chart", least=0.5) or wanted
    data = _scatter_data(heads, rows) if kind == "scatter" else _category_data(heads, rows)
    frame = slide.shapes.add_chart(_KINDS[kind], box.left, box.top, box.width, box.height, data)
    session.mark(frame)
    _dress(frame.chart, name, len(heads) - 1, kind)
    table: tuple[tuple[JsonValue, ...], ...] = tuple((label, *numbers) for label, numbers in rows)
    # The library's own workbook has the time of its making; ours is the same each time.
    book = create_workbook([NewSheet("Sheet1", tuple(heads), table)])
    frame.chart.part.chart_workbook.update_from_xlsx_blob(book)


def _read_rows(session: SlideSession, action: OfficeAction) -> tuple[list[str], list[tuple[str, list[float | None]]]]:
    rows = action.table("data")
    if not rows:
        raise session.fail("no_data", "data")
    has_head = len(rows) > 1 and not any(_number(one) is not None for one in rows[0][1:])
    body = rows[1:] if has_head else rows
    width = max(len(row) for row in rows)
    if width == 1:
        body = [[at, *row] for at, row in enumerate(body, 1)]
        heads = ["", str(rows[0][0])] if has_head else ["", "1"]
    else:
        given = [str(one if one is not None else "") for one in rows[0]] if has_head else [""]
        heads = [*given, *(str(at) for at in range(len(given), width))]
    found = []
    for row in body:
        numbers = [_number(one) for one in row[1:]]
        found.append((str(row[0]), [*numbers, *([None] * (len(heads) - 1 - len(numbers)))]))
    if not any(one is not None for _, numbers in found for one in numbers):
        raise session.fail("no_numbers", "data")
    return heads, found


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    text = str(value).strip().replace(",", "")
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def _category_data(heads: list[str], rows: list[tuple[str, list[float | None]]]) -> CategoryChartData:
    data = CategoryChartData()
    data.categories = [label for label, _ in rows]
    for at, name in enumerate(heads[1:]):
        data.add_series(name, [numbers[at] for _, numbers in rows])
    return data


def _scatter_data(heads: list[str], rows: list[tuple[str, list[float | None]]]) -> XyChartData:
    data = XyChartData()
    for at, name in enumerate(heads[1:]):
        series = data.add_series(name)
        for place, (label, numbers) in enumerate(rows, 1):
            x, y = _number(label), numbers[at]
            if y is not None:
                series.add_data_point(place if x is None else x, y)
    return data


def _dress(chart: Chart, title: str, count: int, kind: str) -> None:
    chart.font.size = Pt(12)
    chart.has_title = bool(title)
    if title:
        chart.chart_title.text_frame.text = title
        chart.chart_title.text_frame.paragraphs[0].runs[0].font.size = Pt(16)
    chart.has_legend = count > 1 or kind == "pie"
    if chart.has_legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
    if kind == "pie":
        plot = chart.plots[0]
        plot.has_data_labels = True
        plot.data_labels.show_percentage, plot.data_labels.show_value = True, False
    for one in chart._chartSpace.iter(qn("a:defRPr")):
        if one.find(qn("a:ea")) is None:
            one.append(one.makeelement(qn("a:ea"), {"typeface": "+mn-ea"}))
