"""Looks that an order names: bold, colours, fonts, sizes, alignment, spacing; the same words for all kinds of files."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._leftovers import find_rest
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["COLOR", "is_look", "read_color_word", "take_look"]

_COLORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "红": "FF0000",
        "蓝": "0000FF",
        "绿": "00B050",
        "黄": "FFFF00",
        "橙": "FFA500",
        "紫": "7030A0",
        "黑": "000000",
        "白": "FFFFFF",
        "灰": "808080",
        "粉": "FFC0CB",
        "棕": "7F6000",
        "青": "00B0F0",
        "深红": "C00000",
        "深蓝": "002060",
        "深绿": "006100",
        "浅蓝": "DDEBF7",
        "浅绿": "E2EFDA",
        "浅黄": "FFF2CC",
        "浅灰": "D9D9D9",
        "淡蓝": "DDEBF7",
        "淡黄": "FFF2CC",
        "天蓝": "00B0F0",
        "深灰": "595959",
        "浅红": "FFC7CE",
        "橘": "FFA500",
        "粉红": "FFC0CB",
        "淡绿": "E2EFDA",
        "淡灰": "D9D9D9",
        "金": "FFC000",
        "大红": "FF0000",
        "red": "FF0000",
        "blue": "0000FF",
        "green": "00B050",
        "yellow": "FFFF00",
        "orange": "FFA500",
        "purple": "7030A0",
        "black": "000000",
        "white": "FFFFFF",
        "gray": "808080",
        "grey": "808080",
        "pink": "FFC0CB",
        "brown": "7F6000",
        "dark red": "C00000",
        "dark blue": "002060",
        "navy": "002060",
        "light blue": "DDEBF7",
        "light green": "E2EFDA",
        "light yellow": "FFF2CC",
        "light gray": "D9D9D9",
        "light grey": "D9D9D9",
        "dark green": "006100",
        "gold": "FFC000",
    }
)
# As a ground for text a full colour is too dark.
_FILLS: Final[Mapping[str, str]] = MappingProxyType({"808080": "D9D9D9"})
_ZH: Final = "|".join(sorted((one for one in _COLORS if not one.isascii()), key=len, reverse=True))
_EN: Final = "|".join(sorted((one for one in _COLORS if one.isascii()), key=len, reverse=True))
COLOR: Final = rf"(?:(?:{_ZH})色?|#[0-9a-f]{{6}}\b|\b(?:{_EN})\b)"
_TO: Final = r"(?:设置?|改|标|变|涂|填充?|换|用|调|弄|染|加|搞)?(?:成|为|作|上|到|是)?"
_SIZES: Final[Mapping[str, float]] = MappingProxyType(
    {
        "初号": 42,
        "小初": 36,
        "一号": 26,
        "小一": 24,
        "二号": 22,
        "小二": 18,
        "三号": 16,
        "小三": 15,
        "四号": 14,
        "小四": 12,
        "五号": 10.5,
        "小五": 9,
        "六号": 7.5,
        "小六": 6.5,
        "七号": 5.5,
        "八号": 5,
    }
)
_SIZE: Final = "|".join(sorted(_SIZES, key=len, reverse=True))
_FONTS: Final = (
    *("宋体", "黑体", "仿宋_GB2312", "仿宋体", "仿宋", "楷体_GB2312", "楷体", "微软雅黑", "等线", "隶书", "华文楷体"),
    *(
        "华文仿宋",
        "华文宋体",
        "华文中宋",
        "方正小标宋简体",
        "方正小标宋",
        "新宋体",
        "幼圆",
        "思源黑体",
        "思源宋体",
        "苹方",
    ),
    *("Times New Roman", "Arial", "Calibri", "Cambria", "Helvetica", "Verdana", "Georgia", "Courier New", "Tahoma"),
    *("Garamond", "Consolas"),
)
_FONT: Final = "|".join(sorted(_FONTS, key=len, reverse=True))
_ALIGNMENTS: Final = (
    ("justify", r"两端对齐|左右对齐|\bjustif(?:y|ied)\b"),
    ("center", r"(?:水平)?居中(?:对齐|显示|排列)?|放(?:到|在)?(?:正)?中间|摆中间|\bcent(?:er|re)(?:ed|d|-aligned|"
        r"-align)?\b|\b(?:in|into) the (?:middle|cent(?:er|re))\b(?! of)"),
    ("left", (
        r"(?:居左|靠左边?|左对齐|向左对齐|左边?对齐|放(?:到|在)?左边|往左靠|顶左)(?:对齐)?|\b(?:left[- ]align(?:ed)?|"
        r"align(?:ed)?(?: to the)? left|flush left)\b"
    )),
    ("right", (
        r"(?:居右|靠右边?|右对齐|向右对齐|右边?对齐|放(?:到|在)?右边|往右靠|顶右)(?:对齐)?|\b(?:right[- ]align(?:ed)?|"
        r"align(?:ed)?(?: to the)? right|flush right)\b"
    )),
)  # fmt: skip
_SWITCHES: Final = (
    ("bold", r"加粗|粗体|变粗|粗一点|粗些|加黑|\b(?:bold(?:ed|face)?|embolden)\b"),
    ("italic", r"斜体|倾斜|\bitalic(?:s|i[sz]ed?)?\b"),
    ("underline", r"下划线|下劃線|\bunderlin(?:ed?|ing)\b"),
    ("strike", r"删除线|\bstrike[- ]?through\b"),
)
_MAX_SIZE: Final = 400
_NOT: Final = r"(?:取消|去掉|去除|不要|不|别|清除|\b(?:un|not |no |remove (?:the )?|without ))"
_NUMBER: Final = r"(\d+(?:\.\d+)?|[一二两三四五六七八九十]+)"


def read_color_word(text: str) -> str:
    """`RRGGBB` of a colour's name; empty if it is none."""
    plain = text.strip().lower().removesuffix("色")
    return plain[1:].upper() if plain.startswith("#") else _COLORS.get(plain, "")


def is_look(words: str) -> bool:
    """Whether words name a look and nothing else: 红色, 黑体三号, bold."""
    text = RequestText(words)
    try:
        return bool(take_look(text)) and not find_rest(text)
    except OrderUnclear:
        return False


def take_look(text: RequestText) -> dict[str, JsonValue]:
    """All looks that the order names, as fields; empty if it names none."""
    look: dict[str, JsonValue] = {}
    _take_font(text, look)
    _take_fill(text, look)
    _take_color(text, look)
    if look.get("fill") == "":
        look["fill"] = "FFFF00"
    for name, pattern in _SWITCHES:
        lead = r"(?:加上?|添加|add (?:an? )?)?"
        if text.take(rf"{_NOT}\s*(?:{pattern})"):
            look[name] = False
        elif text.take(rf"{lead}(?:{pattern})"):
            look[name] = True
    if "size" not in look:
        _take_size(text, look)
    if "size" not in look and text.take(
        r"\bsmall\b(?= (?:\ufffc|gr[ae]y|letters|print|type|font|text|red|blue|black))|小字|(?<!大)小一?点的?字"
    ):
        look["size"] = 9
    _check_size(look.get("size"))
    if "size" in look:
        text.take(r"(?:放)?大(?:一?[点些])|(?:缩)?小(?:一?[点些])|\b(?:bigger|larger|smaller)\b(?: and)?")
    for name, pattern in _ALIGNMENTS:
        if text.take(pattern):
            look["alignment"] = name
    _take_spacing(text, look)
    return look


def _check_size(size: JsonValue) -> None:
    if isinstance(size, int | float) and not 1 <= size <= _MAX_SIZE:
        raise OrderUnclear("bad_size", size=f"{size:g}", most=_MAX_SIZE)


def _take_font(text: RequestText, look: dict[str, JsonValue]) -> None:
    if found := text.take(
        rf"(?:字体|\bfont\b)?(?:{_TO}|\s*(?:to|in|of|is|as|=|:)\s*)?\s*({_FONT})(?:字体|\s+font)?"
        r"(?:,?\s*(\d+(?:\.\d+)?)(?:\s*(?:号字?|磅|pt\b|points?\b))?(?![\d倍%行列页]))?"
    ):
        font = found[1]
        if found[2]:
            look["size"] = float(found[2])
        look["font"] = next(one for one in _FONTS if one.lower() == font.lower()).replace("仿宋体", "仿宋")
    elif (font := text.take_quote(r"字体|\bfont\b")) and len(font) <= 30:
        look["font"] = font


def _take_fill(text: RequestText, look: dict[str, JsonValue]) -> None:
    nouns = r"(?:单元格)?(?:底色|背景颜色|背景色|背景|填充颜色|填充色|填充|底纹|高亮|突出显示|荧光笔?|底)"
    english = r"(?:background|fill|shading|highlight(?:ed|ing)?|shade)(?: colou?r)?"
    patterns = (
        rf"(?:标|填|涂|加|设|改|换|用|变)?(?:成|为|上)?(?:一个)?({COLOR})的?{nouns}",
        rf"{nouns}{_TO}\s*({COLOR})",
        r"(?:标|涂|填)(?:成|为)?(黄)色?",
        rf"({COLOR})\s+\b{english}\b",
        rf"\b{english}\b(?:\s+(?:to|in|with|as|it|them|the|cells?|of))*\s*({COLOR})",
    )
    for pattern in patterns:
        if found := text.take(pattern):
            color = read_color_word(found[1])
            look["fill"] = _FILLS.get(color, color)
            return
    if text.take(r"高亮(?:显示)?|突出显示|\bhighlight(?:ed)?\b"):
        look["fill"] = ""


def _take_color(text: RequestText, look: dict[str, JsonValue]) -> None:
    patterns = (
        rf"(?:字体|文字|字)?的?颜色{_TO}\s*({COLOR})",
        rf"(?:标|变|改|设|换|调|涂|染|弄)(?:置)?(?:成|为|作)?({COLOR})(?:的)?(?:字体|文字|字)?",
        rf"({COLOR})(?:字体|文字|字)",
        rf"((?:{_ZH})色)",
        rf"\b(?:(?:font |text )?colou?r(?:ed)?|turn)(?:\s+(?:to|in|it|them|as|is|of))*\s*({COLOR})",
        rf"(?:\b(?:in|to|make it|make them)\s+)?(\b(?:{_EN})\b)(?: (?:text|font|colou?r|letters))?",
        r"(#[0-9a-f]{6})\b",
    )
    for pattern in patterns:
        if found := text.take(pattern):
            name = "fill" if look.get("fill") == "" else "color"
            look[name] = read_color_word(found[1])
            return


def _take_size(text: RequestText, look: dict[str, JsonValue]) -> None:
    cue = r"(?:字号|字体大小|文字大小|大小|字体|字)?"
    if found := text.take(rf"{cue}{_TO}\s*(?<![第\d])({_SIZE})(?:号字?|字体|字号|字|大小)?"):
        look["size"] = _SIZES[found[1]]
        return
    patterns = (
        rf"(?:字号|字体大小|文字大小|大小){_TO}\s*(\d+(?:\.\d+)?)\s*(?:号|磅|pt|点)?",
        r"(?:用|成|为|设|字体)?\s*(?<![第\d.])(\d+(?:\.\d+)?)\s*(?:号(?:字体|字)?|pt\b|磅(?:字体?)?|"
        r"[- ]?points?\b)(?!.{0,4}行距)",
        r"\b(?:font )?size\b(?:\s+(?:to|of|is|=|:|at))*\s*(\d+(?:\.\d+)?)",
    )
    for pattern in patterns:
        if text.has(r"行距") and "磅" in pattern and not text.has(r"字"):
            continue
        if found := text.take(pattern):
            look["size"] = float(found[1])
            return


def _take_spacing(text: RequestText, look: dict[str, JsonValue]) -> None:
    if text.take(
        rf"(?:单倍|1\.?0?倍|一倍)行?(?:间)?距|行(?:间)?距{_TO}(?:单倍|1倍|一倍)|"
        rf"\bsingle[- ](?:line )?spac(?:ed?|ing)\b"
    ):
        look["line_multiple"] = 1.0
    elif text.take(
        rf"(?:双倍|两倍|二倍)行?(?:间)?距|\bdouble space\b|\bline spacing(?: (?:to|of|at|is))* double\b|"
        rf"行(?:间)?距{_TO}(?:双倍|两倍|"
        rf"二倍)|\bdouble[- ](?:line )?spac(?:ed?|ing)\b"
    ):
        look["line_multiple"] = 2.0
    elif text.take(
        rf"(?:一倍半|一点五倍)行?(?:间)?距|行(?:间)?距{_TO}(?:一倍半|一点五倍?)|"
        r"\b(?:line[- ])?spacing(?: (?:to|of|at|is|should be))* (?:one and a half|1 1/2|1\.5 lines?)\b|"
        r"\bone and a half(?: line)?(?: spac(?:ed|ing))\b"
    ):
        look["line_multiple"] = 1.5
    elif found := text.take(rf"行(?:间)?距{_TO}\s*(?:固定值?)?\s*(\d+(?:\.\d+)?)\s*(?:磅|pt|点)"):
        look["line_points"] = float(found[1])
    elif found := text.take(rf"行(?:间)?距{_TO}\s*(\d+(?:\.\d+)?)\s*倍?|(\d+(?:\.\d+)?)\s*倍(?:的)?行(?:间)?距"):
        look["line_multiple"] = float(found[1] or found[2])
    elif found := text.take(
        r"\bline[- ]spacing\b(?:\s+(?:to|of|is|at))*\s*(\d+(?:\.\d+)?)(?: lines)?|"
        r"(\d+(?:\.\d+)?)[- ]line[- ]spacing|\b(1\.5|2)[- ](?:line )?spac(?:ed|ing)"
    ):  # fmt: skip
        look["line_multiple"] = float(found[1] or found[2] or found[3])
    _take_indent(text, look)
    for name, zh, en in (("space_before", "段前", "before"), ("space_after", "段后", "after")):
        if found := text.take(
            rf"{zh}(?:间距|距|空)?{_TO}\s*{_NUMBER}\s*(磅|pt|行)|\bspac(?:e|ing) {en}(?: (?:to|"
            rf"of))*\s*(\d+)\s*(?:pt|points?)?"
        ):  # fmt: skip
            value = found[1] or found[3]
            amount = float(value) if value[0].isdigit() else float(read_count(value) or 0)
            look[name] = amount * 12 if found[2] == "行" else amount


def _take_indent(text: RequestText, look: dict[str, JsonValue]) -> None:
    if text.take(r"顶格(?:写|排)?|不(?:要)?缩进|\bno (?:first[- ]line )?indent\b"):
        look["first_line_chars"] = 0
    elif found := text.take(
        rf"(?:前面|开头|段首|段前|首行|每段(?:前面|开头)?)(?:都)?(?:空|缩进|缩|退)(?:出|上|"
        rf"进)?\s*{_NUMBER}\s*(?:个)?(?:字符|字|格|汉字)"
    ):
        count = found[1]
        look["first_line_chars"] = float(count) if count[0].isdigit() else read_count(count) or 2
    elif found := text.take(
        rf"首行(?:都)?(?:缩进|空|退){_TO}?\s*{_NUMBER}?\s*(?:个)?(?:字符|字|格|汉字)?|"
        rf"\b(?:first[- ]line )?indent(?:ed|ation)?(?: (?:of|by|the))*(?: first lines?)?(?: (?:by|"
        rf"of))?\s*(\d+)?\s*(?:characters?|chars?)?"
    ):  # fmt: skip
        count = found[1] or found[2]
        look["first_line_chars"] = float(count) if count and count[0].isdigit() else read_count(count or "") or 2
