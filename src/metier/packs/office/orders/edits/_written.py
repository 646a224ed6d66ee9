"""What the steps of an order must not write: another order, or the name of what something is to become."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._clauses import VERBS
from metier.packs.office.orders._context import DEFAULT_SCOPE
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["check_pieces", "check_written", "is_unsettled"]

_SENTENCE_END: Final = re.compile(r"[。；;\n!！?？]+\s*|(?<=[\w)\"'”’])\.\s+|(?<=[.!?。！？][\"”」])\s*")
# What must stay says nothing that could stand in a text of its own.
_STAYS: Final = re.compile(
    r"(?:但是?)?(?:其[他它余]|别的|剩下|余下)\S{0,5}?(?:不动|不变|别动|不要动|不用动|不用管|别管|不要管|"
    r"别改|不改|不要改|原样|照旧|保持不变|保持原样)\S{0,3}|"
    r"(?:please )?(?:leave|keep) (?:the )?(?:rest|others|everything else)\b.{0,24}|(?:the )?(?:rest|"
    r"everything else) (?:stays?|as is|remains).{0,16}|"
    r"nothing else.{0,16}|(?:don['’]?t|do not) (?:touch|change) anything else",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(
    r"(?:另外|还有|同时|顺便|并且|此外|也请|再把|再将)|(?:also|and also|then|plus|and then|in addition)\b",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    rf"{VERBS.pattern}|\\b(?:becomes?|should (?:be|read|say)|is now|are now)\\b|应该?是|应为", re.IGNORECASE
)
_LAST_STAYS: Final = re.compile(rf"[,，]\s*(?:{_STAYS.pattern})[。.!！]?$", re.IGNORECASE)
_ROLE: Final = (
    r"(?:(?:[一二三四1-4]级|大|小|副|主)?标题|正文|引用|引文|(?:编号|项目符号|带圆点的?)?(?:列表|清单)|表格|"
    r"批注|脚注|页眉|页脚)(?:样式|格式)?"
    r"|(?:an? |the )?(?:level[- ]\d )?(?:sub-?)?(?:heading|headline|title|quote|quotation|table|footnote|"
    r"(?:bullet(?:ed)? |numbered )?list)(?: \d)?"
)
_BECOMES: Final = re.compile(
    r"(?:(?:变|做|改|弄|换|转|设|搞|整|调)(?:换|置)?(?:成|为|作)(?:一个)?|\b(?:into|to|as) ?)"
    rf"\s*(?P<role>{_ROLE})\s*(?:吧|呗|啊|了|please)*\s*(?=$|[,，。.;；!！?？])",
    re.IGNORECASE,
)
# What makes a value depend on something, or leaves open which one it is.
_UNSETTLED: Final = re.compile(
    r"\b(?:if|unless|provided|maybe|perhaps|possibly|probably|either|or|not|instead|depending)\b|如果|要是|"
    r"假如|除非|可能|也许|大概|或者?(?!许)|不是|暂定|看情况",
    re.IGNORECASE,
)
_DEPENDS: Final = re.compile(r"(?<=\S )(?:if|unless|provided that)\b|(?:如果|要是|假如|除非).", re.IGNORECASE)
_CHOICE: Final = re.compile(r"[^,，]或者?[^许]|还是|\b(?:or|either|maybe|perhaps)\b", re.IGNORECASE)
_NUMBER: Final = r"\d[\d,.]*|[零一二两三四五六七八九十百千万]+"
_COUNTED: Final = re.compile(rf"(?:{_NUMBER})\s*(?P<unit>[A-Za-z]{{1,12}}|[\u4e00-\u9fff]{{0,3}})")
# An order about a line that has a name: 费用改成400元, “change the fee to 40”.
_NAMED_ORDER: Final = re.compile(
    r"[,，;；。.]\s*(?:and |then )?(?:(?:把|将)?(?P<zh>[\u4e00-\u9fff]{1,8}?)"
    r"(?:[这那]?一?[行栏条项])?(?:也|都)?(?:改成|改为|换成|更新为|"
    r"删掉|删除|去掉)|"
    r"(?:change|set|update|delete|remove|drop) (?:the )?(?P<en>[A-Za-z ]{2,20}?)(?: line)?(?= to\b|[,.;]|$))",
    re.IGNORECASE,
)
# A second pair in a value: “13k and the contact to Kim”.
_NEXT_PAIR: Final = re.compile(
    r"(?:,|\band)\s+(?:the |our |its |their |his |her )?(?P<name>[A-Za-z][\w -]{1,24}?)(?:'s)? "
    r"(?:to|should be|becomes) (?=\S)",
    re.IGNORECASE,
)
_NEXT_NUMBER: Final = re.compile(r"(?<=\S)(?:,|\s+and)\s+[£$€]?\d[\d,.]*%? to [£$€]?\d", re.IGNORECASE)
# Where a text is to go, or how it is to look, behind its last sign: it is no part of the text.
_PLACE_TAIL: Final = re.compile(
    r"[,，;；。]\s*(?P<it>(?:并|请|要)?(?:放|排|插|加|摆|列)(?:在|到|成)?(?:最|第|开头|末尾|结尾|前|后)[^,，。;；]{0,6}|"
    r"(?:as|at|on|in|to) the (?:very )?(?:first|second|third|last|top|bottom|beginning|end|start)(?: one| point| line| "
    r"place| position| bullet)?)\s*[。.!！]?$",
    re.IGNORECASE,
)
_FOR_ALL: Final = re.compile(
    r"全部|所有|每|全文|整个|各页|统一|\b(?:all|every|each|whole|entire|throughout)\b", re.IGNORECASE
)
_AT_END: Final = re.compile(
    r"最后|末尾|结尾|文末|最末|尾部|最下面|\b(?:end|bottom|last|clos(?:e|ing)|final(?:ly)?)\b", re.IGNORECASE
)
_WRITES: Final = ("text", "replace_text", "title")


def check_written(said: str, steps: Sequence[JsonObject], texts: Iterable[str]) -> None:
    """Ask where a text that is to be written holds an order, or is only what something is to become."""
    request = RequestText(said)
    quoted = {one.text for one in request.quotes}
    written = [value for value in _list_written(steps) if value not in quoted]
    texts = list(texts)
    known = texts if any(re.search(r"[“\"「]", one) for one in written) else []
    for one in written:
        if part := _find_order(one, known) or _find_named(one, texts):
            raise OrderUnclear("part", part=part[:60])
    for step in steps:
        old, new = str(step.get("find_text", "")), str(step.get("replace_text", ""))
        if step["op"] == "replace_text" and new not in quoted and (part := _find_unsure(said, old, new, texts)):
            raise OrderUnclear("part", part=part[:60])
        depends = None if new in quoted or _DEPENDS.search(old) else _DEPENDS.search(new)
        if depends is not None and new[depends.start() :] in said:
            raise OrderUnclear("part", part=new[depends.start() :][:60])
    if found := _BECOMES.search(request.mask):
        role = said[found.start("role") : found.end("role")]
        for step in steps:
            old, new = str(step.get("find_text", "")), str(step.get("replace_text", ""))
            if step["op"] == "replace_text" and role in new and role not in old:
                raise OrderUnclear("part", part=found[0].strip()[:60])


def check_pieces(said: str, steps: Sequence[JsonObject]) -> None:
    """Ask where a look is for lines that were there, though a new piece stands before it, or a piece lost its place.

    最后加一段“…”，段前空一行 is about the new paragraph; 在第二段前面加标题“A”，再加一段“B” puts B behind A.
    """
    added = False
    for step in steps:
        if added and step["op"] == "apply_paragraph_style" and DEFAULT_SCOPE in step:
            raise OrderUnclear("no_place")
        added = added or str(step["op"]).startswith("insert_")
    if any(one["op"] == "add_slide" for one in steps) and not _FOR_ALL.search(said):
        looks = [one for one in steps if one["op"] == "set_slide_text_style" and one.get("apply_to_all")]
        if looks and not any(one.get("placeholder_kind") for one in looks):
            raise OrderUnclear("no_place")  # 加一页“谢谢”，字号60 is about the new slide
    to_end = any(one["op"] == "set_selection" and one.get("anchor") == "end_of_document" for one in steps)
    beside = any(one["op"] in ("set_selection_by_text", "insert_after_text", "insert_before_text") for one in steps)
    if to_end and beside and not _AT_END.search(said):
        raise OrderUnclear("no_place")


def _find_unsure(said: str, old: str, new: str, texts: Iterable[str]) -> str:
    """New words that leave a choice open, cut a longer number, or say only the end of the old ones; empty if none."""
    if new in said and _CHOICE.search(new) and not _CHOICE.search(old):
        return new
    if old not in said and re.search(r"\d$", old):
        places = [line[at.end() :] for line in texts for at in re.finditer(re.escape(old), line)]
        if places and all(re.match(r"[-–/.,:]?\d", one) for one in places):
            return new
    behind = (
        re.match(r"\s+(?:on|onwards?|off|only|each|at most|at least)\s*(?=[,.;!?]|$)", said.partition(new)[2])
        if new
        else None
    )
    if behind is not None:
        return new + behind[0]
    value = _COUNTED.fullmatch(new.strip())
    is_end = (
        value is not None and re.search(rf"\S\s*(?:{_NUMBER})\s*{re.escape(value['unit'])}$", old.strip()) is not None
    )
    return (
        new
        if is_end and value is not None and value["unit"] and old in said and not _COUNTED.fullmatch(old.strip())
        else ""
    )


def is_unsettled(new: str, old: str) -> bool:
    """Whether new words leave open what is to stand there, and the old ones did not."""
    return _UNSETTLED.search(new) is not None and _UNSETTLED.search(old) is None


def _list_written(steps: Iterable[JsonObject]) -> Iterator[str]:
    return (str(one[name]) for one in steps for name in _WRITES if isinstance(one.get(name), str))


def _find_named(text: str, texts: Sequence[str]) -> str:
    """An order of a written text about a line of the document that has the name; empty if there is none."""
    for found in _NAMED_ORDER.finditer(text):
        name = (found["zh"] or found["en"]).lower()
        if any(re.match(rf"\s*{re.escape(name)}\s*[:：]", one.lower()) for one in texts):
            return found[0].strip(" ,，;；。.")
    if number := _NEXT_NUMBER.search(text):
        return text[number.start() :].strip(" ,")
    for found in _NEXT_PAIR.finditer(text):
        name = re.compile(rf"(?<!\w){re.escape(found['name'])}s?(?!\w)", re.IGNORECASE)
        if any(name.search(one) for one in texts):
            return text[found.start() :].strip(" ,")
    return ""


def _find_order(text: str, known: Sequence[str]) -> str:
    """A later sentence of a text that orders something or says what must stay; empty if there is none."""
    if found := _LAST_STAYS.search(text):
        return found[0].strip(" ,，")
    if found := _PLACE_TAIL.search(text):
        return found["it"]
    if (
        re.search(r"[。；;]", text)
        and (tail := re.split(r"[。；;]", text.rstrip("。；; "))[-1].strip())
        and is_look(tail)
    ):
        return tail
    quotes = RequestText(text).quotes
    if quotes and quotes[0].start == 1 and _SENTENCE_END.match(text, quotes[0].end + 1):
        return text[quotes[0].end + 1 :].strip(" 。.;；")  # what is to be written stands in quotation marks
    for one in _SENTENCE_END.split(text)[1:]:
        sentence = one.strip(" 。.!！")
        named = [quote.text for quote in RequestText(sentence).quotes]
        if _STAYS.fullmatch(sentence) or (_ALSO.match(sentence) and _ORDERS.search(sentence)):
            return sentence
        if _ORDERS.search(sentence) and any(quote in line for quote in named for line in known):
            return sentence
    return ""
