"""What an analysis reads and what it gives back. Nothing here opens a file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, join_sentences
from metier.packs.office._pieces import TextPiece

__all__ = [
    "CellValue",
    "DocumentFinding",
    "PageMeasures",
    "Proposal",
    "Reading",
    "Severity",
    "SheetCell",
    "SheetCells",
    "SlideText",
    "body_pieces",
]

CellValue: TypeAlias = "str | float | int | bool | None"
Severity = Literal["high", "medium", "low"]
ReadingKind = Literal["docx", "xlsx", "pptx", "text"]


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One cell as stored: its value, the formula, whether its row or column is hidden, the text that it
    shows, and whether it is a date to the program (a text that looks like one is none)."""

    address: str
    value: CellValue = None
    formula: str = ""
    hidden: bool = False
    shown: str = ""
    is_date: bool = False


@dataclass(frozen=True, slots=True)
class SheetCells:
    """The cells of one sheet that hold something."""

    name: str
    cells: tuple[SheetCell, ...]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class SlideText:
    """The words of one slide: its title, its other texts in reading order, its notes, the cells of its tables."""

    number: int
    title: str
    texts: tuple[str, ...] = ()
    notes: str = ""
    layout: str = ""
    tables: tuple[tuple[tuple[str, ...], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PageMeasures:
    """Page of a document as its first section sets it, in millimetres; a grid that is not set is None."""

    width_mm: float
    height_mm: float
    top_mm: float
    bottom_mm: float
    left_mm: float
    right_mm: float
    lines_per_page: int | None = None
    chars_per_line: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One document as an analysis sees it; `others` are further documents of the conversation (bid, key, rows).

    `sample` is the document whose formatting this one shall have. It comes with its `looks` (fields of
    `apply_paragraph_style` by address) and its `page_numbers` (fields of `set_page_numbers`).
    """

    name: str
    kind: ReadingKind
    pieces: tuple[TextPiece, ...] = ()
    sheets: tuple[SheetCells, ...] = ()
    slides: tuple[SlideText, ...] = ()
    page: PageMeasures | None = None
    others: tuple["Reading", ...] = ()
    selection: str = ""
    looks: Mapping[str, JsonObject] = field(default_factory=dict, hash=False)
    page_numbers: JsonObject | None = field(default=None, hash=False)
    sample: "Reading | None" = None


@dataclass(frozen=True, slots=True)
class DocumentFinding:
    """One finding: where it stands, the line it was read from, the rule, and what can be done.

    `quote` are the exact words of the line that the finding is about; `replacement` stands in their place when the
    right words are known. `values` hold what the finding says in fields (who, when, cell).
    """

    rule: str
    address: str
    line: str
    message: BilingualText
    severity: Severity = "medium"
    quote: str = ""
    advice: BilingualText | None = None
    replacement: str | None = None
    source: BilingualText | None = None
    values: Mapping[str, str] = field(default_factory=dict, hash=False)

    def comment(self, language: Language) -> str:
        """The words of a comment at the place: finding, advice, source of the rule."""
        parts = [self.message.text(language)]
        if self.advice is not None:
            parts.append(self.advice.text(language))
        if self.source is not None:
            parts.append(f"[{self.source.text(language)}]")
        return join_sentences(parts, language)

    def to_json(self, language: Language) -> JsonObject:
        """The finding in one language."""
        found: dict[str, JsonValue] = {
            "rule": self.rule,
            "address": self.address,
            "line": self.line,
            "message": self.message.text(language),
            "severity": self.severity,
        }
        optional: dict[str, JsonValue] = {
            "quote": self.quote,
            "advice": self.advice.text(language) if self.advice else "",
            "replacement": self.replacement,
            "source": self.source.text(language) if self.source else "",
            **self.values,
        }
        return {**found, **{key: value for key, value in optional.items() if value not in ("", None)}}


@dataclass(frozen=True, slots=True)
class Proposal:
    """Result of an analysis in one language: the answer in words, tables, findings, and the actions of a plan.

    No actions: there is nothing to write, and the summary says what was looked at. A `question` says what is missing.
    `files` are new files to be made from the document, each `{name, actions}` (a template with many rows).
    """

    task: str
    host: Literal["wps", "et", "wpp"]
    summary: str
    actions: tuple[JsonObject, ...] = ()
    tables: tuple[JsonObject, ...] = ()
    findings: tuple[JsonObject, ...] = ()
    question: str = ""
    files: tuple[JsonObject, ...] = ()


def body_pieces(reading: Reading) -> Iterator[TextPiece]:
    """Pieces of the body, without headers, footers and comments, that have words."""
    for piece in reading.pieces:
        if piece.kind not in ("header", "footer", "comment") and piece.line.strip():
            yield piece
