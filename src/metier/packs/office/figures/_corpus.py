"""Corpus of documents with planted defects: written as text with the truth in marks, built as files for the readers.

The `development` files were used while the rules were written and mended; the `held_out` files have other wordings,
names and layouts, were written before that and are frozen by their digests. A mark `⟦rule key=value⟧` stands at the end
of the line that has the defect; it is not part of the document. One with `saved: libreoffice` lies in `saved/` as
LibreOffice wrote it.
"""

import re
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from openpyxl.cell import Cell as BookCell

__all__ = [
    "SPLITS",
    "CorpusDocument",
    "PlantedMark",
    "build_file",
    "number_slides",
    "read_corpus",
    "save_with_libreoffice",
]

SPLITS: Final = ("development", "development_2", "development_3", "held_out", "held_out_2")
_OPEN_XML: Final = "http://schemas.openxmlformats.org"
_WORD: Final = f"{_OPEN_XML}/wordprocessingml/2006/main"
_MAIN_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_CONTENT_TYPES: Final = (
    f'<?xml version="1.0" encoding="UTF-8"?><Types xmlns="{_OPEN_XML}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_MAIN_TYPE}"/></Types>'
)
_RELATIONSHIPS: Final = (
    f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{_OPEN_XML}/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{_OPEN_XML}/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_MARK: Final = re.compile(r"\s*⟦(?P<rule>[a-z_0-9]+)(?P<values>[^⟧]*)⟧")


@dataclass(frozen=True, slots=True)
class PlantedMark:
    """One planted defect: its rule, the line it stands in (0 is the first), and more that must be found."""

    rule: str
    line: int
    text: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One document: its lines as a person sees them, and what is wrong with it."""

    name: str
    split: str
    head: Mapping[str, str]
    lines: tuple[str, ...]
    marks: tuple[PlantedMark, ...]

    @property
    def kind(self) -> str:
        return self.head["kind"]


def read_corpus(folder: Path, split: str) -> tuple[CorpusDocument, ...]:
    """Documents of one half."""
    text = (folder / f"{split}.txt").read_text("utf-8")
    return tuple(_read_document(split, part) for part in re.split(r"^=== ", text, flags=re.M) if part.strip())


def _read_document(split: str, text: str) -> CorpusDocument:
    head, _, body = text.partition("\n---\n")
    name, *pairs = head.strip().splitlines()
    lines: list[str] = []
    marks: list[PlantedMark] = []
    for number, line in enumerate(body.rstrip("\n").split("\n")):
        plain = _MARK.sub("", line)
        lines.append(plain)
        for match in _MARK.finditer(line):
            values = dict(pair.split("=", 1) for pair in match["values"].split())
            marks.append(PlantedMark(match["rule"], number, plain, values))
    fields = {key.strip(): value.strip() for key, _, value in (pair.partition(":") for pair in pairs)}
    return CorpusDocument(name, split, fields, tuple(lines), tuple(marks))


def _suffix_of(document: CorpusDocument) -> str:
    return {"sheet": ".xlsx", "slides": ".pptx"}.get(document.kind, ".docx")


def build_file(document: CorpusDocument, corpus: Path, scratch: Path) -> Path:
    """The document as a file: the one that LibreOffice saved, if there is one, else built in `scratch`."""
    saved = corpus / "saved" / f"{document.name}{_suffix_of(document)}"
    return saved if "saved" in document.head and saved.exists() else _write_file(document, scratch)


def _write_file(document: CorpusDocument, folder: Path) -> Path:
    path = folder / f"{document.name}{_suffix_of(document)}"
    if path.suffix == ".xlsx":
        _write_sheet(document, path)
    elif path.suffix == ".pptx":
        _write_slides(document, path)
    else:
        _write_text(document, path)
    return path


def _write_text(document: CorpusDocument, path: Path) -> None:
    """A docx of four parts: what a small program writes, without styles."""
    lines = "".join(f'<w:p><w:r><w:t xml:space="preserve">{escape(line)}</w:t></w:r></w:p>' for line in document.lines)
    body = f'<w:document xmlns:w="{_WORD}"><w:body>{lines}</w:body></w:document>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _CONTENT_TYPES)
        package.writestr("_rels/.rels", _RELATIONSHIPS)
        package.writestr("word/document.xml", f'<?xml version="1.0" encoding="UTF-8"?>{body}')


def _sheet_rows(document: CorpusDocument) -> Iterator[tuple[int, bool, list[str]]]:
    """Rows of the sheet from 1 on: number, hidden, cells as text; `'` marks a number that is stored as text."""
    for number, line in enumerate(document.lines[1:], 1):
        yield number, line.startswith("!hidden "), line.removeprefix("!hidden ").split("\t")


def _write_sheet(document: CorpusDocument, path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = document.lines[0].removeprefix("# ")
    for number, hidden, cells in _sheet_rows(document):
        for column, text in enumerate(cells, 1):
            if text.strip():
                _put(sheet.cell(number, column), text.strip())
        sheet.row_dimensions[number].hidden = hidden
    book.save(path)


def _put(cell: "BookCell", text: str) -> None:
    if text.startswith("'"):
        cell.value, cell.data_type = text[1:], "s"
    elif re.fullmatch(r"-?\d+(\.\d+)?", text):
        cell.value = float(text) if "." in text else int(text)
    else:
        cell.value = text


def _slide_texts(document: CorpusDocument) -> list[tuple[str, list[str]]]:
    slides: list[tuple[str, list[str]]] = []
    for line in document.lines:
        if line.startswith("#"):
            slides.append((line.removeprefix("#").strip(), []))
        else:
            slides[-1][1].append(line)
    return slides


def number_slides(document: CorpusDocument) -> tuple[int, ...]:
    """Number of the slide that each line stands on."""
    number, found = 0, []
    for line in document.lines:
        number += line.startswith("#")
        found.append(number)
    return tuple(found)


def _write_slides(document: CorpusDocument, path: Path) -> None:
    from pptx import Presentation

    made = Presentation()
    for title, texts in _slide_texts(document):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(texts)
    made.save(str(path))


def save_with_libreoffice(corpus: Path) -> int:
    """Build the files of `saved/` anew and return how many; needs LibreOffice."""
    (corpus / "saved").mkdir(exist_ok=True)
    wanted = [one for split in SPLITS for one in read_corpus(corpus, split) if "saved" in one.head]
    with tempfile.TemporaryDirectory() as scratch:
        for document in wanted:
            path = _write_file(document, Path(scratch))
            target = ("--convert-to", path.suffix[1:], "--outdir", str(corpus / "saved"))
            command = ["soffice", "--headless", *target, str(path)]
            subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603 - our own files
    return len(wanted)
