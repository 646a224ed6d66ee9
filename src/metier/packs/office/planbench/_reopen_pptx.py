"""A written pptx file, read again without the code that wrote it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pptx import Presentation

from metier.packs.office.planbench._package_charts import PackageChart, read_charts

__all__ = ["ReopenedPptx", "SlideShape"]


@dataclass(frozen=True, slots=True)
class SlideShape:
    """One shape: its box in EMU, its paragraphs and the largest font size that is set in it."""

    name: str
    left: int
    top: int
    width: int
    height: int
    paragraphs: tuple[str, ...]
    size_pt: float
    is_title: bool
    is_empty_placeholder: bool


class ReopenedPptx:
    """Slides of a presentation as shapes with their boxes and texts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._presentation = Presentation(str(path))
        self.width = int(self._presentation.slide_width or 0)
        self.height = int(self._presentation.slide_height or 0)

    @cached_property
    def slides(self) -> list[list[SlideShape]]:
        return [[_read_shape(shape) for shape in slide.shapes] for slide in self._presentation.slides]

    @cached_property
    def charts(self) -> list[PackageChart]:
        return read_charts(self.path)

    @cached_property
    def text(self) -> str:
        return "\n".join(line for slide in self.slides for shape in slide for line in shape.paragraphs)


def _read_shape(shape: object) -> SlideShape:
    frames = []
    if getattr(shape, "has_text_frame", False):
        frames = [shape.text_frame]  # type: ignore[attr-defined]  # python-pptx tells by `has_…` and `is_…` which shape has it
    elif getattr(shape, "has_table", False):
        frames = [cell.text_frame for row in shape.table.rows for cell in row.cells]  # type: ignore[attr-defined]  # python-pptx tells by `has_…` and `is_…` which shape has it
    paragraphs = [one for frame in frames for one in frame.paragraphs]
    texts = tuple(text for one in paragraphs if (text := "".join(run.text for run in one.runs)))
    sizes = [run.font.size.pt for one in paragraphs for run in one.runs if run.font.size is not None]
    placeholder = bool(getattr(shape, "is_placeholder", False))
    kind = shape.placeholder_format.type if placeholder else None  # type: ignore[attr-defined]  # python-pptx tells by `has_…` and `is_…` which shape has it
    box = [int(getattr(shape, name) or 0) for name in ("left", "top", "width", "height")]
    return SlideShape(
        name=str(getattr(shape, "name", "")),
        left=box[0],
        top=box[1],
        width=box[2],
        height=box[3],
        paragraphs=texts,
        size_pt=max(sizes, default=0.0),
        is_title=kind is not None and int(kind) in (1, 3),
        is_empty_placeholder=placeholder and not texts,
    )
