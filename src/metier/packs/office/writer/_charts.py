"""Native charts from the rows of a table: chart XML and the workbook that Word opens to edit the data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._session import StepRefused
from metier.packs.office.writer.reading import attribute

__all__ = ["ChartParts", "build_chart"]

_NUMBER: Final = re.compile(r"[-+−]?\d[\d,，]*(\.\d+)?")
_UNITS: Final = re.compile(r"[¥￥$€\s]|(万元|亿元|元|%|％|个|台|件|人)$")
_DEFAULT: Final = 51
_LEGENDS: Mapping[str, str] = {"right": "r", "left": "l", "top": "t", "bottom": "b"}
_TRENDS: Mapping[str, str] = {"exponential": "exp", "logarithmic": "log", "power": "power", "linear": "linear"}


@dataclass(frozen=True, slots=True)
class ChartParts:
    """A chart part and its workbook."""

    title: str
    xml: bytes
    workbook: bytes


def build_chart(rows: Sequence[Sequence[str]], action: OfficeAction) -> ChartParts:
    """Chart of a table whose first column has the names and whose first row the series."""
    from pptx.chart.data import CategoryChartData
    from pptx.chart.xmlwriter import ChartXmlWriter
    from pptx.enum.chart import XL_CHART_TYPE

    series, categories = _read_series(rows)
    kind = action.whole("chart_type", _DEFAULT)
    try:
        chart_type = XL_CHART_TYPE(kind)
        data = CategoryChartData(number_format="General")
        data.categories = categories
        for name, values in series:
            data.add_series(name, values)
        xml = ChartXmlWriter(chart_type, data).xml
    except (ValueError, NotImplementedError, KeyError, AttributeError):
        raise StepRefused("chart_kind", kind=kind) from None
    title = action.text("title") or (series[0][0] if len(series) == 1 else "")
    root: XmlElement = etree.fromstring(xml.encode())
    _decorate(root, action, title, len(series), is_pie="pieChart" in xml)
    workbook: bytes = data._workbook_writer.xlsx_blob
    return ChartParts(title, etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True), workbook)


def _read_series(rows: Sequence[Sequence[str]]) -> tuple[list[tuple[str, list[float | None]]], list[str]]:
    if len(rows) < 2 or max(map(len, rows), default=0) < 2:
        raise StepRefused("no_numbers")
    head, body = rows[0], [row for row in rows[1:] if row and row[0].strip()]
    series: list[tuple[str, list[float | None]]] = []
    for column in range(1, len(head)):
        values = [_read_number(row[column]) if len(row) > column else None for row in body]
        if any(value is not None for value in values):
            series.append((head[column] or f"{column}", values))
    if not series:
        raise StepRefused("no_numbers")
    return series, [row[0] for row in body]


def _read_number(text: str) -> float | None:
    cleaned = _UNITS.sub("", text.strip()).replace("−", "-")
    if not _NUMBER.fullmatch(cleaned):
        return None
    return float(re.sub("[,，]", "", cleaned))


def _decorate(root: XmlElement, action: OfficeAction, title: str, series: int, *, is_pie: bool) -> None:
    chart = root.find(attribute("c:chart"))
    if chart is None:
        return
    for size in root.iter(attribute("a:defRPr")):
        size.set("sz", "1000")  # 18 points are made for slides
    for old in chart.findall(attribute("c:title")) + chart.findall(attribute("c:autoTitleDeleted")):
        chart.remove(old)
    if title:
        chart.insert(0, _title(title))
    chart.insert(1 if title else 0, etree.Element(attribute("c:autoTitleDeleted"), {"val": "0" if title else "1"}))
    for old in chart.findall(attribute("c:legend")):
        chart.remove(old)
    legend = action.switch("has_legend")
    if legend if legend is not None else (series > 1 or is_pie):
        _add_legend(chart, _LEGENDS.get(action.text("legend_position"), "b"))
    if action.flag("show_data_labels") or action.flag("data_labels_show_percent"):
        _add_labels(chart, is_percent=action.flag("data_labels_show_percent") and is_pie)
    if action.flag("add_trendline") and not is_pie:
        _add_trend(chart, _TRENDS.get(action.text("trendline_type"), "linear"))


def _title(text: str) -> XmlElement:
    title = etree.fromstring(
        f'<c:title xmlns:c="{attribute("c:x")[1:-2]}" xmlns:a="{attribute("a:x")[1:-2]}"><c:tx><c:rich><a:bodyPr/>'
        '<a:p><a:pPr><a:defRPr sz="1400" b="1"/></a:pPr><a:r><a:rPr lang="zh-CN" sz="1400" b="1"/><a:t/></a:r></a:p>'
        '</c:rich></c:tx><c:overlay val="0"/></c:title>'
    )
    next(title.iter(attribute("a:t"))).text = text
    found: XmlElement = title
    return found


def _add_legend(chart: XmlElement, place: str) -> None:
    legend = etree.Element(attribute("c:legend"))
    etree.SubElement(legend, attribute("c:legendPos"), {"val": place})
    etree.SubElement(legend, attribute("c:overlay"), {"val": "0"})
    plot = chart.find(attribute("c:plotArea"))
    if plot is not None:
        plot.addnext(legend)


def _add_labels(chart: XmlElement, *, is_percent: bool) -> None:
    shown = {"showLegendKey": "0", "showVal": "0" if is_percent else "1", "showCatName": "0", "showSerName": "0"}
    for series in chart.iter(attribute("c:ser")):
        for old in series.findall(attribute("c:dLbls")):
            series.remove(old)
        labels = etree.Element(attribute("c:dLbls"))
        for name, value in {**shown, "showPercent": "1" if is_percent else "0", "showBubbleSize": "0"}.items():
            etree.SubElement(labels, attribute(f"c:{name}"), {"val": value})
        _insert_before(series, labels, ("trendline", "errBars", "cat", "xVal", "val", "yVal"))


def _add_trend(chart: XmlElement, kind: str) -> None:
    for series in chart.iter(attribute("c:ser")):
        trend = etree.Element(attribute("c:trendline"))
        etree.SubElement(trend, attribute("c:trendlineType"), {"val": kind})
        etree.SubElement(trend, attribute("c:dispRSqr"), {"val": "0"})
        etree.SubElement(trend, attribute("c:dispEq"), {"val": "0"})
        _insert_before(series, trend, ("errBars", "cat", "xVal", "val", "yVal"))


def _insert_before(series: XmlElement, element: XmlElement, names: tuple[str, ...]) -> None:
    places = (series.find(attribute(f"c:{name}")) for name in names)
    place = next((one for one in places if one is not None), None)
    if place is not None:
        place.addprevious(element)
