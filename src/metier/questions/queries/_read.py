"""Tokens of a question, bound to one table: conditions, columns, rows; None if a token has no place in the table."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.patterns import compile_later
from metier.questions._match import is_coordinate
from metier.questions._results import ResultTable
from metier.questions.queries._lexicon import NOUNS
from metier.questions.queries._limits import LimitReader, RowCondition
from metier.questions.queries._tables import (
    QueryTable,
    concepts_of,
    is_text_column,
    plain_title,
)
from metier.questions.queries._tokens import Token

_GAP: Final = compile_later(r"[\s的]*")
_MIN_SUFFIX: Final = 4
_BESIDE: Final = ("and", "or", "value", "term", "changed", "which", "old", "new", "group")
_VALUES: Final = ("value", "term")
_IS_BEHIND: Final = compile_later("除外|不算|别[动改]|不[改动调]|不下发|跳过|不要|去掉|排除")


@dataclass(slots=True)
class QueryReading:
    """A question bound to a table.

    `columns` are those it names, in their order, without those of conditions; `rows` those named; `missing` names that
    the table does not have; `numbered` numbers of rows; `others` columns that a word can mean as well; `base` the table
    of all rows if this one has only some of them; `score` how well the table fits.
    """

    table: QueryTable
    tokens: tuple[Token, ...]
    conditions: list[RowCondition] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    numbers: list[Token] = field(default_factory=list)
    numbered: list[int] = field(default_factory=list)
    others: dict[int, tuple[int, ...]] = field(default_factory=dict)
    base: ResultTable | None = None
    score: float = 0.0

    def has(self, *kinds: str) -> bool:
        return any(one.kind in kinds for one in self.tokens)

    def values_of(self, kind: str) -> list[str]:
        return [one.value for one in self.tokens if one.kind == kind]

    @property
    def kinds(self) -> set[str]:
        return {one.kind for one in self.tokens if one.kind not in ("fill", "term", "number")}


class TableReader:
    """Binds the tokens of one question to one table."""

    def __init__(self, tokens: Sequence[Token], table: QueryTable, text: str) -> None:
        self._tokens = tuple(one for one in tokens if one.kind != "fill")
        self._text = text
        self._made = QueryReading(table, self._tokens)
        self._table = table.table
        self._used: set[int] = set()  # numbers that are part of a condition
        self._texts = frozenset(at for at in range(len(self._table.columns)) if is_text_column(self._table, at))

    def read(self) -> QueryReading | None:
        """The reading; None if a term has no place in the table."""
        made = self._made
        if any(one.kind == "unknown" for one in self._tokens):
            return None
        mentions = list(self._list_mentions())
        bound: list[tuple[int, int, int | None]] = []  # first token, last token, column
        for first, last in mentions:
            at = self._bind(first, last)
            if at is None:
                return None
            bound += at
        if not all(self._bind_name(one) for one in self._tokens if one.kind in ("name", "code", "value")):
            return None
        limits = LimitReader(self._tokens, made.table, self._text, bound, self._texts)
        if not limits.read():
            return None
        made.conditions += limits.conditions
        self._used |= limits.used
        limited = {one.column for one in made.conditions}
        for first, _, column in bound:
            if column is None or column < 0:
                continue
            made.places[first] = column
            if self._is_group(first, column):
                made.groups.append(column)
            elif column not in made.columns and (column not in limited or column not in self._texts):
                made.columns.append(column)
        self._read_numbered()
        made.numbers = [one for at, one in enumerate(self._tokens) if one.kind == "number" and at not in self._used]
        made.score += self._score()
        return made

    def _read_numbered(self) -> None:
        """Rows by their number: 第七行, row 3."""
        for at, one in enumerate(self._tokens):
            if one.kind == "number" and at not in self._used and at and self._tokens[at - 1].kind == "row":
                self._used.add(at)
                self._made.numbered.append(int(one.number))

    def _list_mentions(self) -> Iterator[tuple[int, int]]:
        """Terms that stand together name one column."""
        at = 0
        while at < len(self._tokens):
            if self._tokens[at].kind != "term":
                at += 1
                continue
            last = at
            while last + 1 < len(self._tokens) and self._tokens[last + 1].kind == "term" and self._is_near(last):
                last += 1
            yield at, last
            at = last + 1

    def _is_near(self, at: int) -> bool:
        between = self._text[self._tokens[at].end : self._tokens[at + 1].start]
        return _GAP.fullmatch(between) is not None

    def _bind(self, first: int, last: int) -> list[tuple[int, int, int | None]] | None:
        """Where the terms belong; terms that fit no column together are tried one by one."""
        terms = self._tokens[first : last + 1]
        if (found := self._bind_terms(terms)) is not None:
            return [(first, last, found)]
        if len(terms) == 1:
            return None
        made: list[tuple[int, int, int | None]] = []
        for at, one in enumerate(terms, first):
            place = self._bind_terms((one,))
            if place is None:
                return None
            made.append((at, at, place))
        return made

    def _bind_terms(self, terms: Sequence[Token]) -> int | None:
        """The column of some terms; −1 if they are a value, a row or only a noun; None if they have no place."""
        table, made = self._table, self._made
        nouns = all(one.concepts & NOUNS and not one.concepts - NOUNS for one in terms)
        title = re.split("[：:]", plain_title(table.title))[-1]
        if made.table.kind == "rows" and not nouns and _fits(terms, title, is_exact=True):
            made.score += 3.0
            return -1
        columns = [
            at for at, one in enumerate(table.columns) if _fits(terms, f"{one.title} {one.unit}") and (at or not nouns)
        ]
        columns = [at for at in columns if at and not (is_coordinate(table.columns[at].title) and nouns)]
        if columns:
            best = min(columns, key=lambda at: (len(concepts_of(table.columns[at].title)), at))
            said = frozenset[str]().union(*(one.concepts for one in terms))
            is_simulated = "simulated" in concepts_of(table.columns[best].title) - said
            made.score += 0.5 if is_simulated else 2.0
            same = len(concepts_of(table.columns[best].title))
            others = [at for at in columns if at != best and len(concepts_of(table.columns[at].title)) == same]
            made.others |= {best: tuple(others)} if others else {}
            return best
        if nouns:
            return self._bind_nouns(terms)
        for at in sorted(self._texts - {0}):
            found = {str(row[at]) for row in table.rows if at < len(row) and _fits(terms, str(row[at]))}
            if found:
                self._add_value(at, tuple(sorted(found)), terms[0])
                return -1
        is_exact = self._made.table.kind == "causes"
        rows = [at for at, row in enumerate(table.rows) if _fits(terms, str(row[0]), is_exact=is_exact)]
        if rows and self._made.table.kind in ("pairs", "causes"):
            made.rows += [at for at in rows if at not in made.rows]
            made.score += 2.0
            return -1
        if _fits(terms, title) and self._made.table.kind == "rows":
            made.score += 3.0
            return -1
        return None

    def _bind_nouns(self, terms: Sequence[Token]) -> int | None:
        kind, heading = self._made.table.kind, plain_title(self._table.columns[0].title)
        wanted = set().union(*(one.concepts for one in terms)) & NOUNS
        known = concepts_of(heading) | concepts_of(re.split("[：:]", plain_title(self._table.title))[-1])
        known |= {"parameter"} if kind == "changes" else {"indicator"} if kind == "pairs" else set()
        known |= {"site"} if "cell" in known else set()
        known |= {"indicator"} if self._made.has("side") else set()
        if not wanted <= known:
            return None
        self._made.score += 1.0 if wanted <= concepts_of(heading) else 0.5
        return -1

    def _bind_name(self, token: Token) -> bool:
        """Rows that are named, or a value that rows have; a code that no row has is remembered as missing."""
        made, wanted = self._made, token.value.lower()
        if token.kind == "value":
            for at in sorted(self._texts - {0}):
                found = {str(row[at]) for row in self._table.rows if at < len(row) and str(row[at]) == token.value}
                if found:
                    self._add_value(at, tuple(found), token)
                    return True
        is_part = token.kind == "code" and len(wanted) >= _MIN_SUFFIX
        rows = [
            at
            for at, name in enumerate(made.table.names)
            if name.lower() == wanted
            or (is_part and re.search(rf"(?:^|[^a-z0-9]){re.escape(wanted)}$", name.lower()))
            or (is_part and wanted.isdecimal() and name.endswith(wanted))
        ]
        made.rows += [at for at in rows if at not in made.rows]
        made.score += 2.0 if rows else 0.0
        if rows:
            return True
        is_missing = any(char.isdigit() for char in wanted) and token.kind in ("code", "name")
        made.missing += [token.value] if is_missing else []
        return is_missing and any(char.isdigit() for name in made.table.names[:3] for char in name)

    def _add_value(self, at: int, values: tuple[str, ...], token: Token) -> None:
        """A condition that a text column has these values; several of one column add up."""
        is_not = self._is_excluded(token)
        known = next((one for one in self._made.conditions if one.column == at and one.side == "is"), None)
        if known is not None and known.is_not == is_not:
            self._made.conditions.remove(known)
            values = tuple(dict.fromkeys((*known.values, *values)))
        self._made.conditions.append(RowCondition(at, "is", values=values, is_not=is_not))
        self._made.score += 1.5

    def _is_excluded(self, token: Token) -> bool:
        """Whether words before a value, or right after it, leave it out: 除了方位角, 方位角别动."""
        before = [one for one in self._tokens if one.start < token.start]
        while before and before[-1].kind in _BESIDE:
            before.pop()
        behind = [one for one in self._tokens if one.start >= token.end]
        while len(behind) > 1 and behind[0].kind == "and" and behind[0].text not in ",，" and behind[1].kind in _VALUES:
            behind = behind[2:]
        after = behind[0] if behind else None
        is_behind = after is not None and after.kind == "not" and _IS_BEHIND.fullmatch(after.text) is not None
        return is_behind or bool(before and before[-1].kind == "not")

    def _is_group(self, first: int, column: int) -> bool:
        """Whether a text column is what rows are grouped by."""
        if column not in self._texts:
            return False
        before = self._tokens[first - 1].kind if first else ""
        return before in ("group", "which") or self._made.has("group")

    def _score(self) -> float:
        """How well the kind of the table fits the words of the question."""
        made, kind = self._made, self._made.table.kind
        words = made.kinds
        score = 0.0
        concepts = set().union(*(one.concepts for one in self._tokens)) if self._tokens else set()
        if words & {"changed", "lowered", "raised", "delta", "size"}:
            score += 4.0 if kind == "changes" else 0.0
        if words & {"old", "new", "both", "better", "worse"} or "indicator" in concepts:
            score += 3.0 if kind == "pairs" else 2.0 if kind == "changes" and words & {"old", "new"} else 0.0
        if {"cause", "symptom"} & concepts:
            score += 5.0 if kind == "causes" else 0.0
        if kind == "joined":
            score -= 1.0
        return score


def _fits(terms: Sequence[Token], heading: str, *, is_exact: bool = False) -> bool:
    """Whether a heading is about all the terms, and with `is_exact` about nothing else."""
    about, lower = concepts_of(heading), plain_title(heading).lower()
    if is_exact:
        return all(one.concepts == about if one.concepts else one.value == lower for one in terms)
    return all(one.concepts <= about if one.concepts else _has_word(lower, one.value) for one in terms)


def _has_word(text: str, word: str) -> bool:
    """Whether a text has a word: an English one whole, so that a port is no portal."""
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?:s|es)?(?![a-z0-9])", text) is not None
