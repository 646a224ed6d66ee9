"""Parts of an Office file: read as XML, changed one by one, written back so that untouched parts keep their bytes."""

from metier.packs.office.ooxml._charts import CHART_KINDS, ChartKind, ChartLook, ChartSeries, build_chart_xml
from metier.packs.office.ooxml._colors import name_color, parse_color
from metier.packs.office.ooxml._columns import count_lines, fit_columns
from metier.packs.office.ooxml._parts import OoxmlParts, Relationship, canonical_xml, parse_xml
from metier.packs.office.ooxml._pictures import MAX_PICTURE_BYTES, Picture, PictureProblem, read_picture

__all__ = [
    "CHART_KINDS",
    "MAX_PICTURE_BYTES",
    "ChartKind",
    "ChartLook",
    "ChartSeries",
    "OoxmlParts",
    "Picture",
    "PictureProblem",
    "Relationship",
    "build_chart_xml",
    "canonical_xml",
    "count_lines",
    "fit_columns",
    "name_color",
    "parse_color",
    "parse_xml",
    "read_picture",
]
