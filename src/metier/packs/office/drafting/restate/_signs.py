"""Lists with other signs than the rules expect: between semicolons, strokes or blanks, or in quotation marks."""

import re
from itertools import pairwise
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import CHINESE, QUOTED, RequestText
from metier.packs.office.drafting._asides import asks, begins_with_order, is_spoken, names_look
from metier.packs.office.drafting.lists import COLUMN_WORDS, LEAD_WORDS, strip_tail

__all__ = ["restate_lists"]

_LED: Final = rf"(?:{COLUMN_WORDS}){LEAD_WORDS}(?:按照?|照)?\s*:?\s*"
_ITEM: Final = r"[^,，、。;:!?()\[\]/|\n\"\d]{1,20}"
_LED_SIGNS: Final = re.compile(rf"(?P<lead>{_LED})(?P<list>{_ITEM}(?:[;/|]{_ITEM}){{1,11}})", re.IGNORECASE)
_COLON_SIGNS: Final = re.compile(
    r":(?P<list>[^,，、。;:!?()\[\]/|\n\"\d]{2,24}(?:[;/|][^,，、。;:!?()\[\]/|\n\"\d]{2,24}){2,11})(?=[。.\n]|$)"
)
# The same as the last clause of a request, without a colon before it.
_LAST_SIGNS: Final = re.compile(
    r"(?P<comma>[,，。]|[a-z]\.)(?P<list>[^,，、。;:!?()\[\]/|\n\"\d]{2,24}(?:;[^,，、。;:!?()\[\]/|"
    r"\n\"\d]{2,24}){2,11})(?=[。.\n]?\s*$)"
)
# Chinese names between blanks, which stand between signs of a clause.
_BLANKS: Final = re.compile(
    r"(?:(?<=[,，。;:\n])|^)\s*(?P<list>[\u4e00-\u9fff]{1,8}(?: +[\u4e00-\u9fff]{1,8}){2,9})\s*(?=[,，。;\n]|$)"
)
# Short Chinese names between commas behind a word that announces a list.
_COMMAS: Final = re.compile(
    r"(?:(?:逐条|逐项|依次|分别|编号)*列(?:明|出|举|示)(?:为|有)?|分别[是为]|依次[是为]|包括|包含|"
    r"内容(?:有|为|是)|(?:栏目|表头|列名|字段)[是为有])\s*:?\s*"
    r"(?P<list>[^,，、。;:!?()\[\]/|\n\"\d]{2,10}(?:[,，][^,，、。;:!?()\[\]/|"
    r"\n\"\d]{2,10}){2,11})(?=[。;\n]|$|[,，]\s*(?:共|一共|总共|等)?[一二两三四五六七八九十\d]+[项条个列栏])"
)
_PLUS: Final = re.compile(
    r"(?P<list>[^,，、。;:!?()\[\]+＋>=\n\"\d]{2,10}(?:[+＋][^,，、。;:!?()\[\]+＋>=\n\"\d]{2,10}){2,11})(?=[,，。.;\n]|$)"
)
_ARROWS: Final = re.compile(
    r"(?P<list>[^,，、。;:!?()\[\]→>=\n\"\d]{2,14}(?:(?:→|->|"
    r"=>)[^,，、。;:!?()\[\]→>=\n\"\d]{2,14}){2,11})(?=[,，。.\n]|$)"
)
_QUOTES: Final = re.compile(
    rf"(?P<list>{QUOTED}(?:(?:[、;/|]|和|以及|及|[,，] ?(?:and )?| (?:and )?)?{QUOTED}){{1,11}})", re.IGNORECASE
)
# Behind a quotation that is a list: 四列, 的表, 做成时间线.
_OF_LIST: Final = re.compile(
    rf"\s*(?:(?:这|共|等)?{COUNT}个?(?:列|栏|字段|项)|(?:作为?|当|做)(?:表头|列名|列)|(?:为|是)(?:表头|列名|列)|"
    r"的(?:空白?)?(?:表格?|登记表|记录表|清单)|(?:做|排|画|列|放)成)"
)
_MARKED: Final = re.compile(
    r"[(]?(?P<mark>[一二三四五六七八九1-9])[)、.]\s*(?P<name>[^,，、。;:!?()\[\]/|"
    r"\n\"\d]{2,12})(?:[;,，、]\s*|(?=[。\n]|$))"
)
_MIN_MARKED: Final = 3
_MIN_BLANKS: Final = 3
_OF_TABLE: Final = re.compile(rf"\s*(?:这|共|等)?{COUNT}个?(?:列|栏|字段)的(?:空白?)?(?:表格?|登记表|清单)")
_MADE_OF: Final = re.compile(r"\s*(?:做|排|画|列|放)成")
_COLUMNS: Final = re.compile(rf"(?:{COLUMN_WORDS})[^。;\"\n]{{0,10}}$", re.IGNORECASE)
_TASKS: Final = re.compile(
    r"(?:任务|工序|阶段)(?:名称?|列表)?(?:依次|分别|按顺序|先后)*(?:为|是|有|:)\s*$|\b(?:tasks|steps|"
    r"phases|stages)(?: are| in order)*:?\s*$",
    re.IGNORECASE,
)
_GANTT: Final = re.compile(r"甘特|gantt", re.IGNORECASE)
_BOLD_TOO: Final = re.compile(r"\s*(?:并|且|都|均|全部|一律|统一)*(?:加粗|粗体)(?:显示|处理)?(?=[,，。;；]|$)")
_SIGN: Final = re.compile(r"[、,，;；:：/|()（）。?？!！\d]")
_TALK: Final = re.compile(r"[我你您他她们了吧呢吗]|谢|麻烦|就行|即可|再|还|也|都|请|别|不要")
_DEMANDS: Final = re.compile(
    r"居中|对齐|加粗|粗体|标红|边框|字号|字体|[大小粗细]一?[点些]$|^(?:按|不要|别|再|都|请|共|留)(?!期|揭|钮)|"
    r"\b(?:bold|cent(?:er|re)d|sorted|with|without|no|in (?:red|blue|green))\b",
    re.IGNORECASE,
)


def restate_lists(request: str) -> str:
    """The request with 、 or commas between the names of its lists."""
    said = _restate_quotes(_open_quotes(_restate_marks(request)))
    return _restate_signs(_restate_last(_restate_arrows(_restate_commas(_restate_blanks(said)))))


def _restate_marks(request: str) -> str:
    """Short names behind marks that count from one: 一、时间；二、地点；三、议题."""
    found = list(_MARKED.finditer(RequestText(request).mask))
    signs = "".join(one["mark"] for one in found)
    if len(found) < _MIN_MARKED or not ("一二三四五六七八九".startswith(signs) or "123456789".startswith(signs)):
        return request
    if any(one.end() != other.start() for one, other in pairwise(found)):
        return request
    names = [request[slice(*one.span("name"))].strip() for one in found]
    if not _are_names(names) or any(_TALK.search(one) for one in names):
        return request
    return f"{request[: found[0].start()]}{_join(names)}{request[found[-1].end('name') :]}"


def _open_quotes(request: str) -> str:
    """A list of names inside of one pair of quotation marks without them: 一张“姓名、工号、班次”的表."""
    text = RequestText(request)
    for one in reversed(text.quotes):
        names = [name.strip() for name in re.split("[、|｜/／]", one.text)]
        before, after = text.mask[: one.start - 1], text.mask[one.end + 1 :]
        if len(names) > 1 and (_OF_LIST.match(after) or _COLUMNS.search(before)) and not any(map(_SIGN.search, names)):
            stop = "，" if _MADE_OF.match(after) or _OF_TABLE.match(after) else ""
            lead = "，列为" if _OF_TABLE.match(after) and not _COLUMNS.search(before) else ""
            request = f"{request[: one.start - 1]}{lead}{one.text}{stop}{request[one.end + 1 :]}"
    return request


def _restate_blanks(request: str) -> str:
    found = list(_BLANKS.finditer(RequestText(request).mask))
    if len(found) != 1:
        return request
    start, end = found[0].span("list")
    names = request[start:end].split()
    lead = f"{names.pop(0)}，" if begins_with_order(names[0]) else ""
    if len(names) < _MIN_BLANKS or not _are_names(names) or any(map(begins_with_order, names)):
        return request
    return f"{request[:start]}{lead}{'、'.join(names)}{request[end:]}"


def _restate_arrows(request: str) -> str:
    """One chain of at least three names; several short ones are pairs."""
    mask = RequestText(request).mask
    found = [*_ARROWS.finditer(mask), *_PLUS.finditer(mask)]
    if len(found) != 1:
        return request
    start, end = found[0].span("list")
    names = [one.strip() for one in re.split(r"→|->|=>|[+＋]", request[start:end])]
    return f"{request[:start]}{_join(names)}{request[end:]}" if _are_names(names) else request


def _restate_commas(request: str) -> str:
    for found in reversed(list(_COMMAS.finditer(RequestText(request).mask))):
        start, end = found.span("list")
        names = re.split(r"[,，]\s*", request[start:end])
        if _are_names(names) and not any(asks(one) or is_spoken(one) or _TALK.search(one) for one in names):
            request = f"{request[:start]}{'、'.join(names)}{request[end:]}"
    return request


def _restate_last(request: str) -> str:
    found = _LAST_SIGNS.search(RequestText(request).mask)
    if found is None:
        return request
    if not _are_names(re.split(r"[;；]", request[found.start("list") : found.end("list")])):
        return request
    at = found.end("comma") - 1
    return f"{request[:at]}: {request[found.start('list') :]}"


def _restate_quotes(request: str) -> str:
    text = RequestText(request)
    for found in reversed(list(_QUOTES.finditer(text.mask))):
        inside = [one.text for one in text.quotes if found.start() < one.start and one.end < found.end()]
        if not _names_parts(text.mask, found.start()) or any(_SIGN.search(one) or not one for one in inside):
            continue
        rest = request[found.end() :]
        if bold := _BOLD_TOO.match(rest):
            rest = f"，表头加粗{rest[bold.end() :]}"
        request = f"{request[: found.start()]}{_join(inside)}{rest}"
    return request


def _names_parts(mask: str, end: int) -> bool:
    """Whether the words before a list name columns, or the tasks of a Gantt table."""
    return _COLUMNS.search(mask[:end]) is not None or (
        _TASKS.search(mask[:end]) is not None and _GANTT.search(mask) is not None
    )


def _restate_signs(request: str) -> str:
    for form in (_LED_SIGNS, _COLON_SIGNS):
        mask = RequestText(request).mask
        for found in reversed(list(form.finditer(mask))):
            start, end = found.span("list")
            pieces = [one.strip() for one in re.split(r"[;；/／|｜]", request[start:end])]
            if not _are_names(pieces) or mask[end:].lstrip().startswith(("(", "[")):
                continue  # what is said of the last name in a bracket would be lost
            last = re.sub(r"\s+来$", "", strip_tail(pieces[-1], pieces[:-1]))
            tail = pieces[-1][len(last) :] if pieces[-1].startswith(last) else ""
            tail = re.sub(r"^\s*来", "", tail)
            lead = request[: found.start("lead") if form is _LED_SIGNS else start]
            named = _name(mask[found.start() : start]) if form is _LED_SIGNS else ""
            request = f"{lead}{named}{_join([*pieces[:-1], last])}{'，' if tail else ''}{tail}{request[end:]}"
    return request


def _name(lead: str) -> str:
    return "表头为" if CHINESE.search(lead) else "columns: "


def _are_names(items: list[str]) -> bool:
    """Whether none of some items says how the thing is to be, instead of being a name."""
    return not any(names_look(one) or _DEMANDS.search(one) for one in items)


def _join(names: list[str]) -> str:
    return ("、" if any(CHINESE.search(one) for one in names) else ", ").join(names)
