"""Drawings as a list of plain shapes, which each format writes in its own way: SVG, PDF graphics or a picture."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Anchor: TypeAlias = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class BoxShape:
    """A filled rectangle; y grows downwards."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclass(frozen=True, slots=True)
class PathShape:
    """A line through points; closed and filled if it has a fill."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float = 1.0
    is_dashed: bool = False
    fill: str = ""


@dataclass(frozen=True, slots=True)
class DotShape:
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str


@dataclass(frozen=True, slots=True)
class LabelShape:
    """A line of text at its baseline."""

    x: float
    y: float
    text: str
    size: float = 11.0
    anchor: Anchor = "start"
    colour: str = "#444444"


Shape: TypeAlias = BoxShape | PathShape | DotShape | LabelShape


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a white area."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    description: str = ""
