"""Splits a message that may hold several requests: 先调研，再做PPT; fix the bug and make slides."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from metier.patterns import compile_later
from metier.routing.text._quoted import mask_quoted
from metier.routing.text._triggers import SkillMention, TriggerIndex
from metier.textsearch import has_cjk, lower_keep_length

# Verbs that begin a request in English.
ENGLISH_VERBS: Final = (
    "make|write|find|check|give|tell|show|put|send|summari[sz]e|list|book|draw|help|explain|review|"
    "fix|build|create|turn|export|convert|merge|split|add|remove|clean|plot|compute|calculate|"
    "compare|analy[sz]e|diagnose|research|look|search|get|set|suggest|recommend|provide|plan|prepare|"
    "draft|translate|read|mark|grade|run|refactor|debug|test|swap|move|cancel|reply|answer|process|"
    "start|format|see|let|teach|estimate|flag|map|organi[sz]e|update|append|generate|pull|do|design|"
    "fill|screen|open|insert|replace|delete|interpret|complete|schedule|order|buy|play|need|want|like|know|advise|identify|extract|figure|collect|compile|tidy|"
    "highlight|outline|rewrite|edit|correct|improve|rate|sort|count|filter|group|visuali[sz]e|measure|"
    "evaluate|assess|inspect|verify|confirm|investigate|fetch|download|save|share|email|print|record|"
    "track|predict|forecast|simulate|optimi[sz]e|apply|undo|deploy|deliver|describe|discuss|propose|produce|audit|scrape|crawl"
)
# Start of a request: in English a verb or question word, in Chinese a verb, after optional particles.
_REQUEST_PATTERN: Final = r"""
    (?:再|也|还|就|请|麻烦|先|都|并|一并|另|同样|你|我|只|直接|今天)*\s*
    (?:把|将|帮|给|替|陪|教|让|要|想|需要|写|做|出|查|看|算|画|整理|整成|生成|导出?|转成|转换|输出|列|统计|汇总|分析|调研|诊断|判断|排|抽
       |审|检查|核对|解读|解释|说说|讲讲|告诉|了解|回复|回一?下|改|修|补|加|放[到进在]|插[到进]|填|合并|拆|翻译|总结|归纳|梳理|提取|抓|下发|撤销
       |约|预约|挂|取消|定个|定一|定价|订|安排|准备|备|配|批改?|打分|发|投|调|评估|预测|比较|对比|模拟|仿真|优化|推荐|介绍
       |搜|找|压缩|换|去重|筛|跑|验证|打印|起草|拟|设计|制作|弄|搞|对照|评[一下价个]|测[一下算试]|转[成换为]|清[一理洗空]|归[一类纳]|记[一下成录]
       |编[一个成写]|标[出一注记]|登记|爬[一下取]|怎么|如何|多少|哪|什么|能不能|有没有|是不是|可以)
  | (?:(?:please|pls|kindly|just|now|can|could|would|will|you|also|let\s+me|me|help|i|i'?d|we|to|both|so|maybe)\s+)*
    (?:{english})\b
  | (?:what|whats|how|where|which|who|when|why|is|are|does)\b
  | (?:the|my|our|this|that)\s+(?:\w+\s+){1,3}needs?\s+(?:an?|to\s+be|some)\s+\w
"""
# "Then" within what is told: a car starts and then accelerates.
_TOLD: Final = r"\s+(?:never|not|was|were|had|has|will|it|they|he|she|\w+[^s\W]s)\b"
# Words that announce a further request, and sentence ends.
_MORE: Final = rf"""
    \b(?:(?:and\s+)?(?:(?<!but\s)then(?!{_TOLD})|also|after\s+that|afterwards)|plus(?!['"]|\s+(?:type|size|one|\d))|additionally|in\s+addition|as\s+well\s+as
      |besides(?:\s+that)?|furthermore|moreover|finally|lastly|secondly|followed\s+by)\b,?\s*(?:next\b,?\s*)?(?:separately\b,?\s*)?
  | \b(?:(?:oh|and|also|then)\W+)*(?:separately|while\s+you'?re\s+at\s+it|on\s+an?(?:other|\s+different)\s+note
      |not\s+related
      |unrelated|one\s+more\s+thing|another\s+thing|next\s+(?:job|task)(?:\s+after\s+that)?|p\.?s\.?|btw
      |by\s+the\s+way)
      (?=\W)[,:]?\s*
  | \boh\s+and\s+
"""
# The same in Chinese, after a comma, a full stop or a gap: 哦还有, 对了, 另一件事.
_MORE_CHINESE: Final = r"""
    (?:[哦噢啊喔][，,]?\s*)?(?:对了|另?还有(?:[一个件]*事儿?)?|(?:然后)?另[一外]+[件个]事儿?|另外|另一方面|顺便|顺手|顺带|此外|与此同时|同时|ps(?![a-z]))
    呢?(?:[，,：:]\s*)?(?:再|也|还)?
"""
# What follows is done before what stands in front: 诊断齿轮箱之前，先把设备筛一遍.
_EARLIER: Final = r"(?P<earlier>(?:之前|以前|前)[，,]?\s*(?=[请要]?先))"
# Items of a numbered list within a line: 1. … 2. …; （1）…（2）…
_NUMBERED: Final = r"[，,；;。]?\s*(?:[（(][1-9一二三四五][）)]|(?<![\w.])[1-9][.、)）](?![0-9]))\s*"
_JOINT: Final = rf"""
    {_NUMBERED} | (?:[；;\n]+|[。！？!?]+|(?<=\w\w)(?<!\betc)\.(?=\s))\s*(?:{_MORE}|{_MORE_CHINESE})?
  | ,?\s*(?:{_MORE}) | \s\+\s
  | {_EARLIER}
  | [，,、\s]\s*(?:{_MORE_CHINESE})
  | [，,、]?\s*(?:然后|并且|顺便|顺带|另外|此外)(?:再|也|还|把)?
  | [，,、]\s*(?:接着|同时|最后|还有|随后|以及|外加|首先|其次|再|并(?![不非])|还要?|也要|[一二三四五]是)
"""
# Says that something comes later; whether that is a request shows by what follows.
_LATER: Final = r"""
    [完好]?了?[，,；;。]\s*(?:紧?接下来|之后|以后|完了|完事|后面|回头|稍后)[，,]?\s*(?:再|就|请)?
  | [,;.!?]\s*(?:and\s+)?(?:next(?!\s+(?:to|week|month|year|time|quarter)\b)|subsequently|thereafter|later(?:\s+on)?
      |after\s+this|(?:once|when|as\s+soon\s+as)\s+(?:that|this|it)(?:'?s|\s+is|\s+has\s+been)\s+
      (?:done|finished|ready|completed?))\b[,:]?\s*
  | ,?\s+and\s+next\b
"""
# The same within a clause, where what stands in front may also be only a time: 会议纪要写好之后做PPT, 下班以后.
_AFTER: Final = r"(?:[完好]了?|结束)?(?:之后|以后)[，,]?\s*(?:再|就)? | [完好]了(?![，,。；;、])(?:再|就)?"
# What follows is done before what stands in front: make slides after writing the report.
_AFTER_DOING: Final = r",?\s+(?:only\s+)?after\b(?=\s+(?!meeting\b)\w+ing\b)"
# Joins two requests, or two halves of one.
_COMMA: Final = (
    r"[，,]\s*(?:and\b)? | \s+and\b | ,?\s+(?:before|while)\b(?=\s+\w+ing\b) | (?<=[^，,\s])(?:再|并(?![不非且]))"
)
_ALSO: Final = r"、 | 和 | 与 | 及 | 跟 | &"
_BOUNDARY: Final = compile_later(
    f"(?P<later>{_LATER})|(?P<joint>{_JOINT})|(?P<after>{_AFTER})|(?P<doing>{_AFTER_DOING})"
    f"|(?P<comma>{_COMMA})|(?P<also>{_ALSO})",
    re.VERBOSE,
)
# A verb with its object after 、: 审查合同、整理风险登记册, and not 填空题、判断题.
_LISTED_REQUEST: Final = compile_later(
    r"(?:把|帮|给|做|写|画|算|查一?下|整理|审查|诊断|分析|预测|生成|翻译|总结|登记|下发|调研)(?![的、，,和与及])\w{2}"
)
_REQUEST: Final = compile_later(rf"\s*(?:{_REQUEST_PATTERN.replace('{english}', ENGLISH_VERBS)})", re.VERBOSE)
_ORDER: Final = compile_later(
    rf"\W*(?:(?:please|pls|kindly|now|then|so|and|also|just|anyway|ok(?:ay)?)\W+)*(?:{ENGLISH_VERBS})\b(?!\s+(?:is|was|are|were|has|had)\b)"
)
# 各 counts before what is done (各写一份), not before what is counted (各区域).
_EACH: Final = compile_later(r"都|分别|各(?=自|[写做画算看查来出给])|一起|\bboth\b")
# Two things that are compared are one request: 比较塔罗和星盘有什么不同.
_COMPARES: Final = compile_later(
    r"比较|对比|相比|区别|不同|差[别异]|哪个|哪种|关系|\b(?:compar(?:e|ing|ison)|versus|vs|differences?|differ)\b"
)
# What would follow is asked about, and nothing is to be done: 如果先下发再仿真会怎么样.
_SUPPOSES: Final = compile_later(
    r"(?:如果|假如|要是|万一).*(?:怎么?样|怎样|如何|吗|会不会)|会不会更?"
    r"|\bwhat\s+(?:would\s+)?happens?\s+(?:if|when)\b|\bwhat\s+if\b",
    re.DOTALL,
)
# What follows a request and says what is to be in it: 做一份PDF，内容是投标注意事项.
_DETAILS: Final = compile_later(
    r"(?:内容|主题|题目|标题|格式|要求|重点|目的|对象|受众|数据|背景)(?:是|为|在|包[括含])|包[括含]|关于|用于|其中"
    r"|(?:about|with|including|on|for|its)\b"
)
# Asks for the reasons or results of the request in front: 诊断轴承，然后说明依据.
_REFERS_BACK: Final = compile_later(
    r"(?:再|也|还|请)?(?:给我|给|向我)?(?:说明|解释|讲讲|说说|给出|告诉我|列出|附上)(?:一下)?(?:你的|它的|其)?"
    r"(?:依据|原因|理由|结果|结论|建议|证据|过程|思路)(?:和\w{2,4})?"
    r"|(?:explain|describe|show|give|tell|state|list|justify|find|identify|determine)\s+(?:me\s+)?"
    r"(?:the|your|its|their|all)\s+(?:\w+\s+)?"
    r"(?:evidence|reasons?|reasoning|results?|conclusions?|findings|basis|steps|causes?|meaning)(?:\s+(?:for|of|behind)\s+it)?"
)
# Passes on what the request in front makes: 写周报，然后发给老板; mail them to everyone.
_HANDS_OVER: Final = compile_later(
    r"(?:再|也|都|请|帮我|替我)*(?:把(?:它们?|结果|这[些份个])?)?(?:转发|发送|抄送|发|寄|交|分享|汇报|提交)[给到]\w{1,12}"
    r"|(?:(?:e-?)?mail|send|forward|share|print|save|upload|post|hand|show|give|submit|bring)\s+"
    r"(?:me\s+)?(?:it|them|this|that|these|those|everything)\b.{0,60}",
    re.DOTALL,
)
# A verb with a new object, and words that mean what the part in front makes.
_OWN_THING: Final = compile_later(
    r"(?:再|也|还|就|请|麻烦|先|顺便|另外|帮|替我|给我|我[要想]?)*"
    r"(?:预[订定约]|订|买|购买|约|挂[个号]|叫[个一]|点[个份一外]|打车|打[个一]?电话|播放|放[一首点]|设[个一置定]|定[个一闹]|查一?下?|搜索?|找|写|做"
    r"|画|算|推荐|讲|唱|编|翻译|规划|设计|开发|起名|取名|提醒我|导航|炒|煮)(?![清上好完进入到成出])\w{2}"
    r"|(?:(?:please|pls|also|then|just|can|could|would|you|i|we|want|need|like|to|help|me)\s+)*"
    r"(?:book|buy|order|reserve|schedule|call|play|find|search|look\s+up|check|write|compose|cook|draw|recommend|plan|design"
    r"|translate|remind|set|get|tell)\s+(?:me\s+|us\s+)?(?:up\s+|for\s+)?(?:an?|some|my|our|two|three|\d+|the\s+(?:weather|news|traffic|time))\b(?=\s+\w|$)"
)
_SAME_THING: Final = compile_later(
    r"它|这|那|其|一[次遍]|结[果论]|上面|前面|刚才|里面|依据|原因|理由|报告|总结|摘要|内容|图|表|清单|说明|建议|方案|标[题注]|封面|目录"
    r"|\b(?:it|its|them|this|that|these|those|results?|reports?|summary|conclusions?|recommendations?|list|tables?|charts?"
    r"|figures?|plots?|evidence|reasons?|causes?|explanation|title|cover|output|findings)\b"
)
_REUSES: Final = compile_later(r"(?:and\s+)?\w+\s+(?:it|them|this\s\w+)\b|[把将给][它其]|[^，这]{,6}这[张个份篇首句段]")
_RELATIVE: Final = compile_later(r"\s*(?:which|who|where)\s+(?:is|are|was|were|has|have|had|can|will)\b")
_BEFORE: Final = compile_later(r"before\s+(?:(?:you|we|i)\s+)?(?=\w)")
_FIRST_NUMBER: Final = compile_later(_NUMBERED)
_EMPTY_IT: Final = compile_later(r"\b(?:is|was|will|does|did)\s+it\b")  # "will it rain"
# Joints that say: this is another matter.
_ASIDE: Final = compile_later(
    r"另[外一]|还有|对了|顺[便手带]|此外|同时|ps|also|separately|while\s+you|note|related|thing|next\s+(?:job|task)|btw|by\s+the\s+way|\boh\b|plus|besides"
)
# Context given before a request: 评审会上大家说的意见，整理成待办; I am planning a trip. Show me a map.
_ABOUT: Final = compile_later(r".*的(?!.*(?:出来|[列做写算查看调改弄标排整理成]))[^的，,]{1,5}", re.DOTALL)
_STATES: Final = compile_later(
    r"(?:so\s+|and\s+|but\s+)?(?:i'?m|i'?ve|we'?re|we'?ve|they'?re|i|we|they|he|she|my|our|their|this|that|these|those|the|there|it|its|when|if"
    r"|because|since)\b"
)
# Something that is over, told before a request: 项目完了，写个总结.
_IS_OVER: Final = compile_later(r"\w{1,8}(?:完|结束|完成|做好|过去)了")
_DENIES: Final = compile_later(r"[我请你]*(?:不[要用必是]|别)|(?:don'?t|not?|never)\b")
_WISHES: Final = compile_later(
    r"\b(?:need|wants?|wish|like|looking|seeking|please|know|find|have\s+to|must|could\s+use|can\s+you|could\s+you)\b"
)
# A wish right after a request says what that one is for: "What should we test? We want to raise our rate."
_PURPOSE: Final = compile_later(
    r"(?:(?:so\s+)?(?:we|i)(?:'?d|\s+would)?\s+(?:really\s+|just\s+)?(?:want|need|like|love|hope|plan|aim)|want|hope|aim)"
    r"\s+(?:to|it|this|that|these|them|the)\b"
)
_TOO: Final = compile_later(r"\s+(?:too|as\s+well)(?:\s+please)?$")
_ONE_MORE: Final = compile_later(r"\b(?:also|too|another|as\s+well|both|separately)\b")
# Questions about what stands in front, and sentences that only ask for help with it.
_AIDS: Final = compile_later(
    r"(?:(?:and|so)\s+)?(?:what|how|which|where|why|should|is|are|does|do)\b(?:\s+\S+){0,4}\s+(?:it|this|that|these|those|them)\b(?:\s+\S+){0,3}"
    r"|what\s+(?:do|should|can|could)\s+(?:i|we)\s+do|any\s+(?:ideas?|thoughts|suggestions|advice|tips)"
    r"|(?:(?:can|could|would|will)\s+you\s+|please\s+)+(?:help|assist)(?:\s+(?:me|us))?(?:\s+(?:out|with\s+(?:this|that|it)))?(?:\s+please)?"
)
_MAX_PARTS: Final = 5
_MIN_PART_CHARS: Final = 2
_MAX_VAGUE_CJK_CHARS: Final = 3
_MAX_VAGUE_LATIN_CHARS: Final = 8
_MAX_MESSAGE_CHARS: Final = 1_500
_TRAILING_AND: Final = compile_later(r"\s+and$", re.IGNORECASE)
_FULL_STOPS: Final = "。！？!?."
_QUESTION_MARKS: Final = ("?", "？")
_MARKS_AROUND: Final = " ，,。.、；;！!？?\n"
_AROUND: Final = f'{_MARKS_AROUND}"“”'


class RequestPart(NamedTuple):
    """Part of a message.

    `marked`: a word such as 然后 or 都 tells it from the part before; `is_request`: it is not only context for another;
    `begins_anew`: it begins with a verb or question of its own; `stands_alone`: it asks for a thing of its own, which
    has nothing to do with the part before: 再订一张机票, then book a flight; `is_item`: it is one of two words that 和
    joins; `is_aside`: a word such as 哦还有 or "separately" says that it is another matter; `reuses`: it takes what
    the part before makes: "and plot it"; `is_own_order`: a word tells it apart, and no other part makes its object.
    """

    text: str
    marked: bool
    is_request: bool
    begins_anew: bool = False
    stands_alone: bool = False
    is_item: bool = False
    is_aside: bool = False
    reuses: bool = False
    is_own_order: bool = False


class _Cut(NamedTuple):
    """Position where a message is cut.

    `frames`: the text before it may be context for the text after it (comma, full stop); `listed`: both sides are list
    items (和), for which a single word is enough; `swaps`: what follows is to be done before what stands in front;
    `aside`: what follows is another matter.
    """

    start: int
    end: int
    marked: bool = True
    frames: bool = False
    listed: bool = False
    swaps: bool = False
    aside: bool = False


def split_requests(message: str, triggers: TriggerIndex) -> tuple[RequestPart, ...]:
    """Split a message into possible requests; empty if there is only one, or for a long list or pasted text.

    The caller decides whether a part is a request. A comma cuts only before a request or a skill name. Parts are in the
    order in which they are to be done.
    """
    if len(message) > _MAX_MESSAGE_CHARS:
        return ()
    low = mask_quoted(lower_keep_length(message))
    if _BOUNDARY.search(low) is None or _SUPPOSES.search(low) is not None:
        return ()
    places = triggers.find_mentions(low)
    cuts = list(_find_cuts(low, places))
    start, is_later = _find_beginning(low)
    if is_later and cuts:
        cuts[0] = cuts[0]._replace(swaps=True)
    before = _Cut(start, start, marked=bool(cuts) and cuts[0].marked)
    pieces: list[RequestPart] = []
    for cut in (*cuts, _Cut(len(message), len(message))):
        text = _trim(message[before.end : cut.start])
        if len(text) >= _MIN_PART_CHARS:
            said = lower_keep_length(text)
            marked = before.marked or (bool(pieces) and _TOO.search(said) is not None)
            listed = cut.listed or before.listed or bool(_find_skills_between(places, before.end, cut.start))
            is_detail = bool(pieces) and _adds_detail(said, marked=marked, is_named=listed)
            after_stop = low[before.start : before.start + 1] in _FULL_STOPS and before.end > 0
            is_context = _is_context(said) if cut.frames else after_stop and _only_states(said)
            is_quoted = not low[before.end : cut.start].strip("_ \n")
            asked_before = any(piece.is_request for piece in pieces)
            if _ONE_MORE.search(low, before.start, cut.start) is None:
                is_context |= _tells_more(said, after_stop=after_stop, asked_before=asked_before, named=listed)
            is_context = is_context and low[cut.start : cut.start + 1] not in _QUESTION_MARKS
            is_context = is_context or is_quoted or _AIDS.fullmatch(said) is not None
            asks = (listed or _is_specific(text)) and not is_detail and not is_context
            at = len(pieces) - 1 if before.swaps and pieces else len(pieces)
            alone = asks and marked and _names_own_thing(said)
            is_aside = (cut.aside or before.aside) and _SAME_THING.search(_EMPTY_IT.sub("", said)) is None
            is_item, begins = cut.listed or before.listed, is_request_start(said)
            orders = asks and marked and not is_item and _orders_something(said, bool(pieces))
            reuses = bool(pieces) and _REUSES.match(said) is not None
            pieces.insert(at, RequestPart(text, marked, asks, begins, alone, is_item, is_aside, reuses, orders))
        before = cut
    return tuple(_keep_alone(pieces)) if 1 < len(pieces) <= _MAX_PARTS else ()


def _trim(text: str) -> str:
    """A part without the marks around it; quotation marks stay if both of a pair are in it."""
    trimmed = _TRAILING_AND.sub("", text.strip(_MARKS_AROUND))
    is_paired = trimmed.count("“") == trimmed.count("”") and trimmed.count('"') % 2 == 0
    return trimmed if is_paired else trimmed.strip(_AROUND)


def _keep_alone(pieces: Sequence[RequestPart]) -> Iterator[RequestPart]:
    """The parts; one that the next refers to does not stand alone: 先写一个函数，再给它加测试."""
    for part, following in zip_longest(pieces, pieces[1:]):
        is_used = following is not None and _SAME_THING.search(lower_keep_length(following.text)) is not None
        yield part._replace(stands_alone=part.stands_alone and not is_used)


def _find_beginning(low: str) -> tuple[int, bool]:
    """Where the first part begins, after a number or `before you`; and whether it is to be done after the next."""
    if (later := _BEFORE.match(low)) is not None:
        return later.end(), True
    numbered = _FIRST_NUMBER.match(low)
    return (numbered.end() if numbered else 0), False


def is_request_start(low: str, at: int = 0) -> bool:
    """Whether a request begins at this offset of a lower-cased text."""
    return _REQUEST.match(low, at) is not None


def has_request_verb(low: str) -> bool:
    """Whether a lower-cased English sentence begins with a verb that orders something: "draft a contract"."""
    return _ORDER.match(low) is not None


def has_request(low: str) -> bool:
    """Whether a lower-cased text has a request verb or question word anywhere."""
    return _REQUEST.search(low) is not None


def _find_cuts(low: str, places: Sequence[SkillMention]) -> Iterator[_Cut]:
    begun, is_each = 0, _EACH.search(low) is not None
    for found in _BOUNDARY.finditer(low):
        if len(low[begun : found.start()].strip(_AROUND)) < _MIN_PART_CHARS:
            continue
        if found["joint"] is not None or _is_cut(low, begun, found, places):
            frames = found["comma"] is not None or found["after"] is not None or found[0][0] in _FULL_STOPS
            listed = found["also"] is not None
            is_word = any(found[kind] is not None for kind in ("joint", "later", "after", "doing"))
            marked = is_word or (is_each and (listed or found[0].endswith("and")))
            swaps = found["earlier"] is not None or found["doing"] is not None
            yield _Cut(found.start(), found.end(), marked, frames, listed, swaps, _ASIDE.search(found[0]) is not None)
            begun = found.end()


def _is_cut(low: str, begun: int, found: re.Match[str], places: Sequence[SkillMention]) -> bool:
    """Whether the match separates different skill names or precedes a request."""
    after = _BOUNDARY.search(low, found.end())
    left = _find_skills_between(places, begun, found.start())
    right = _find_skills_between(places, found.end(), after.start() if after else len(low))
    if (found["also"] is not None or found[0].endswith("and")) and _COMPARES.search(low):
        return False
    if found["after"] is not None:
        return is_request_start(low, found.end()) and (bool(left) or has_request(low[begun : found.start()]))
    if found["later"] is not None or found["doing"] is not None:
        return bool(right - left) or is_request_start(low, found.end())
    if left and right and not left & right:
        return True
    if found["also"] is not None:
        is_listed = is_request_start(low, begun) and _LISTED_REQUEST.match(low, found.end()) is not None
        return not left & right and (is_listed or (not (left and right) and _EACH.search(low) is not None))
    # In English a name after a comma is one of a list of things: the headline, hero image, and button.
    is_listed = found[0].strip() == "," and not has_cjk(low)
    named = bool(right - left) and not found[0].endswith("and") and not is_listed
    return named or (is_request_start(low, found.end()) and _RELATIVE.match(low, found.end()) is None)


def _find_skills_between(places: Sequence[SkillMention], start: int, end: int) -> set[int]:
    return {skill for place in places if start <= place.start and place.end <= end for skill in place.skills}


def _is_specific(text: str) -> bool:
    """False for short parts such as 标出来 and "fix it", which refer to the part before."""
    return len(text) > (_MAX_VAGUE_CJK_CHARS if has_cjk(text) else _MAX_VAGUE_LATIN_CHARS)


def _only_states(text: str) -> bool:
    """Whether a last English sentence has no word that could ask: "somebody came in late"."""
    return not has_cjk(text) and not has_request(text)


def _tells_more(text: str, *, after_stop: bool, asked_before: bool, named: bool) -> bool:
    """Whether an English part asks for nothing, or only says what the request in front of it is for.

    `named`: it names a skill, which may be a request without a verb.
    """
    if has_cjk(text):
        return False
    if asked_before and not named and _PURPOSE.match(text):
        return True
    if not after_stop or _WISHES.search(text):
        return False
    return _STATES.match(text) is not None or not (named or is_request_start(text))


def _adds_detail(text: str, *, marked: bool, is_named: bool) -> bool:
    """Whether a part says more about the request in front of it instead of asking for something else.

    `is_named`: it names a skill, which may be the one that sends or prints.
    """
    if _REFERS_BACK.fullmatch(text) is not None or (not is_named and _HANDS_OVER.fullmatch(text) is not None):
        return True
    return not marked and _DETAILS.match(text) is not None


def _orders_something(text: str, is_further: bool) -> bool:
    """Whether a part orders something; a further one must not mean what the part before makes."""
    refers = is_further and _SAME_THING.search(_EMPTY_IT.sub("", text)) is not None
    return not refers and (is_request_start(text) or (has_cjk(text) and has_request(text)))


def _names_own_thing(text: str) -> bool:
    return _OWN_THING.match(text) is not None and _SAME_THING.search(text) is None


def _is_context(text: str) -> bool:
    if _DENIES.match(text) or _IS_OVER.fullmatch(text):
        return True
    if _STATES.match(text):
        return _WISHES.search(text) is None
    return _ABOUT.fullmatch(text) is not None and not is_request_start(text)
