"""Charts of a package, read from their parts: kind, title, categories and values."""

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lxml import etree

__all__ = ["PackageChart", "read_charts"]

_C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_KINDS: Final = (
    ("barChart", "bar"),
    ("bar3DChart", "bar"),
    ("lineChart", "line"),
    ("pieChart", "pie"),
    ("areaChart", "area"),
)


@dataclass(frozen=True, slots=True)
class PackageChart:
    """One chart as the file holds it."""

    kind: str
    title: str
    series: int
    values: tuple[float, ...]


def read_charts(path: Path) -> list[PackageChart]:
    """Charts of a docx, xlsx or pptx file."""
    with zipfile.ZipFile(path) as package:
        names = sorted(name for name in package.namelist() if "/charts/chart" in name and name.endswith(".xml"))
        return [_read(etree.fromstring(package.read(name))) for name in names]


def _read(root: etree._Element) -> PackageChart:
    kind = next((name for tag, name in _KINDS if root.find(f".//{_C}{tag}") is not None), "other")
    title = root.find(f"./{_C}chart/{_C}title")
    text = "".join(one.text or "" for one in title.iter(f"{_A}t", f"{_C}v")) if title is not None else ""
    series = root.findall(f".//{_C}ser")
    values = [one.text or "" for one in (series[0].findall(f"./{_C}val//{_C}pt/{_C}v") if series else [])]
    return PackageChart(kind, text, len(series), tuple(float(one) for one in values))
