"""Edits that write a new line: after or before one that is named, as the first or the last of the document."""

import re
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._leftovers import find_rest
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import DocumentView, PieceSpan
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._moved import is_after
from metier.packs.office.orders.edits._names import UNIT_EN, UNIT_ZH, find_line

__all__ = ["INSERT_RULES", "style_new"]

_VERB: Final = (
    r"(?:添加|新增加?|增加|增添|加上|加入|加写|加|插入|插|补充|补上|补写|补|追加|写[上明清下]|写|注明|标明|放上|放|"
    r"\b(?:add|insert|append|put|write|include|stick|pop|place|type|slip|squeeze)\b(?: in\b)?)(?:上|入|个)?"
)
_SIDE_EN: Final = (
    r"(?:directly |right |straight |immediately |just )?\b(?P<side>after|below|under|underneath|beneath|"
    r"following|behind|before|above|ahead of|in front of)\b"
)
_PLACE: Final = (
    re.compile(
        rf"{_SIDE_EN} (?P<place>(?:the )?(?:{UNIT_EN} )?(?:(?:that |which )?(?:starts|begins|starting|"
        rf"beginning) with )?{QUOTED}(?: {UNIT_EN})?)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:在|于|紧接)?(?P<place>(?:这个|那个|这|那)?(?:{UNIT_ZH})?{QUOTED}(?:开头)?的?(?:这|那)?一?(?:个|"
        rf"条)?(?:{UNIT_ZH})?)的?(?:紧|正)?"
        r"(?P<side>后面|后边|之后|以后|下面|下方|之下|下一行|前面|前边|之前|以前|上面|上方|之上|后|前)(?:再|"
        r"紧接着|另起一段|另起一行|单独|接着)*"
    ),
    re.compile(
        rf"{_SIDE_EN} (?P<place>(?!\")[^\":,{CONSUMED}]+?)(?=\s*(?:[,:{CONSUMED}]|$| \b(?:add|insert|put|"
        r"write|append)\b))",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:在)(?P<place>[^\":,{CONSUMED}]+?)的?(?P<side>后面|后边|之后|以后|下面|下方|前面|前边|之前|"
        rf"以前|上面|上方)(?:再|另起一段|另起一行|单独)*(?={_VERB})"
    ),
)
_OF_ALL: Final = r"(?: of (?:the|this|my|our) (?:\w+ )?(?:document|doc|page|file|letter|text|whole thing|thing))?"
_LINE: Final = r"(?:line|paragraph|sentence)"
_ALL_ZH: Final = r"(?:在|到|于)?(?:整个|这个|这份|整份)?(?:文档|全文|文章|文件|通知|全篇|文)?的?"
_END: Final = (
    rf"\b(?:right )?(?:at|on|to|onto|in) the (?:very )?(?:end|bottom){_OF_ALL}|\b(?:end|bottom) of (?:the )?document\b|"
    rf"\b(?:as )?(?:an? |the )?(?:new |very |bold )*(?:last|final|closing|bottom) {_LINE}\b|"
    rf"{_ALL_ZH}(?:最后面|最后头|最末尾?|最下面|最下边|最后一行|最后|末尾|结尾|末端|底部|尾部|文末)(?:处|面)"
    r"?(?:再|另起一行|另起一段)*"
)
_START: Final = (
    rf"\b(?:right )?(?:at|on|to|onto|in) the (?:very )?(?:top|start|beginning){_OF_ALL}|\btop of (?:the )?document\b|"
    rf"\b(?:as )?(?:an? |the )?(?:new |very |bold )*(?:first|opening|top) {_LINE}\b|"
    rf"{_ALL_ZH}(?:最前面|最前头|最上面|最上边|最上方|最顶上|最开头|第一行|开头|顶部|顶端|文首)(?:处)?(?:再|"
    r"另起一行|另起一段)*"
)
_LOOSE_START: Final = re.compile(r"(?<!最)开头|\b(?:start|beginning)\b", re.IGNORECASE)
_UNIT: Final = (
    r"\b(?:an? |one |another |the )?(?:new |extra |short |further |following |bold |single )*(?P<en>line|"
    r"sentence|paragraph|note|remark)(?: of text)?\b|"
    r"(?:一|1)?(?:个|小)?(?:新的?)?(?:加粗的?)?(?:一)?(?P<zh>段落|段话|段文字|段|句话|句|行字|行文字|行|条)"
    r"(?:话|文字|内容)?"
)
_SAYING: Final = (
    r"\b(?:saying|reading|that (?:says|reads)|which (?:says|reads)|with(?: the (?:text|words))?)\b|内容(?:是|为)"
    r"|写着?|[:,，]"
)
# What a line begins with that has a label of its own: 写上负责人：王建国.
_LABEL: Final = re.compile(
    r"(?:写[上明下]?|加上?|添加|补充?|注明|附上?)(?P<label>(?!一|内容|文字|几|两|以下|如下)[\u4e00-\u9fff]{0,4}"
    r"(?:人|方|电话|手机|地址|单位|部门|编号|邮箱|网址|日期|时间|版本))$"
)
_OWN_LINE: Final = re.compile(r"[上下]|under|below|beneath|above", re.IGNORECASE)
_TAIL: Final = re.compile(
    r"(?:\s+[-–—]+\s*|\s*[,，]\s*|\s*[（(])(?P<look>(?:in |make it |all )?[^-–—,，:：()（）]{2,16}?)[)）]?$",
    re.IGNORECASE,
)
_NEW_LOOKS: Final = frozenset({"bold", "italic", "underline", "color", "size", "font"})


@dataclass(frozen=True, slots=True)
class _NewLine:
    words: str
    is_open: bool
    look: dict[str, JsonValue]


def insert_line(call: EditCall, said: str) -> LineEdit | None:
    """After “A” insert “B”; 文末加一行：B; “B” as a new last line, in bold."""
    text = RequestText(said)
    if not re.search(_VERB, text.mask, re.IGNORECASE) and ":" not in text.mask:
        return None
    if text.has(
        r"批注|注释|页眉|页脚|表格|图|标题\s*(?:\"|:)|\b(?:comments?|header|footer|table|chart|heading|row|"
        r"column|bullet)\b"
    ):
        return None
    colon = _take_colon(text)
    beside = _take_beside(call, text)
    is_loose = _LOOSE_START.search(text.mask) is not None
    ends = bool(text.take_all(_END))
    starts = not ends and bool(text.take_all(_START))
    new = colon or _take_quoted(text)
    if new is None or not (beside or ends or starts):
        return None
    has_verb = bool(text.take(_VERB)) or ends or starts
    unit = text.take(_UNIT)
    look = {**new.look, **take_look(text)}
    text.take_all(_SAYING)
    if not has_verb or find_rest(text) or set(look) - _NEW_LOOKS or "\n" in new.words:
        return None
    if starts and not beside and is_loose and (unit is None or re.search(r"段|句|para|sent", unit[0])):
        return None  # the text may belong below the title
    if new.is_open and _ends_with_mark(call):
        new = replace(new, words=f"{new.words}{call.mark}")
    steps = _place(
        call.view, new.words, beside, "end" if ends else "start" if starts else "", has_unit=unit is not None
    )
    if steps is None:
        return None
    return LineEdit((*steps, *style_new(call.view, new.words, look)), is_open=new.is_open, is_new=True)


def _ends_with_mark(call: EditCall) -> bool:
    """Whether the mark behind the clause belongs to its text: most lines of the document end with one."""
    texts = [one.text.strip() for one in call.view.filled[1:]]
    return bool(call.mark) and 2 * sum(one.endswith(call.mark) for one in texts) > len(texts)


def _take_colon(text: RequestText) -> _NewLine | None:
    """What stands after a colon: a quotation, or all of the rest with a look at its end."""
    found = re.search(r":\s*(?=\S)", text.mask)
    if found is None:
        return None
    rest = text.mask[found.end() :]
    if re.match(QUOTED, rest):
        quote = next(one for one in text.quotes if one.start - 1 == found.end())
        text.consume(found.start(), quote.end + 1)
        return _NewLine(quote.text, False, {})
    label = _LABEL.search(text.mask[: found.start()])
    start = label.start("label") if label else found.start()
    words, look = text.raw[start if label else found.end() :].strip(), {}
    if tail := _TAIL.search(words):
        part = RequestText(tail["look"])
        look = take_look(part)
        if look and not find_rest(part):
            words = words[: tail.start()].strip()
        else:
            look = {}
    text.consume(start, len(text.mask))
    return _NewLine(words, not look, look) if words else None


def _take_quoted(text: RequestText) -> _NewLine | None:
    quotes = list(text.left_quotes())
    if len(quotes) != 1:
        return None
    return _NewLine(text.take_any_quote(), False, {})


def _take_beside(call: EditCall, text: RequestText) -> tuple[PieceSpan, bool, bool] | None:
    """The line beside which the new one is to stand, whether it comes after it, and whether on a line of its own."""
    for form in _PLACE:
        if (found := form.search(text.mask)) is None:
            continue
        span = find_line(text.raw[found.start("place") : found.end("place")], call.view)
        if span is None or len(span.pieces) != 1:
            continue
        text.consume(*found.span())
        return span, is_after(found["side"]), _OWN_LINE.search(found["side"]) is not None
    return None


def _place(
    view: DocumentView, words: str, beside: tuple[PieceSpan, bool, bool] | None, edge: str, *, has_unit: bool
) -> list[JsonObject] | None:
    """The step that writes the line; None if its places contradict each other or are not whole lines."""
    if beside is not None and edge:
        is_edge = beside[0].pieces[0] is view.filled[-1] if edge == "end" else beside[0].pieces[0] is view.filled[0]
        if not is_edge or beside[1] != (edge == "end"):
            raise OrderUnclear("no_place")
    elif edge == "end":
        return [
            step("set_selection", anchor="end_of_document"),
            step("insert_text", text=words, new_paragraph_before=True),
        ]
    elif edge == "start":
        if not view.filled or view.blocks[0] not in {one.address for one in view.pieces}:
            return None
        beside = PieceSpan((view.filled[0],)), False, True
    if beside is None:
        return None
    span, after, is_own_line = beside
    piece = span.pieces[0]
    if span.sentence:
        return None  # within a line: the rules for words know more of them
    if not has_unit and not is_own_line and not edge and not _is_sentence(words, piece.text):
        return None
    op, mark = ("insert_after_text", "new_paragraph_before") if after else ("insert_before_text", "new_paragraph_after")
    return [step(op, anchor_text=piece.text.strip(), text=words, address=piece.address, **{mark: True})]


def _is_sentence(words: str, beside: str) -> bool:
    """Whether words are a line as the one beside them is: both end with the mark of a sentence."""
    return all(re.search(r"[。.!！?？;；:：]$", one.strip()) for one in (words, beside))


def style_new(view: DocumentView, words: str, look: dict[str, JsonValue]) -> list[JsonObject]:
    """Steps for the look of a new line; asked if its words stand elsewhere, which would get the look as well."""
    if not look:
        return []
    if view.texts_with(words):
        raise OrderUnclear("no_place")
    return [step("apply_text_style_to_matches", find_text=words, case_sensitive=True, max_matches=1, **look)]


INSERT_RULES: Final[tuple[EditRule, ...]] = (insert_line,)
