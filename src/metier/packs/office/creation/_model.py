"""Content of a new document: sections of points, tables and charts, and the sources that points refer to."""

from dataclasses import dataclass, field
from typing import TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.language import Language


@dataclass(frozen=True, slots=True)
class NewPoint:
    """A point, or with `is_prose` a paragraph: slides show its first sentence and keep the whole in the notes."""

    text: str
    sources: tuple[int, ...] = ()
    is_prose: bool = False

    @property
    def marks(self) -> str:
        """Numbers of the sources as they are written: `[1][3]`."""
        return "".join(f"[{number}]" for number in self.sources)

    @property
    def marked_text(self) -> str:
        """The text with the marks of its sources."""
        return f"{self.text} {self.marks}" if self.sources else self.text


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table with typed cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class NewChart:
    """A chart by the specification that results have."""

    title: str
    spec: JsonObject = field(hash=False)


NewBlock: TypeAlias = NewPoint | NewTable | NewChart


@dataclass(frozen=True, slots=True)
class NewSection:
    """A part of the document with its heading."""

    title: str
    blocks: tuple[NewBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class NewSource:
    """Where a point comes from: its number, the name of the source, and the place in it."""

    number: int
    name: str
    place: str = ""

    @property
    def line(self) -> str:
        return f"[{self.number}] {self.name}{f', {self.place}' if self.place else ''}"


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document to be written, in any of the formats."""

    title: str
    language: Language
    sections: tuple[NewSection, ...]
    subtitle: str = ""
    sources: tuple[NewSource, ...] = ()

    @property
    def point_count(self) -> int:
        """Points, tables and charts together."""
        return sum(len(section.blocks) for section in self.sections)
