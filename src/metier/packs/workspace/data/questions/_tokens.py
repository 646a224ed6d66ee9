"""A question about data cut into names of columns, values, times, bounds and words; what nothing knows is `unknown`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from metier.packs.workspace.data._names import find_hits
from metier.packs.workspace.data.questions._lexicon import FILL, ROLE_WORDS, ROLES, WORDS
from metier.patterns import ENGLISH_NUMBER, compile_later, read_chinese_integer, read_english_number
from metier.questions import write_numbers, write_numbers_for

if TYPE_CHECKING:
    from metier.packs.workspace.data._columns import DataColumn

_BOUND: Final = (
    (">=", r"大于等于|不低于|不少于|不小于|至少|达到|≥|>=|at least|no less than"),
    ("<=", r"小于等于|不超过|不高于|不大于|不多于|至多|≤|<=|at most|up to|no more than"),
    (">", r"大于|超过了?|高于|多于|超出|>|over|above|more than|greater than|higher than|exceed(?:s|ing|ed)?"),
    ("<", r"小于|低于|少于|不到|不足|没到|<|under|below|less than|lower than|fewer than"),
)
_BOUNDS: Final = tuple(
    (sign, compile_later(rf"(?i)(?:{words})\s*(\d+(?:\.\d+)?)\s*(%|元|块)?(?![\d年月日号])")) for sign, words in _BOUND
)
_AFTER: Final = compile_later(r"(\d+(?:\.\d+)?)\s*(%|元|块)?\s*(以上|以下)")
_TOP: Final = compile_later(
    rf"(?i)(?:(?:排名?)?前|top )\s*(\d{{1,2}}|[一二两三四五六七八九十]{{1,2}}|{ENGLISH_NUMBER})\s*[名个家位]?"
)
_COUNTED: Final = compile_later(
    r"(?i)(\d{1,2}|[二两三四五六七八九十]{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s*[个名家类种款]?(?=\s*(?:个?月|最|季|店|类|地区|best|worst|highest|lowest|biggest|months?\b|shops?\b))"
)
_RANGE: Final = compile_later(r"[到至~～—–-]+|to|through|until")
_LINE: Final = compile_later(r"(?i)第\s*(\d{1,6})\s*行(?:的?那[一]?[笔条个单])?|\b(?:line|row)\s*(\d{1,6})\b")
_NUMBER: Final = compile_later(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.]*\d)")
_WORD: Final = compile_later(r"[A-Za-z][A-Za-z']*|[^A-Za-z]")
_PERIOD_UNITS: Final = (
    ("M", compile_later(r"(?i)(?<![\d一二三四五六七八九十])个?月份?|months?\b")),
    ("Q", compile_later(r"(?i)(?<![\d一二三四第])个?季度|quarters?\b")),
    ("W", compile_later(r"(?i)周(?!末|[一二三四五六日])|weeks?\b")),
    ("D", compile_later(r"(?i)(?<!\d)天|days?\b")),
)

_PLAIN_WORDS: Final = (*(("period", unit, one) for unit, one in _PERIOD_UNITS), *WORDS, ("fill", "", FILL))


@dataclass(frozen=True, slots=True)
class DataToken:
    """A piece of a question. `column` is of names and values, `value` what a word means, `number` of bounds.

    A bound keeps its `unit`; of a range of times `unit` is the value of its end.
    """

    kind: str
    text: str
    start: int
    end: int
    value: str = ""
    column: "DataColumn | None" = None
    number: float = 0.0
    unit: str = ""


def find_role(role: str, columns: "Sequence[DataColumn]") -> "DataColumn | None":
    """The column that plays a role, by the first word of the role that a name has; None without one."""
    wants_number = role in ("money", "pieces", "cost")
    fitting = [one for one in columns if (one.kind == "number") == wants_number and ROLES[role].search(one.name)]
    if role == "money":  # a rate or a price is no takings
        fitting = [one for one in fitting if one.aggregate == "sum" and not ROLES["cost"].search(one.name)]
    return fitting[0] if fitting else None


def cut_question(message: str, columns: "Sequence[DataColumn]") -> list[DataToken]:
    """Tokens of a question without its filler, the longest at each place."""
    from metier.packs.workspace.data.questions._times import find_spans

    text = write_numbers_for(write_numbers(message), ())
    hits, _ = find_hits(text, columns)
    named = {hit.start: hit for hit in hits}
    spans = {one.start: one for one in find_spans(text)}
    made, at = list[DataToken](), 0
    while at < len(text):
        found = max(_find_tokens(text, at, columns), key=lambda one: one.end, default=None)
        if at in spans and (found is None or spans[at].end >= found.end):
            found = spans[at]
        if at in named and (found is None or named[at].end >= found.end):
            hit = named[at]
            found = DataToken(
                "level" if hit.level else "column", text[at : hit.end], at, hit.end, hit.level, hit.column
            )
        if found is None:
            word = _WORD.match(text, at)
            end = word.end() if word else at + 1
            found = DataToken("unknown", text[at:end], at, end)
        made.append(found)
        at = found.end
    return [one for one in _join_ranges(made, text) if one.kind != "fill"]


def _join_ranges(tokens: Sequence[DataToken], text: str) -> list[DataToken]:
    """Two times with "to" or a dash between them are one time."""
    made = list[DataToken]()
    for one in tokens:
        first = next((other for other in reversed(made) if other.kind not in ("to", "fill")), None)
        if one.kind == "span" and first is not None and first.kind == "span" and not first.unit:
            between = text[first.end : one.start].strip().lower()
            if _RANGE.fullmatch(between):
                del made[made.index(first) :]
                made.append(replace(first, text=text[first.start : one.end], end=one.end, unit=one.value))
                continue
        made.append(one)
    return made


def _find_tokens(text: str, at: int, columns: "Sequence[DataColumn]") -> Iterator[DataToken]:
    is_inside = (
        at > 0 and text[at].isascii() and text[at].isalpha() and text[at - 1].isascii() and text[at - 1].isalpha()
    )
    if is_inside:
        return
    yield from _find_numbers(text, at)
    for kind, value, pattern in _PLAIN_WORDS:
        if found := pattern.match(text, at):
            yield DataToken(kind, found[0], at, found.end(), value)
    for role, pattern in ROLE_WORDS:
        if found := pattern.match(text, at):
            yield DataToken("role", found[0], at, found.end(), role, find_role(role, columns))


def _find_numbers(text: str, at: int) -> Iterator[DataToken]:
    """Numbers that may begin here: bounds, lines, how many, or plain ones."""
    for sign, pattern in _BOUNDS:
        if found := pattern.match(text, at):
            yield DataToken("bound", found[0], at, found.end(), sign, None, float(found[1]), found[2] or "")
    if found := _AFTER.match(text, at):
        sign = ">=" if found[3] == "以上" else "<"
        yield DataToken("bound", found[0], at, found.end(), sign, None, float(found[1]), found[2] or "")
    if found := _NUMBER.match(text, at):
        yield DataToken("number", found[0], at, found.end(), number=float(found[0]))
    if found := _LINE.match(text, at):
        yield DataToken("line", found[0], at, found.end(), number=float(found[1] or found[2]))
    for pattern in (_TOP, _COUNTED):
        if found := pattern.match(text, at):
            yield DataToken("top", found[0], at, found.end(), number=float(_read_count(found[1])))


def _read_count(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return read_english_number(word.lower()) or read_chinese_integer(word) or 1
