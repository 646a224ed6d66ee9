"""Old and new words of an order without quotes: words of the text, or a name for a value that stands there."""

import re
from collections.abc import Iterable
from typing import Final

from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["match_case", "names_value", "settle_pair", "stands_before_value"]

_SAID: Final = re.compile(
    r"[“”\"「」『』《》]|全部|全都|所有|统一|替换|全文|文中|每[一个处]|字样|一词|\b(?:replace|all|every|each|"
    r"throughout|everywhere|"
    r"should be|typo)\b",
    re.IGNORECASE,
)
# Words that name what a value is; the value itself is meant.
_NAMES: Final = re.compile(
    r"(?:地点|地址|时间|日期|电话|金额|总价|价格|单价|数量|人数|负责人|联系人|经办人|主持人|名称|名字|姓名|编号|"
    r"号码|比例|期限|方式|要求|标准|"
    r"内容|目的|原因|结果|进度|状态|部门|单位|邮箱|网址|工资|预算|成本|利润|[率额价量费址])$|"
    r"\b(?:place|venue|location|address|date|time|deadline|phone|number|amount|price|rate|budget|cost|name|owner|"
    r"email|year|"
    r"total|quantity|salary|status|department)$",
    re.IGNORECASE,
)
_FIGURES: Final = (r"[\d.,]+\s*[%％]", r"[¥￥$]?\d[\d.,]*")
_NUMBER: Final = r"[\d一二两三四五六七八九十百千万.,]+"


# How much or how often: 30%, 每日万分之五, 三万元, five percent. Such words never stand in a sentence for a term.
_QUANTITY: Final = re.compile(
    rf"(?:每[日天月年周季](?:按|的)?)?[¥￥$£€]?{_NUMBER}\s*(?:[元块万亿%％‰倍折成]|分之{_NUMBER}|个?百分点)[^，。,;；]{{0,6}}|"
    r"[£$€]?(?:\d[\d.,]*|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fifty)(?: and a half)?)\s*"
    r"(?:%|per ?cent|percent|dollars|pounds|euros)(?: (?:a|per|each|every) \w+)?",
    re.IGNORECASE,
)
# Words that only keep a place: a value may stand for them.
_OPEN: Final = re.compile(
    r"待定|若干|几|某[^，。]{0,4}|[xX×＿_\s—－-]+|\.{3,}|…+|tb[dc]|空白?|无|none|n/a", re.IGNORECASE
)


def match_case(old: str, new: str, texts: Iterable[str]) -> tuple[str, str]:
    """Old words as the document writes them, if it has them with other capital letters only, and the new ones alike."""
    listed = list(texts)
    if not old.isascii() or any(old in one for one in listed):
        return old, new
    form = re.compile(rf"(?<![A-Za-z]){re.escape(old)}(?![A-Za-z])", re.IGNORECASE)
    found = {match[0] for one in listed for match in form.finditer(one)}
    if len(found) != 1:
        return old, new
    own = found.pop()
    return own, f"{new[:1].upper()}{new[1:]}" if own[:1].isupper() and not old[:1].isupper() else new


def names_value(words: str) -> bool:
    """Whether words say what a value is, and so stand before it: 地点, the deadline."""
    return _NAMES.search(words.strip()) is not None


def stands_before_value(old: str, new: str, texts: Iterable[str]) -> bool:
    """Whether old words are the label of a figure and the new ones look like one: then the figure is meant."""
    if re.search(r"\d", old) or re.fullmatch(_NUMBER, old) or _OPEN.fullmatch(old) or _QUANTITY.fullmatch(old):
        return False
    if _QUANTITY.fullmatch(new):
        return True
    if re.fullmatch(rf"{_NUMBER}", new) or re.fullmatch(r"[-−+]?\d[\d.,]*", new):
        return True
    is_like = re.search(r"^\s*[£$€¥￥]|\d\s*\w{0,3}$|[元块%％天]$", new) is not None
    return is_like and any(re.search(rf"{re.escape(old)}[^，。；,;\n\d]{{0,6}}\d", one) for one in texts)


def settle_pair(said: str, old: str, new: str, texts: Iterable[str]) -> tuple[str, str]:
    """What is to be found and what is written instead; asked about if the old words only name a value.

    每人最多两项改成三项 keeps 每人最多; 回款率改成95% changes the number after 回款率.
    """
    if _SAID.search(said):
        return old, new
    tail = re.search(rf"({_NUMBER})([^\d\s]{{1,3}})$", old)
    if tail and (match := re.fullmatch(rf"{_NUMBER}([^\d\s]{{1,3}})", new)) and match[1] == tail[2] and tail.start():
        return old, f"{old[: tail.start()]}{new}"
    texts = list(texts)
    if not names_value(old) and stands_before_value(old, new, texts):
        raise OrderUnclear("name_of_value", text=old)
    if not names_value(old) or names_value(new):
        return old, new
    kind = next((form for form in _FIGURES if re.fullmatch(form, new)), "")
    found = {
        match[0]
        for text in texts
        if kind
        for match in re.finditer(rf"{re.escape(old)}\s*(?:[:：为是达到]*)\s*({kind})", text)
    }
    if len(found) == 1:
        whole = found.pop()
        value = re.search(rf"{kind}$", whole)
        if value is not None:
            return whole, f"{whole[: value.start()]}{new}"
    raise OrderUnclear("name_of_value", text=old)
