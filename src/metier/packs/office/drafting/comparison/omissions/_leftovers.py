"""What the rules did not use of a request: nothing is written while part of it is not understood."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office._counts import COUNT, PERIODS, read_count
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.drafting._asides import is_aside, is_spoken, names_look
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.talk import is_demand, may_be_talk

__all__ = ["check_leftovers", "is_unsupported"]

# Demands that no rule carries out.
_UNSUPPORTED: Final = re.compile(
    r"第[一二三四五六七八九十\d]+(?:段|章|节|页|条|部分)|上一?[段页]|"
    r"下一?[段页]|居中|对齐|加宽|放大|缩小|删除|删掉|删去|去掉|移除|"
    r"清空|清除|翻译|译成|替换|换成|改成|"
    r"改为|修改|调整|移动|移到|复制|粘贴|发送|发给|邮件|邮箱发|打印|"
    r"合并|拆分|导出|另存|保护|加密|解密|"
    r"重命名|撤销|恢复|润色|扩写|缩写|校对|红色|蓝色|绿色|黄色|橙色|"
    r"紫色|颜色|字体|(?<!大)字号|宋体|黑体|楷体|仿宋|行距|页边距|页眉|页脚|"
    r"页码|目录(?!页)|超链接|水印|动画|背景|主题色|配色|"
    r"\b(?:(?:paragraph|chapter|section|page|slide) \d+|(?:first|second|"
    r"third|last|next|previous) (?:paragraph|chapter|section|page)|"
    r"cent(?:er|re)(?:ed)?|align|resize|delete|remove|clear|translate|"
    r"replace|change|modify|move|"
    r"copy|paste|send|e-?mail|print|merge|split|export|save as|protect|"
    r"encrypt|"
    r"rename|undo|restore|rewrite|polish|shorten|proofread|red|blue|"
    r"green|yellow|orange|purple|colou?r(?:ed)?|font|header and footer|"
    r"footer|"
    r"page numbers?|watermark|hyperlink|animation|background colou?r|except)\b",
    re.IGNORECASE,
)
_FILLER_ZH: Final = re.compile(
    r"[一二两三四五六七八九十]个?(?:字|格子?)|给(?:大家|大伙|领导|老板|同事|客户|他们|你们?)(?:们)?(?:看看?|瞧瞧|用|讲|算|做|列|画)?|"
    r"也给|给(?=[做弄列画算排写])|你|您|就够了?|呗|哈|嘛|多少|卖了|安排|底下|底|"
    r"排(?=[个出一张])|请|麻烦|帮忙|帮我|帮|给我|我想|我要|我们|我|需要|想要|希望|一下|"
    r"吧|呢|啊|哦|谢谢|您好|你好|能否|可以|能不能|的话|这份|这个|该|"
    r"本|在|里面|里|中|上|下面|下方|下边|下|后面|后|之后|其|它|"
    r"插入|插个|插|添加|加入|加上|加个|加|新建|新增|新|建立|创建|建|"
    r"编制|编写|绘制|搭建|拟订|演示文稿|需要|需(?!求)|制作|做成|做出|做|生成|写成|写|画成|画|绘制|放置|放|补充|补|"
    r"追加|附上|附|列成|列出|列|出|起草|拟定|拟|搭|整理|整|录入|填入|"
    r"填进去|填|输入|用于|用|来|留出|留|预留|"
    r"(?:这|那|上述|以上)(?:[一两二三四五六七八九十几\d]+)?[个样项条点种]|带|"
    r"一[个张份页条段级项种]|[个张份页条]|先|再|然后|接下来|随后|跟着|紧(?:跟|接|挨)着|接着|汇总出来|汇总|统计|算算|算一算|看看|并且|"
    r"并|且|和|与|及|以及|还有|还|另外|同时|连续|依次|分别|各|每|共|"
    r"共计|一共|就行|即可|就好|"
    r"表格|表头|表|图表|图|标题|题目|副标题|正文|内容|文字|文档|文章|"
    r"数据|字段|列名|行|列|栏|项目|条目|项|字|大字号|大字|大|小型|"
    r"小|简易|简单|精简点|精简|空白|空|醒目|投标用|投标|展示|显示|"
    r"表示|体现|为|是|有|含|包含|包括|要|分|成|的|了|把|将|以|按|根据|"
    r"用公式计算|公式|计算|自动|最后|最终|最|末尾|模板|模版|框架|格式|"
    r"标准|编号|序号|块|部分|点|幻灯片|PPT|ppt|页|进去|进|到|里|处|"
    r"一|两|几|等|用途|示例|样例|效果|方便|填写|显眼|每级|至少|条|"
    r"上半年|下半年|全年|季度|每月|月度|年度|关键|指标|数字"
)
_FILLER_EN: Final = re.compile(
    (
        r"\b(?:please|kindly|could|can|would|will|should|you|i|we|need|"
        r"needs|want|like|me|us|my|our|your|a|an|the|this|that|these|it|"
        r"its|to|in|into|on|at|of|for|from|with|and|then|also|plus|by|"
        r"as|"
        r"insert|add|put|place|create|make|build|draft|write|set|up|give|"
        r"append|enter|draw|show|showing|shows|leave|prepare|generate|"
        r"produce|provide|supply|list|listing|include|including|having|has|have|is|are|"
        r"be|"
        r"table|tables|columns?|rows?|header|headers|heading|headings|"
        r"title|titled|chart|document|doc|sheet|slide|slides|section|sections|"
        r"text|line|lines|items?|points?|bullets?|bullet|numbered|entries|"
        r"tasks?|"
        r"first|second|one|two|three|four|five|six|other|another|after|"
        r"below|underneath|under|follow(?:ed|ing|s)?|here|end|top|bottom|"
        r"beginning|blank|empty|small|simple|short|little|big|large|letters|"
        r"numbers?|type|only|just|very|some|each|saying|reading|data|amounts?|"
        r"values?|figures?|"
        r"them|their|where|so|new|single|nice|quick|monthly|quarterly|"
        r"weekly|planned|actual|per|summary|report|in a row|over|across|"
        r"called|named|plenty|enough|fine|now|do|let|'s|s|out|all|total|about)\b"
    ),
    re.IGNORECASE,
)
# What somebody does with the thing, and when: it says nothing about the thing.
_RELATIVE: Final = re.compile(
    r"\b(?:that |which )?(?:i|we|they|he|she|people|everyone|someone|(?:my|the|our) \w+) "
    r"(?:can|could|will|may|might|want to|need to|would|have to) [^,.;:?!\d\ufffc§]*|"
    r"\b(?:during|before|after|ahead of|in time for) (?:the|our|my|this|next|each|every) \w+(?: \w+)?|"
    r"\b(?:would|do) you mind \w+ing\b",
    re.IGNORECASE,
)
# Of what may be left beside something understood: never a refusal or an exception.
_REFUSAL: Final = re.compile(
    r"[不没别无勿甭]|除|以外|之外|\b(?:no|not|never|without|except|instead|rather|neither|none)\b|n['’]t\b"
)
# Refusals of what no plan does anyway, and things that are told to be missing.
_NO_REFUSAL: Final = re.compile(
    r"(?:内容|正文|里面|数据)?先?(?:不|别)(?:用)?(?:填|写)(?:正文|内容|字)?|(?:千万|可)?别(?:漏|忘)(?:了|掉)?|"
    r"还没有?(?:呢|了)?(?=\s*$)|(?:还|一直)?没(?:有)?(?:放|做|弄|画|写|加|建)(?:呢)?|(?:差|特|分)别|不错|除表头(?:以|之)?外|没有(?=\ufffc*的)|不要行|(?:别|不)写死",
)
# How long something takes or how much time it is about; a date, a place in a row and a deadline are no length.
_LENGTH: Final = re.compile(
    rf"(?<![第每各上下\d.年])(?:({COUNT})(?:个半?(?:季度|月)|个?(?:礼拜|星期|周|年|天)|"
    r"[\s-]?(?:quarter|month|week|year|day)s?\b)|半个?[年月])"
    r"(?!\s*(?:[内后前了没一二三四五六日份]|以[内后前]|之[内后前]|\d|ago|later|from now))",
    re.IGNORECASE,
)
_ONE: Final = re.compile(r"一[周年天]|(?:an?|one)[\s-](?:week|year|day)", re.IGNORECASE)  # a plan of a week is a plan
# Words that say how the thing is to be, beside what it is about.
_SHAPES: Final = re.compile(
    r"能|可(?![能行])|隔|重复|变|支持|适[合用]|自动|像|按(?!周)|照|模板|样式|"
    r"\b(?:that|which|can|like|as|by|using|able|automatic\w*|print\w*|large|small|landscape)\b",
    re.IGNORECASE,
)
_QUOTE: Final = "§"  # for each quotation that no rule used
_MAX_CHINESE: Final = 4
_MAX_WORDS: Final = 3
_MAX_ABOUT: Final = 10
_MAX_ABOUT_WORDS: Final = 7


def check_leftovers(text: RequestText, written: Sequence[str] = ()) -> list[str]:
    """Raise `Unclear` if a part of the request was not understood or asks for something else as well.

    Names that the plan has `written` are understood wherever they stand. The clauses that say more about the thing
    than the plan has, and order nothing, are returned.
    """
    about: list[str] = []
    if found := _UNSUPPORTED.search(text.mask):
        raise Unclear("unsupported", part=_clause_at(text, found.start()))
    names = sorted({one for one in written if len(one) > 1}, key=len, reverse=True)
    known = re.compile("|".join(re.escape(one) for one in names), re.IGNORECASE) if names else None
    periods = _count_periods("\n".join([text.raw, *written]))
    for number, clause in enumerate(re.finditer(r"(?:[^,，。;!?\n.]|\.(?=\S))+", text.mask)):
        is_named = known is not None and known.search(clause[0]) is not None
        if not is_named and (is_spoken(clause[0].strip()) or (number == 0 and _is_aside(clause[0].strip()))):
            continue
        if length := _find_length(clause[0], periods, written):
            raise Unclear("not_understood", part=_clause_at(text, clause.start() + length.start()))
        unknown, is_about = _unknown_part(clause[0], known)
        if is_about:
            about.append(_clause_at(text, clause.start()))
        elif unknown:
            raise Unclear("not_understood", part=_clause_at(text, clause.start() + _find_unknown(clause[0], unknown)))
    return about


def is_unsupported(clause: str) -> bool:
    """Whether a clause asks for something that no rule carries out: “email it to Bob”."""
    return _UNSUPPORTED.search(clause) is not None


def _find_unknown(clause: str, unknown: str) -> int:
    """Where what is unknown begins in its clause; a quotation stands under another sign there."""
    sign = '"' if unknown[0] == _QUOTE else unknown[0]
    return max(0, clause.find(sign))


def _is_aside(clause: str) -> bool:
    return is_aside(clause) and not is_demand(clause)


def _count_periods(said: str) -> int:
    return len({one.lower() for one in re.findall(PERIODS, said, re.IGNORECASE)})


def _find_length(clause: str, periods: int, written: Sequence[str]) -> "re.Match[str] | None":
    """A length of time that the plan does not have: neither in words nor as so many weeks, months or quarters."""
    for found in _LENGTH.finditer(clause):
        is_told = found[0].lower() in "\n".join(written).lower() or (found[1] and periods == read_count(found[1]))
        if not is_told and not _ONE.fullmatch(found[0]):
            return found
    return None


def _unknown_part(clause: str, known: "re.Pattern[str] | None") -> tuple[str, bool]:
    """Rest of a clause that is no filler and no name, and whether it only says what the thing is about.

    Short rests beside something understood do not count.
    """
    rest = _RELATIVE.sub(" ", re.sub(QUOTED, _QUOTE * 12, clause))
    for topic in list_topics():
        rest = topic.pattern.sub(CONSUMED, rest)
    rest = known.sub(" ", rest) if known else rest
    said = re.sub(rf"[{CONSUMED}\s:]+", " ", rest).strip()
    limits = (_MAX_CHINESE, _MAX_WORDS) if CONSUMED in rest else (1, 0)
    rest = _FILLER_EN.sub(" ", _FILLER_ZH.sub(" ", _NO_REFUSAL.sub(" ", rest)))
    chinese = re.findall(r"[\u4e00-\u9fff§]", rest)
    words = re.findall(r"[A-Za-z][A-Za-z'’-]+|\d+", rest)
    unknown = "".join(chinese) or " ".join(words)
    if _REFUSAL.search(rest):
        return unknown, False
    if len(chinese) <= limits[0] and len(words) <= limits[1]:
        return "", False
    is_short = len(chinese) <= _MAX_ABOUT and len(words) <= _MAX_ABOUT_WORDS
    is_plain = not _SHAPES.search(said) and "§" not in rest and not re.search(r"\d", rest) and not names_look(unknown)
    return unknown, bool(limits[1] and is_short and is_plain and (may_be_talk(unknown) or may_be_talk(said)))


def _clause_at(text: RequestText, at: int) -> str:
    """The clause of the request around a position, as it was written."""
    start = max((found.end() for found in re.finditer(r"[,，。;!?\n]", text.mask[:at])), default=0)
    end = re.compile(r"[,，。;!?\n]|$").search(text.mask, at)
    return text.raw[start : end.start() if end else len(text.raw)].strip()
