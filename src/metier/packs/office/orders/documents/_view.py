"""A document as orders name it: paragraphs, headings, clauses, sections, tables with rows and columns."""

import itertools
import re
from dataclasses import dataclass
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.orders._ordinals import read_ordinal
from metier.packs.office.orders.documents._table_view import DocTable, read_tables
from metier.patterns import write_chinese_integer

__all__ = ["MAX_TITLE", "DocTable", "DocumentView", "PieceSpan", "name_number", "strip_number"]

_CLAUSE: Final = re.compile(r"\s*第([一二三四五六七八九十百零〇\d]+)条")
_LEVEL: Final = re.compile(
    r"\s*(?:第[一二三四五六七八九十百\d]+[章编部分]|[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|"
    r"\d+(?:\.\d+)*[.、．\s])"
)
MAX_TITLE: Final = 40
_MAX_SIGNATURE: Final = 30
_CLOSING: Final = re.compile(
    r"\s*(?:本(?:合同|协议|规定|办法).{0,8}一式|[（(]?以下无正文|特此(?:通知|公告|函|报告)|此致|附件[：:])"
)
_DATE: Final = re.compile(
    r"(?:\d{4}|"
    r"[二〇○零一三四五六七八九]{4})\s*[年./-]\s*[\d一二三四五六七八九十]{1,3}\s*[月./-]\s*[\d一二三四五六七八九十]{1,3}|"
    r"\d{1,2} \w+ \d{4}|\b\w+ \d{1,2}, \d{4}"
)


@dataclass(frozen=True, slots=True)
class PieceSpan:
    """Pieces that an order is about; `is_section` if they are a heading with what belongs to it.

    `is_bare`: the order names the heading's words only, which may mean the heading alone. `sentence` is the part of the
    only piece that is meant.
    """

    pieces: tuple[TextPiece, ...]
    is_section: bool = False
    name: str = ""
    is_bare: bool = False
    sentence: str = ""

    @property
    def addresses(self) -> list[str]:
        return [one.address for one in self.pieces]


class DocumentView:
    """The body of a document."""

    def __init__(self, reading: Reading) -> None:
        self.pieces = [one for one in reading.pieces if re.fullmatch(r"p\d+", one.address)]
        self.filled = [one for one in self.pieces if one.line.strip()]
        self.comments = [one for one in reading.pieces if one.kind == "comment"]
        self.tables = read_tables(reading)
        self.all = [one for one in reading.pieces if one.kind != "comment"]
        self.blocks = list(
            dict.fromkeys(
                found[0] for one in reading.pieces if (found := re.match(r"p\d+$|t\d+(?=\.)", one.address)) is not None
            )
        )

    @property
    def title(self) -> TextPiece | None:
        """The title of the document: its first line, if that looks like one."""
        first = self.filled[0] if self.filled else None
        if first is None or len(first.text) > MAX_TITLE or first.text.rstrip()[-1:] in "。；;，,：:.!！？":
            return None
        return first

    @property
    def headings(self) -> list[TextPiece]:
        return [one for one in self.filled if one.level or one.kind == "heading"]

    @property
    def paragraphs(self) -> list[TextPiece]:
        """Paragraphs of running text: no headings, and not the title."""
        title = self.title
        is_styled = title is not None and (title.level or "title" in title.style.lower())
        return [
            one for one in self.filled if not one.level and one.kind != "heading" and not (is_styled and one is title)
        ]

    @property
    def closing(self) -> tuple[TextPiece, ...]:
        """Lines at the end that sign the document: who, and when."""
        lines: list[TextPiece] = []
        for one in reversed(self.filled):
            if one.level or len(one.text) > _MAX_SIGNATURE or one.text.rstrip()[-1:] in "。；：，.;:,":
                break
            lines.insert(0, one)
        return tuple(lines[-3:]) if any(_DATE.search(one.text) for one in lines[-3:]) else ()

    def blocks_of(self, span: PieceSpan) -> tuple[list[str], list[str]]:
        """Addresses and texts of a section's paragraphs and tables."""
        first, last = (self.blocks.index(span.pieces[at].address) for at in (0, -1))
        inside = self.blocks[first : last + 1]
        tables = list(itertools.takewhile(lambda one: one.startswith("t"), self.blocks[last + 1 :]))
        after = next((one for one in self.pieces if one.address in self.blocks[last + 1 + len(tables) :]), None)
        is_end = after is not None and (after in self.closing or _CLOSING.match(after.line) is not None)
        if not _CLAUSE.match(span.pieces[0].line) and not is_end:
            inside = [*inside, *tables]
        texts = {one.address: one.text for one in self.pieces}
        cells = {f"t{one.number}": "\n".join(cell for row in one.rows for cell in row) for one in self.tables}
        return inside, [texts.get(one, cells.get(one, "")) for one in inside]

    def texts_with(self, words: str) -> list[TextPiece]:
        return [one for one in self.all if words in one.text or words in one.line]

    def clause(self, number: int) -> PieceSpan | None:
        """第N条 with what follows it up to the next clause or heading."""
        for at, piece in enumerate(self.filled):
            if (found := _CLAUSE.match(piece.line)) and _clause_number(found[1]) == number:
                end = next(
                    (later for later in range(at + 1, len(self.filled)) if _ends_clause(self.filled[later], piece)),
                    len(self.filled),
                )
                return PieceSpan(tuple(self.filled[at:end]), True, f"第{found[1]}条")
        return None

    def find_numbered(self, number: int) -> PieceSpan | None:
        """The only heading with this number typed before it, and its section: 4. Termination."""
        found = [one for one in self.headings if re.match(rf"\s*{number}[.、．)]?(?:\s|(?=[^\d.]))", one.line)]
        return self.section_of(found[0]) if len(found) == 1 else None

    def clauses(self) -> list[tuple[int, TextPiece]]:
        return [(_clause_number(found[1]), one) for one in self.filled if (found := _CLAUSE.match(one.line))]

    def section(self, name: str) -> PieceSpan | None:
        """A heading that has these words, with its section; the only one, or None."""
        plain = re.sub(r"\s", "", name)
        found = [one for one in self.filled if plain in re.sub(r"\s", "", one.line) and self.is_heading(one)]
        exact = [
            one for one in found if re.sub(r"\s", "", _LEVEL.sub("", _CLAUSE.sub("", one.line))).strip("：:") == plain
        ]
        found = exact or found
        if len(found) != 1:
            return None
        return self.section_of(found[0])

    def section_of(self, head: TextPiece) -> PieceSpan:
        """A heading and the pieces up to the next of its level."""
        at = self.filled.index(head)
        end = len(self.filled)
        for later in range(at + 1, len(self.filled)):
            piece = self.filled[later]
            is_next = self.is_heading(piece) and _rank(piece) <= _rank(head)
            if is_next or _CLOSING.match(piece.line) or piece in self.closing:
                end = later
                break
        return PieceSpan(tuple(self.filled[at:end]), True, head.line.strip())

    def is_heading(self, piece: TextPiece) -> bool:
        """Whether a piece is a heading by its style, or by its typed number."""
        if piece.level or piece.kind == "heading" or _CLAUSE.match(piece.line):
            return True
        return (
            bool(_LEVEL.match(piece.line)) and len(piece.line) <= MAX_TITLE and piece.text.rstrip()[-1:] not in "。；;"
        )


def _rank(piece: TextPiece) -> int:
    if piece.level:
        return piece.level
    line = piece.line.strip()
    forms = (r"第.+?[章编]", r"第.+?条|[一二三四五六七八九十]+、", r"（.+?）", r"\d+[.、．](?!\d)", r"\d+\.\d+")
    return next((at for at, form in enumerate(forms, 1) if re.match(form, line)), 9)


def _ends_clause(piece: TextPiece, head: TextPiece) -> bool:
    line = piece.line.strip()
    if _CLOSING.match(line):
        return True
    if _CLAUSE.match(line) or re.match(r"第[一二三四五六七八九十\d]+[章编]", line):
        return True
    if (
        re.match(
            r"(?:[甲乙丙丁]方\s*(?:[：:（(]|签|盖|代表)|签字|签章|盖章|（以下无正文|\(以下无正文|日期\s*[：:]|附件)",
            line,
        )
        and len(line) < 40
    ):
        return True
    return bool(piece.level) and (not head.level or piece.level <= head.level)


def _clause_number(text: str) -> int:
    return int(text) if text.isdigit() else read_ordinal(text) or 0


def name_number(head: TextPiece, number: int) -> str:
    """A number as the clause writes its own: 12 or 十二."""
    if re.search(r"第\d+条", head.line):
        return str(number)
    return write_chinese_integer(number)


def strip_number(line: str) -> str:
    """A heading without its typed number."""
    return _LEVEL.sub("", _CLAUSE.sub("", line)).strip("： :　")
