"""Tokens of a question, bound to one table: conditions, columns, rows; None if a token has no place in the table."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.questions._match import is_coordinate, is_high_bad
from metier.questions.queries._lexicon import NOUNS
from metier.questions.queries._tables import (
    QueryTable,
    concepts_of,
    is_text_column,
    plain_title,
    read_figure,
    unit_of,
)
from metier.questions.queries._tokens import Token

_GAP: Final = re.compile(r"[\s的]*")
_UNITS: Final = {
    "度": "°", "degree": "°", "degrees": "°", "兆": "mbps", "bps": "mbps", "percent": "%", "point": "%", "points": "%",
    "百分点": "%", "个百分点": "%",
}  # fmt: skip
_MIN_SUFFIX: Final = 4


@dataclass(frozen=True, slots=True)
class Condition:
    """What rows must have: a number on one side of a limit, or one of some values; `is_not` turns it round."""

    column: int
    side: str = "is"
    limit: float = 0.0
    values: tuple[str, ...] = ()
    is_not: bool = False


@dataclass(slots=True)
class Reading:
    """A question bound to a table.

    `columns` are those it names, in their order, without those of conditions; `rows` those named; `missing` names that
    the table does not have; `score` how well the table fits.
    """

    table: QueryTable
    tokens: tuple[Token, ...]
    conditions: list[Condition] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    numbers: list[Token] = field(default_factory=list)
    step: float = 0.0
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
        self._made = Reading(table, self._tokens)
        self._table = table.table
        self._used: set[int] = set()  # numbers that are part of a condition
        self._texts = frozenset(at for at in range(len(self._table.columns)) if is_text_column(self._table, at))

    def read(self) -> Reading | None:
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
        if not self._read_conditions(bound):
            return None
        limited = {one.column for one in made.conditions}
        for first, _, column in bound:
            if column is None or column < 0:
                continue
            made.places[first] = column
            if self._is_group(first, column):
                made.groups.append(column)
            elif column not in made.columns and (column not in limited or column not in self._texts):
                made.columns.append(column)
        made.numbers = [one for at, one in enumerate(self._tokens) if one.kind == "number" and at not in self._used]
        made.score += self._score()
        return made

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
        columns = [
            at for at, one in enumerate(table.columns) if _fits(terms, f"{one.title} {one.unit}") and (at or not nouns)
        ]
        columns = [at for at in columns if at and not (is_coordinate(table.columns[at].title) and nouns)]
        if columns:
            best = min(columns, key=lambda at: (len(concepts_of(table.columns[at].title)), at))
            made.score += 2.0
            return best
        if nouns:
            return self._bind_nouns(terms)
        for at in sorted(self._texts - {0}):
            found = {str(row[at]) for row in table.rows if at < len(row) and _fits(terms, str(row[at]))}
            if found:
                self._add_value(at, tuple(sorted(found)), terms[0])
                return -1
        rows = [at for at, row in enumerate(table.rows) if _fits(terms, str(row[0]))]
        if rows and self._made.table.kind in ("pairs", "causes"):
            made.rows += [at for at in rows if at not in made.rows]
            made.score += 2.0
            return -1
        title = re.split("[：:]", plain_title(table.title))[-1]
        if _fits(terms, title) and self._made.table.kind == "rows":
            made.score += 3.0
            return -1
        return None

    def _bind_nouns(self, terms: Sequence[Token]) -> int | None:
        kind, heading = self._made.table.kind, plain_title(self._table.columns[0].title)
        wanted = set().union(*(one.concepts for one in terms)) & NOUNS
        known = concepts_of(heading) | concepts_of(plain_title(self._table.title))
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
            if name.lower() == wanted or (is_part and re.search(rf"(?:^|[^a-z0-9]){re.escape(wanted)}$", name.lower()))
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
        self._made.conditions.append(Condition(at, "is", values=values, is_not=is_not))
        self._made.score += 1.5

    def _is_excluded(self, token: Token) -> bool:
        before = [one for one in self._tokens if one.start < token.start]
        while before and before[-1].kind in ("and", "or", "value", "term", "changed", "which", "old", "new", "group"):
            before.pop()
        after = next((one for one in self._tokens if one.start >= token.end), None)
        is_after = after is not None and after.kind == "not" and self._text[after.start - 1 : after.start] not in ",，"
        return bool(before and before[-1].kind == "not") or (is_after and after is not None and after.text in ("除外", "不算", "别动", "别改", "不下发", "不改", "不动", "不调", "跳过", "不要", "去掉", "排除"))

    def _is_group(self, first: int, column: int) -> bool:
        """Whether a text column is what rows are grouped by."""
        if column not in self._texts:
            return False
        before = self._tokens[first - 1].kind if first else ""
        return before in ("group", "which") or self._made.has("group")

    def _read_conditions(self, bound: Sequence[tuple[int, int, int | None]]) -> bool:
        """Limits with their columns; False if one has no column that it can mean."""
        tokens, at = self._tokens, 0
        while at < len(tokens):
            one = tokens[at]
            nearest = self._find_number(at)
            if one.kind in ("compare", "delta", "than") and nearest is not None:
                number = tokens[nearest]
                side = one.value
                if one.kind == "than":
                    side = self._side_after(nearest)
                    if not side:
                        return False
                self._used.add(nearest)
                is_of_old = self._is_than_old(nearest)
                if not self._add_limit(at, number, side, bound, is_change=one.kind == "delta", is_signed=is_of_old):
                    return False
                at = nearest
            elif one.kind == "number" and at not in self._used and self._kind_at(at + 1) == "after":
                self._used.add(at)
                if not self._add_limit(at, one, tokens[at + 1].value, bound):
                    return False
            elif one.kind == "number" and at not in self._used and self._is_span(at):
                second = at + 2 if self._kind_at(at + 1) in ("to", "and") else at + 1
                self._used |= {at, second}
                low, high = sorted((one.number, tokens[second].number))
                unit = tokens[second].unit or one.unit
                for side, limit in (("at_least", low), ("at_most", high)):
                    if not self._add_limit(at, Token("number", "", one.start, one.end, number=limit, unit=unit), side, bound):
                        return False
                at = second
            elif one.kind == "after" or (one.kind == "compare" and nearest is None and not self._is_old_after(at)):
                if one.kind == "compare":
                    return False
            at += 1
        return True

    def _is_span(self, at: int) -> bool:
        """Two numbers with "to" between them, or with "between" before or after."""
        is_between = self._made.has("between")
        if self._kind_at(at + 1) == "to" and self._kind_at(at + 2) == "number":
            return True
        return is_between and self._kind_at(at + 1) == "and" and self._kind_at(at + 2) == "number"

    def _side_after(self, at: int) -> str:
        """比 -100 差: which side the word after the number means."""
        rest = self._text[self._tokens[at].end :].lstrip(" 还更要")
        sides = (("低小弱少慢", "below"), ("高大强多快", "above"), ("差糟", "worse"), ("好优", "better"))
        return next((side for chars, side in sides if rest[:1] and rest[0] in chars), "")

    def _is_than_old(self, at: int) -> bool:
        return self._kind_at(at + 1) == "compare" and self._is_old_after(at + 1)

    def _is_old_after(self, at: int) -> bool:
        return any(one.kind == "old" for one in self._tokens[at + 1 : at + 3])

    def _find_number(self, at: int) -> int | None:
        return at + 1 if self._kind_at(at + 1) == "number" else None

    def _kind_at(self, at: int) -> str:
        return self._tokens[at].kind if 0 <= at < len(self._tokens) else ""

    def _add_limit(
        self,
        at: int,
        number: Token,
        side: str,
        bound: Sequence[tuple[int, int, int | None]],
        *,
        is_change: bool = False,
        is_signed: bool = False,
    ) -> bool:
        column = self._find_limited(at, number, bound, is_change=is_change, is_signed=is_signed)
        if column is None:
            return False
        if side in ("worse", "better"):
            side = "above" if (side == "worse") == is_high_bad(self._table.columns[column].title) else "below"
        self._made.conditions.append(Condition(column, side, number.number))
        return True

    def _find_limited(
        self,
        at: int,
        number: Token,
        bound: Sequence[tuple[int, int, int | None]],
        *,
        is_change: bool,
        is_signed: bool,
    ) -> int | None:
        """The column of a limit: what stands before it, directly after it, or has its unit."""
        table = self._made.table
        if is_signed or is_change:
            return (table.change if is_signed else table.size) if table.change > 0 else None
        if table.kind in ("changes", "pairs"):
            near = [one.kind for one in self._tokens[max(0, at - 3) : at] if one.kind in ("old", "new", "size", "changed")]
            wanted = {"old": table.old, "new": table.new, "size": table.size}.get(near[-1] if near else "")
            if wanted is not None:
                return wanted
        numeric = [one for one in bound if one[2] is not None and one[2] > 0 and one[2] not in self._texts]
        ends = at + 1 if self._tokens[at].kind != "number" else at
        following = [one[2] for one in numeric if one[0] == ends + 1]
        before = [one[2] for one in numeric if one[1] < at and not self._is_limited_between(one[1], at)]
        if before and self._has_unit(before[-1], number):
            return before[-1]
        if following and self._has_unit(following[0], number):
            return following[0]
        if before or following or table.kind in ("changes", "pairs", "causes"):
            return None
        return self._guess_limited(number)

    def _is_limited_between(self, first: int, last: int) -> bool:
        """Whether a limit stands between a column and here, so that the column is that limit's."""
        return any(at in self._used for at in range(first + 1, last) if self._tokens[at].kind == "number")

    def _has_unit(self, column: int | None, number: Token) -> bool:
        if column is None:
            return False
        own = self._table.columns[column].unit.lower()
        said = _UNITS.get(number.unit, number.unit)
        if said and not own:
            return self._made.table.kind in ("changes", "pairs")
        return not said or own == said or {own, said} == {"db", "dbm"}

    def _guess_limited(self, number: Token) -> int | None:
        """The only column that a bare limit can mean: by its unit, else by its sign; None if several can be meant."""
        found = []
        said = _UNITS.get(number.unit, number.unit)
        for at, column in enumerate(self._table.columns):
            if at in self._texts or not at or is_coordinate(column.title):
                continue
            values = [value for row in self._table.rows if (value := read_figure(row[at] if at < len(row) else None)) is not None]
            if not values:
                continue
            same_sign = (max(values) < 0) == (number.number < 0)
            same_unit = column.unit.lower() == said if said else column.unit.lower() != "%"
            if same_sign and same_unit:
                found.append(at)
        if number.number < 0:
            return found[0] if len(found) == 1 else None
        return found[0] if len(found) == 1 and said else None

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
        if "cause" in concepts:
            score += 5.0 if kind == "causes" else 0.0
        if kind == "joined":
            score -= 1.0
        return score


def _fits(terms: Sequence[Token], heading: str) -> bool:
    """Whether a heading is about all the terms."""
    about, lower = concepts_of(heading), plain_title(heading).lower()
    return all(one.concepts <= about if one.concepts else one.value in lower for one in terms)


def read_unit(value: object, reading: Reading, column: int) -> str:
    """Unit of a value in a column of the table that was read."""
    return unit_of(value if isinstance(value, str) else None, reading.table.table.columns[column])
