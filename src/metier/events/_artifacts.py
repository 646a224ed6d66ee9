"""Data of the events that carry something to look at: tables, charts, images, files."""

from typing import Literal

from pydantic import Field, JsonValue

from metier.events._model import EventData, JsonModel

Row = list[JsonValue]


class Column(JsonModel):
    """A column of a table or a chart."""

    key: str
    title: str
    type: Literal["text", "number", "boolean", "time", "json"]
    unit: str = Field(description="may be empty")


class TablePage(EventData):
    """Rows for the user, a page at a time; the model reads the header and five rows."""

    table: str = Field(description="its id; pages of one table share it")
    call: str = Field(description="the call that gave it")
    rows: list[Row] = Field(description="the rows of this page, lists of values in the order of the columns")
    offset: int = Field(description="how many rows were sent before")
    total: int = Field(description="rows in all")
    kept: int = Field(description="rows that are sent; fewer than `total` when there are too many")
    more: bool = Field(description="whether another page follows")
    title: str | None = Field(None, description="on the first page; may be empty")
    columns: list[Column] | None = Field(None, description="on the first page")


class ThresholdLine(JsonModel):
    """A limit drawn into a chart."""

    value: float
    title: str


class CursorLines(JsonModel):
    """Upright lines of one title in a chart over an x of numbers; the first of a chart is what the chart is about."""

    title: str
    at: list[float] = Field(description="a place along the bottom, and its multiples")
    sides: list[float] | None = Field(None, description="side bands beside them")


class ChartSpec(JsonModel):
    """A chart: rows as lists in the order of the columns, and which column goes where."""

    kind: Literal["grouped_bar", "line", "stacked_bar", "scatter", "heatmap", "table"]
    title: str
    columns: list[Column]
    rows: list[Row]
    x: str
    y: list[str]
    group: str
    range: list[float] | None = Field(None, description="lowest and highest value of the scale")
    thresholds: list[ThresholdLine] | None = Field(None, description="limits to draw into the chart")
    cursors: list[CursorLines] | None = Field(None, description="upright lines, over an x of numbers")
    note: str | None = Field(None, description="a line below the chart, such as how many of the rows are drawn")


class Chart(EventData):
    """A chart for the user; the model reads one line about it."""

    chart: str = Field(description="its id")
    call: str = Field(description="the call that gave it")
    spec: ChartSpec


class FileData(EventData):
    """A file of the conversation's folder."""

    path: str = Field(description="where it is, within the conversation's folder")
    title: str = Field(description="its name for people")
    media_type: str = Field(description="as in HTTP")
    bytes: int = Field(description="its size")
    sha256: str | None = Field(None, description="of its content, up to 64 MiB")
    call: str = Field(description="the call that made it")


class ImageWritten(FileData):
    """An image of the conversation's folder, for the user: PNG, JPEG, WebP, GIF or SVG."""

    image: str = Field(description="its id")
    alt: str | None = Field(None, description="what is to be seen on it")


class FileWritten(FileData):
    """A file of the conversation's folder, for the user: new, or written again."""

    file: str = Field(description="its id")
