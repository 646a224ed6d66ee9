"""A request in the form of fields (标题：…；列：…；行数：6, title = …; bullets = …) becomes a sentence."""

import re
from typing import Final, Literal, cast

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting._topics import list_topics

__all__ = ["restate_fields"]

Role = Literal["title", "subtitle", "kind", "columns", "rows", "items", "data", "note"]

_KEYS: Final[tuple[tuple[Role, str], ...]] = (
    ("subtitle", r"副标题|sub-?title"),
    ("title", r"(?:模板|表格?|图表?|页面|幻灯片)?(?:标题|名称)|表名|图名|图题|题目|title|name|heading"),
    ("kind", r"类型|种类|图表类型|type|kind|chart type"),
    ("columns", r"列|各列|列名|字段|表头|columns?|fields|headers?"),
    ("rows", r"(?:空白?|数据)?行(?:数)?|(?:blank |empty )?rows?"),
    ("items", r"要点|条目|议题|小标题|章节|栏目|各部分|points|bullets|items|sections|headings|topics"),
    ("data", r"数据|数值|data|values|figures"),
    ("note", r"备注|图注|题注|note|caption"),
)
_KEY: Final = re.compile(
    r"(?:^|(?<=[\s,，;；|｜。.]))\s*(?:"
    + "|".join(f"(?P<{role}>{words})" for role, words in _KEYS)
    + r")\s*[:：=＝]\s*",
    re.IGNORECASE,
)
_EDGES: Final = " \t\n\u3000,，;；|｜。."
_SEPARATORS: Final = r"\s*(?:[、,，/／|｜;；\t\n]|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff]))\s*"
_COUNTED: Final = re.compile(
    rf"({COUNT})\s*(?:个|条)?(?:空白?|数据)?(?:行|条)?(?:空白)?|({COUNT})(?: (?:blank|empty))?(?: rows?)?",
    re.IGNORECASE,
)
_QUOTES: Final = ' “”"「」《》'
_TEMPLATES: Final = (("会议纪要模板", "纪要|会议记录"), ("周报", "周报"), ("meeting minutes template", r"\bminutes\b"))
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_MARK: Final = re.compile(r"^\s*(?:[-–•*·]|[(（]?\d{1,2}[.、)）])\s*")
_MAX_LEAD: Final = 40
_MAX_NAME: Final = 24
_MAX_TITLE: Final = 40
_NO_NAME: Final = re.compile(
    r"[:：=＝“”\"「」()（）。!！?？]|不要|别|加粗|居中|bold|^(?:and|with|then)\b", re.IGNORECASE
)


def restate_fields(request: str) -> str:
    """The request as one sentence, where it has at least two fields and nothing else that is said of them."""
    found = list(_KEY.finditer(request))
    roles = [cast("Role", one.lastgroup) for one in found]
    if len(found) < 2 or len(set(roles)) != len(roles):
        return request
    ends = [*(one.start() for one in found[1:]), len(request)]
    values = {role: request[one.end() : end].strip(_EDGES) for role, one, end in zip(roles, found, ends, strict=True)}
    lead, tail = request[: found[0].start()].strip(f"{_EDGES}:：-—–"), ""
    if roles[-1] in ("rows", "title", "note"):
        values[roles[-1]], _, tail = (one.strip(_EDGES) for one in _part(values[roles[-1]]))
    key = found[0][0]
    is_chinese = _CHINESE.search(request) is not None
    order = _name_order(lead, tail, values, key, is_chinese=is_chinese)
    if len(lead) > _MAX_LEAD or not order or not all(values.values()) or RequestText(lead).quotes:
        return request
    said = _write_chinese(order, values) if is_chinese else _write_english(order, values)
    return said or request


def _part(value: str) -> tuple[str, str, str]:
    """A short value and what follows it behind a comma."""
    cut = re.search(r"[,，。;；\n]\s*", value)
    return (value, "", "") if cut is None else (value[: cut.start()], cut[0], value[cut.end() :])


def _name_order(lead: str, tail: str, values: "dict[Role, str]", key: str, *, is_chinese: bool) -> str:
    """What is to be made, in the words of the request or by what the fields give."""
    said = "，".join(one for one in (lead, values.pop("kind", ""), tail) if one)
    if any(topic.pattern.search(said) for topic in list_topics()):
        return said
    title = values.get("title", "")
    if "模板" in key or "template" in key.lower():
        return next((f"{said}{words}" for words, form in _TEMPLATES if re.search(form, title, re.IGNORECASE)), "")
    if "columns" in values:
        return f"{said}插入表格" if is_chinese else f"{said} insert a table".strip()
    if "items" in values and ("幻灯片" in key or "页面" in key):
        return f"{said}新建一页幻灯片"
    return ""


def _list_names(value: str) -> list[str]:
    pieces = (_MARK.sub("", one).strip(_QUOTES) for one in re.split(_SEPARATORS, value))
    names = [one for one in pieces if one]
    is_plain = len(names) > 1 and not any(_NO_NAME.search(one) or names_look(one) for one in names)
    return names if is_plain and all(len(one) <= _MAX_NAME for one in names) else []


def _read_rows(value: str) -> int | None:
    found = _COUNTED.fullmatch(value)
    return read_count(found[1] or found[2]) if found else None


def _read_title(value: str) -> str:
    bare = value.strip(_QUOTES)
    return bare if len(bare) <= _MAX_TITLE and not re.search(r"[“”\"\n:：=＝;；]", bare) else ""


def _write_chinese(order: str, values: "dict[Role, str]") -> str:
    parts = _list_parts(values, ("标题“{}”", "副标题“{}”", "列为{}", "共{}行", "注明“{}”"), "、")
    if parts is None:
        return ""
    last = values.get("data") or "、".join(_list_names(values.get("items", "")))
    lead = "，分为" if "模板" in order or "报" in order[-2:] else "："
    return f"{'，'.join([order, *parts])}{lead if last else ''}{last}"


def _write_english(order: str, values: "dict[Role, str]") -> str:
    parts = _list_parts(values, ('titled "{}"', 'subtitle "{}"', "columns {}", "{} rows", 'note "{}"'), ", ")
    if parts is None:
        return ""
    last = values.get("data") or ", ".join(_list_names(values.get("items", "")))
    return f"{', '.join([order, *parts])}{': ' if last else ''}{last}"


def _list_parts(values: "dict[Role, str]", forms: tuple[str, ...], sign: str) -> list[str] | None:
    """The fields but the last list; None if one of them cannot be read."""
    parts: list[str] = []
    for role, form in zip(("title", "subtitle", "columns", "rows", "note"), forms, strict=True):
        if role not in values:
            continue
        value = values[role]
        if role == "columns":
            read = sign.join(_list_names(value))
        elif role == "rows":
            count = _read_rows(value)
            read = "" if count is None else str(count)
        else:
            read = _read_title(value)
        if not read:
            return None
        parts.append(form.format(read))
    if "items" in values and not _list_names(values["items"]):
        return None
    return parts
