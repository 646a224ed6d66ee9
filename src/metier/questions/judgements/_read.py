"""Reads a short message as a question that judges the result before it.

The whole message has to be such a question: 为什么是它 asks for grounds, 为什么是浦东的小区 asks about something.
"""

from typing import Final, Literal

from metier.patterns import compile_later
from metier.questions.judgements._remaining import REMAINING
from metier.questions.judgements._side_by_side import COMPARE
from metier.textsearch import to_simplified

Judgement = Literal[
    "grounds",
    "impact",
    "severity",
    "short",
    "bad",
    "good",
    "worst_first",
    "remaining",
    "compare",
    "pages",
    "remedy",
    "all",
    "stated",
]

_MAX_CHARS: Final = 60
_THING: Final = r"(?:设备|机器|小区|项|条|台|个|行)?"
_THINGS: Final = r"(?:machines?|cells?|rows?|items?|ones?)"
_BAD: Final = r"(?:有(?:毛病|问题|故障|异常|风险)|(?:出|坏)了?(?:毛病|问题|故障)?|不正常|异常|要修|该修|不好|坏|差)"
_GOOD: Final = r"(?:没事|没(?:毛病|问题|故障)|正常|健康|(?:可以)?不(?:用|必)(?:管|修|动)|可以(?:先)?不管|挺好|完好)"
_BAD_EN: Final = r"(?:bad|faulty|broken|damaged|failing|sick|in\s+trouble|abnormal|problem(?:atic)?)"
_GOOD_EN: Final = r"(?:fine|ok(?:ay)?|healthy|good|normal|in\s+order|alright|all\s+right)"
_FILLER: Final = (
    r"(?:那么?|嗯|哦|噢|啊|可是?|但是?|不过|所以|好的?|谢谢|多谢|等等|等一?下|稍等|慢着|请问|麻烦"
    r"|\b(?:ok(?:ay)?|hm+|well|but|and|so|wait|hold\s+on|one\s+moment|sorry|please|thanks|thank\s+you|then|now)\b|[，,、\s])*"
)
_END: Final = r"(?:[吗呢啊呀吧么嘛的了，,\s]|\b(?:please|then|though|thanks|anyway)\b)*"
# Whom or what a result can affect.
_AFFECTED: Final = (
    r"(?:用户|客户|顾客|居民|终端|小区|基站|站点|设备|机器|业务|生产|人"
    r"|users?|customers?|subscribers?|people|residents?|cells?|sites?|machines?|services?|production)"
)
_NAMES_AFFECTED: Final = compile_later(rf"(?i){_AFFECTED}")
_OURS: Final = r"(?:(?:现网|现有|在网|线上|我们|咱们)的?)?"
_IT: Final = r"(?:(?:这|它|问题|情况)个?些?)?"
_WILL: Final = r"(?:会不会|会|是否|有没有|有|能)?"
_HOW_MUCH: Final = r"(?:(?:范围)?(?:有?多大|大不大|大|严重|广)|范围)?(?:不|没有)?"
_IMPACT: Final = (
    rf"{_IT}{_WILL}影响到?了?(?:多少|哪些|几个|很多)?个?(?:{_OURS}{_AFFECTED}数?)?的?{_HOW_MUCH}"
    rf"|{_IT}{_WILL}对{_OURS}{_AFFECTED}的?{_WILL}(?:什么|多大|啥)?影响{_HOW_MUCH}"
    rf"|(?:一共|总共|大概)?有?(?:多少|哪些|几个)个?{_AFFECTED}会?受到?了?影响"
    rf"|{_OURS}{_AFFECTED}的?(?:(?:会不会|会|是否|有没有)(?:有|受到?)?|有(?:什么|多大|啥)?|受到?了?)影响{_HOW_MUCH}"
    rf"|(?:does|did|will|would|could|can|is)\s+(?:it|this|that|the\s+problem)\s+(?:really\s+)?(?:affect|hurt|impact)(?:ing)?"
    rf"(?:\s+(?:(?:the|our|my|any|many)\s+)?{_AFFECTED})?"
    rf"|(?:how\s+many|which|what)\s+{_AFFECTED}\s+(?:are|is|were|will\s+be)\s+(?:affected|hurt|hit|impacted)"
    rf"|(?:are|is)\s+(?:(?:the|our|any|many)\s+)?{_AFFECTED}\s+(?:affected|hit|impacted)"
    rf"|(?:will|would|could)\s+(?:(?:the|our|any|many)\s+)?{_AFFECTED}\s+be\s+(?:affected|hit|impacted)"
    rf"|(?:what(?:'s|\s+is)|how\s+(?:big|large|bad)\s+is)\s+the\s+impact(?:\s+on\s+(?:(?:the|our)\s+)?{_AFFECTED})?"
)
# A question for a verdict, which is no question of how many.
_SEVERITY: Final = (
    rf"{_IT}(?:到底|是不是|算不算|算)?(?:有多|多|很|挺|太|非常)?(?:严重|危险|要紧)(?:不严重|不危险|不要紧|不)?"
    r"|how\s+(?:bad|serious|severe)\s+is\s+(?:it|this|that)"
    r"|(?:优化|仿真|调整)?后?的?(?:效果|结果)(?:到底)?(?:怎么样|如何|好吗|好不好|怎样)|有(?:没有)?(?:效果|改善|用)"
    r"|(?:did|does|will)\s+(?:it|this|that)\s+(?:help|work)|how\s+did\s+(?:it|that|this)\s+go|how\s+(?:good|well)\s+did\s+it\s+(?:do|work)"
    r"|(?:那|现在|目前|后来|整体|总体)*(?:的)?(?:情况|现状|状况)?(?:现在|目前)?(?:怎么样|如何|咋样)了?|how\s+(?:is|are)\s+(?:it|things|they)(?:\s+(?:now|going|doing))?"
    r"|how\s+(?:does|do)\s+(?:it|things|they)\s+look(?:\s+now)?|what(?:'s|\s+is)\s+the\s+(?:status|situation)(?:\s+now)?"
    r"|is\s+(?:it|this|that)\s+(?:very\s+|really\s+)?(?:bad|serious|severe|dangerous|risky)"
)
# Too much to read: the main points are wanted.
_MAIN_POINTS: Final = (
    r"(?:这|这些|报告|内容|写得|说得)?(?:太|好|有点)?(?:长|啰嗦|复杂|专业|多)了点?|(?:请|你|能不能|能|就)?(?:只|直接|先)?(?:说|讲|给|挑)(?:我|一?下)?(?:重点|要点|结论)"
    r"|长话短说|(?:说|讲|写)?(?:再)?(?:简单|简短|通俗|短|精简)一?[点些](?:说|讲)?|(?:[我就只]|给我|用)*(?:[一两二三1-3几])(?:句话?|行)(?:话)?(?:说|讲|就行|就好|即可)?|结论|(?:重点|要点|结论)(?:是什么|是啥|呢)|一句话(?:总结|概括|说|讲)?(?:一下)?"
    r"|(?:我|完全|还是|有点)?(?:没有?太?(?:看|听|读)|(?:看|听|读)?[不没]太?)(?:懂|明白)(?:你(?:在)?说(?:的|什么|啥))?|(?:这|这些|那|都)?是?(?:什么|啥)意思"
    r"|(?:this|that|it)(?:\s+is|'s)\s+(?:way\s+)?too\s+(?:long|much|complicated)|(?:way\s+)?too\s+(?:long|much|complicated|many\s+words)(?:\s+(?:text|information))?"
    r"|tl|dr|tldr|(?:can\s+you\s+|could\s+you\s+)?(?:make|keep|put)\s+it\s+(?:short|shorter|simple|simpler|briefly)|in\s+short|briefly"
    r"|(?:a\s+(?:bit|little)\s+)?(?:shorter|simpler)|(?:(?:in|just|only)\s+)?(?:one|two|three|[1-3])\s+(?:sentences?|lines?)"
    r"|(?:just\s+|only\s+)?(?:give\s+me\s+|tell\s+me\s+)?(?:just\s+|only\s+)?the\s+(?:(?:main|key)\s+points?|conclusions?|verdict)(?:\s+only)?"
    r"|(?:what(?:'s|\s+is)\s+)?the\s+(?:bottom\s+line|gist|upshot|takeaway)"
    r"|i\s+(?:really\s+)?(?:do\s+not|don't|didn't|can't)\s+(?:understand|get|follow)(?:\s+(?:it|this|that|any\s+of\s+(?:it|this|that)|a\s+word))?"
    r"|what\s+(?:does|do)\s+(?:that|this|it|these|those|all\s+(?:that|this))\s+mean"
)
# A length that only a report in one's own words could be written to.
_PAGES: Final = (
    r"(?:[我就只]|要|给我|最多|控制在|压缩(?:到|成)|缩(?:到|成)|不超过|写成?)*(?:\d{1,2}|[一二两三四五六七八九十半])页(?:纸|以内|内|左右|就行|就好|即可|的)*"
    r"|(?:(?:just|only|in|at\s+most|max(?:imum)?|no\s+more\s+than|make\s+it|keep\s+it(?:\s+to)?)\s+)*"
    r"(?:\d{1,2}|one|a|half\s+a|two|three|four|five|ten)\s+pages?(?:\s+(?:only|at\s+most|max(?:imum)?|or\s+less))?"
)
_REMEDY: Final = (
    r"(?:那|这|这些|该|应该|要|我们|具体|接下来|它|问题)*(?:怎么|如何|咋)(?:解决|处理|办|改善?|优化|治|修|弄|整改|应对)(?:它|这些|这个|问题)?"
    r"|(?:有(?:什么|啥|没有)|给点|什么)?(?:办法|建议|对策|措施)(?:是什么|有哪些|没有)?"
    r"|(?:what|how)\s+(?:can|should|could|do|would)\s+(?:we|i|you)\s+(?:do|fix|solve|improve|suggest|recommend)(?:\s+(?:about|with|for))?(?:\s+(?:it|this|that|them|now))?"
    r"|how\s+(?:to|do\s+(?:we|i)|can\s+(?:we|i))\s+(?:fix|solve|improve|mend)(?:\s+(?:it|this|that|them))?|any\s+(?:advice|suggestions?|ideas?)|what\s+(?:now|to\s+do)"
)
# What the verdict of a trend says: when it began, and when it ends.
_STATED: Final = (
    r"(?:它|设备|轴承)?(?:(?:什么|啥)时候|多久|哪(?:一)?天|从(?:哪|什么时候))(?:开始)?(?:会|要|能|就)?(?:开始)?(?:坏|失效|报废|出问题|变坏|变差|劣化|恶化)(?:的|了)?"
    r"|还?(?:能|可以)(?:用|撑|跑|转)多(?:久|长时间)|剩余?寿命(?:有)?(?:多久|多长|多少)?"
    r"|when\s+(?:will|does|did|has)\s+it\s+(?:(?:start|begin|going)\s+(?:to\s+)?)?(?:fail|break|die|get\s+worse|degrade|end)(?:\s+down)?"
    r"|how\s+long\s+(?:will|does|can)\s+it\s+(?:last|run|hold)|(?:what(?:'s|\s+is)\s+the\s+)?remaining\s+life"
)
# The rows themselves are wanted.
_ALL: Final = (
    r"(?:把|将|给我|请)?(?:结果|它们|其他的?|剩下的?|其余的?)?(?:全部|全|都|所有的?)(?:给我)?(?:列|显示|展示|摆)(?:出来|一下|给我|看)*"
    r"|其他的?(?:呢|怎么样)|(?:其余|剩下|别)的呢"
    r"|(?:把|再)?结果(?:给我)?(?:再)?(?:看|列|显示|展示|拿)(?:一?[看下]|出来|给我)*|(?:给我)?(?:看|列|显示)(?:一下|看)?结果"
    r"|(?:list|show|give)\s+(?:me\s+)?(?:them\s+all|all(?:\s+of\s+(?:them|it))?|everything|the\s+(?:others|rest|results?))(?:\s+again)?"
    r"|(?:and\s+)?(?:what|how)\s+about\s+(?:all\s+)?the\s+(?:others|rest)|and\s+the\s+(?:others|rest)"
)
_SHORT: Final = rf"(?:{_MAIN_POINTS})(?:[，,]\s*(?:{_MAIN_POINTS}))?"
_PATTERNS: Final = tuple(
    (kind, compile_later(rf"(?i){_FILLER}(?:{pattern}){_END}"))
    for kind, pattern in (
        (
            "grounds",
            r"(?:为什么|为啥|为何|凭什么|凭啥)(?:就?[是选说挑](?:它|这个|这台|这样|这么(?:说|排)?|那个)(?:最(?:差|急|严重))?|这么(?:说|判断?|认为|排)|(?:就?[是选说挑])?(?:[这那](?:些|几|[0-9两三四五六七八九十]+)个?(?:小区|设备|机器|台|项|条|个)*)(?:最?(?:差|急|严重|不好))?|呢?)"
            r"|怎么(?:就?是(?:它|这个|这台|那个)|这么(?:说|判断?|认为|排))"
            r"|(?:你|这|这个)?是?(?:怎么|咋|如何)(?:看|判断?|知道|得|算|查|认定|分析)(?:(?:断|出|得|定)?(?:来|到|出)?的|出来)(?:结论)?"
            r"|(?:这个?|结论)?的?(?:有(?:什么|啥))?(?:依据|根据|证据|理由|道理|凭据)(?:是什么|是啥|在哪里?|有哪些|呢)?"
            r"|(?:有多|多)(?:准|准确|确定|可靠|可信|靠谱)|how\s+(?:accurate|certain|reliable|exact|precise)\s+(?:is|are)\s+(?:that|this|it|these|you)"
            r"|你?(?:确定|肯定|没(?:搞|弄)错|靠谱|可信|准)(?:吗|么|嘛|不)|真的(?:吗|假的)|谁说的|何以见得"
            r"|why(?:\s+(?:are\s+)?(?:these|those)(?:\s+\d+|\s+two|\s+three)?(?:\s+(?:cells?|machines?|rows?|ones|sites?))?(?:\s+the\s+worst)?|\s+(?:that|this)(?:\s+one)?|\s+it|\s+is\s+(?:that|this|it)|\s+so)?"
            r"|how\s+(?:do|did|can|could)\s+you\s+(?:know|tell|see|get\s+(?:that|this|there)|find(?:\s+(?:that|it))?(?:\s+out)?"
            r"|(?:work|figure)(?:\s+(?:that|it))?\s+out|come\s+to\s+that)(?:\s+that|\s+it)?"
            r"|are\s+you\s+(?:really\s+)?sure(?:\s+(?:about|of)\s+(?:that|this|it))?|how\s+sure\s+are\s+you|says\s+who|really"
            r"|according\s+to\s+wh(?:om?|at)|(?:based\s+)?on\s+what(?:\s+(?:basis|grounds|evidence))?|based\s+on\s+what"
            r"|what(?:'s|\s+is|\s+are)\s+(?:the|your)\s+(?:evidence|basis|reasons?|proof|grounds)(?:\s+for\s+(?:that|this|it))?"
            r"|what\s+makes\s+you\s+(?:say|think)\s+(?:that|so|this)|prove\s+it",
        ),
        ("remaining", REMAINING),
        ("compare", COMPARE),
        ("impact", _IMPACT),
        ("severity", _SEVERITY),
        ("short", _SHORT),
        ("pages", _PAGES),
        ("remedy", _REMEDY),
        ("all", _ALL),
        ("stated", _STATED),
        (
            "bad",
            rf"(?:我?(?:就|只|光|仅)(?:说|看|列|要|讲|留|给我|显示|告诉我|挑)*(?:一?下)?){_BAD}的?{_THING}"
            rf"|[把将]?{_GOOD}的?{_THING}(?:都|全)?(?:去掉|去除|排除|删掉|拿掉|隐藏|不看|不要)"
            rf"|(?:leave\s+out|hide|remove|drop)\s+the\s+{_GOOD_EN}(?:\s+{_THINGS})?|without\s+the\s+{_GOOD_EN}(?:\s+{_THINGS})?"
            rf"|把?{_BAD}的?{_THING}(?:单独)?(?:列|挑|找)(?:一下|出来|给我)+|哪(?:些|几[台个]|台|个)?{_THING}是?{_BAD}"
            rf"|(?:(?:just|only)\s+(?:(?:show|list|tell|give)\s+(?:me\s+)?(?:about\s+)?)?|(?:show|list|tell|give)\s+(?:me\s+)?(?:just|only)\s+)"
            rf"(?:the\s+)?{_BAD_EN}(?:\s+{_THINGS})?"
            rf"|which(?:\s+{_THINGS})?\s+(?:is|are)\s+{_BAD_EN}|(?:the\s+)?{_BAD_EN}\s+{_THINGS}\s+only",
        ),
        (
            "good",
            rf"哪(?:些|几[台个]|台|个)?{_THING}是?{_GOOD}|(?:我?(?:就|只|光|仅)(?:说|看|列|要|讲|留|显示)*(?:一?下)?){_GOOD}的{_THING}"
            rf"|which(?:\s+{_THINGS})?\s+(?:is|are)\s+{_GOOD_EN}"
            rf"|which(?:\s+{_THINGS})?\s+(?:can|could|may)\s+(?:i|we)\s+(?:leave(?:\s+alone)?|skip|ignore)"
            rf"|(?:just|only)\s+(?:(?:show|list)\s+(?:me\s+)?)?(?:the\s+)?{_GOOD_EN}(?:\s+{_THINGS})",
        ),
        (
            "worst_first",
            r"(?:把|将|按)?最?(?:差|坏|严重|紧急|急|要紧)(?:的|程度)?(?:排|放|摆|列)(?:在|到)?(?:最?前(?:面|头)?|序|一下|一?排)?"
            r"|从最?(?:差|坏|重|急|严重)的?到最?(?:好|轻)(?:的)?(?:排|列)?(?:一下|序)?"
            r"|(?:sort|order|rank|list)(?:\s+(?:it|them|these|those|the\s+list))?\s+(?:by\s+(?:severity|urgency|condition)|(?:from\s+)?(?:the\s+)?"
            r"worst(?:\s+(?:ones?\s+)?(?:first|to\s+best|at\s+the\s+top))?)|worst\s+(?:ones?\s+)?first",
        ),
    )
)
_SENTENCES: Final = compile_later(r"[？?！!。.；;\n]+")
# A few sentences for somebody else: the main points, where no report has causes to put them together from.
_READER: Final = r"(?:老板|领导|经理|客户|上级|同事|别人|他们?)"
_SUMMARY: Final = compile_later(
    rf"(?:请|帮我|麻烦|能不能|可以)*(?:给|向|跟|对)?(?:我的?)?{_READER}?(?:写|说|讲|汇报|总结|概括|用)*(?:[一两二三1-3几]句话?)(?:总结|概括|说明|说清楚?|汇报|写)?(?:一下)?(?:给{_READER})?(?:看|听)?[吧。.!！]*"
    rf"|(?:给|向|跟){_READER}(?:汇报|总结|说)(?:一下)?[吧。.!！]*|总结一?下[吧。.!！]*"
    r"|(?i:(?:please\s+|can\s+you\s+|give\s+me\s+|write\s+(?:me\s+)?)*(?:one|two|three|a\s+few|a\s+couple\s+of|[1-3])\s+(?:sentences?|lines?)"
    r"(?:\s+(?:for|to)\s+(?:my|the|our)\s+(?:boss|manager|director|customer|client|colleagues?))?[.!]*"
    r"|(?:sum|summari[sz]e)\s+(?:it|this|that)(?:\s+up)?(?:\s+for\s+(?:my|the|our)\s+(?:boss|manager|director|customer|client))?[.!]*)"
)


def read_judgement(message: str) -> Judgement | None:
    """What a message asks of the newest result; None if any part of it asks for something else."""
    said = to_simplified(message.strip())
    if len(said) > _MAX_CHARS:
        return None
    kinds = {_read_sentence(one.strip()) for one in _SENTENCES.split(said) if one.strip()}
    return kinds.pop() if len(kinds) == 1 else None


def wants_summary(message: str) -> bool:
    """Whether a message asks for a few sentences about the result, for whomever."""
    return _SUMMARY.fullmatch(to_simplified(message.strip())) is not None


def read_affected(message: str) -> str:
    """Whom or what a question about the impact names: 用户 of 会影响用户吗; empty if it names none."""
    found = _NAMES_AFFECTED.search(to_simplified(message))
    return found[0] if found is not None else ""


def _read_sentence(sentence: str) -> Judgement | None:
    return next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(sentence)), None)  # type: ignore[misc]  # the kinds of the table are those of the type
