"""What if an aspect counted more: a table of weighted means on screen is ranked anew with other weights."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from metier.json_values import JsonValue
from metier.language import Language
from metier.patterns import compile_later
from metier.questions._results import Answer, Results, ResultTable
from metier.questions.shapes._shape_sentences import SHAPE_SENTENCES
from metier.textsearch import to_simplified

_WEIGHTED: Final = compile_later(r"(?P<name>.+) ×(?P<weight>\d+(?:\.\d+)?)")
_ROUNDING: Final = 0.0051  # a mean is shown with two digits
_MOST: Final = 5.0
_LEAST: Final = 1.0
_LEAD: Final = compile_later(
    r"^(?:那么?|如果|要是|假如|假设|若是?|把|将|请|帮我|，|,|\s"
    r"|(?i:(?:and|but|so|what\s+if|suppose|if|please|set|change|make|give)\b))+"
)
_TAIL: Final = compile_later(r"(?:的话|呢|会怎样|会怎么样|怎么样|结果如何|(?i:\b(?:instead|then))|[？?。.！!\s])+$")
_WEIGHT: Final = r"(?:的?(?:权重|比重|分量|重要性))?"
_N, _N2, _N3 = (rf"(?P<name{one}>[^，,。；;？?\n]{{1,24}}?)" for one in ("", "2", "3"))
_V, _V2, _V3 = (rf"(?P<value{one}>\d{{1,2}}(?:\.\d+)?)" for one in ("", "2", "3"))
_COUNTS: Final = "(?:counts?|counted|weighs?|weighed|matters?|mattered)"
_IS: Final = "(?:were|was|is|becomes?|to|=)"
_TWICE: Final = compile_later(
    rf"{_N}{_WEIGHT}(?:翻一?倍|翻番|加倍|乘以?2|×2)|(?i:{_N2} {_COUNTS} (?:double|twice(?: as much)?))"
)
_HALF: Final = compile_later(rf"{_N}{_WEIGHT}(?:减半|打对折)|(?i:{_N2} {_COUNTS} half(?: as much)?)")
_SET: Final = compile_later(
    rf"{_N}{_WEIGHT}(?:改成|改为|设为|设成|变成|调到|调成|换成|是|为|=|:|：)\s*{_V}"
    rf"|(?i:(?:the )?weight (?:of|for) {_N2} {_IS} {_V2}|{_N3}(?:'s)? weight {_IS} {_V3})"
)
_MAIN: Final = compile_later(
    rf"{_N}(?:才?是)?最(?:重要|要紧|关键|看重)的?|(?:我?最(?:看重|在乎|重视)的?是?){_N2}"
    rf"|(?i:{_N3} (?:{_COUNTS}|is|was|were)(?: the)? most(?: important)?(?: of all)?)"
)
_MINOR: Final = compile_later(
    rf"{_N}(?:一点也?都?)?(?:不重要|无所谓|不算)"
    rf"|(?i:{_N2} (?:(?:does not|doesn't|did not|didn't) (?:matter|count)|(?:is not|isn't) important)(?: at all)?)"
)
_FORMS: Final = (_TWICE, _HALF, _SET, _MAIN, _MINOR)


class _Scored(NamedTuple):
    """A table of weighted means: the places of its weighted columns with their names and weights, and of the mean."""

    table: ResultTable
    aspects: Mapping[int, tuple[str, float]]
    mean: int


def has_weight_shape(said: str) -> bool:
    """Whether a message may ask for other weights; whether it does, only a table of weighted means says."""
    clause = _trim(said)
    return any(one.fullmatch(clause) for one in _FORMS)


def answer_weights(said: str, results: Results, language: Language) -> Answer | None:
    """The newest table of weighted means with the weights that the message wants, ranked anew; the scores stay."""
    clause = _trim(said)
    scored = next((found for table in results.tables if (found := _read_scored(table)) is not None), None)
    if scored is None or (weights := _change(clause, scored)) is None:
        return None
    rows = sorted(_rank(scored, weights), key=lambda row: -_number(row[scored.mean]))
    changed = [
        replace(one, title=_write_title(scored, weights, at, one.title)) for at, one in enumerate(scored.table.columns)
    ]
    table = replace(scored.table, columns=tuple(changed), rows=tuple(map(tuple, _number_places(scored, rows))))
    first, second = rows[0], rows[1]
    name = _name_column(scored)
    ties = _number(first[scored.mean]) == _number(second[scored.mean])
    before = max(scored.table.rows, key=lambda row: _number(row[scored.mean]))[name]
    code = "weights_tie" if ties else "weights_same" if first[name] == before else "weights_other"
    listed = [f"{scored.aspects[at][0]} {weight:g}" for at, weight in weights.items()]
    text = SHAPE_SENTENCES.render(
        code,
        language,
        weights=listed,
        first=first[name],
        points=f"{_number(first[scored.mean]):.2f}",
        second=second[name],
        other=f"{_number(second[scored.mean]):.2f}",
        before=before,
    )
    return Answer(text, tables=(table,), shown=table)


def _trim(said: str) -> str:
    return _TAIL.sub("", _LEAD.sub("", to_simplified(said.strip()))).strip()


def _read_scored(table: ResultTable) -> _Scored | None:
    """The table as weighted means, if its last column is that of the weighted ones in every row."""
    titles = {at: found for at, one in enumerate(table.columns) if (found := _WEIGHTED.fullmatch(one.title))}
    aspects = {at: (found["name"], float(found["weight"])) for at, found in titles.items()}
    mean = len(table.columns) - 1
    if len(aspects) < 2 or len(table.rows) < 2 or mean in aspects or not sum(one for _, one in aspects.values()):
        return None
    scored = _Scored(table, aspects, mean)
    weights = {at: weight for at, (_, weight) in aspects.items()}
    told = zip(table.rows, _rank(scored, weights), strict=True)
    return scored if all(abs(_number(was[mean]) - _number(now[mean])) <= _ROUNDING for was, now in told) else None


def _rank(scored: _Scored, weights: Mapping[int, float]) -> list[list[JsonValue]]:
    total, rows = sum(weights.values()), []
    for row in scored.table.rows:
        made = list(row)
        made[scored.mean] = round(sum(weight * _number(row[at]) for at, weight in weights.items()) / total, 2)
        rows.append(made)
    return rows


def _change(clause: str, scored: _Scored) -> dict[int, float] | None:
    """The weights with the one that the clause names changed; None if it names none, or nothing would be left."""
    weights = {at: weight for at, (_, weight) in scored.aspects.items()}
    form, found = next(((one, match) for one in _FORMS if (match := one.fullmatch(clause))), (None, None))
    if form is None or found is None:
        return None
    given = {key.rstrip("23"): value for key, value in found.groupdict().items() if value is not None}
    named = [at for at, (name, _) in scored.aspects.items() if _is_same(name, given["name"])]
    if len(named) != 1:
        return None
    at = named[0]
    if form is _MAIN:
        top = max(_MOST, *weights.values())
        weights = {one: min(weight, top - 1) for one, weight in weights.items()} | {at: top}
    else:
        changed = {_TWICE: weights[at] * 2, _HALF: weights[at] / 2, _MINOR: min(_LEAST, weights[at])}
        weights[at] = changed[form] if form in changed else float(given["value"])
    return weights if sum(weights.values()) > 0 else None


def _is_same(name: str, said: str) -> bool:
    one, other = name.casefold().strip(), said.casefold().strip().removeprefix("the ").removeprefix("my ")
    return one == other or (len(other) > 1 and (other in one or one in other))


def _write_title(scored: _Scored, weights: Mapping[int, float], at: int, title: str) -> str:
    return f"{scored.aspects[at][0]} ×{weights[at]:g}" if at in weights else title


def _name_column(scored: _Scored) -> int:
    """Place of the names: the first column of words."""
    row = scored.table.rows[0]
    return next((at for at, value in enumerate(row) if isinstance(value, str)), 0)


def _number_places(scored: _Scored, rows: list[list[JsonValue]]) -> list[list[JsonValue]]:
    """The rows with their places, where the first column has such: equal means share one."""
    if _name_column(scored) == 0:
        return rows
    places = [1]
    for at, (above, row) in enumerate(pairwise(rows), 2):
        places.append(places[-1] if above[scored.mean] == row[scored.mean] else at)
    return [[place, *row[1:]] for place, row in zip(places, rows, strict=True)]


def _number(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
