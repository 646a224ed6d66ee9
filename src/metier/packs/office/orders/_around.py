"""Orders for all kinds of files: header, footer and page numbers, filling a template."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["AROUND_RULES"]

_ALIGN: Final = (("center", (
    r"居中|中间|正中|\bcent(?:er|re)(?:ed)?\b|"
    r"\bin the middle\b"
)), ("left", r"居左|靠左|左(?:侧|边|对齐|下角)|\bleft(?:[- ]aligned)?\b"), ("right", (
    r"居右|靠右|右(?:侧|边|对齐|下角|上角)|"
    r"\b(?:right(?:[- ]aligned)?)\b"
)))  # fmt: skip
_HEADER: Final = r"页眉|\b(?:page )?headers?\b(?! row)"
_FOOTER: Final = r"页脚|\b(?:page )?footers?\b"


def _page_numbers(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    del context
    if not text.take(
        r"页码|页号|\bpage numbers?\b|\bpage numbering\b|\bnumber the pages\b|\bslide numbers?\b|幻灯片编号"
    ):
        return None
    if text.has(DELETE):
        return None
    kind = "plain"
    if text.take(
        r"[“\"「]?第\s*[xXnN1一]?\s*页\s*[,，/]?\s*共\s*[xXyYnN]?\s*页[”\"」]?|\bpage x of y\b|共几页|"
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
    alignment = _take_alignment(text) or "center"
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
        )
    ]


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
    alignment = _take_alignment(text)
    words = text.take_any_quote()
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
    text.take_all(
        rf"{_HEADER}|{_FOOTER}|{ADD}|(?:公司|单位|学校|部门|项目|文件|我们)(?:的)?(?:名字|名称|全称|名)?|要有|统一|"
        rf"改成|改为|设为|设置为|换成|填上?|内容|[:,，]|写|(?:在|到)?每一?页|"
        rf"各页|\b(?:saying|every|each|pages?|aligned|that says)\b"
    )
    return [step(op, text=words, alignment=alignment)]


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
