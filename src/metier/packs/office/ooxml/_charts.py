"""Native charts (DrawingML): the XML of a chart part whose numbers are cells, with their values kept in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal
from xml.sax.saxutils import escape

ChartKind = Literal[
    "column",
    "column_stacked",
    "column_percent",
    "bar",
    "bar_stacked",
    "bar_percent",
    "line",
    "line_markers",
    "pie",
    "doughnut",
    "area",
    "area_stacked",
    "scatter",
    "scatter_lines",
    "radar",
]
# Constants of Office programs (XlChartType); three-dimensional ones are drawn flat, which reads better.
CHART_KINDS: Final[Mapping[int, ChartKind]] = MappingProxyType(
    {
        1: "area",
        76: "area_stacked",
        4: "line",
        63: "line",
        65: "line_markers",
        66: "line_markers",
        5: "pie",
        69: "pie",
        70: "pie",
        80: "doughnut",
        51: "column",
        52: "column_stacked",
        53: "column_percent",
        54: "column",
        55: "column_stacked",
        57: "bar",
        58: "bar_stacked",
        59: "bar_percent",
        60: "bar",
        61: "bar_stacked",
        72: "scatter_lines",
        74: "scatter_lines",
        75: "scatter_lines",
        81: "radar",
        82: "radar",
    }
)
_COLORS: Final = ("2F5597", "C55A11", "548235", "7F6000", "7030A0", "00808A", "A61C3C", "596673")
_LEGENDS: Final[Mapping[str, str]] = MappingProxyType({"right": "r", "left": "l", "top": "t", "bottom": "b"})
_TRENDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "linear": "linear",
        "exponential": "exp",
        "exp": "exp",
        "logarithmic": "log",
        "log": "log",
        "power": "power",
        "polynomial": "poly",
        "poly": "poly",
        "moving_average": "movingAvg",
    }
)
_NAMESPACES: Final = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One row of numbers; references are ranges such as `'Sheet1'!$B$2:$B$9`."""

    name: str
    name_ref: str
    values: tuple[float | None, ...]
    values_ref: str
    number_format: str = "General"


@dataclass(frozen=True, slots=True)
class ChartLook:
    """How a chart looks beside its numbers."""

    title: str = ""
    has_legend: bool = True
    legend_position: str = "bottom"
    has_labels: bool = False
    has_percent: bool = False
    trendline: str = ""
    font: str = "Microsoft YaHei"


def build_chart_xml(
    kind: ChartKind, categories: Sequence[str], categories_ref: str, series: Sequence[ChartSeries], look: ChartLook
) -> bytes:
    """XML of the chart part. For scatter charts the categories are the x values."""
    drawn = "".join(_series(kind, index, one, (categories, categories_ref), look) for index, one in enumerate(series))
    legend = (
        f'<c:legend><c:legendPos val="{_LEGENDS.get(look.legend_position, "b")}"/><c:overlay val="0"/></c:legend>'
        if look.has_legend
        else ""
    )
    text = (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<c:chartSpace {_NAMESPACES}>'
        f'<c:roundedCorners val="0"/><c:chart>{_title(look)}<c:plotArea><c:layout/>'
        f"{_plot(kind, drawn)}</c:plotArea>{legend}"
        '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>'
        '<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="1000">'
        f'<a:latin typeface="{escape(look.font)}"/><a:ea typeface="{escape(look.font)}"/></a:defRPr></a:pPr>'
        '<a:endParaRPr lang="zh-CN"/></a:p></c:txPr></c:chartSpace>'
    )
    return text.encode()


def _title(look: ChartLook) -> str:
    if not look.title:
        return '<c:autoTitleDeleted val="1"/>'
    font = escape(look.font)
    return (
        '<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="1400" b="1"/></a:pPr>'
        f'<a:r><a:rPr lang="zh-CN" sz="1400" b="1"><a:latin typeface="{font}"/><a:ea typeface="{font}"/></a:rPr>'
        f'<a:t>{escape(look.title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>'
        '<c:autoTitleDeleted val="0"/>'
    )


def _plot(kind: ChartKind, drawn: str) -> str:
    if kind in ("pie", "doughnut"):
        return _round_plot(kind, drawn)
    axes = '<c:axId val="111111111"/><c:axId val="222222222"/>'
    if kind.startswith("scatter"):
        style = "lineMarker"
        plot = f'<c:scatterChart><c:scatterStyle val="{style}"/><c:varyColors val="0"/>{drawn}{axes}</c:scatterChart>'
        return plot + _value_axis("111111111", "222222222", "b", lines=False) + _value_axis("222222222", "111111111")
    grouping = "stacked" if kind.endswith("stacked") else "percentStacked" if kind.endswith("percent") else "standard"
    shape = kind.partition("_")[0]
    if shape in ("column", "bar"):
        direction = "col" if shape == "column" else "bar"
        bars = "clustered" if grouping == "standard" else grouping
        overlap = "" if bars == "clustered" else '<c:overlap val="100"/>'
        plot = (
            f'<c:barChart><c:barDir val="{direction}"/><c:grouping val="{bars}"/><c:varyColors val="0"/>{drawn}'
            f'<c:gapWidth val="80"/>{overlap}{axes}</c:barChart>'
        )
    elif shape == "area":
        plot = f'<c:areaChart><c:grouping val="{grouping}"/><c:varyColors val="0"/>{drawn}{axes}</c:areaChart>'
    elif shape == "radar":
        plot = f'<c:radarChart><c:radarStyle val="marker"/><c:varyColors val="0"/>{drawn}{axes}</c:radarChart>'
    else:
        plot = (
            f'<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>{drawn}'
            f'<c:marker val="1"/>{axes}</c:lineChart>'
        )
    places = ("l", "b") if shape == "bar" else ("b", "l")
    return plot + _category_axis(places[0], reverse=shape == "bar") + _value_axis("222222222", "111111111", places[1])


def _round_plot(kind: ChartKind, drawn: str) -> str:
    if kind == "pie":
        return f'<c:pieChart><c:varyColors val="1"/>{drawn}<c:firstSliceAng val="0"/></c:pieChart>'
    return (
        f'<c:doughnutChart><c:varyColors val="1"/>{drawn}<c:firstSliceAng val="0"/><c:holeSize val="55"/>'
        "</c:doughnutChart>"
    )


def _category_axis(place: str, *, reverse: bool = False) -> str:
    order = "maxMin" if reverse else "minMax"
    return (
        f'<c:catAx><c:axId val="111111111"/><c:scaling><c:orientation val="{order}"/></c:scaling><c:delete val="0"/>'
        f'<c:axPos val="{place}"/><c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="none"/>'
        '<c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="222222222"/><c:crosses val="autoZero"/>'
        '<c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>'
    )


def _value_axis(own: str, other: str, place: str = "l", *, lines: bool = True) -> str:
    grid = (
        '<c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="D9D9D9"/></a:solidFill></a:ln></c:spPr>'
        "</c:majorGridlines>"
        if lines
        else ""
    )
    return (
        f'<c:valAx><c:axId val="{own}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
        f'<c:axPos val="{place}"/>{grid}<c:numFmt formatCode="General" sourceLinked="1"/><c:majorTickMark val="none"/>'
        f'<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="{other}"/>'
        f'<c:crosses val="{"max" if place == "b" and lines else "autoZero"}"/><c:crossBetween val="between"/></c:valAx>'
    )


def _series(kind: ChartKind, index: int, series: ChartSeries, names: tuple[Sequence[str], str], look: ChartLook) -> str:
    categories, categories_ref = names
    name = f"<c:tx><c:strRef><c:f>{escape(series.name_ref)}</c:f>{_texts([series.name])}</c:strRef></c:tx>"
    if not series.name_ref:
        name = f"<c:tx><c:v>{escape(series.name)}</c:v></c:tx>" if series.name else ""
    values = (
        f"<c:numRef><c:f>{escape(series.values_ref)}</c:f>{_numbers(series.values, series.number_format)}</c:numRef>"
    )
    is_scatter = kind.startswith("scatter")
    labels = f"<c:strRef><c:f>{escape(categories_ref)}</c:f>{_texts(categories)}</c:strRef>"
    if is_scatter:
        places = tuple(_to_number(one) for one in categories)
        labels = f"<c:numRef><c:f>{escape(categories_ref)}</c:f>{_numbers(places, 'General')}</c:numRef>"
    first, second = ("xVal", "yVal") if is_scatter else ("cat", "val")
    category = f"<c:{first}>{labels}</c:{first}>" if categories_ref else ""
    return (
        f'<c:ser><c:idx val="{index}"/><c:order val="{index}"/>{name}{_paint(kind, index)}'
        f"{_labels(kind, look)}{_trend(kind, look)}{category}<c:{second}>{values}</c:{second}>"
        f"{_smooth(kind)}</c:ser>"
    )


def _smooth(kind: ChartKind) -> str:
    return '<c:smooth val="0"/>' if kind.startswith(("line", "scatter")) else ""


def _paint(kind: ChartKind, index: int) -> str:
    if kind in ("pie", "doughnut"):
        return ""
    color = f'<a:solidFill><a:srgbClr val="{_COLORS[index % len(_COLORS)]}"/></a:solidFill>'
    if kind in ("line", "line_markers", "radar", "scatter", "scatter_lines"):
        width = '<a:ln w="28575"><a:noFill/></a:ln>' if kind == "scatter" else f'<a:ln w="28575">{color}</a:ln>'
        dot = f'<c:symbol val="circle"/><c:size val="6"/><c:spPr>{color}</c:spPr>'
        marker = '<c:symbol val="none"/>' if kind == "line" else dot
        return f"<c:spPr>{width}</c:spPr><c:marker>{marker}</c:marker>"
    negative = '<c:invertIfNegative val="0"/>' if kind.startswith(("column", "bar")) else ""
    return f"<c:spPr>{color}</c:spPr>{negative}"


def _labels(kind: ChartKind, look: ChartLook) -> str:
    if not look.has_labels and not look.has_percent:
        return ""
    is_round = kind in ("pie", "doughnut")
    percent = "1" if look.has_percent and is_round else "0"
    value = "0" if percent == "1" else "1"
    return (
        f'<c:dLbls><c:showLegendKey val="0"/><c:showVal val="{value}"/><c:showCatName val="0"/>'
        f'<c:showSerName val="0"/><c:showPercent val="{percent}"/><c:showBubbleSize val="0"/></c:dLbls>'
    )


def _trend(kind: ChartKind, look: ChartLook) -> str:
    kinds = ("column", "bar", "line", "line_markers", "scatter", "scatter_lines", "area")
    if not look.trendline or kind not in kinds:
        return ""
    shape = _TRENDS.get(look.trendline.lower(), "linear")
    extra = '<c:order val="2"/>' if shape == "poly" else '<c:period val="2"/>' if shape == "movingAvg" else ""
    return f'<c:trendline><c:trendlineType val="{shape}"/>{extra}<c:dispRSqr val="0"/><c:dispEq val="0"/></c:trendline>'


def _texts(texts: Sequence[str]) -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{escape(one)}</c:v></c:pt>' for at, one in enumerate(texts))
    return f'<c:strCache><c:ptCount val="{len(texts)}"/>{points}</c:strCache>'


def _numbers(numbers: Sequence[float | None], number_format: str) -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{one!r}</c:v></c:pt>' for at, one in enumerate(numbers) if one is not None)
    code = escape(number_format)
    return f'<c:numCache><c:formatCode>{code}</c:formatCode><c:ptCount val="{len(numbers)}"/>{points}</c:numCache>'


def _to_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
