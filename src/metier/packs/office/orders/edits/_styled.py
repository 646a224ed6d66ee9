"""Edits of how lines look: bold, colours, lists, headings; and comments on lines."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._leftovers import find_rest
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import PieceSpan
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit
from metier.packs.office.orders.edits._names import find_line, find_lines
from metier.packs.office.orders.edits._remarks import DECIMAL_TOO
from metier.packs.office.orders.edits._runs import find_run

__all__ = ["STYLE_RULES"]

_LETTERS: Final = frozenset({"bold", "italic", "underline", "strike", "color", "fill", "size", "font"})
_LOOK_EN: Final = (
    r"(?:in |to )?(?:bold|italics?|underlined|(?:dark |light )?(?:red|blue|green|yellow|orange|purple|gr[ae]y|"
    r"pink)|highlighted)\b.*"
)
_LOOKED: Final = (
    re.compile(
        rf"(?:make|put|set|turn|have|print|show|mark|get|colou?r|highlight) (?P<it>.+?) (?P<look>{_LOOK_EN})",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<it>.+?) (?:should|must|needs to|has to) be (?P<look>{_LOOK_EN})", re.IGNORECASE),
    re.compile(r"(?P<look>bold|embolden|italici[sz]e|underline|highlight)(?:\s*:| )\s*(?P<it>.+)", re.IGNORECASE),
    re.compile(r"(?P<look>(?:[^:\"]{0,6}?)(?:加粗|加黑|斜体|下划线|标.色?|高亮|.色))\s*:\s*(?P<it>.+)"),
    re.compile(
        r"(?:把|将|给)?(?P<it>.+?)(?:都|全部?|也|给我|要|用|单独)*(?P<look>(?:加粗|变粗|加黑|用?粗体|标|变|"
        r"改|设|调|换|涂|高亮|斜体|加?下划线)[^\":]{0,12})"
    ),
    re.compile(r"(?P<look>加粗|加黑|标红|高亮|标[红黄蓝绿橙]色?)(?P<it>[^:].+)"),
)


def style_lines(call: EditCall, said: str) -> LineEdit | None:
    """Make the No diving line bold; 加粗：禁止饮食; bold alone after a new line is for that."""
    if call.before is not None and call.before.is_new and (made := _style_new(call.before, said)) is not None:
        return made
    text = RequestText(said)
    for form in _LOOKED:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        part = RequestText(found["look"].strip())
        look = take_look(part)
        if not look or find_rest(part) or set(look) - _LETTERS:
            continue
        name = said[found.start("it") : found.end("it")]
        if re.fullmatch(rf"\s*{QUOTED}\s*", found["it"]) and ":" not in text.mask:
            continue  # words in quotation marks may stand in many places
        spans = find_lines(name, call.view)
        if spans and not any(one.is_section or one.sentence for one in spans):
            return _style(call, [piece for one in spans for piece in one.pieces], look)
    return None


def _style_new(before: LineEdit, said: str) -> LineEdit | None:
    """The look of the line that the clause before writes: 加粗, and make it bold."""
    words = next((str(one["text"]) for one in before.steps if "text" in one), "")
    part = RequestText(
        re.sub(
            r"^(?:and |并|再)?(?:make|put|set) (?:it|that|this)(?: line)? (?:in )?|^(?:and |in )|^(?:并|再|"
            r"要|把它|这行|字体)+",
            "",
            said,
            flags=re.IGNORECASE,
        )
    )
    look = take_look(part)
    if not words or not look or find_rest(part) or set(look) - _LETTERS or part.quotes:
        return None
    return LineEdit((step("apply_text_style_to_matches", find_text=words, case_sensitive=True, max_matches=1, **look),))


def _style(call: EditCall, pieces: Sequence[TextPiece], look: dict[str, JsonValue]) -> LineEdit:
    if "fill" in look:
        look["highlight"] = look.pop("fill")
    steps = []
    for one in pieces:
        words = one.text.strip()
        if len(call.view.texts_with(words)) == 1 and one.text.count(words) == 1:
            steps.append(
                step("apply_text_style_to_matches", find_text=words, case_sensitive=True, max_matches=1, **look)
            )
        else:
            steps.append(step("apply_paragraph_style", addresses=[one.address], **look))
    return LineEdit(tuple(steps), tuple(pieces))


_BULLETS: Final = (
    r"bullet(?:ed)?[- ]?(?:point)?s?(?: list| points)?|list of bullets|(?:带)?(?:圆点|小圆点|黑点|项目符号|点)"
    r"(?:的)?(?:列表|清单)?"
)
_NUMBERS: Final = (
    r"number(?:ed)?(?: list| points)?|(?:带)?(?:编号)?(?:(?:(?P<han>一二三|一、二、三)|(?:数字)?1 ?[、,]?2 "
    r"?[、,]?3)(?:那种|这样|式)?的?)?(?:数字|自动)?(?:编号|序号|数字)(?:的)?(?:列表|清单)?"
)
_INTO_LIST: Final = (
    re.compile(
        r"(?:turn|make|convert|format|change|set|put|show|display|do) (?P<it>.+?)(?: lines?| items?)? "
        rf"(?:(?:in)?to |as |a (?=bullet|number|list)|like )?(?:an? )?(?:(?P<bullet>{_BULLETS})|"
        rf"(?P<number>{_NUMBERS}))",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<it>.+?) (?:should|must|need to|have to) be(?:come)? (?:an? )?(?:(?P<bullet>{_BULLETS})|"
        rf"(?P<number>{_NUMBERS}))",
        re.IGNORECASE,
    ),
    re.compile(r"(?:(?P<number>number)|(?P<bullet>bullet)) (?P<it>.+)", re.IGNORECASE),
    re.compile(
        r"(?:把|将|给)?(?:这个)?(?P<it>.+?)(?:都|全部?|要|给我|统一)*(?:弄|做|改|变|设|转|排|列|调|换|搞|加|"
        rf"标)(?:成|为|上|置为|换成)?(?:一个)?(?:(?P<bullet>{_BULLETS})|(?P<number>{_NUMBERS}))"
    ),
)


def list_lines(call: EditCall, said: str) -> LineEdit | None:
    """Turn the four lines from “A” to “B” into a numbered list; 帐篷、睡袋这两行弄成带圆点的列表."""
    text = RequestText(said)
    for form in _INTO_LIST:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        pieces = find_run(said[found.start("it") : found.end("it")], call.view)
        if pieces is None or len(pieces) < 2:
            continue
        if found.groupdict().get("han") and not DECIMAL_TOO.search(call.message):
            raise OrderUnclear("part", part=found["number"])
        kind = "bullet" if found["bullet"] else "number"
        addresses: list[JsonValue] = [one.address for one in pieces]
        return LineEdit((step("apply_paragraph_style", addresses=addresses, list=kind),), tuple(pieces))
    return None


_HEADING: Final = (
    re.compile(
        r"(?:turn|make|set|format|style|mark|use|convert|change) (?P<it>.+?) (?:(?:in)?to |as )?(?:an? |the "
        r")?(?:level[- ](?P<level>\d) |main |new )?(?P<sub>sub)?-?(?:heading|headline)(?: (?P<last>\d))?",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<it>.+?) should be (?:an? |the )?(?P<sub>sub)?-?heading", re.IGNORECASE),
    re.compile(
        r"(?:把|将)?(?P<it>.+?)(?:做|变|改|设|弄|转|调|升|当|作)(?:置|换)?(?:成|为|作)(?:一个)"
        r"?(?:(?P<level>[一二三四1-4])级)?(?P<sub>小|副|子)?(?:大)?标题(?P<last>[1-4])?(?:样式|格式)?"
    ),
)


def head_lines(call: EditCall, said: str) -> LineEdit | None:
    """把“联系方式”做成标题; make the line Opening hours a heading."""
    text = RequestText(said)
    for form in _HEADING:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        spans = find_lines(said[found.start("it") : found.end("it")], call.view)
        if not spans or any(one.sentence for one in spans):
            continue
        groups = found.groupdict()
        number = groups.get("level") or groups.get("last") or ""
        level = "一二三四1234".index(number) % 4 + 1 if number in set("一二三四1234") else 2 if groups["sub"] else 0
        pieces = (
            [one.pieces[0] for one in spans]
            if any(one.is_section for one in spans)
            else [p for one in spans for p in one.pieces]
        )
        known = [one.level for one in call.view.headings if one.level and "title" not in one.style.lower()]
        addresses: list[JsonValue] = [one.address for one in pieces]
        made = step("apply_paragraph_style", addresses=addresses, heading=level or min(known, default=1))
        return LineEdit((made,), tuple(pieces))
    return None


_ADD: Final = r"(?:添加|新增|增加|加上|加入|加|插入|插|补|写上|写|附上|附|留|做)(?:上|入|个)?"
_NOTE: Final = r"(?:一)?(?:个|条)?批注"
_COMMENTED: Final = (
    re.compile(
        r"(?:add|attach|put|leave|insert|make|place) (?:an? )?(?:comment|note|remark)(?: saying| reading)"
        rf"?:?\s*(?P<words>{QUOTED}) (?:to|on|at|for|beside|next to) (?P<it>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:add|attach|put|leave|insert|make|place) (?:an? )?(?:comment|note|remark) (?:to|on|at|for|"
        r"beside|next to) (?P<it>.+?)(?:,? (?:saying|that says|reading|which says|with(?: the text)?)|:)"
        rf"\s*(?P<words>{QUOTED})",
        re.IGNORECASE,
    ),
    re.compile(rf"comment on (?P<it>.+?)(?: with|,? saying|:)\s*(?P<words>{QUOTED})", re.IGNORECASE),
    re.compile(
        rf"(?:请)?(?:给|在|对|为|就)?(?P<it>{QUOTED}[^\":,]*?|[^\":,]+?)(?:处|上面?|旁边?|那里|后面|后)"
        rf"?(?:{_ADD})?{_NOTE}(?:[,，:]|写上|写明|写|内容|是|说|为|注明|\s)*(?P<words>{QUOTED})"
    ),
)


def comment_line(call: EditCall, said: str) -> LineEdit | None:
    """Attach a comment to the sentence about Thermex saying “…”; 给“…”这一段加一条批注：“…”."""
    text = RequestText(said)
    for form in _COMMENTED:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        span = find_line(said[found.start("it") : found.end("it")], call.view)
        if span is None or len(span.pieces) != 1:
            continue
        return _comment(span, text.text_of(*found.span("words")))
    return None


def _comment(span: PieceSpan, words: str) -> LineEdit:
    made = step("add_comment", text=words, anchor_text=span.sentence or None, address=span.pieces[0].address)
    return LineEdit((made,), span.pieces)


STYLE_RULES: Final[tuple[EditRule, ...]] = (list_lines, head_lines, style_lines, comment_line)
