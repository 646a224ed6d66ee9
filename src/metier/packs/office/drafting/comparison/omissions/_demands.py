"""Whether a plan meets the demands that stand beside its content in the request."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText, find_spans
from metier.packs.office.drafting._plan_texts import NUMBERING, TEXT_FIELDS, list_lines, list_rows
from metier.packs.office.drafting._slots import strip_bold_header
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.comparison.omissions._forms import FORMS, OF_PART, DemandKind
from metier.packs.office.drafting.comparison.omissions._tails import list_glued, list_tails

__all__ = ["check_demands"]

_CLAUSE: Final = re.compile(r"(?:[^,，。;!?:\n.]|\.(?=\S)|(?<=\d)[,:](?=\d))+")
_FIELDS: Final = (*TEXT_FIELDS, "notes")
# Signs between items of a list that are no signs between clauses.
_LIST_SIGNS: Final = frozenset('、;；|/\n"“”「」')
_COMMAS: Final = frozenset(",，")
_JOINED: Final = re.compile(r"\b(?:and|or|columns?|sections?|headings?)\s+$", re.IGNORECASE)
_MAX_WORDS: Final = 4
_PAIR: Final = 2  # marks of one quotation
_FORMATS: Final = (
    (re.compile(r"千分|thousands? separator", re.IGNORECASE), re.compile(r"#,##0")),
    (re.compile(r"[两二2]位小数|(?:two|2) decimal", re.IGNORECASE), re.compile(r"0\.00(?!0)")),
)
_MOVED: Final = re.compile(
    r"(?:把|将)?(?P<name>[^,，。;:]{1,14}?)(?:这?一?[项条列栏节])?[要得请都]?[放排列写摆提][在到]?最?[前后首末上下开](?:面|头|尾|边|位|一[项列条])?"
)
_WANTS_TABLE: Final = re.compile(
    r"(?:用|以|做成|画成|列成|放在?|配|加|带)(?:上|个|一?[个张])?(?:[^,，。;、:]{0,4}的)?(?:表格|图表|[柱饼折][^,，。;、:]{0,2}图)|"
    r"(?:插入?|添加|新建|新增)(?:一?[个张])(?:空白?)?表格?(?=$|[,，。;])|"
    r"\b(?:as|in|with) an? (?:\w+ )?(?:table|chart|graph)\b|\b(?:insert|add) an? (?:empty |blank )?table with\b",
    re.IGNORECASE,
)
# Words that only a table has: names of columns and a header.
_HAS_COLUMNS: Final = re.compile(
    r"表头|列名|列标题|\b(?:header rows?|column (?:names|headings|headers)|columns?(?! charts?| graphs?))\b",
    re.IGNORECASE,
)
_CHARTS: Final = (
    ("line", re.compile(r"折线图?|曲线图?|走势图|\bline (?:chart|graph)", re.IGNORECASE)),
    ("pie", re.compile(r"饼图|饼状图|\bpie (?:chart|graph)", re.IGNORECASE)),
    ("bar", re.compile(r"[柱条][状形]?图|\b(?:bar|column) (?:chart|graph)", re.IGNORECASE)),
)
_OVERSPENT: Final = re.compile(
    r"超支|超[出了]?预算|超[出了]?的|负[数的值]|赤字|\boverspen\w+|\bover budget|\bnegatives?\b", re.IGNORECASE
)
_BOLD: Final = re.compile(r"[粗黑]|bold", re.IGNORECASE)
# What only some of the result is: 带星号的, 第二行, the second one.
_OF_SOME: Final = re.compile(
    r"的(?!标题|题目|表头|字)|[行列个条项]|第.|\b(?:row|line|column|second|third|last|each|any\w*)s?\b", re.IGNORECASE
)
_SLIDE_PART: Final = re.compile(r"封面|目录|cover page|table of contents", re.IGNORECASE)
_TITLE: Final = re.compile(r"标题|题目|title|heading", re.IGNORECASE)


def check_demands(request: RequestText, actions: Sequence[JsonObject]) -> None:
    """Raise `Unclear` with the first demand of the request that the plan does not meet.

    Names that the plan writes are no demands, wherever they stand in a list.
    """
    texts = _list_texts(actions)
    unmet = [list_glued(request, texts), _list_unmet(request, texts, actions), list_tails(request, actions)]
    unmet += [_list_missing(request, actions), _list_moved(request, texts), _list_charts(request, actions)]
    for part in chain(*unmet):
        raise Unclear("unsupported", part=part)


def _list_texts(actions: Sequence[JsonObject]) -> list[str]:
    """Cells and lines of the plan, without the numbers that it puts before them."""
    found: list[str] = []
    for action in actions:
        found += [cell.strip() for row in list_rows(action) for cell in row]
        lines = [line for name in _FIELDS for line in list_lines(action, (name,))]
        found += [bare for line in lines for bare in (line.strip(), NUMBERING.sub("", line).strip(" ：:"))]
    return list(dict.fromkeys(one for one in found if one))


def _list_moved(request: RequestText, texts: Sequence[str]) -> Iterator[str]:
    """Clauses that put a name of the plan at another place of its list: 决定放最前面."""
    for clause in _CLAUSE.finditer(request.mask):
        found = _MOVED.fullmatch(clause[0].strip())
        if found and found["name"] in texts:
            yield request.raw[clause.start() : clause.end()].strip()


def _list_missing(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """Clauses that want a table or a chart beside a text, or name columns of one, where the plan has none."""
    if not any(one.get("op") == "insert_text" for one in actions) or any(one.get("data") for one in actions):
        return
    for clause in _CLAUSE.finditer(request.mask):
        if _WANTS_TABLE.search(clause[0]) or _HAS_COLUMNS.search(clause[0]):
            yield request.raw[clause.start() : clause.end()].strip()


def _list_charts(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """A clause with another kind of chart than the first, where the plan draws one chart."""
    if sum(str(one.get("op")).startswith("insert_chart") for one in actions) != 1:
        return
    named = [(kind, found) for kind, form in _CHARTS for found in form.finditer(request.mask)]
    named.sort(key=lambda one: one[1].start())
    for clause in _CLAUSE.finditer(request.mask):
        others = [one for kind, one in named if kind != named[0][0] and clause.start() <= one.start() < clause.end()]
        if others:
            yield request.raw[clause.start() : clause.end()].strip()


def _list_unmet(request: RequestText, texts: Sequence[str], actions: Sequence[JsonObject]) -> Iterator[str]:
    names, written = list(_list_names(request, texts)), list(_list_written(request, texts))
    joined = "\n".join(texts).lower()
    for clause in _CLAUSE.finditer(request.mask):
        for form in FORMS:
            for found in form.pattern.finditer(clause[0].rstrip()):
                end = clause.start() + found.end()
                start = end - len(found[0].lstrip())
                is_name = any(a <= start and end <= b for a, b in (written if form.kind in OF_PART else names))
                if not is_name and not _is_met(form.kind, found, joined, actions, request):
                    yield request.raw[_find_start(clause, found.start()) : clause.end()].strip()


def _find_start(clause: "re.Match[str]", at: int) -> int:
    """Where a demand begins: with its clause, or behind several quotations that stand before it there."""
    quotes = clause[0].count('"', 0, at)
    return clause.start() + (clause[0].rfind('"', 0, at) + 1 if quotes > _PAIR else 0)


def _list_written(request: RequestText, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where texts of the plan stand in the request, and its quotations."""
    for text in texts:
        yield from find_spans(text, request.raw, any_case=True)
    yield from ((quote.start, quote.end) for quote in request.quotes)


def _list_names(request: RequestText, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where names of the plan stand as items: beside a sign of lists, before a comma, or joined by `and`."""
    for text in texts:
        for start, end in find_spans(text, request.raw, any_case=True):
            before = request.raw[:start].rstrip()[-1:]
            after = request.raw[end:].lstrip()[:1]
            is_listed = before in _LIST_SIGNS or after in _LIST_SIGNS or after in _COMMAS
            is_joined = len(text.split()) < _MAX_WORDS and _JOINED.search(request.raw[:start]) is not None
            is_capital = before in _COMMAS and request.raw[start : start + 1].isupper()
            if before and (is_listed or is_joined or is_capital):
                yield start, end


def _is_met(
    kind: DemandKind, found: "re.Match[str]", joined: str, actions: Sequence[JsonObject], request: RequestText
) -> bool:
    value = next((one for one in found.groups() if one), "").lower()
    match kind:
        case "language":
            script = r"[\u4e00-\u9fff]" if value.startswith(("中", "chinese")) else r"[a-z]{2}"
            is_plain = value.startswith(("中", "chinese", "英", "english"))
            return is_plain and any(
                re.search(script, one) and one in request.raw.lower() for one in joined.splitlines()
            )
        case "omission":
            return not _TITLE.search(value) and value.split(" ")[0] not in joined
        case "verbatim":
            return bool(request.quotes) or ":" in request.mask
        case "source":
            is_drawn = any(one.get("op") == "insert_chart_from_selection" for one in actions)
            return is_drawn and not any(one.get("data") for one in actions)
        case "look":
            return any(one.get("bold") or one.get("font_size") or one.get("font_bold") for one in actions)
        case "unit" if not value:
            return _has_format(found[0], actions)
        case "time" | "unit":
            return value in joined
        case "part":
            is_slide = any(one.get("op") == "add_slide" for one in actions) and _SLIDE_PART.fullmatch(found[0])
            clause = found.string.strip().lower()
            return bool(is_slide) or any(found[0].lower() in one and one not in clause for one in joined.splitlines())
        case "mark":
            return _is_marked(found, actions)
        case _:
            return bool(value) and _is_counted(kind, found, joined, actions)


def _is_counted(kind: DemandKind, found: "re.Match[str]", joined: str, actions: Sequence[JsonObject]) -> bool:
    """Whether a count is that of the plan: 安全生产四个字, 甲表和乙表各三行."""
    if kind == "some_rows":
        return sum(one.get("op") == "insert_table" for one in actions) > 1
    signs = read_count(found["signs"]) if kind == "length" and found["signs"] else None
    return any(len(one) == signs and one in found.string for one in joined.splitlines())


def _is_marked(found: "re.Match[str]", actions: Sequence[JsonObject]) -> bool:
    """Whether the plan gives this look to the part that is spoken of: the header, a title, what is over a budget."""
    clause = strip_bold_header(found.string)
    if found[0].strip() not in clause:
        return True
    if _OVERSPENT.search(clause):
        return any(one.get("op") == "set_conditional_format" for one in actions)
    is_bold = any(one.get("bold") or one.get("font_bold") for one in actions)
    return is_bold and _BOLD.search(found[0]) is not None and _OF_SOME.search(clause) is None


def _has_format(demand: str, actions: Sequence[JsonObject]) -> bool:
    """Whether the numbers have the format that is demanded: two decimals, a sign between thousands."""
    formats = [str(one.get("number_format") or "") for one in actions]
    wanted = next((form for said, form in _FORMATS if said.search(demand)), None)
    return wanted is not None and any(wanted.search(one) for one in formats)
