"""Corpus of documents with planted defects: written as text with the truth in marks, built as files for the readers.

`development.txt` was used while the rules were written; `held_out.txt` has other wordings, names and layouts, was
written before the rules and is frozen by its digest in `test_corpus.py`. A mark `⟦rule key=value⟧` stands at the end of
the line that has the defect; it is not part of the document. A document with `saved: libreoffice` is shipped in
`saved/` as LibreOffice wrote it (`python -m tests.packs.office.corpus.corpus` builds it anew).
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent
SPLITS = ("development", "held_out")
_MARK = re.compile(r"\s*⟦(?P<rule>[a-z_0-9]+)(?P<values>[^⟧]*)⟧")


@dataclass(frozen=True, slots=True)
class Mark:
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
    marks: tuple[Mark, ...]

    @property
    def kind(self) -> str:
        return self.head["kind"]


def read_corpus(split: str) -> tuple[CorpusDocument, ...]:
    text = (FOLDER / f"{split}.txt").read_text("utf-8")
    return tuple(_read_document(split, part) for part in re.split(r"^=== ", text, flags=re.M) if part.strip())


def _read_document(split: str, text: str) -> CorpusDocument:
    head, _, body = text.partition("\n---\n")
    name, *pairs = head.strip().splitlines()
    lines: list[str] = []
    marks: list[Mark] = []
    for number, line in enumerate(body.rstrip("\n").split("\n")):
        plain = _MARK.sub("", line)
        lines.append(plain)
        for match in _MARK.finditer(line):
            values = dict(pair.split("=", 1) for pair in match["values"].split())
            marks.append(Mark(match["rule"], number, plain, values))
    fields = {key.strip(): value.strip() for key, _, value in (pair.partition(":") for pair in pairs)}
    return CorpusDocument(name, split, fields, tuple(lines), tuple(marks))


def suffix_of(document: CorpusDocument) -> str:
    return {"sheet": ".xlsx", "slides": ".pptx"}.get(document.kind, ".docx")


def build_file(document: CorpusDocument, folder: Path) -> Path:
    """The document as a file: the one that LibreOffice saved, if there is one, else built here."""
    saved = FOLDER / "saved" / f"{document.name}{suffix_of(document)}"
    return saved if "saved" in document.head and saved.exists() else write_file(document, folder)


def write_file(document: CorpusDocument, folder: Path) -> Path:
    path = folder / f"{document.name}{suffix_of(document)}"
    if path.suffix == ".xlsx":
        _write_sheet(document, path)
    elif path.suffix == ".pptx":
        _write_slides(document, path)
    else:
        _write_text(document, path)
    return path


def _write_text(document: CorpusDocument, path: Path) -> None:
    from docx import Document

    made = Document()
    for number, line in enumerate(document.lines):
        if number == 0:
            made.add_heading(line, 0)
        else:
            made.add_paragraph(line)
    made.save(str(path))


def sheet_rows(document: CorpusDocument) -> Iterator[tuple[int, bool, list[str]]]:
    """Rows of the sheet from 1 on: number, hidden, cells as text; `'` marks a number that is stored as text."""
    for number, line in enumerate(document.lines[1:], 1):
        yield number, line.startswith("!hidden "), line.removeprefix("!hidden ").split("\t")


def _write_sheet(document: CorpusDocument, path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = document.lines[0].removeprefix("# ")
    for number, hidden, cells in sheet_rows(document):
        for column, text in enumerate(cells, 1):
            if text.strip():
                _put(sheet.cell(number, column), text.strip())
        sheet.row_dimensions[number].hidden = hidden
    book.save(path)


def _put(cell, text: str) -> None:
    if text.startswith("'"):
        cell.value, cell.data_type = text[1:], "s"
    elif re.fullmatch(r"-?\d+(\.\d+)?", text):
        cell.value = float(text) if "." in text else int(text)
    else:
        cell.value = text


def slide_texts(document: CorpusDocument) -> list[tuple[str, list[str]]]:
    slides: list[tuple[str, list[str]]] = []
    for line in document.lines:
        if line.startswith("#"):
            slides.append((line.removeprefix("#").strip(), []))
        else:
            slides[-1][1].append(line)
    return slides


def _write_slides(document: CorpusDocument, path: Path) -> None:
    from pptx import Presentation

    made = Presentation()
    for title, texts in slide_texts(document):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(texts)
    made.save(str(path))


def save_with_libreoffice() -> None:
    """Build the files of `saved/` anew; needs LibreOffice."""
    (FOLDER / "saved").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for document in (one for split in SPLITS for one in read_corpus(split) if "saved" in one.head):
            path = write_file(document, Path(scratch))
            command = [
                "soffice",
                "--headless",
                "--convert-to",
                path.suffix[1:],
                "--outdir",
                str(FOLDER / "saved"),
                str(path),
            ]
            subprocess.run(command, check=True, capture_output=True, timeout=120)
            sys.stdout.write(f"{document.name}\n")


if __name__ == "__main__":
    save_with_libreoffice()
