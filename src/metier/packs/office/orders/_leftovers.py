"""What is left of an order when every rule took its words: filler says nothing, anything else is not understood."""

import re
from typing import Final

from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText

__all__ = ["AFTER", "COURTESY", "find_rest", "is_chatter", "strip_courtesy"]

COURTESY: Final = re.compile(
    r"^(?:(?:你好|您好|请|麻烦(?:你|您)?|劳驾|帮忙|帮我|帮|给我|替我|我想要?|我要|我希望|希望|需要|能不能|"
    r"能否|可不可以|可以|"
    r"现在|先|顺便|另外|还有|对了|哦对|嗯|那个|就是|给它?|(?:hi|hello|hey|please|kindly|can you|could you|would "
    r"you|will you|i want(?: you)? to|"
    r"i need(?: you)? to|"
    r"i'd like(?: you)? to|i'd like(?: to have)?|i would like(?: to)?|i need|we need|i want|give me|can we(?: have)?|"
    r"could we(?: have)?|would it be possible to|is it possible to|it would be (?:great|nice) if you could|let's|now|"
    r"also|just|ok|okay|(?:my|the|our) (?:boss|teacher|supervisor|manager|client|prof(?:essor)?) (?:wants|needs|says|"
    r"said|asked for)"
    r"(?: (?:me|us|you))?(?: to)?)\b|(?:我们?|咱们?)?(?:领导|老师|老板|主任|经理|客户|导师|财务|上面)(?:说了?|要求|"
    r"让|叫|吩咐)(?:我们?|咱们?)?"
    r"(?:必须|最好)?(?:要|得)?|一定[要得]?|务必)[\s,，:：]*){1,6}",
    re.IGNORECASE,
)
AFTER: Final = re.compile(
    r"(?:[\s,，。.!！~～?？]|谢谢(?:你|您)?|多谢|辛苦了?|可以吗|行吗|好吗|吗|吧|啊|呀|哦|呢|哈|咯|呗|哩|撒|噻|即可|"
    r"就行了?|就好了?|就可以了?|就成|行不行|可以不|好不好|嘛|啦|哟|喔|"
    r"thanks?(?: you)?(?: a (?:lot|million))?|thx|(?<![a-z])ta|cheers|pls|plz|please|for me|will you|ok|dear|mate|"
    r"love|lol|asap)+$",
    re.IGNORECASE,
)
_FILLER_ZH: Final = re.compile(
    r"统统|通通|整体|新的?|提醒一?下?|强调一?下?|显眼(?:一?[点些])?|醒目(?:一?[点些])?|好看(?:一?[点些])?|应该|"
    r"需要|统一|"
    r"整条|整段|一下子?|麻烦|帮我|帮忙|我们|我的|我|请|把|将|给|让|使|对于|对|的话|的|地|得|了|着|都|全部|全|所有|"
    r"统一|一律|均|各个|"
    r"每一?个|整个|整|一个|一条|一|个|这个|那个|这份|这张|这一?|那一?|该|本|里面|里头|里|中间|中|上面|上|内|为|成|"
    r"设置|设定|设|调整|调|改成|改为|改|弄|搞|变|换|用|以|按照|按|根据|并且|并|且|和|与|及|以及|跟|再|"
    r"然后|接着|同时|也|还|另外|"
    r"文档|文件|文章|合同|通知|报告|表格|数据|工作簿|演示文稿|内容|文字|字体|字|格式|样式|风格|显示|进行|处理|"
    r"操作|单元格|位置|地方|部分|就|是|到|在|从|往|下|去|来|出来|起来|它们?|其|吧|呢|啊|哦|呀|修订(?:模式|"
    r"方式)?|模式|方式|"
    r"直接|帮|想|要|需|能|可以|颜色|效果|处|那|这|有|些|好|自动|页面"
)
_FILLER_EN: Final = re.compile(
    r"\b(?:please|kindly|you|i|we|me|us|my|our|your|a|an|the|this|that|these|those|it|its|them|their|to|"
    r"in|into|on|at|"
    r"of|for|from|with|by|as|and|then|also|plus|so|be|is|are|have|has|do|make|makes|set|put|turn|change|"
    r"use|using|give|"
    r"apply|format|show|display|shown|all|every|each|whole|entire|document|doc|file|workbook|spreadsheet|sheet|deck|"
    r"presentation|text|texts|font|fonts|cells?|values?|style|colou?r|need|want|should|would|like|can|"
    r"could|will|up|out|"
    r"there|here|just|actually|really|so that|nicely|properly|instead|please|data|where|which|whose|tracked "
    r"changes|in tracked mode|it's|s)\b",
    re.IGNORECASE,
)


# Reasons, thanks and wishes beside an order: they name nothing of a document and ask for nothing.
_CHATTER: Final = re.compile(
    r"(?:.{0,12}(?:江湖救急|救急|急用|着急|打扰了?|不好意思|辛苦|拜托|谢谢|感谢|多谢|您好|你好|"
    r"不知道怎么弄|只能找你了?|下午要交|马上要[交用开]|"
    r"(?:名字?|名称)?(?:改|变|换)了|等着用|要开会了?).{0,6}"
    r"|(?:合同|文档|文件|全文|通篇|里面?|里头|都|也|帮我|一起|全部|到处|把它们?|所有地方|一并|给我)+(?:换掉|改掉|"
    r"改过来|换过来|更新(?:一下)?|改了|换了|改一?下|换一?下)"
    r"|(?:please )?(?:update|change) (?:it|that|this) (?:everywhere|throughout)(?: in .{0,20})?"
    r"|(?:其[他它余]|别的|剩下)(?:的)?(?:都)?(?:别|不要|不用|不)(?:动|改|变)(?:啊|哈|了|就行)*|"
    r"(?:其[他它余]|别的)(?:都)?(?:保持)?不变"
    r"|(?:good )?(?:morning|afternoon|evening)\W*|(?:hi|hey|hello)\b.{0,20}|(?:many )?thanks\b.{0,20}|"
    r"thank you\b.{0,20}|sorry\b.{0,30}"
    r"|(?:the )?meeting is in .{0,20}|(?:it'?s )?urgent|asap|nothing else (?:should |must )?changes?|"
    r"leave (?:the rest|everything else).{0,15}"
    r"|don'?t (?:change|touch) anything else|nothing (?:fancy|special|else)|(?:keep it |just )?simple|lol|if you can|"
    r"as usual"
    r"|省(?:点|些)?(?:墨|纸|钱|地方|空间)|(?:我)?(?:等下|回头|马上|一会儿?|明天|后天|今天)?(?:要|得|还要|"
    r"准备)(?:拿去|去|打)?(?:打印|印)(?:的|出来|出来用)?"
    r"|(?:我|我们|等下|回头)*(?:还)?(?:要|得|准备)(?:拿去|去)?(?:发给?|交给|给|传给|寄给)(?:外头|外面|外边|"
    r"外单位|客户|领导|老板|老师|同事|家长|别人|财务)的?(?:人|看|用)*"
    r"|(?:看着|看得|看上去|显得)?(?:实在是?|真是?|真的|太|很)?(?:烦人?|碍眼|难看|累赘|乱|吵|费劲|麻烦)(?:得很|死了?|得要命|透了|极了)"
    r"|(?:观众|大家|学生|家长|他们|别人|人家|后排)?(?:根本|都|也)?看不(?:过来|清楚?|懂|见|完)了?"
    r"|(?:the |my |our |this |that )[\w' ]{2,40} (?:is|are|was|were) (?:so |too |very |really |just |quite |"
    r"pretty |a bit )*"
    r"(?:ancient|old|tiny|small|picky|fussy|slow|broken|rubbish|awful|terrible|bad|strict|colou?r-?blind|blind|"
    r"short-sighted)"
    r"|(?:my |our |the )[\w' ]{2,40} (?:hates?|loves?|prefers?|likes?|can'?t (?:stand|read|see)|insists?|"
    r"complains?)\b[\w' ]{0,40}"
    r"|(?:the whole thing|it|this|that|all of it) (?:is|'s) (?:getting|being|going to be) (?:pasted|sent|printed|"
    r"copied|mailed|emailed|shared|shown|presented)\b[\w' ]{0,40}"
    r"|(?:要|得)?(?:快|简单)一?点(?:就行)?|(?:别|不要)(?:太)?花哨|仅此而已|就这样|就这些|没别的了?|注意一?下)",
    re.IGNORECASE,
)


def is_chatter(clause: str) -> bool:
    """Whether a clause beside an order says nothing about what to do."""
    if re.search(r"[“”\"「」『』]|[加插写放删标][^了]{0,4}[页段行句条]", clause):
        return False  # words to be written, however polite
    return _CHATTER.fullmatch(clause.strip(" ,，。.!！~～?？")) is not None


def strip_courtesy(message: str) -> str:
    """The order without greetings, requests and thanks around it."""
    said = COURTESY.sub("", message.strip())
    if re.search(r"[:：]", said):
        return said  # the last mark may belong to the text that is to be written
    return AFTER.sub("", said) or said


# What the rows of a table are about: a condition says which of them are meant.
_ROWS: Final = re.compile(
    r"学生|同学|同事|老师|员工|人员|职工|单子|单据|账单|票据|发票|订单|商品|产品|货品|货|物品|明细|名单|记录|数据|"
    r"条目|客户|项目|笔|"
    r"费用|报销|支出|分数|成绩|行|\b(?:students?|employees?|staff|people|orders?|bills?|invoices?|items?|products?|"
    r"entries|records?|"
    r"rows?|customers?|expenses?|scores?|lines?|ones)\b",
    re.IGNORECASE,
)


# An order for another value that no rule took, verb and value both.
_NEW_VALUE: Final = re.compile(
    r"(?:改成|改为|换成|换为|变成|改名为|改叫)\s*[^\W\d_]+|\b(?:chang|renam)e\b[^,.;:!?\n]{0,40}\bto\s+[^\W\d_]+",
    re.IGNORECASE,
)


def find_rest(text: RequestText, *, is_table: bool = False) -> str:
    """Words that no rule used and that are no filler, as they were written; empty if everything was understood."""
    shown = re.sub(QUOTED, lambda found: "§" * len(found[0]), text.mask)
    if (value := _NEW_VALUE.search(shown)) is not None:
        return text.raw[value.start() : value.end()]  # a new value is no filler, even 通知 or “text”
    for filler in (_FILLER_EN, *((_ROWS,) if is_table else ()), _FILLER_ZH):
        shown = filler.sub(lambda found: CONSUMED * len(found[0]), shown)
    shown = re.sub(r"\s[+&]\s", "   ", shown)
    kept = [at for at, char in enumerate(shown) if char == "§" or re.match(r"[\w%&+=<>]", char)]
    if not kept:
        return ""
    return text.raw[kept[0] : kept[-1] + 1]
