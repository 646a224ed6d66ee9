"""A docx as blocks: paragraphs, headings and tables with tracked changes and comments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject, JsonValue

if TYPE_CHECKING:
    from metier.packs.office.files import Package, XmlElement

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_COMMENTS: Final = "word/comments.xml"
_MAX_BLOCKS: Final = 3_000
_MAX_CELLS: Final = 4_000
_MAX_CHARS: Final = 400_000


@dataclass(slots=True)
class _Viewer:
    """Walks the body once; numbers paragraphs and tables as the reader of the pack does."""

    numbers: Mapping[str, str]
    levels: Mapping[str, int]
    blocks: list[JsonValue] = field(default_factory=list)
    open_comments: list[str] = field(default_factory=list)
    used_comments: dict[str, str] = field(default_factory=dict)
    paragraphs: int = 0
    tables: int = 0
    chars: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.blocks) >= _MAX_BLOCKS or self.chars >= _MAX_CHARS

    def add_body(self, body: "XmlElement") -> None:
        for child in body:
            if self.is_full:
                return
            if child.tag == f"{_W}p":
                self.paragraphs += 1
                self._add_paragraph(child, f"p{self.paragraphs}")
            elif child.tag == f"{_W}tbl":
                self.tables += 1
                self._add_table(child, f"t{self.tables}")
            elif child.tag == f"{_W}sdt":
                for content in child.iterchildren(f"{_W}sdtContent"):
                    self.add_body(content)

    def _add_paragraph(self, paragraph: "XmlElement", address: str) -> None:
        runs = list(self._list_runs(paragraph, address))
        if _is_hidden(paragraph):
            return
        level = self.levels.get(address, 0)
        self.blocks.append(
            {
                "kind": "heading" if level else "paragraph",
                "address": address,
                "level": level,
                "number": self.numbers.get(address, ""),
                "align": _read_value(paragraph, f"{_W}pPr/{_W}jc"),
                "runs": runs,
            }
        )

    def _add_table(self, table: "XmlElement", address: str) -> None:
        rows: list[JsonValue] = []
        count = 0
        for at, row in enumerate(table.iterchildren(f"{_W}tr"), 1):
            cells: list[JsonValue] = []
            for place, cell in enumerate(row.iterchildren(f"{_W}tc"), 1):
                count += 1
                where = f"{address}.r{at}.c{place}"
                runs = [run for one in cell.iter(f"{_W}p") for run in (*self._list_runs(one, where), _line_end())]
                cells.append({"address": where, "runs": list[JsonValue](runs[:-1])})
            rows.append(cells)
            if count > _MAX_CELLS:
                break
        self.blocks.append({"kind": "table", "address": address, "rows": rows})

    def _list_runs(self, paragraph: "XmlElement", address: str) -> Iterator[JsonObject]:
        for element in paragraph.iter():
            if element.tag == f"{_W}commentRangeStart":
                self.open_comments.append(str(element.get(f"{_W}id")))
            elif element.tag == f"{_W}commentRangeEnd":
                id = str(element.get(f"{_W}id"))
                self.open_comments = [one for one in self.open_comments if one != id]
            elif element.tag == f"{_W}commentReference":
                self.used_comments.setdefault(str(element.get(f"{_W}id")), address)
            elif element.tag == f"{_W}r" and (run := self._read_run(element)) is not None:
                yield run

    def _read_run(self, run: "XmlElement") -> JsonObject | None:
        parts = []
        for child in run:
            if child.tag in (f"{_W}t", f"{_W}delText"):
                parts.append(child.text or "")
            elif child.tag == f"{_W}tab":
                parts.append("\t")
            elif child.tag in (f"{_W}br", f"{_W}cr"):
                parts.append("\n")
        text = "".join(parts)
        if not text or run.find(f"{_W}rPr/{_W}vanish") is not None:
            return None
        self.chars += len(text)
        above = {one.tag for one in run.iterancestors(f"{_W}ins", f"{_W}del", f"{_W}moveTo", f"{_W}moveFrom")}
        mark = "del" if above & _DELETED else "ins" if above & _INSERTED else ""
        return {
            "text": text,
            "mark": mark,
            "bold": run.find(f"{_W}rPr/{_W}b") is not None,
            "comment": self.open_comments[-1] if self.open_comments else "",
        }


_INSERTED: Final = frozenset({f"{_W}ins", f"{_W}moveTo"})
_DELETED: Final = frozenset({f"{_W}del", f"{_W}moveFrom"})


def view_docx(file: Path) -> JsonObject:
    """Blocks of a docx. Hidden paragraphs are left out; comments stand beside the blocks that they belong to."""
    from metier.packs.office.files import open_package
    from metier.packs.office.writer import read_document

    package = open_package(file)
    pieces = read_document(file).pieces
    viewer = _Viewer(
        {one.address: one.number for one in pieces if one.number},
        {one.address: one.level for one in pieces if one.kind == "heading"},
    )
    body = package.xml(package.main_part).find(f"{_W}body")
    if body is not None:
        viewer.add_body(body)
    return {
        "kind": "docx",
        "blocks": viewer.blocks,
        "comments": list(_list_comments(package, viewer.used_comments)),
        "truncated": viewer.is_full,
    }


def _line_end() -> JsonObject:
    return {"text": "\n", "mark": "", "bold": False, "comment": ""}


def _list_comments(package: "Package", used: Mapping[str, str]) -> Iterator[JsonValue]:
    if _COMMENTS not in package:
        return
    for one in package.xml(_COMMENTS).iterchildren(f"{_W}comment"):
        id = str(one.get(f"{_W}id"))
        text = "\n".join("".join(t.text or "" for t in p.iter(f"{_W}t")) for p in one.iter(f"{_W}p"))
        yield {"id": id, "author": str(one.get(f"{_W}author") or ""), "text": text, "address": used.get(id, "")}


def _is_hidden(paragraph: "XmlElement") -> bool:
    """Whether the paragraph's mark is hidden and nothing in it can be seen."""
    if paragraph.find(f"{_W}pPr/{_W}rPr/{_W}vanish") is None:
        return False
    runs = [one for one in paragraph.iter(f"{_W}r") if one.find(f"{_W}t") is not None]
    return all(one.find(f"{_W}rPr/{_W}vanish") is not None for one in runs)


def _read_value(element: "XmlElement", path: str) -> str:
    found = element.find(path)
    return str(found.get(f"{_W}val") or "") if found is not None else ""
