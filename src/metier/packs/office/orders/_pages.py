"""Orders about whole files: page setup and printing, watermark, contents, protection."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, step, take_text
from metier.packs.office.orders._looks import COLOR, read_color_word
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents import take_closing, take_place, take_signatures
from metier.packs.office.orders.workbooks import find_sheet

__all__ = ["PAGE_RULES"]

_UNIT: Final = (
    r"[\s\ufffc,，]*(?:设为|设置为|改成|改为|改到|设成|改|设|调|各|都是|都|为|是|调成|调到|留|:|to|of|"
    r"at)*\s*(\d+(?:\.\d+)?|one|"
    r"two|three|half "
    r"an?|[一二两三])[- ]?\s*(厘米|公分|cm|毫米|"
    r"mm|英寸|"
    r"inch(?:es)?|in\b)"
)
_SIDES: Final = (
    (r"上下左右|四周|四边|四个边|\ball (?:four )?(?:page )?margins?\b", ("top_mm", "bottom_mm", "left_mm", "right_mm")),
    (r"上下|\btop and bottom\b(?: margins?)?", ("top_mm", "bottom_mm")),
    (r"左右(?:两边)?|\bleft and right\b(?: margins?)?", ("left_mm", "right_mm")),
    (r"上(?:边距|边)?|\btop\b(?: margin)?", ("top_mm",)),
    (r"下(?:边距|边)?|\bbottom\b(?: margin)?", ("bottom_mm",)),
    (r"左(?:边距|边)?|\bleft\b(?: margin)?", ("left_mm",)),
    (r"右(?:边距|边)?|\bright\b(?: margin)?", ("right_mm",)),
    (r"页?边距|\b(?:page )?margins?\b", ("top_mm", "bottom_mm", "left_mm", "right_mm")),
)
_SCALES: Final = (("厘", 10.0), ("公", 10.0), ("c", 10.0), ("毫", 1.0), ("m", 1.0), ("英", 25.4), ("i", 25.4))
_LANDSCAPE: Final = (
    r"(?:打印|页面|纸张|文档|整篇)?(?:的)?(?:方向)?(?:设置?|改|调|换|变)?(?:成|为)?横(?:向|版|排|着)(?:的)?(?:打印|"
    r"页面|排版|纸)?|"
    r"\blandscape(?: orientation| mode| format| paper)?\b|\b(?:print(?:ed)? )?sideways\b"
)
_PORTRAIT: Final = (
    r"(?:打印|页面|纸张|文档|整篇)?(?:的)?(?:方向)?(?:设置?|改|调|换|变)?(?:成|为)?(?:纵|竖)(?:向|版|排|"
    r"着)(?:的)?(?:打印|页面|排版|纸)?|"
    r"\bportrait(?: orientation| mode| format)?\b|\bupright\b"
)
_WORDS: Final = (
    rf"{ADD}|页边距|纸张|页面|边距|方向|大小|打印(?:的时候|时|出来)?|设置|[,，、]|都|\b(?:page|pages|margins?|"
    rf"paper|orientation|"
    r"size|print(?:ed|ing|s)?|when|on)\b"
)


def _page_setup(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Paper, orientation and margins; for sheets also what is repeated and how it is scaled."""
    kind = context.reading.kind
    if kind == "pptx":
        return None
    fields: dict[str, JsonValue] = {}
    if kind == "xlsx":
        _take_print(context, text, fields)
    if text.take(_LANDSCAPE):
        fields["orientation"] = "landscape"
    elif text.take(_PORTRAIT):
        fields["orientation"] = "portrait"
    _take_margins(text, fields)
    if found := text.take(r"(?<![A-Za-z])(A[345]|letter)(?![A-Za-z0-9])(?:[- ]?\s*(?:sized?|纸张?|大小|幅面|paper))*"):
        fields["preset"] = found[1].lower()
    if not fields:
        return None
    if kind == "xlsx":
        fields["sheet_name"] = find_sheet(context, text) or None
    text.take_all(rf"\b(?:US|american)\b|{_WORDS}")
    return [step("set_page_setup", **fields)]


def _take_print(context: OrderContext, text: RequestText, fields: dict[str, JsonValue]) -> None:
    del context
    if not text.has(
        r"打印|每一?页|[一1]页|横|纵|竖|边距|A[345]|\bprint|\bpages?\b|\blandscape\b|\bportrait\b|\bmargin"
    ):
        return
    head = r"(?:表头|标题行|首行|第一行|列标题)"
    english = r"(?:the )?(?:header(?: row)?|first row|top row|column titles?|title row)"
    if text.take(
        rf"(?:打印(?:的时候|时|出来)?)?(?:[,，])?(?:让|要)?每一?页(?:上|上面|顶端|开头)?(?:都|也)?(?:要|能|"
        rf"得)?(?:有|带|带上|显示|重复|打印?出?|出现)"
        rf"(?:上)?{head}|{head}(?:在|要)?(?:每一?页|各页)(?:上|都|也)*(?:打印?出?来?|重复|出现|显示|有)?(?:一遍)?|"
        rf"重复(?:打印)?{head}|"
        rf"\brepeat(?:ing)? {english}(?: at the top)?(?: (?:on|of) (?:every|each|all)(?: printed)? pages?)?|"
        rf"\b{english} (?:should |must |to )?(?:be )?(?:repeat(?:ed|s)?|appears?|printed|shows? up|prints?) (?:at "
        rf"the top )?(?:on|of) "
        r"(?:every|each|all)(?: printed)? pages?|\b(?:with |and )*(?:the )?header(?: row)? repeat(?:ed|"
        r"ing)\b(?: (?:at the top|"
        r"on (?:every|each|all) pages?))?"
    ):
        fields["title_rows"] = "1"
    if found := text.take(
        r"(?:缩放|压缩|缩|打印?|放|挤|调整)?(?:到|在|成)(?:同?一|1)(?:张|页)(?:A4)?(?:纸)?(?:宽|上|里|内|之内)?|"
        r"(?:一|1)页(?:宽|纸)?(?:能)?(?:打得?下|打完|装下)|"
        r"\b(?:fit|fits|scaled?|print)(?: (?:it|everything|all columns|the sheet|the columns))*(?: to fit)? (?:to|"
        r"on|onto|in) (?:a|one|a single|1) page"
        r"(?: (?:wide|width|in width))?|\b(?:on|to|onto) (?:a|one|a single|1) page (?:wide|in width)\b"
    ):
        fields["pages_wide"] = 1
        if not re.search(r"宽|列|columns|wide|width", found[0], re.IGNORECASE):
            fields["pages_tall"] = 1
    if text.take(
        r"(?:水平)?居中打印|打印(?:时|的时候)?(?:水平)?居中|\bcent(?:er|re)d? (?:horizontally )?on the page\b"
    ):
        fields["centered"] = True


def _take_margins(text: RequestText, fields: dict[str, JsonValue]) -> None:
    if not text.has(r"边距|边上|四周|\bmargins?\b"):
        return
    _take_round(text)
    if (unit := re.search(r"\d\s*(厘米|公分|cm|毫米|mm|英寸|inch(?:es)?)", text.mask, re.IGNORECASE)) is not None:
        # A second measure without its unit has that of the first.
        bare = re.compile(r"(?<=[上下左右距])(\s*(?:各|都|为|是|改成?|设为?)?\s*\d+(?:\.\d+)?)(?=$|[,，。、])")
        if bare.search(text.mask):
            text.raw = bare.sub(rf"\g<1>{unit[1]}", text.raw)
            text.__post_init__()
    for words, names in _SIDES:
        if found := text.take(rf"(?:{words})(?:页?边距|\s+margins?)?(?:都|均|全部)?{_UNIT}"):
            value = _read_size(found[1]) * next(scale for start, scale in _SCALES if found[2].lower().startswith(start))
            fields.update({name: round(value, 2) for name in names if name not in fields})
    if found := text.take(rf"{_UNIT}\s*(?:page )?margins?(?: all (?:a)?round| on all (?:four )?sides)?"):
        value = _read_size(found[1]) * next(scale for start, scale in _SCALES if found[2].lower().startswith(start))
        fields.update({name: round(value, 2) for name in _SIDES[0][1] if name not in fields})
        text.take_all(r"\b(?:all (?:a)?round|on all sides|everywhere)\b")


def _take_round(text: RequestText) -> None:
    text.take_all(
        r"\b(?:all (?:a)?round|on all (?:four )?sides|(?:to )?(?:narrow|wide|normal)(?=,|\s*\ufffc| margins?\b))\b|"
        r"(?:窄|宽|"
        r"普通)(?=[,，])"
    )


def _read_size(text: str) -> float:
    if text[0].isdigit():
        return float(text)
    return 0.5 if text.lower().startswith("half") else float(read_count(text) or 1)


# What follows the words of a watermark and says how it should look; it is slanting, light and grey in any case.
_SEPARATE_WISH: Final = re.compile(
    r"\s*[,，;；。]\s*(?=斜|横|竖|灰|红|蓝|淡|浅|深|颜色|字[体号]|大小|透明|不要|别|要|放|居中|in\s|light|gr[ea]y|"
    r"diagonal|faint|pale|not\s|"
    r"but\s|so\s)",
    re.IGNORECASE,
)
_MARK_LOOKS: Final = re.compile(
    r"(?:斜[着向]?|灰色?|淡|浅色?|的|颜色|字|半?透明|不要|别|太深|影响|"
    r"挡住?|看字|阅读|正文|文字|要|一点|一些|些"
    r"|in|light|gr[ea]y|diagonal(?:ly)?|faint|pale|so|not|but|it|does|doesn't|hide|the|text|across|letters|"
    r"[\s,，、。;；])*",
    re.IGNORECASE,
)


_MARK_LEAD: Final = (
    r"(?:把|将|给|在|(?:每一?|各|所有|全部)页(?:面|上|里)*|(?:整[份篇个])?(?:全文|文档|文件|合同)(?:上|里)*|"
    rf"都|{ADD}|打上?|印上?|盖上?)*"
)


def _watermark(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if context.reading.kind not in ("docx", "text") or not text.take(
        r"(?:当作?|作为?|用作)?(?:背景|底纹|斜着的?)?(?:文字)?水印(?:效果|字样|文字)?|\bwater ?marks?(?:ed)?\b|"
        r"\b(?:across|behind|"
        r"diagonally (?:across|on)) "
        r"(?:the |all |every |each )*(?:text|pages?|document)\b"
    ):
        return None
    if text.take(DELETE):
        text.take_all(r"掉")
        return [step("set_watermark", text="")]
    words = text.take_any_quote() or (take_text(text) if ":" in text.mask else "")
    if not words and (
        found := text.take(
            rf"^{_MARK_LEAD}([\u4e00-\u9fff]{{2,6}}?)(?=这?(?:两|几|三|四)个字)|(?:内容|文字|字样|写上?|打上?|加上?|"
            r"写着|为|是)+\s*([\u4e00-\u9fffA-Za-z]{2,12}?)(?=(?:的|字样|"
            r"两个字|几个字)*\ufffc|$|[,，])|"
            r"(?<=\ufffc)\s*(?:写上?|内容为?|文字为?|为|是|用|say(?:ing|s)?|reading|that "
            r"says)\s*([\u4e00-\u9fffA-Za-z ]{2,20})(?=$|[,，])|"
            r"\b(?:put|write|stamp|print|place|add|show|use)\s+(?:the (?:words?|text) )?(?!an? |the )"
            r"([A-Za-z][A-Za-z ]{1,30}?)"
            r"(?=(?:\s+(?:as|in|with))?(?:\s+an?)?\s+\ufffc)|^\ufffc+\s+([A-Za-z]{2,20})$|"
            r"\b(?:an?|the) (?!(?:big|large|light|pale|faint|diagonal|gr[ae]y|new|red|blue|text)\b)"
            r"([A-Za-z]{2,20}(?: [A-Za-z]{2,20}){0,2})(?= \ufffc)|"
            r"(?:加|打)(?:上)?(?:一?个)?([\u4e00-\u9fff]{2,6})(?=的?\ufffc)"
        )
    ):
        words = text.raw[slice(*found.span(found.lastindex or 0))].strip()
    words, *wishes = _SEPARATE_WISH.split(words, maxsplit=1)
    if wishes and _MARK_LOOKS.fullmatch(wishes[0]) is None:
        raise OrderUnclear("part", part=wishes[0][:60])
    words = re.sub(r"^(?:一个|个|上)|(?:的|字样|几个字|两个字)$", "", words)
    color = text.take(rf"({COLOR})的?")
    text.take_all(
        rf"{ADD}|做成?|打上?|印上?|整(?:篇|份|个)|全(?:文|部)|每一?页|各页|字样|两个字|几个字|[,，、]|淡淡|浅浅|"
        rf"斜着|背景|"
        r"\b(?:every|each|all|pages?|across|diagonal(?:ly)?|saying|reading|says|word|with|on|document|big|large|"
        r"light|pale|stamp|as|an?)\b"
    )
    if not words:
        raise OrderUnclear("no_text")
    return [step("set_watermark", text=words, color=read_color_word(color[1]) if color else None)]


def _contents(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if context.reading.kind not in ("docx", "text") or text.has(DELETE):
        return None
    if not text.take(
        rf"(?:{ADD}|生成|做|弄|建|来|搞|列)(?:上|出|入)?(?:一?[个份页])?(?:自动)?(?:的)?目录|(?:一?[个份])目录(?=$|"
        rf"[,，])|(?:要|得)?有(?:个|一个)?目录|目录(?={ADD}|生成)|"
        r"\b(?:table of contents|toc)\b|\b(?:add|insert|put|make) (?:a )?contents (?:page|list)\b"
    ):
        return None
    levels = text.take(
        r"(?:显示|只要|只列|到)?([一二三四1-4])级(?:标题)?|\b(\d|one|two|three|four) levels?\b|"
        r"\blevels? 1[- ]to?[- ]?(\d)\b"
    )
    place = take_place(context, text)
    text.take_all(
        rf"{ADD}|生成|做|自动|(?:放|插)?(?:在|到)?(?:文档|正文|全文|合同|文章)?(?:的)?(?:最?前面|开头|最开始|"
        rf"标题(?:后面|下面|之后)|首页)(?:处)?|"
        r"[,，!！]|根据|按照?|标题|只?到(?=\ufffc)|\b(?:right|directly|straight|immediately|a|at the (?:beginning|"
        r"start|top|"
        r"front)|after the title|under the title|before "
        r"the text|automatic|"
        r"based on|headings?|of the document)\b"
    )
    number = {"一": 1, "二": 2, "三": 3, "四": 4, "one": 1, "two": 2, "three": 3, "four": 4}
    said = next((one for one in levels.groups() if one), "") if levels else ""
    return [step("insert_contents", levels=number.get(said) or (int(said) if said else None), after=place or None)]


def _protect(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    kind = context.reading.kind
    if kind not in ("docx", "text", "xlsx"):
        return None
    lifted = text.take(
        r"(?:取消|解除|去掉|撤销|关掉|解开)(?:文档|工作表|表格|编辑|这个|表)*的?(?:编辑)?(?:保护|锁定?|限制)|"
        r"\bunprotect\b|"
        r"\b(?:remove|lift|turn off) (?:the )?protection\b|\bunlock\b"
    )
    only = r"(?:只能|只许|只让|仅能|只准)(?:别人|大家|他们)?(?:看|读|阅读|查看)"
    if not lifted and not text.take(
        rf"保护(?:起来|一下|好|住)?|设(?:置)?(?:成|为)?只读|改成只读|只读|锁(?:起来|定|住|上|死|"
        rf"好)(?!.{{0,4}}(?:首|表头|标题|第一|前))|"
        rf"{only}[,，、]?(?:不能|不许|不让|别)?(?:乱)?(?:改|编辑|动)?|限制编辑|(?:别人|大家|他们)(?:都)?(?:不能|"
        rf"不许|没法|改不了)(?:乱|随便)?(?:改|编辑|修改|动)?|"
        r"(?:不让|别让|不许|防止|免得)(?:别人|大家|他们|学生|同事)(?:乱|随便)?(?:改|动|编辑)|"
        r"\b(?:protect|lock(?: down)?|write[- ]protect)\b(?! (?:the )?(?:first|top|header))|\bread[- ]only\b|"
        r"\b(?:so )?(?:that )?(?:nobody|no one|others?|people) (?:can(?:no|')t?|cannot|can) (?:edit|change|"
        r"modify)(?: it| anything)?\b"
    ):
        return None
    comments = not lifted and bool(
        text.take(
            r"只?(?:能|允许|可以)(?:加|写|添加)?批注|\b(?:only )?(?:allow )?comments only\b|\bexcept for comments\b"
        )
    )
    tracked = not lifted and bool(
        text.take(r"只?(?:能|允许|可以)(?:用)?修订(?:方式|模式)?(?:改)?|\b(?:only )?tracked changes(?: only)?\b")
    )
    if text.has(r"密码(?:是|为|设|用|:)|\bpassword(?: is| to|:)?\s*\"?\w*\d") and not text.has(
        r"不(?:用|要|设|需要)密码|密码(?:就)?不"
    ):
        raise OrderUnclear("no_password")
    text.take_all(
        rf"(?:不用|不要|不需要|不设|不加|无需)(?:设|加)?密码|密码(?:就)?(?:不用|不要|不设|免了?)了?|{only}|[,，、]|"
        rf"(?:不能|不许|不让|别|不准)(?:别人|大家|他们)?(?:乱|随便)?"
        r"(?:改|编辑|修改|动|删)(?:动)?|(?:别人|大家|他们|学生|同事)(?:都)?|防止|免得|不让|别让|整(?:份|个|篇)|"
        r"误改|乱|起来|保护|锁|只读|没有?|"
        r"\b(?:without a password|no password(?: needed)?|so (?:that )?(?:nobody|no one|others?|people) (?:can|"
        r"can't|cannot) (?:edit|change|modify)"
        r"(?: it| anything)?|against (?:editing|changes)|from (?:editing|changes|being (?:edited|changed))|"
        r"edit(?:ing)?|nobody|only)\b"
    )
    name = find_sheet(context, text) if kind == "xlsx" else ""
    if kind == "xlsx" and not name and text.has(r"(?:这个|这张|本)(?:工作表|表格?)(?!里的)|\bthis (?:work)?sheet\b"):
        name = context.reading.sheets[0].name
    wanted = "none" if lifted else "comments" if comments else "trackedChanges" if tracked else "readOnly"
    if kind == "xlsx" and (text.has(r"列|公式|[A-Z]\d|\bcolumns?\b|\bcells?\b|\bformulas?\b") or comments or tracked):
        raise OrderUnclear("only_sheets")
    text.take_all(r"(?:这个|这张|整张?|本)?(?:工作表|表格?|工作簿)|\b(?:this |the )?(?:work)?(?:sheet|book)\b")
    return [step("set_protection", kind=wanted, sheet_name=name or None)]


PAGE_RULES: Final = (_watermark, _contents, take_signatures, take_closing, _protect, _page_setup)
