"""Orders for places to sign: for one person, for the parties of a contract, or two side by side."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, step, take_text
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import read_parties

__all__ = ["take_closing", "take_signatures"]

# A contract is signed off by its parties; how a letter is signed off must be said.
_SIGN_OFF: Final = (
    rf"(?:{ADD})(?:上|好)?(?:一?[个块处])?(?:甲乙)?(?:双方)?的?落款|\b(?:sign-?off|signatures?)(?: block)?\b"
)
_BOTH: Final = (
    r"(?:甲乙)?(?:双方|各方|两方|甲乙方)|\b(?:for )?(?:both|all|the two) (?:the )?(?:parties|sides)\b|\btwo\b"
)
_END_PLACE: Final = r"(?:在|到|于)?(?:全文|文章|文档|通知|正文)?的?(?:最后面?|末尾|结尾|文末|最末|最下面)(?:再)?"
_NEVER: Final = r"(?!)"


def take_signatures(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Places to sign for the parties of a contract, or for one person."""
    if (
        context.reading.kind not in ("docx", "text")
        or not text.take(
            rf"(?:{ADD}|留出?|弄|做|预留|空出|设|放|来|准备)(?:上|出|好)?(?:一?[个块处])?(?:给)?(?:甲乙)?(?:双方|"
            rf"各方|甲乙方|两方|大家)?的?(?:签字|签名|签章|盖章|签署|落款)(?:[、和及]?(?:签字|签名|签章|盖章|"
            rf"日期))*"
            rf"的?(?:栏|处|区|地方|位置|页|部分|空间|空|区域)|(?:签字|签名|签章|盖章)(?:[、和及]?(?:签字|签名|签章|"
            rf"盖章|日期))*(?:栏|处|区)|"
            rf"{_SIGN_OFF if read_parties(context) else _NEVER}|"
            r"\b(?:signature|signing) (?:block|lines?|section|area|page|fields?|space)s?\b|\b(?:space|room|lines?|"
            r"place|somewhere) "
            r"(?:for (?:both |the |all )?(?:part(?:y|ies)|sides) )?(?:to sign|for (?:the |both |an? )?signatures?)\b"
        )
        or text.has(DELETE)
    ):
        return None
    if (pair := _take_two_lines(context, text)) is not None:
        return pair
    both = re.search(_BOTH, text.raw, re.IGNORECASE) is not None
    said = () if both else tuple(dict.fromkeys(re.findall(r"[甲乙丙丁]方", text.raw)))
    names = read_parties(context) or said
    text.take_all(_BOTH)
    text.take_all(
        rf"{ADD}|留出?|预留|(?:在|到|于)?(?:这份|这个|本)?(?:合同|文档|文章|通知|全文|正文|文件|报告|协议|"
        rf"页面?)?(?:的)?(?:最后面?|末尾|结尾|文末|最末|尾部|最下面|后面)(?:处)?|"
        r"带上?|包括|[甲乙丙丁]方|落款|(?:和)?(?:签字|签名|签署|签订)?(?:日期|时间)|盖章|签字|签名|[,，、]|"
        r"\b(?:at the (?:very )?(?:end|bottom)"
        r"(?: of (?:the|this) (?:document|file|contract|agreement|letter|report|page|text))?|"
        r"with|dates?|names?|parties|sides|to sign|lines?|leave|make)\b"
    )
    if not names:
        names = choose(context.language, zh=("甲方", "乙方"), en=("Party A", "Party B")) if both else ("",)
    heads = choose(
        context.language,
        zh=("（盖章）：", "法定代表人或授权代表（签字）：", "日期：　　　　年　　月　　日"),
        en=(" (seal):", "Authorised representative (signature):", "Date:"),
    )
    single = choose(context.language, zh=("签字：", "日期：　　　　年　　月　　日"), en=("Signature:", "Date:"))
    data: list[JsonValue] = (
        [[f"{name}{heads[0]}" for name in names], [heads[1]] * len(names), [heads[2]] * len(names)]
        if names[0]
        else [[one] for one in single]
    )
    return [
        step("set_selection", anchor="end_of_document"),
        step("insert_table", rows=len(data), cols=len(names), data=data, borders=False, header=False),
    ]


_CLOSING: Final = (
    rf"(?:{ADD}|写|署)?(?:上|好)?(?:一?[个处])?落款|"
    r"\b(?:(?:add|put|write|insert) )?(?:an? |the )?(?:sign-?off|closing)(?= ?(?:[:\ufffc]|$|with))"
)


# A place beside the signature that is there: 落款“业委会”上面再加一行.
_BESIDE_CLOSING: Final = r"落款\s*\"[^\"]*\"\s*的?(?:上|下|前|后|之前|之后|旁)"


def take_closing(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Who signs a notice and its date, at the right below the text: 加落款：行政部，2026年5月1日."""
    if (
        context.reading.kind not in ("docx", "text")
        or not text.has(rf"^\s*(?:{_END_PLACE})?(?:{_CLOSING})")
        or text.has(rf"{DELETE}|改|换|靠|居|对齐")
        or re.search(_BESIDE_CLOSING, text.mask)
    ):
        return None
    told = re.search(r"落款(?:写上?|是|为|用)\s*(?P<it>[^:\"]+)$", text.mask)
    words = take_text(text) if told is None else text.raw[told.start("it") :]
    if told is not None:
        text.consume(*told.span("it"))
    text.take(_CLOSING)
    text.take_all(rf"{_END_PLACE}|写|是|为|[,，]|\bwith\b")
    lines = [one.strip() for one in re.split(r"[,，、;；\n]\s*", words) if one.strip()] if words else []
    if not lines:
        raise OrderUnclear("who_signs")
    return [
        step("set_selection", anchor="end_of_document"),
        step("insert_text", text="\n".join(lines), new_paragraph_before=True),
        step("set_paragraph_format", apply_to_selection=True, alignment="right"),
    ]


def _take_two_lines(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """One line with a place at the left and one at the right: 左边家长签名，右边日期."""
    found = text.take(
        r"[,，]?\s*左(?:边|侧|面)?(?:是|写|放|为)?(?P<left>[\u4e00-\u9fff]{2,10}?)(?:栏|处)?[,，、和]?\s*右(?:边|"
        r"侧|面)?(?:是|写|放|"
        r"为)?(?P<right>[\u4e00-\u9fff]{2,10}?)(?:栏|处)?(?=$|[,，。])|"
        r"[,;]?\s*(?:with )?(?P<l>[A-Za-z' ]{3,30}?) on the left(?:,|"
        r" and)+ (?:the )?(?P<r>[A-Za-z' ]{3,30}?) on the right"
    )
    if found is None:
        return None
    text.take_all(
        rf"(?:都|各)?(?:要|得)?(?:有|带|画|留)?(?:一条)?(?:下划|横)线|{ADD}|留出?|弄|预留|(?:在|到|于)?(?:全文|"
        rf"文章|文档|通知)?(?:的)?(?:最后面?|末尾|结尾|"
        rf"文末|最末|最下面)|[,，、]|"
        r"\b(?:at the (?:very )?(?:end|bottom)"
        r"(?: of the (?:document|file|contract|letter|notice|page|text|form))?|both|with|a|"
        r"rules?|lines?|underlines?|to sign|on)\b"
    )
    names = [text.raw[slice(*found.span(one))].strip() for one in (("left", "right") if found["left"] else ("l", "r"))]
    mark = choose(context.language, zh="：", en=": ")
    data: list[JsonValue] = [[f"{one[:1].upper()}{one[1:]}{mark}{'_' * 16}" for one in names]]
    return [
        step("set_selection", anchor="end_of_document"),
        step("insert_table", rows=1, cols=2, data=data, borders=False, header=False),
    ]
