"""Reads a whole message as a complaint, or as a question about the program; anything more is not for this room."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from metier.agent.turn import read_reaction
from metier.patterns import compile_later
from metier.routing import read_small_talk
from metier.textsearch import fold, to_simplified

Talk = Literal["wrong", "asked_already", "same_again", "person", "safety", "safe", "cost", "duration"]

_MAX_CHARS: Final = 60
_DATA: Final = r"(?:数据|资料|信息|文件|隐私|记录|对话|内容|生日|八字|出生信息|出生资料|出生日期)"
_DATA_EN: Final = r"(?:data|information|info|files?|documents?|conversations?|messages?|birth\s+data|birthday|details)"
_IT_IS: Final = r"(?:(?:this|that|it|the\s+(?:result|answer|report|diagnosis|number))(?:\s+is|'s)|you(?:\s+are|'re)|is)"
# A bare 不对 or 不行 may be the no to an open question; these are about what was said.
_WRONG: Final = (
    r"(?:我觉得|我看|感觉|好像|不|恐怕)?(?:这|那|这个|那个|你|你说的|你算的|你给的|上面|刚才的?|(?:这个?|那个?|你的|上面的)?(?:结果|结论|答案|数据|数字|报告))(?:好像|明显|完全|根本|都|还是|也|是)?"
    r"(?:不太?对|错了?|错的|有误|不准|不正确|不太?行|没用|有问题|搞错了|弄错了|算错了)(?:吧|啊|呀|的|了)?"
    r"|(?:好像|感觉|还是|恐怕)(?:不太?对|错了|不太?行|没用)(?:吧|啊|呀|的|了)?|(?:搞|弄|算)错了(?:吧|啊)?"
    r"|(?:这|这个|这些|那)?(?:都)?不是我(?:想|所)?(?:要|问|说)的(?:东西|内容|意思)?|我(?:要|问|说)的不是这个|答非所问|文不对题"
    r"|(?:你)?(?:没有?|(?:根本|完全|压根)就?没)(?:回答|理解|听懂|看懂|明白|搞懂)(?:我的?)?(?:问题|意思|话)?"
    rf"|{_IT_IS}\s+(?:just\s+|simply\s+|completely\s+|still\s+)?(?:wrong|incorrect|mistaken|not\s+(?:right|correct|true)|nonsense|useless)|that\s+isn't\s+(?:right|correct|true)"
    r"|(?:this|that|it)(?:\s+is|'s)?\s*(?:not|isn't)\s+what\s+i\s+(?:asked(?:\s+for)?|wanted|want|meant|mean|need|needed)|not\s+what\s+i\s+(?:asked(?:\s+for)?|wanted|meant)"
    r"|(?:this|that|it)\s+(?:does\s+not|doesn't|did\s+not|didn't)\s+(?:work|help|answer\s+my\s+question|make\s+sense)"
    r"|you\s+(?:did\s+not|didn't|do\s+not|don't)\s+(?:answer|understand|get\s+(?:it|me|that|the\s+point)|listen)(?:\s+(?:me|my\s+question))?|you\s+(?:misunderstood|got\s+(?:it|that|me)\s+wrong)(?:\s+me)?"
)
_ASKED: Final = (
    r"(?:你|刚才|刚刚|前面|上面|不是|这个){0,3}(?:已经|都)?问过(?:我)?(?:一?[遍次])?(?:了|吗)?|(?:你)?怎么又问(?:一遍|我|这个)?(?:了)?|别再问了"
    r"|(?:我|刚才|刚刚|前面|不是){0,3}(?:已经|都)?(?:说过|讲过|回答过|告诉过?你|答过)(?:一?[遍次]|可以|同意|好|行|要|是的?|不要?|不用)?(?:了|吗)"
    r"|you(?:'ve|\s+have)?\s+(?:already|just)\s+asked(?:\s+me)?(?:\s+(?:that|this|it))?|why\s+do\s+you\s+(?:ask|keep\s+asking)(?:\s+(?:me|again|this|that))?"
    r"|i(?:'ve|\s+have)?\s+(?:already|just)\s+(?:told\s+you|said|answered)(?:\s+(?:so|that|this|it|yes|no|ok(?:ay)?))?|(?:please\s+)?stop\s+asking(?:\s+(?:me|that|this))?"
)
_SAME: Final = (
    r"你?(?:就|只|怎么)?(?:只|就)?会(?:说|讲|回|做)?这(?:些|个|一句|几句)(?:话)?(?:吗|吧)?|(?:你)?(?:怎么)?(?:老|总|一直)(?:是)?(?:说|重复|回)?(?:这|同样|一样)的?(?:些|个|句|几句|话)+"
    r"|is\s+that\s+all(?:\s+you\s+(?:can|have\s+to)\s+(?:say|do|offer))?|you\s+(?:keep|always)\s+(?:say(?:ing)?|repeat(?:ing)?)\s+(?:the\s+same(?:\s+thing)?|that|this|yourself)"
)
_PERSON: Final = (
    r"你(?:到底)?(?:是谁|叫什么(?:名字)?)|(?:who|what)\s+are\s+you(?:\s+(?:really|exactly))?|"
    r"你(?:到底)?是(?:不是)?(?:真人|人|机器人?|机器人|人工智能|ai|程序|人工客服|客服|大模型)(?:还是(?:机器人?|人|ai|程序))?(?:吗|么|啊)?|有(?:没有)?真人(?:客服)?吗?"
    r"|are\s+you\s+(?:really\s+)?(?:an?\s+)?(?:real\s+|actual\s+)?(?:person|human(?:\s+being)?|robot|bot|ai|machine|program|llm|language\s+model)"
    r"(?:\s+or\s+(?:an?\s+)?(?:person|human|robot|bot|ai|machine|program))?|am\s+i\s+(?:talking|speaking|chatting)\s+(?:to|with)\s+an?\s+(?:person|human|robot|bot|machine|ai)"
)
_SAFETY: Final = (
    rf"(?:我|我们)?的?{_DATA}(?:和{_DATA})?(?:在这里|放这里|会不会|会|是否|是)?(?:被)?(?:安全|保密|可靠|泄露|泄漏|外传|上传|外泄|保存|存下来|记录|存储|留存|保留|发出去|发给别人|公开|共享|拿去训练|用来训练)"
    r"(?:下来|到(?:哪里?|外面|网上|云端))?(?:吗|么|不|了吗)?"
    rf"|(?:我|我们)?的?{_DATA}(?:都)?(?:会)?(?:被)?(?:存|保存|放|传|发|去)(?:在|到)?(?:了)?(?:哪里|哪儿|哪|什么地方)(?:了|去了)?"
    rf"|(?:谁|别人|其他人|你们)(?:能|会|可以)?(?:看到|看见|看|知道|访问)(?:到)?(?:我|我们)?的?{_DATA}(?:吗)?"
    rf"|(?:会不会|会|你们?会|是否)(?:泄露|泄漏|上传|保存|记录|外传|公开)(?:我|我们)?的?{_DATA}(?:吗)?|(?:这里|这|你)?保密吗|(?:这里|你)安全吗"
    rf"|(?:is|are)\s+(?:all\s+)?(?:my|our)\s+{_DATA_EN}\s+(?:(?:really|kept|being)\s+)?(?:safe|secure|private|confidential|stored|saved|kept|shared|sent|uploaded|sold|leaked|used)"
    r"(?:\s+(?:here|anywhere|somewhere|to\s+(?:anyone|anybody|the\s+cloud|others)|outside|online|with\s+(?:you|anyone|others)|for\s+training))?"
    rf"|(?:where|how)\s+(?:is|are|do\s+you\s+(?:store|keep|save))\s+(?:my|our)\s+{_DATA_EN}(?:\s+(?:stored|kept|saved))?"
    rf"|who\s+(?:can|will|may|could)\s+(?:see|read|access)\s+(?:my|our)\s+{_DATA_EN}|(?:do|will|does)\s+(?:you|it|this)\s+(?:store|keep|save|share|send|sell|upload|leak)\s+(?:my|our)\s+{_DATA_EN}"
    r"(?:\s+(?:anywhere|to\s+anyone|somewhere))?|is\s+(?:this|it)\s+(?:private|confidential)"
)
# About the question or the result that is there, if there is one.
_SAFE: Final = (
    r"(?:那|这|这样|这么做|它)?安全(?:吗|么|不)"
    r"|is\s+(?:this|it|that)\s+(?:really\s+)?(?:safe|secure)(?:\s+to\s+(?:do|run|use|go\s+on))?"
)
_COST: Final = (
    r"(?:这个?|这里|用(?:这个|你)?|你们?|使用)?(?:是)?(?:要|需要)?(?:多少钱|收费(?:吗|不)|要钱(?:吗|不)|花钱(?:吗|不)|免费(?:的)?(?:吗|不)|怎么收费|付费吗)"
    r"|(?:how\s+much\s+(?:does\s+(?:this|it)\s+cost|is\s+(?:this|it))|is\s+(?:this|it)\s+free(?:\s+of\s+charge)?|what\s+does\s+(?:this|it)\s+cost|do\s+i\s+have\s+to\s+pay(?:\s+for\s+(?:this|it))?)"
)
_DURATION: Final = (
    r"(?:这|大概|一般|它)?(?:要|需要|会)?(?:花|用|跑|等|算)?(?:多久|多长时间|几分钟)(?:能好|能完|出结果|做完|完成)?"
    r"|how\s+long\s+(?:does|will|would)\s+(?:this|that|it)\s+take|(?:will|does)\s+(?:this|it)\s+take\s+(?:a\s+)?long(?:\s+time)?"
)
_PATTERNS: Final[Mapping[Talk, re.Pattern[str]]] = MappingProxyType(
    {
        "wrong": compile_later(_WRONG, re.IGNORECASE),
        "asked_already": compile_later(_ASKED, re.IGNORECASE),
        "same_again": compile_later(_SAME, re.IGNORECASE),
        "person": compile_later(_PERSON, re.IGNORECASE),
        "safety": compile_later(_SAFETY, re.IGNORECASE),
        "safe": compile_later(_SAFE, re.IGNORECASE),
        "cost": compile_later(_COST, re.IGNORECASE),
        "duration": compile_later(_DURATION, re.IGNORECASE),
    }
)
_CLAUSE: Final = compile_later(r"[，,。.!！?？~；;\n]+")
_OPENING: Final = compile_later(
    r"(?:hi|hello|hey|ok(?:ay)?|yes|sorry|well|no|but|and|so|then|hm+|你好|您好|等等|等一?下|好的?|行|是的?|不|那|那么|可是|但是?|不过|嗯|哦|请问)",
    re.IGNORECASE,
)
_LEAD: Final = compile_later(
    r"^(?:那么?|可是?|但是?|不过|嗯|哦|请问|所以|(?:but|and|so|well|then|no)\s)", re.IGNORECASE
)


def read_talk(message: str) -> Talk | None:
    """What a message is about that is only about the talk; None if any of its clauses says something else."""
    said = to_simplified(message.strip()).replace("’", "'")
    if len(said) > _MAX_CHARS:
        return None
    clauses = [one.strip() for one in _CLAUSE.split(said) if one.strip()]
    kinds = [_read_clause(one) for one in clauses if not _OPENING.fullmatch(one)]
    return kinds[0] if kinds and all(kinds) else None


def is_about_talk(message: str) -> bool:
    """Whether a message has nothing but thanks, a complaint or a question about the program: it answers no question."""
    is_talk = read_talk(message) is not None or read_small_talk(fold(message)) is not None
    return is_talk or read_reaction(message) in ("thanks", "slow")


def opens_with_complaint(message: str) -> bool:
    """Whether the first clause of a message says that something is wrong, whatever comes behind it."""
    said = to_simplified(message.strip()).replace("’", "'")
    first, *others = [one.strip() for one in _CLAUSE.split(said) if one.strip()] or [""]
    return bool(others) and _read_clause(first) == "wrong"


def _read_clause(clause: str) -> Talk | None:
    said = _LEAD.sub("", clause).strip()
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(said)), None)
