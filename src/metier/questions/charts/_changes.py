"""A chart of changed values (把改的参数画成饼图): how many changes there are of each kind."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, Sentences
from metier.patterns import compile_later
from metier.questions._results import Answer, ResultChart, Results, ResultTable

_MAX_CHARS: Final = 60
_MAX_KINDS: Final = 12
_DRAWS: Final = compile_later(
    r"(?i)[饼柱折线条]状?图|图表|画[成个张出]|图形|\b(?:pie|bar|column|line|donut|doughnut)?\s?(?:chart|plot|graph)\b|\bpie\b"
)
_PIE: Final = compile_later(r"(?i)饼|环形|\b(?:pie|donut|doughnut)\b")
_CHANGED: Final = compile_later(
    r"(?i)(?:改|变更|改动|修改|调整|下发|推荐|变)(?:了|过|动|的|后|哪些|什么)*的?(?:参数|设置|内容|改动|调整|地方)"
    r"|改动|变更"
    r"|\b(?:chang(?:ed?|es)|applied|recommended|modified)\b.*\b(?:parameters?|settings?|values|changes)\b"
    r"|\bthe changes\b"
)
_OLD: Final = compile_later(r"(?i)原值|旧值|现值|改前|was|before|old(?: value)?")
_NEW: Final = compile_later(r"(?i)新值|改后|will be|after|new(?: value)?")
_SAID: Final = Sentences(
    {
        "title": ("{table} · changes by {kind}", "{table} · 按{kind}的改动数"),
        "count": ("changes", "改动数"),
        "no_pie": ("There is no pie chart; here are bars, with the shares.", "没有饼图，用柱状图显示，并附上比例。"),
        "kinds": (
            "Changes by {kind}, {total} in all; their values are of different units and are not drawn together.",
            "按{kind}统计，共 {total} 处改动；各参数单位不同，数值不画在一张图里。",
        ),
        "line": ("- {name}: {count} ({share} %)", "- {name}：{count} 处（{share} %）"),
        "source": ("From the table “{table}”, shown for “{said}”.", "来自「{said}」的表「{table}」。"),
    }
)


def asks_to_draw_changes(message: str) -> bool:
    """Whether a message wants a chart of what was changed, or of what is recommended to be changed."""
    said = message.strip()
    return len(said) <= _MAX_CHARS and _DRAWS.search(said) is not None and _CHANGED.search(said) is not None


def draw_changes(message: str, results: Results, language: Language) -> Answer | None:
    """How many changes there are of each kind, from the newest table of old and new values; None without one."""
    for table in results.tables:
        at = _find_kinds(table)
        if at is not None:
            return _draw(message, table, at, language)
    return None


def _find_kinds(table: ResultTable) -> int | None:
    """The column that says what was changed, if the table has old and new values: the words before the old value."""
    titles = [one.title for one in table.columns]
    old = next((at for at, one in enumerate(titles) if _OLD.fullmatch(one)), None)
    if old is None or not any(_NEW.fullmatch(one) for one in titles[old + 1 :]):
        return None
    kinds = {str(row[old - 1]) for row in table.rows if old - 1 < len(row)} if old > 1 else set()
    return old - 1 if 0 < len(kinds) <= _MAX_KINDS else None


def _draw(message: str, table: ResultTable, at: int, language: Language) -> Answer:
    kind = table.columns[at].title
    counted = Counter(str(row[at]) for row in table.rows if at < len(row)).most_common()
    total = sum(count for _, count in counted)
    title = _SAID.render("title", language, table=table.title, kind=kind)
    heads = [
        {"key": "kind", "title": kind},
        {"key": "count", "title": _SAID.render("count", language), "type": "number"},
    ]
    about = {"kind": "grouped_bar", "title": title, "x": "kind", "y": ["count"], "group": ""}
    lines = [_SAID.render("no_pie", language)] if _PIE.search(message) else []
    lines += [_SAID.render("kinds", language, kind=kind, total=total), ""]
    for name, count in counted:
        lines.append(_SAID.render("line", language, name=name, count=count, share=f"{100 * count / total:.0f}"))
    lines += ["", _SAID.render("source", language, table=table.title, said=table.said)]
    chart = ResultChart({**about, "columns": heads, "rows": _list_rows(counted)}, table.said, table.call)
    return Answer("\n".join(lines), charts=(chart,))


def _list_rows(counted: Sequence[tuple[str, int]]) -> list[JsonValue]:
    return [[name, count] for name, count in counted]
