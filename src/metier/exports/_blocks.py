"""Document model of an export: a title and blocks, free of any file format."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from metier.exports._drawing import Drawing
from metier.language import Language

Tone: TypeAlias = Literal["plain", "user", "question", "note", "code"]


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text in one style."""

    text: str
    bold: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """A heading; level 1 is the title of the document."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph."""

    runs: tuple[TextRun, ...]
    tone: Tone = "plain"

    @property
    def text(self) -> str:
        """The paragraph without styles."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list of paragraphs."""

    items: tuple[tuple[TextRun, ...], ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table of texts; `note` says how many rows and columns there are if not all are in it."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class DrawingBlock:
    """A chart or a map."""

    title: str
    drawing: Drawing
    note: str = ""


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """A picture of the conversation: PNG or JPEG."""

    title: str
    content: bytes = field(repr=False)
    media_type: str = "image/png"


Block: TypeAlias = HeadingBlock | TextBlock | ListBlock | TableBlock | DrawingBlock | ImageBlock


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """A conversation or a report, ready to be written in any format."""

    title: str
    language: Language
    blocks: tuple[Block, ...]
