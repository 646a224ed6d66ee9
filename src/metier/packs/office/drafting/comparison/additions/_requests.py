"""Words to the reader that were written as a text: 弄完发给王总, “no wait”, 等等, “but don't make it bold”."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._plan_texts import list_groups

__all__ = ["find_condition", "find_request"]

# Where a clause of a written text begins.
_CLAUSE: Final = re.compile(
    r"\s*[,，。；;!！?？(（)）]\s*|\.\s+|\s+[-–—]+\s+|\s+(?=(?:and|then|but) [a-z])", re.IGNORECASE
)
_LEAD_ZH: Final = (
    r"(?:弄|做|写|改|加|搞|处理)?(?:完|好|完成)?(?:了|后|之后|以后)?"
    r"(?:就|再|也|并|请|麻烦|帮我|顺便|然后|最后|另外|别忘了?|记得|回头|给我)*"
)
_LEAD_EN: Final = (
    r"(?:and |then |also |please |but |(?:don['’]?t forget|remember) to |once done |"
    r"when (?:you(?:['’]re| are) )?done,? )*"
)
_FILE: Final = r"(?:把)?(?:它|这个?|这份)?(?:文件|文档|表格?|内容)?"
# What becomes of the finished file; a text may say 发给 of other things, but then says what.
_HANDLE: Final = (
    rf"{_LEAD_ZH}{_FILE}(?:发|转|传|寄|抄送|发送|转发|发邮件)(?:一份)?(?:给|到)[^,，。;；]{{1,8}}|"
    rf"{_LEAD_ZH}{_FILE}打印?(?:出来|一下)?[一二两三四五\d]?[份张遍]?(?:出来)?|"
    rf"{_LEAD_ZH}(?:告诉|通知|跟|和)我(?:说)?(?:一声|一下)?|{_LEAD_ZH}{_FILE}(?:保存|存盘|另存|导出|存)(?:一下|好|成[^,，]{{1,8}})?|"
    rf"{_LEAD_EN}(?:send|email|e-mail|mail|forward|print|save|share|export)(?: (?:it|this|that|the (?:file|document|"
    rf"doc)|everything|a copy|"
    rf"(?:(?:two|three|four|some|\d+) )?copies|them|him|her|us|me))+(?: (?:out|off))?(?: (?:to|as|with|by|"
    rf"for) .{{1,30}})?|"
    rf"{_LEAD_EN}(?:send|email|e-mail|mail|forward) (?:it )?to .{{1,30}}|"
    rf"{_LEAD_EN}(?:let me know|tell me|ping me|ask me)\b.{{0,24}}|{_LEAD_EN}(?:and )tell [A-Z]\w+(?: .{{0,16}})?"
)
_CORRECTS: Final = (
    r"(?:哦|啊|哎|等等|等一?下)?(?:不对|不是|错了|说错了?|写错了?|更正)(?:了|啊|哈|，|,)?(?:应该?)?(?:是|改|应)?.{0,20}|"
    r"(?:no|oh|sorry|oops|actually|wait)[, ]+(?:wait|no|sorry|actually|make (?:that|it)|the|i mean)\b.*|"
    r"or (?:maybe|perhaps|rather|just)\b.*|(?:no,? )?(?:make (?:that|it)|scratch that|i mean(?:t)?|correction|"
    r"rather)\b.*"
)
_VAGUE: Final = (
    r"(?:先后|前后)?(?:顺序|次序).{0,6}|(?:弄|做|改|写|加)(?:完|好)(?:了|后|之后|以后)?(?:再|就|请|帮我|截图|给我).{0,12}|"
    r"use (?:an? |the )?(?:\w+ )?(?:tone|style|font|wording|language|letters|spacing)\b.{0,12}|"
    r"(?:skip|leave out|ignore|drop) (?:number|no\.?|item|point|the (?:first|second|third|last))\b.*|"
    r"keep (?:it|this) (?:short|simple|formal|to one page)\b.{0,12}|"
    r"等等|等|之类的?|以此类推|(?:其他|其余|剩下|别的|后面|下面)的?(?:你|自己)?(?:看着|随便|自己)(?:办|写|加|来|补|填)(?:吧|就行)?|"
    r"你看着(?:办|写|加|来|补|填)(?:吧|就行)?|etc\.?|and so on|and so forth|you (?:can )?(?:pick|choose|decide)\b.*|"
    r"(?:something|anything) (?:like that|similar)|whatever you (?:like|want|think)\b.*"
)
_LOOK_ZH: Final = r"(?:加粗|粗体|标[红黄蓝绿]|变[红黄蓝绿]|居中|斜体|加?下划线|高亮|编号|缩进|合计|表头)"
_REFUSES: Final = (
    rf"(?:但|也|都|千万|请)*(?:不要|不用|别|无需|不需要|不)(?:给我)?{_LOOK_ZH}(?:了|啊|哈)?|"
    r"(?:and |but |please )*(?:don['’]?t|do not|never) (?:make|put|set|use|bold|cent(?:er|re)|underline|number|"
    r"indent)\b"
    r".{0,24}|(?:and |but )?(?:not|without|no) (?:in )?(?:bold|italics?|cent(?:er|re)d|underlined|numbers?|numbering|"
    r"bullets?|an? header|header|total|legend)\b.{0,12}"
)
_DEPENDS: Final = (
    r"(?:如果|要是|假如|万一|若)(?:太长|太多|太短|放不下|写不下|装不下|不够|没有|可以|行|能|方便|可能|有空位?|已经有|"
    r"合适|需要)[^,，。]{0,6}?(?:的话)?(?:就|则|那就)?.{0,12}|"
    r"(?:and |but )?(?:if|unless) (?:(?:there(?:['’]s| is)|you have) (?:no |any |enough )?(?:room|space)|possible|"
    r"it fits|"
    r"it does(?:n['’]t| not) fit|you can|needed|necessary|it(?:['’]s| is) too (?:long|short|big)|too (?:long|big))\b.*"
)
_NUMBERS: Final = (
    r"(?:编号)?(?:从|由)[一二三四五六七八九十\d]+(?:开始|起)(?:编号|编|数)?|"
    r"(?:start|starting|begin|beginning)(?: \w+)? (?:at|with|from) (?:no\.? ?)?\d+"
)
_PLACES: Final = (
    r"(?:再|然后|接着|并)?(?:在)?(?:它|其)?(?:下面|后面|底下|下方|其下|末尾|最后|再)(?:再)?(?:写|加|插入|放|来|跟)?(?:上|入)?"
    r"(?:一?[个段行句张])?(?=[:：])|(?:and |then )+(?:add|insert|write|put|delete|remove|change) (?:an? |the |it)\b.*|"
    r"(?:also|plus) (?:add|insert|write|put|delete|remove|change|move|make|set)\b.*|"
    r"(?:and|plus|with) (?:an? |the )(?:picture|photo|image|logo|chart|table|graph|diagram)\b.*|"
    r"(?:并|再|每[条点项页])?(?:(?:左|右|旁)边)?(?:放|配|附)(?:上|一张|个)*(?:图|照片|logo|图标).{0,6}"
)
_LOOKED: Final = (
    r"[^,，:：]{0,8}?(?:也|都|要|请|用|全部?)*(?:加粗|粗体|标[红黄蓝绿]色?|变[红黄蓝绿]|加?下划线|斜体|高亮|居中|右对齐)(?:显示|哦|啊)?|"
    r"(?:用|要)?(?:大|小|粗)一?[点些]的?字(?:体|号)?|字(?:体|号)?(?:要|再)?(?:大|小|粗)一?[点些]|"
    r"(?:the )?(?:first|second|third|last|other|whole)(?: (?:one|two|three|item|line|point|word|row)s?)? (?:in )?"
    r"(?:bold|italics?|underlined|red|blue|green|capitals)"
)
_TODAY: Final = re.compile(
    r"(?:写上|填上)?(?:今天|当天|今日|当前|现在)的?(?:日期|时间)|today['’]?s date|the (?:current )?date", re.IGNORECASE
)
_NO_ITEM: Final = re.compile(r"on|in|of|at|the|and|to|for|with|from", re.IGNORECASE)
_LOOK_EN: Final = re.compile(
    r"(?:(?:and|in|make it|all) )*(?:in )?(?:bold|italics?|underlined|cent(?:er|re)d|right[- ]aligned|(?:dark |light )?"
    r"(?:red|blue|green|grey|orange|yellow)(?: letters| type| text)?|\d+ ?(?:pt|points?))(?: please)?",
    re.IGNORECASE,
)
_TALK: Final = re.compile("|".join((_HANDLE, _CORRECTS, _VAGUE, _REFUSES, _DEPENDS, _NUMBERS, _LOOKED)), re.IGNORECASE)
_CONDITION: Final = re.compile(
    r".{1,20}\b(?:too|as well)|.{1,8}也(?:是|要|一样|这样)?$|(?:但是?|不过)?(?:如果|要是|假如|除非|倘若|只有)|(?:but |"
    r"and )?(?:only )?(?:if|unless|provided)\b",
    re.IGNORECASE,
)
# A place that was written as the beginning of the first item: after Tasks: return keys.
_PLACE_BEFORE: Final = re.compile(
    r"(?P<it>(?:after|before|below|above|under|behind|following|beneath) [^:：]{1,40}|"
    r"在?[^:：]{1,20}(?:后面|前面|下面|上面|之后|之前))[:：]",
    re.IGNORECASE,
)
# An item of a list that may depend on something: y if Bob agrees, 乙（如果王总同意）.
_IF_BEHIND: Final = re.compile(
    r"\S\s+(?P<it>(?:if|unless|provided(?: that)?|only if) [A-Za-z].*)|"
    r"[(（](?P<zh>(?:如果|要是|假如|除非|若|if |unless ).*?)[)）]",
    re.IGNORECASE,
)
_POLITE: Final = re.compile(
    r"方便|可以的话|能的话|有空|有时间|不麻烦|有问题|有疑问|不懂|不清楚|再|又|重复|"
    r"\b(?:you (?:can|could|have time|don['’]?t mind)|possible|"
    r"questions?|unclear|again|twice|that['’]s ok|it['’]s ok)\b",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(_PLACES, re.IGNORECASE)
_NOW_QUOTED: Final = re.compile(rf"\s*{QUOTED}(?P<rest>.*\w.*)", re.DOTALL)


def find_request(text: RequestText, steps: Sequence[JsonObject]) -> str:
    """The first clause of a written text that is for the reader; empty if there is none.

    The first clause of a text that stands alone is what it says. Words in quotation marks are as they are.
    """
    quotes = [one.text for one in text.quotes]
    for step in steps:
        for items in list_groups(step):
            for at, item in enumerate(items):
                if not item.strip() or any(item in one for one in quotes):
                    continue
                is_line = step.get("data") is None
                is_bare = is_line and at > 0 and re.search(r"\w", item) is None
                if (
                    is_bare
                    or _TODAY.fullmatch(item.strip())
                    or (is_line and len(items) > 1 and _NO_ITEM.fullmatch(item.strip()))
                ):
                    return item.strip()
                if is_line and at == 0 and len(items) > 1 and (found := _PLACE_BEFORE.match(item)):
                    return found["it"]
                if is_line and len(items) > 1 and (found := _IF_BEHIND.search(item)):
                    return found["it"] or found["zh"]
                if part := _find_clause(item, is_first=at == 0):
                    return part if part in text.raw else item
    return ""


def find_condition(left_out: Iterable[str]) -> str:
    """The first clause left out of a draft that makes it depend on something; empty if none does."""
    return next((one for one in left_out if _CONDITION.match(one) and not _POLITE.search(one)), "")


def _find_clause(item: str, *, is_first: bool) -> str:
    said = RequestText(item)
    if (found := _NOW_QUOTED.fullmatch(said.mask)) is not None and not re.match(r"\s*[(（]", found["rest"]):
        return item[found.start("rest") :].strip(" ,，")
    starts = [0, *(one.end() for one in _CLAUSE.finditer(said.mask))]
    for at, start in enumerate(starts):
        if at == 0 and is_first:
            continue
        end = starts[at + 1] if at + 1 < len(starts) else len(item)
        clause = item[start:end].strip(" ,，。.;；!！)）(（")
        is_open = said.mask[start:end].strip() != "" and '"' not in said.mask[start:end]
        if is_open and (
            _TALK.fullmatch(clause) or _GOES_ON.match(said.mask[start:]) or (at and _LOOK_EN.fullmatch(clause))
        ):
            return clause
    return ""
