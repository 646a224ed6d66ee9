"""Two results of the same kind side by side: 对比一下, "which is better?"; the figures stand, and nothing is judged."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language
from metier.patterns import compile_later
from metier.questions._match import find_numeric_columns, is_coordinate, is_high_bad, is_high_good, numeric_value
from metier.questions._results import Answer, Results, ResultTable, TableColumn
from metier.questions.judgements._judgement_sentences import JUDGEMENT_SENTENCES

_BOTH: Final = (
    r"(?:(?:把|将|拿)?(?:这|那|它|他)?(?:两|俩|二)(?:者|个|台|次|边|张|份|家)?"
    r"(?:结果|设备|小区|地方|区)?(?:都|来|做个?)?)"
)
COMPARE: Final = (
    rf"{_BOTH}?(?:放一?起)?(?:对比|比较|比)(?:一?[下比]|看)*(?:结果)?"
    rf"|{_BOTH}哪(?:一)?(?:个|台|边)?更?(?:好|差|严重|急|高|低|糟)(?:一?些)?"
    rf"|哪(?:一)?(?:个|边)更(?:好|差|严重|急|紧急)|{_BOTH}(?:有什么|有啥|的)?(?:区别|差别|不同|差多少|差异)(?:是什么)?"
    r"|compare(?:\s+(?:it|them|both|the\s+two|these\s+two|these|those|(?:the|both)\s+results))?(?:\s+side\s+by\s+side)?"
    r"|(?:which|what)(?:\s+one)?(?:\s+of\s+(?:the\s+two|them|these|both))?\s+is\s+(?:better|worse|more\s+\w+)"
    r"|(?:what(?:'s|\s+is)\s+the\s+difference)(?:\s+between\s+(?:them|the\s+two))?"
)
_COUNTED: Final = compile_later(r"\s*[（(]\d+\s*[^（）()\d]*[）)]$")  # how many rows a table has, in its title
_MAX_ROWS: Final = 12
_MAX_NAMED: Final = 12


def set_side_by_side(results: Results, language: Language) -> Answer | None:
    """The newest result and the one before it that has tables of the same names; None if there is no such pair."""
    said, verdicts = list(dict.fromkeys(one.said for one in results.tables)), dict(results.verdicts)
    for earlier in said[1:]:
        new, old = _of(results.tables, said[0]), _of(results.tables, earlier)
        rows = list(_list_rows(new, old))[:_MAX_ROWS]
        if new.keys() & old.keys() and said[0] in verdicts and earlier in verdicts:
            rows.insert(0, (_say("verdict", language), verdicts[earlier], verdicts[said[0]]))
        if rows:
            return _show(said[0], earlier, rows, language)
    return None


def _say(code: str, language: Language, **values: object) -> str:
    return JUDGEMENT_SENTENCES.render(code, language, **values)


def tell_alone(language: Language) -> Answer:
    """That there is only one result, and how to get another one to set beside it."""
    return Answer(_say("one_result", language), found=False)


def _of(tables: Sequence[ResultTable], said: str) -> dict[str, ResultTable]:
    found: dict[str, ResultTable] = {}
    for one in tables:
        if one.said == said and one.total == len(one.rows):  # means of a part would be taken for those of all
            found.setdefault(_COUNTED.sub("", one.title), one)
    return found


def _list_rows(new: dict[str, ResultTable], old: dict[str, ResultTable]) -> Iterator[tuple[JsonValue, ...]]:
    """What both list: numbers of rows, and of columns whose bad end is known the rows by name, else means."""
    for title, table in new.items():
        other = old.get(title)
        if other is None:
            continue
        if _COUNTED.search(table.title):
            yield (title, other.total, table.total)
            continue
        shared = {column.heading: at for at, column in enumerate(other.columns)}
        for at in find_numeric_columns(table):
            heading = table.columns[at].heading
            if heading in shared and is_judged(table.columns[at].title):
                yield from _set_figures(title, table, other, at, shared[heading])


def _set_figures(
    title: str, new: ResultTable, old: ResultTable, at: int, old_at: int
) -> Iterator[tuple[JsonValue, ...]]:
    here, there = _by_name(new, at), _by_name(old, old_at)
    names = [one for one in here if one in there]
    heading = new.columns[at].heading
    if 2 * len(names) >= len(here) and len(names) <= _MAX_NAMED:
        yield from ((f"{name} · {heading}", there[name], here[name]) for name in names)
        return
    means = [_mean(old, old_at), _mean(new, at)]
    if None not in means:
        yield (f"{title} · {heading}", *means)


def _by_name(table: ResultTable, at: int) -> dict[str, float]:
    """Figures of the rows by their name, which is the words of a row; empty if names come twice."""
    found: dict[str, float] = {}
    for row in table.rows:
        name = " · ".join(one for one in row if isinstance(one, str))
        value = numeric_value(row[at]) if at < len(row) else None
        if name in found:
            return {}
        if value is not None:
            found[name] = value
    return found


def _mean(table: ResultTable, at: int) -> float | None:
    values = [value for row in table.rows if at < len(row) and (value := numeric_value(row[at])) is not None]
    return round(fmean(values), 2) if values else None


def is_judged(title: str) -> bool:
    """Whether it is known which end of a quantity is the bad one."""
    return not is_coordinate(title) and (is_high_bad(title) or is_high_good(title))


def _show(new: str, old: str, rows: Sequence[tuple[JsonValue, ...]], language: Language) -> Answer:
    columns = (
        TableColumn("what", _say("what", language)),
        TableColumn("old", old),
        TableColumn("new", new),
    )
    title = _say("side_by_side", language)
    table = ResultTable(title, columns, tuple(rows), len(rows), new)
    text = _say("compared", language, old=old, new=new)
    return Answer(text, tables=(table,), shown=table)
