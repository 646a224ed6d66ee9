"""Orders for all kinds of files: header, footer and page numbers, filling a template."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, step
from metier.packs.office.orders._leftovers import find_rest
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["AROUND_RULES"]

_ALIGN: Final = (("center", (
    r"居中|中间|正中|\bcent(?:er|re)(?:ed)?\b|"
    r"\bin the middle\b"
)), ("left", (r"居左|靠左|左(?:侧|边|对齐|下角|上角)|\b(?:top |bottom )?left(?:[- ](?:aligned|"
             r"hand(?: side)?))?(?: corner)?\b")), ("right", (
    r"居右|靠右|右(?:侧|边|对齐|下角|上角)|"
    r"\b(?:top |bottom )?right(?:[- ](?:aligned|hand(?: side)?))?(?: corner)?\b"
)))  # fmt: skip
_HEADER: Final = r"页眉|\b(?:page )?headers?\b(?! row)"
_FOOTER: Final = r"页脚|\b(?:page )?footers?\b"


def _page_numbers(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(
        r"页码|页号|\bpage numbers?\b|\bpage numbering\b|"
        r"\bnumber (?:all |every )?(?:the |of the )*(?:pages|slides)\b|\bslide numbers?\b|幻灯片编号"
    ):
        return None
    skips = _take_skip(text)
    if text.has(DELETE):
        return None
    kind = "plain"
    if text.take(
        r"[“\"「]?第\s*[xXnN1一几]?\s*页\s*[,，/]?\s*共\s*[xXyYnN几]?\s*页[”\"」]?|\bpage x of y\b|共几页|"
        r"总页数|\bof total\b"
    ) or re.search(r"第.{0,2}页.{0,2}共.{0,2}页", text.raw):
        kind = "of_total"
        text.take_any_quote()
    elif text.take(r"[“\"「]?第\s*[xXnN1一]\s*页[”\"」]?(?:的?(?:格式|形式|样式))?") or re.search(
        r"[“\"「]第.{0,2}页[”\"」]", text.raw
    ):
        kind = "page_n"
        text.take_any_quote()
    elif text.take(r"[-—–]\s*1\s*[-—–]|带?短横线"):
        kind = "dashes"
    position = "header" if text.take(rf"{_HEADER}|页面?(?:顶部|上方|顶端)|\btop\b") else "footer"
    text.take_all(rf"{_FOOTER}|(?:每一?|各)?页面?(?:底部|下方|底端|最下面)|底部|下方|\b(?:at the )?bottom\b")
    start = text.take(r"从(?:第)?(\d+)(?:页)?开始|\bstarting (?:at|from|with) (\d+)")
    said = _take_alignment(text)
    alignment = said or "center"
    is_deck = context.reading.kind == "pptx"
    if is_deck and skips is None and text.has(_EVERY):
        skips = False
    text.take_all(
        rf"{ADD}|(?:那|这)种(?:样子|格式|形式)?|标|打上?|编(?:上|号)?|带上?|要有|都有|得有|有|每一?(?:页|张)|各页|"
        rf"幻灯片|PPT|[,，]|格式|形式|样式|"
        rf"\b(?:pages?|every|each|aligned)\b"
    )
    number = int(start[1] or start[2]) if start else None
    return [
        step(
            "set_page_numbers",
            position=position,
            alignment=alignment,
            format=kind if kind != "plain" else None,
            start=number,
            skip_first=skips,
            place=said if is_deck else None,
        )
    ]


_EVERY: Final = r"(?:每一?|所有|各|全部)(?:的)?(?:页|张|幻灯)|\b(?:every|each|all)\b"
_FIRST: Final = r"(?:首页|封面(?:页|那[页张])?|第一[页张]|标题页|扉页)"
_SKIP: Final = (
    rf"(?:但|除了?|不过)?{_FIRST}(?:上|里)?(?:那[页张])?(?:就|都|的|除外|以外|之外)*(?:不用|不要|别|不|免|没有|无|"
    rf"除外|以外|之外)(?:要|有|加|显示|编|标|打|放|带|"
    rf"写|了|页码|页眉|页脚|算)*|"
    rf"(?:跳过|去掉|不算|不含|不包括|除了|除){_FIRST}(?:外|以外|之外|的)?|从第?(?:二|2)页(?:才)?(?:开始|起)(?:编|"
    rf"算|显示|有|标)*|"
    r"\b(?:but |just |and )?(?:not|none|nothing|never) on (?:the )?(?:first|title|cover|front)(?: page| slide)?\b|"
    r"\b(?:but )?not on (?:page|slide) (?:1|one)\b|"
    r"\b(?:except|excluding|skip(?:ping)?|without|leave out|leaving out|"
    r"apart from)(?: for)?(?: on)? (?:the )?(?:(?:first|title|cover|front)(?: page| slide)?|(?:page|slide) (?:1|"
    r"one))\b|"
    r"\b(?:all|every (?:slide|page)|everywhere) but (?:on )?(?:the )?(?:first|title|cover|front)(?: page| slide|"
    r" one)?\b|"
    r"\bexcept (?:the )?(?:first|title|cover)\b|\bstarting (?:on|from) (?:page|slide) (?:2|two)\b|"
    r"\bfrom the second (?:page|slide)(?: on(?:wards?)?)?\b|"
    r"\b(?:the )?(?:first|title|cover|front) (?:page|slide)? ?(?:should |must )?(?:not have|has no|doesn't (?:need|"
    r"get|have)|needs no|without)(?: (?:one|it|any|a number))?\b"
)


def _take_skip(text: RequestText) -> bool | None:
    """Whether the first page goes without; None if the order says nothing of it."""
    return True if text.take(_SKIP) else None


def _take_alignment(text: RequestText) -> str | None:
    return next((name for name, pattern in _ALIGN if text.take(rf"(?:{pattern})(?:对齐|显示)?")), None)


def _header_footer(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    part = re.search(_HEADER, text.mask, re.IGNORECASE) or re.search(_FOOTER, text.mask, re.IGNORECASE)
    if part is None or text.has(r"页码|\bpage numbers?\b"):
        return None
    if context.reading.kind == "xlsx" and part[0].lower() in ("header", "headers") and not text.has(QUOTED):
        return None
    op = "set_header" if re.fullmatch(_HEADER, part[0], re.IGNORECASE) else "set_footer"
    if text.take(rf"{DELETE}(?:掉)?(?:所有|全部)?的?(?:the )?\s*(?:{_HEADER}|{_FOOTER})(?:里的?(?:内容|文字))?"):
        return [step(op, text="")]
    skips = _take_skip(text)
    words = text.take_any_quote() or _take_apposed(text) or _take_after_colon(text, part)
    look = take_look(text)
    alignment = look.pop("alignment", None) or _take_alignment(text)
    _check_look(look, context.reading.kind)
    if not words:
        start = part.end()
        found = re.search(
            r"\s*(?:里|处|上|中)?\s*(?:的?(?:内容|文字))?\s*(?:写上|写成|写|加上|加|改成|改为|设为|设置为|"
            r"换成|填上|填|放上|放|显示|打上|为|是|:|\b(?:to|saying|reading|"
            r"that says)\b)+\s*(?::)?\s*(?P<it>[^,，。;\ufffc\"]+)",
            text.mask[start:],
            re.IGNORECASE,
        )
        if found is None and (
            found := re.search(
                r"\b(?:put|write|add|set|place)\s+(?P<it>[^,，。;\ufffc\"]+?)\s+(?:in|into|to|as|on) the\s*$",
                text.mask[: part.start()],
                re.IGNORECASE,
            )
        ):
            start = 0
        if found is None:
            raise OrderUnclear("no_text")
        words = text.raw[start + found.start("it") : start + found.end("it")].strip()
        text.consume(start + found.start(), start + found.end())
    is_deck = context.reading.kind == "pptx"
    if is_deck and skips is None and text.has(_EVERY):
        skips = False
    words = re.sub(r"\s+(?:on|at|in|to)(?:\s+the)?\s*$", "", words)
    if _VALUE_NAME.fullmatch(words) or re.search(r"第\s*[xXyYnN几]\s*页|\bpage [xn]\b", words, re.IGNORECASE):
        raise OrderUnclear("no_text")
    text.take_all(
        rf"幻灯片|PPT|\bslides?\b|(?:字体?|文字)?(?:小|大)(?:一?[点些])?(?:字|号)?|\bletters?\b|\bhand side\b|\bside\b|"
        rf"{_HEADER}|{_FOOTER}|{ADD}|(?:公司|单位|学校|部门|项目|文件|我们)(?:的)?(?:名字|名称|全称|名)?|要有|统一|"
        rf"改成|改为|设为|设置为|换成|填上?|内容|[:,，]|写|(?:在|到)?每一?页|"
        rf"(?:给|为)?(?:全文|全篇|整篇|整份)(?:文档|文件)?(?:的|都)?|"
        rf"各页|\b(?:saying|every|each|pages?|aligned|that says)\b"
    )
    place = alignment if is_deck and op == "set_footer" else None
    if context.reading.kind != "pptx" and skips is not None:
        return [step(op, text=words, alignment=alignment, first_page_different=skips, **look)]
    return [step(op, text=words, alignment=alignment, place=place, skip_first=skips, **look)]


# Names of what a header may show; the words themselves are not said.
_VALUE_NAME: Final = re.compile(
    r"(?:今天的?|当前)?(?:日期|时间|页码|(?:公司|单位|学校|部门|项目|文件|文档)(?:的)?(?:名字|名称|全称|名)|标题|"
    r"作者|logo|校徽|图标)|"
    r"(?:the |our |my |today's )?(?:date|time|(?:company|school|file|project|document)(?: name)?|title|author|logo)",
    re.IGNORECASE,
)


def _check_look(look: dict[str, JsonValue], kind: str) -> None:
    if set(look) - {"size", "color", "bold", "italic", "font"} or (look and kind not in ("docx", "text")):
        raise OrderUnclear("no_look")


def _take_apposed(text: RequestText) -> str:
    """A name that is said after what it is: the company name, Harlow & Finch Ltd, in the header."""
    found = re.search(
        r"\b(?:the |our |my )?(?:company|school|firm|office|project|team|document|file)(?:'s)? (?:name|"
        r"title),\s*(?P<it>[^,;\"\ufffc]{2,80}?)\s*,",
        text.mask,
        re.IGNORECASE,
    ) or re.search(
        r"\b(?:the |our |my )?(?:company|school|firm|office|project|"
        r"team)(?:'s)? name,?\s+\(?(?P<it>[A-Z][^,;\"\ufffc()]{2,80}?)\)?(?=\s*(?:,|\bin\b|\bto\b|\bon\b|$))",
        text.mask,
    )
    if found is None:
        return ""
    text.consume(*found.span())
    return text.raw[found.start("it") : found.end("it")].strip()


def _take_after_colon(text: RequestText, part: re.Match[str]) -> str:
    """Words after a colon, without the looks said behind them: in the footer: Oakfield School, centred, 9pt."""
    at = text.mask.find(":")
    if at < part.end():
        return ""
    pieces = [(found.start(), found.end()) for found in re.finditer(r"[^,，;；]+", text.mask[at + 1 :])]
    end = len(pieces)
    while end > 1 and _is_wish(text.raw[at + 1 + pieces[end - 1][0] : at + 1 + pieces[end - 1][1]]):
        end -= 1
    stop = at + 1 + pieces[end - 1][1] if pieces else at
    words = text.raw[at + 1 : stop].strip().strip('“”"')
    text.consume(at, stop)
    return words


def _is_wish(part: str) -> bool:
    rest = RequestText(part.strip(" .。"))
    if re.fullmatch(_SKIP, rest.raw, re.IGNORECASE):
        return True
    return bool(take_look(rest) or _take_alignment(rest)) and not find_rest(rest)


def _fill(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Values for places of a template: 填上甲方：A公司，日期：2024年5月1日."""
    fields = _list_fields(context)
    if not fields or not text.has(r"填|写|替换|\bfill\b"):
        return None
    values: dict[str, JsonValue] = {}
    for name in sorted(fields, key=len, reverse=True):
        found = re.search(
            rf"[“\"「']?{re.escape(name)}[”\"」']?\s*(?:填写?成?为?|写成?|替换为|换成|改成|为|是|:|=|"
            rf"\bwith\b|\bas\b|\bto\b)+\s*(?P<it>{QUOTED}|[^,，。;\n\ufffc\"]+)",
            text.mask if name in text.mask else text.raw,
            re.IGNORECASE,
        )
        if found and "\ufffc" not in text.mask[found.start() : found.end()]:
            values[name] = text.raw[found.start("it") : found.end("it")].strip('“”"「」 ')
            text.consume(*found.span())
    if not values:
        return None
    text.take_all(
        r"填写?(?:一?下)?(?:模板|表格|合同)?|模板|占位符|空白处?|[:,，;；、]|把|按|\b(?:fill in|fill|"
        r"template|with|placeholders?)\b|\{\{|\}\}"
    )
    return [step("fill_template", values=values)]


def _list_fields(context: OrderContext) -> set[str]:
    reading = context.reading
    texts = [one.text for one in reading.pieces]
    texts += [
        str(cell.value)
        for sheet in reading.sheets
        for cell in sheet.cells
        if isinstance(cell.value, str) and "{" in cell.value
    ]
    texts += [one for slide in reading.slides for one in (slide.title, *slide.texts)]
    return {
        found.strip()
        for one in texts
        for pair in re.findall(r"\{\{\s*([^{}]+?)\s*\}\}|\$\{\s*([^{}]+?)\s*\}", one)
        for found in pair
        if found
    }


AROUND_RULES: Final = (_fill, _page_numbers, _header_footer)
