"""What a question asks of the data: the measure, the group, the rows, and what shall be done with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from metier.packs.workspace.data.questions._bounds import scale_bound
from metier.packs.workspace.data.questions._lexicon import SAYS_DATA
from metier.packs.workspace.data.questions._times import list_years, resolve_span
from metier.packs.workspace.data.questions._tokens import DataToken, cut_question, find_role

if TYPE_CHECKING:
    from datetime import date

    from metier.packs.workspace.data._columns import DataColumn
    from metier.packs.workspace.data._summary import Typed

_GROUP_KINDS: Final = ("category", "boolean", "text")
_PLACE_ROLES: Final = ("person", "shop", "sort", "product", "region", "channel")
_PEOPLE: Final = ("谁", "who", "whose")
_SELLING: Final = ("卖", "sold", "sell", "earn", "挣", "赚", "took", "take")
_GAINS: Final = ("赚", "挣")
_COMMAS: Final = (",", "，", ";", "；")
_IF: Final = ("如果", "要是", "假如", "if", "If")
_BEHIND: Final = ("除外", "不算")


@dataclass(slots=True)
class DataQuery:
    """A question bound to a table. `unknown` are words that nothing knows, `absent` roles that no column plays.

    `measure` is a column, or `derived` is profit or margin; `by` is a column and `period` a unit of time to group by;
    With `counts` rows are counted, with `sums_pieces` the pieces that were sold. `levels` are values by column,
    `excluded` those that are left out, `spans` first day and the day after the last of each time that is named, by the
    dates of `time`; times of which the data have no day are `outside`. `unused` are words that are known but that no
    figure here takes into account together. `unread` are columns of amounts that cannot be read as numbers.
    """

    tokens: tuple[DataToken, ...]
    kinds: frozenset[str]
    measure: "DataColumn | None" = None
    derived: str = ""
    counts: bool = False
    sums_pieces: bool = False
    by: "DataColumn | None" = None
    period: str = ""
    levels: "dict[str, list[str]]" = field(default_factory=dict)
    excluded: "dict[str, list[str]]" = field(default_factory=dict)
    spans: "list[tuple[str, date, date]]" = field(default_factory=list)
    bounds: list[tuple[str, float]] = field(default_factory=list)
    time: "DataColumn | None" = None
    outside: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    is_about_data: bool = True
    unknown: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    unread: "list[DataColumn]" = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether a word of the question has no place, so that nothing may be computed."""
        return bool(self.unknown or self.absent or self.unclear or self.outside or self.unused or self.unread)

    def values_of(self, kind: str) -> list[str]:
        """What the tokens of a kind mean."""
        return [one.value for one in self.tokens if one.kind == kind]

    def find(self, kind: str) -> DataToken | None:
        """The first token of a kind."""
        return next((one for one in self.tokens if one.kind == kind), None)


def read_question(message: str, table: "Typed") -> DataQuery:
    """Bind the words of a question to the columns and values of a table."""
    tokens = tuple(cut_question(message, table.columns))
    made = DataQuery(tokens, frozenset(one.kind for one in tokens))
    made.unknown = _join_unknown(tokens)
    made.is_about_data = _names_data(made, message)
    _read_levels(made)
    _read_times(made, table)
    _read_measure(made, table)
    _read_group(made, table)
    made.unread = [
        one.column for one in tokens if one.kind == "column" and one.column is not None and one.column.unread
    ]
    for one in tokens:
        if one.kind == "bound":
            limit = scale_bound(one, made, table)
            made.unclear += [one.text] if limit is None else []
            made.bounds += [(one.value, limit)] if limit is not None else []
    return made


def _names_data(made: DataQuery, message: str) -> bool:
    """Whether a question names something of the data, and most of its words are known."""
    named = made.kinds & {"column", "level", "role", "derived", "loss", "missing", "toobig", "odd"}
    times = made.kinds & {"period", "span"} and made.kinds & {"order", "stat", "gap", "than", "why"}
    is_trust = "trust" in made.kinds and SAYS_DATA.search(message) is not None
    return bool(named or times or is_trust) and 2 * sum(map(len, made.unknown)) <= len(message)


def _join_unknown(tokens: Sequence[DataToken]) -> list[str]:
    made: list[DataToken] = []
    for one in tokens:
        if one.kind != "unknown":
            continue
        before = made.pop() if made and made[-1].end == one.start else None
        made.append(one if before is None else replace(before, text=before.text + one.text, end=one.end))
    return [one.text for one in made]


def _read_levels(made: DataQuery) -> None:
    out: set[int] = set()
    for at, one in enumerate(made.tokens):
        if one.kind != "level" or one.column is None:
            continue
        if _is_left_out(made.tokens, at, out):
            out.add(at)
        held = (made.excluded if at in out else made.levels).setdefault(one.column.name, [])
        if one.value not in held:
            held.append(one.value)
        elif made.find("share"):
            made.unclear.append(one.text)  # the part and the whole: which rows are which is not read
    if len(made.excluded) > 1:
        made.unclear += [one for values in made.excluded.values() for one in values]
    made.unclear += [
        one.text for at, one in enumerate(made.tokens) if one.kind == "span" and _is_left_out(made.tokens, at, out)
    ]


def _is_left_out(tokens: Sequence[DataToken], at: int, out: set[int]) -> bool:
    """Whether a value is left out: 除了华东, 华东除外, "without the East"."""
    before = at - 1
    while before >= 0 and (
        tokens[before].kind in ("column", "role")
        or before in out
        or (tokens[before].kind in ("and", "than") and tokens[before].text not in _COMMAS)
    ):
        before -= 1
    if before >= 0 and tokens[before].kind == "drop" and tokens[before].text not in _IF:
        return True
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and after.kind == "drop" and after.text in _BEHIND


def _read_times(made: DataQuery, table: "Typed") -> None:
    spans = [one for one in made.tokens if one.kind == "span"]
    dates = [one for one in table.columns if one.kind == "date"]
    said = [one.column for one in made.tokens if one.kind == "column"]
    named = [one for one in dates if one in said]
    made.time = next(iter(named or dates), None)
    made.unclear += [one.name for one in named] if len(named) > 1 else []
    if not spans:
        return
    if made.time is None:
        made.absent += [one.text for one in spans]
        return
    days = table.frame[made.time.name].dropna()
    years, earliest, last = list_years(days), days.min().date(), days.max().date()
    for one in spans:
        ends = resolve_span(one.value, years, last)
        end = resolve_span(one.unit, years, last) if one.unit else ends
        if ends is None or end is None or end[1] <= ends[0]:
            made.unclear.append(one.text)
        elif ends[0] > last or end[1] <= earliest:
            made.outside.append(one.text)
        else:
            made.spans.append((one.text, ends[0], end[1]))


def _read_measure(made: DataQuery, table: "Typed") -> None:
    """The column that is measured: named, or played by a role; "not money" takes one away."""
    derived = made.find("derived")
    made.derived = "profit" if made.find("loss") else derived.value if derived is not None else ""
    has_both = bool(find_role("money", table.columns) and find_role("cost", table.columns))
    if has_both and not made.derived and any(_is_gain(one) for one in made.tokens):
        made.derived = "profit"
    if made.derived and not has_both:
        made.absent += [one.text for one in made.tokens if one.kind in ("derived", "loss")]
    named, weak = _list_measures(made)
    pieces = find_role("pieces", table.columns)
    is_number = made.find("count") is not None and made.find("rows") is None and bool(made.levels)
    if is_number and weak and not named and pieces is not None:
        named = [pieces]  # how many keyboards did we sell
    is_mean = made.values_of("stat") == ["mean"] and made.find("each") is not None
    is_counted = made.find("count") is not None and made.find("rows") is not None and not made.find("loss")
    made.counts = is_counted and not (named and is_mean)
    if made.counts and named and not made.find("bound"):
        made.unused += [
            one.text for at, one in enumerate(made.tokens) if one.column in named and not _is_of_rows(made, at)
        ]
    made.sums_pieces = pieces is not None and pieces in named
    distinct = list(dict.fromkeys(named or weak))
    made.unclear += [one.name for one in distinct] if len(distinct) > 1 else []
    made.measure = next(iter(distinct), None) or find_role("money", table.columns) or _find_only(table)


def _is_gain(token: DataToken) -> bool:
    """Whether a word means what is left after costs, where the data have them."""
    return token.kind == "role" and token.text.startswith(_GAINS)


def _is_of_rows(made: DataQuery, at: int) -> bool:
    """Whether a word only says what the rows are: sales orders."""
    return at + 1 < len(made.tokens) and made.tokens[at + 1].kind == "rows"


def _find_only(table: "Typed") -> "DataColumn | None":
    """The only column of amounts; None if there are several."""
    numbers = [one for one in table.columns if one.kind == "number" and one.aggregate == "sum"]
    return numbers[0] if len(numbers) == 1 else None


def _list_measures(made: DataQuery) -> "tuple[list[DataColumn], list[DataColumn]]":
    """Columns that are named to be measured, and those that only a verb means: sold, 卖得."""
    named: list[DataColumn] = []
    weak: list[DataColumn] = []
    for at, one in enumerate(made.tokens):
        is_measure = one.kind == "role" and one.value in ("money", "pieces", "cost")
        is_column = one.kind == "column" and one.column is not None and one.column.kind == "number"
        if not (is_measure or is_column) or (at and made.tokens[at - 1].kind == "not"):
            continue
        if one.column is None:
            made.absent.append(one.text)
        else:
            (weak if is_measure and one.text.lower().startswith(_SELLING) else named).append(one.column)
    return named, weak


def _read_group(made: DataQuery, table: "Typed") -> None:
    """What rows are grouped by: a column or a unit of time that is named without one of its values."""
    found = [_find_group(made, at, table) for at in range(len(made.tokens))]
    distinct = list(dict.fromkeys(one for one in found if one is not None and one.name not in made.levels))
    made.by = next(iter(distinct), None)
    made.unclear += [one.name for one in distinct] if len(distinct) > 1 else []
    unit = made.find("period")
    if unit is not None and made.by is not None:
        made.unused += [made.by.name, unit.text]
    elif unit is not None:
        made.period = unit.value
        made.absent += [] if any(one.kind == "date" for one in table.columns) else [unit.text]


def _find_group(made: DataQuery, at: int, table: "Typed") -> "DataColumn | None":
    """The column that a token groups by; a role that no column plays is remembered as absent."""
    one = made.tokens[at]
    if one.kind == "role" and one.value in _PLACE_ROLES:
        before = made.tokens[at - 1] if at else None
        column = one.column or (before.column if before is not None and before.kind == "level" else None)
        made.absent += [one.text] if column is None else []
        return column
    if one.kind == "which" and one.text.lower() in _PEOPLE:
        return find_role("person", table.columns)
    is_group = one.kind == "column" and one.column is not None and one.column.kind in _GROUP_KINDS
    return one.column if is_group else None
