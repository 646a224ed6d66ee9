"""Markdown of an answer as blocks: headings, paragraphs, lists, tables and code; HTML in it stays text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final

from metier.exports._blocks import Block, HeadingBlock, ListBlock, TableBlock, TextBlock, TextRun
from metier.patterns import compile_later

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_NUMBER: Final = compile_later(r"[-+−]?[\d.,]+\s*(?:%|[A-Za-z°/]{1,8})?")
# Bold whatever stands beside it: CommonMark leaves `**（甲）**乙` as it is, for a bracket ends no word there.
_BOLD: Final = compile_later(r"\*\*(?![\s*])([^*\n]*[^\s*])\*\*(?!\*)")
# Characters that XML and fonts cannot hold.
_UNWRITABLE: Final = compile_later(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


def clean_text(text: str) -> str:
    """Text without characters that a document cannot hold."""
    return _UNWRITABLE.sub("", text)


def is_numeric(text: str) -> bool:
    """Whether a cell is a number, with or without a unit."""
    return _NUMBER.fullmatch(text.strip()) is not None


def parse_markdown(text: str, *, base_level: int = 2) -> tuple[Block, ...]:
    """Blocks of a text; its headings begin at `base_level`."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.inline.ruler.before("emphasis", "bold", _read_bold)
    return tuple(_BlockReader(parser.parse(clean_text(text)), base_level).read())


def _read_bold(state: "StateInline", silent: bool) -> bool:
    found = _BOLD.match(state.src, state.pos, state.posMax)
    if found is None or (state.pos and state.src[state.pos - 1] in "*\\"):
        return False
    if not silent:
        end = state.posMax
        state.push("strong_open", "strong", 1)
        state.pos, state.posMax = found.span(1)
        state.md.inline.tokenize(state)
        state.push("strong_close", "strong", -1)
        state.posMax = end
    state.pos = found.end()
    return True


@dataclass(slots=True)
class _BlockReader:
    tokens: "Sequence[Token]"
    base_level: int
    at: int = field(default=0, init=False)

    def read(self) -> Iterator[Block]:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == "heading_open":
                yield HeadingBlock(_join_text(self._next_runs()), min(self.base_level + int(token.tag[1]) - 1, 5))
            elif token.type == "inline":
                yield TextBlock(_read_runs(token))
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                yield ListBlock(tuple(self._read_items(token.level)), token.type == "ordered_list_open")
            elif token.type == "table_open":
                yield self._read_table()
            elif token.type in ("fence", "code_block"):
                yield TextBlock((TextRun(token.content.rstrip("\n"), code=True),), "code")

    def _next_runs(self) -> tuple[TextRun, ...]:
        token = self.tokens[self.at]
        self.at += 1
        return _read_runs(token)

    def _read_items(self, level: int) -> Iterator[tuple[TextRun, ...]]:
        """Items of a list and of the lists in it, one line each."""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type.endswith("_list_close") and token.level == level:
                return
            if token.type == "inline":
                yield _read_runs(token)

    def _read_table(self) -> TableBlock:
        rows: list[list[str]] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline" and rows:
                rows[-1].append(_join_text(_read_runs(token)))
        heads, body = (rows[0], rows[1:]) if rows else ([], [])
        numeric = tuple(all(is_numeric(row[at]) for row in body if at < len(row)) for at in range(len(heads)))
        return TableBlock("", tuple(heads), tuple(tuple(row) for row in body), numeric)


def _read_runs(token: "Token") -> tuple[TextRun, ...]:
    """Styled pieces of a paragraph; neighbours of one style are one piece: Word takes 0.2 ms for each."""
    runs: list[TextRun] = []
    depth = 0
    for child in token.children or ():
        depth += {"strong_open": 1, "strong_close": -1}.get(child.type, 0)
        text = "\n" if child.type in ("softbreak", "hardbreak") else child.content
        is_plain = child.type in ("softbreak", "hardbreak", "image")
        runs.append(TextRun(text, bold=depth > 0 and not is_plain, code=child.type == "code_inline"))
    grouped = groupby((run for run in runs if run.text), key=lambda run: (run.bold, run.code))
    return tuple(TextRun("".join(run.text for run in group), *style) for style, group in grouped)


def _join_text(runs: Sequence[TextRun]) -> str:
    return "".join(run.text for run in runs).replace("\n", " ")
