"""Phrase patterns: follow-ups, topic changes, small talk, messages without content words."""

from typing import Final, Literal

from metier.patterns import compile_later

_FOLLOW_UP = compile_later(
    r"""(?x)^(?:
      (?:继续|接着|再来).{0,6} | 不?需要(?:的|了)? | 然后呢? | 下一步.{0,4}
    | (?:好|可以|是|对|嗯+|行|确认|同意|没错|不用|没问题|就这样|就这么办)(?:的|了|啊|呀|吧|哦|啦|滴)*(?:[\s，,]+.{0,8})?
    | (?:换|改)(?:成|为|一下|个|用).{0,12} | 用.{1,8}(?:图|表格?)(?:展示|表示|显示|看看?|呈现|画|来?做|说明)?.{0,2}
    | 为什么(?:呢|会?这样.{0,4}|是?[这那它].{0,6})?
    | 重新.{0,6} | 重(?:来|做|算|写|跑|画)(?:一遍|一次|一下)?.{0,4}
    | (?:再|更|太|写得?|说得?)+(?:详细|简短|简单|简洁|具体|短|长|正式|清楚|口语)(?:一?点|一些|些)?.{0,6}
    | (?:详细|简短|简单|简洁|具体|短|长|正式|清楚)(?:一?点|一些|些|说说?).{0,6}
    | 第[一二三四五六七八九十\d]+(?:个|条|步|项|页).{0,10}
    | (?:上面|上述|上一[个条步页]|刚才|刚刚|前面|这个|这些|这里|这样|那|它).{0,10}(?:怎么|是什么|呢|吗|再).{0,8}
    | .{0,14}(?:再|更|稍微|太).{1,8}(?:一点|一些|一号|点|些)(?:儿|试试|看看|吧|就好)*
    | (?:只|仅|光)(?:看|要|列|留|保留|说|算|给|做).{1,12} | .{1,10}呢(?:[，,？?].{0,12})?
    | 还是(?:不行|不对|没|有问题|一样).{0,12}
    | (?:yes|yeah|yep|ok|okay|sure|no|nope|confirmed?|agreed|fine|great|good)
      (?:[\s,.!]+(?:please|thanks|thank\s+you|do\s+(?:it|that|so)|go\s+(?:on|ahead)|that|sounds)\b.{0,24}|[,.!]+\s*.{0,24})?
    | (?:continue|proceed|carry\s+on|keep\s+going|go\s+(?:on|ahead))\b.{0,24}
    | next(?:\s+(?:one|step|page|slide|item|part))? | (?:try\s+|do\s+it\s+)?again | once\s+more | redo\s+(?:it|that)
    | why(?:\s+(?:not|so|that|this|is\s+(?:that|this|it))\b.{0,24})?
    | (?:more|less)(?:\s+(?:details?|formal|please|like\s+that|examples?|of\s+(?:that|those|it))\b.{0,16})?
    | (?:make|change|turn|switch)\s+(?:it|that|this|them)\b.{0,40} | (?:and|what)\s+about\b.{0,40}
    | only\s.{1,30} | and\s+(?:by|for|in|with|without|on|from|at|per)\b.{0,30} | same\s+(?:for|with|but|thing)\b.{0,30}
    | leave\s+(?:out|off)\b.{0,24} | one\s+more\b.{0,16} | still\s+(?:not|no|fail\w*|broken|wrong|the\s+same)\b.{0,30}
    | how\s+(?:sure|certain)\s+are\s+you.{0,20} | what\s+does\s+(?:that|this|it)\s+mean.{0,24}
    | (?:a\s+(?:bit|little|lot)\s+)?
      (?:bigg|small|hard|eas|dark|light|fast|slow|cheap|friendl|clear|tight|wid|strict|loud|soft)i?er\b.{0,30}
    | the\s+(?:first|second|third|last|other|next|previous)\b.{0,16}
    | (?:shorter|longer|simpler|in\s+more\s+detail|as\s+a\s+(?:table|chart|list)|in\s+(?:english|chinese))\b.{0,20}
    )[\s。.!！?？~]*$"""
)
_MAX_FOLLOW_UP_CHARS = 60
_QUESTION = compile_later(
    r"怎么样|怎样|多少|什么|哪|谁|几[个点号天]|吗|[?？]\s*$|^(?:what|whats|how|hows|who|when|where|which|why|is|are|does|did)\b"
)
_TOPIC_CHANGE = compile_later(
    r"(?:(?:ok(?:ay)?|好的?|thanks|谢谢|行)[\s,，.。!！]*)*(?:对了|换个(?:事|话题|问题)|另外问|[问说]个别的"
    r"|by\s+the\s+way|btw\b|(?:a\s+)?different\s+(?:thing|topic|question)|another\s+thing|new\s+topic|on\s+another\s+note)"
)
# 谢谢 suggested a skill it shares nothing with (0.68).
_THANKS = r"""
      (?:好的?|非常|太)?(?:感?谢)+(?:你|您|啦|了)? | 多谢(?:了|啦)? | 辛苦(?:你|您)?了 | (?:麻烦|有劳)(?:你|您)?了
    | thanks?(?:(?:\s+you)?(?:\s+(?:so|very)\s+much|\s+a\s+lot))? | cheers | thx
    | (?:much\s+)?appreciated | i\s+(?:really\s+)?appreciate\s+(?:it|that|this)
"""
_FAREWELL = r"再见 | 拜拜 | 晚安 | bye | goodbye | good\s+night | see\s+you(?:\s+later)?"
_GREETING = r"""
      (?:你|您|大家)们?好吗? | 早(?:上好|安)? | [上中下]午好 | 晚上好? | 晚安好
    | 吃(?:过?饭)?了[吗没么] | 最近(?:怎么样|好吗|还好吗) | hows\s+it\s+going | whats\s+up
    | 嗨+ | 哈喽 | 哈+ | 在吗 | 在不在 | 你是谁
    | hi+ | hello+ | hey+ | good\s+(?:morning|afternoon|evening) | who\s+are\s+you | how\s+are\s+you | lol
"""
_BREAK = r"[\s,，。.!！?？~]"
_AFTER_PLEASANTRY = rf"(?:{_BREAK}|there|you|呀|啊)*"
SmallTalk = Literal["thanks", "farewell", "greeting"]

_ASSENT = r"(?:ok(?:ay)?|good|great|fine|alright|perfect|好的?|行|嗯|可以|没事了?)"
_FOR_NOW = r"先这样(?:吧|了)?|就这样(?:吧|了)?|that(?:s|\s+is)\s+all(?:\s+for\s+now)?|for\s+now"
_PLEASANTRY = rf"(?:{_THANKS}|{_FAREWELL}|{_GREETING})"
_SMALL_TALK = compile_later(
    rf"(?x)(?:{_ASSENT}{_BREAK}+)?(?:{_PLEASANTRY}{_AFTER_PLEASANTRY}{_BREAK})*{_PLEASANTRY}{_AFTER_PLEASANTRY}"
    rf"(?:{_FOR_NOW})?",
)
_HAS_THANKS: Final = compile_later(rf"(?x){_THANKS}")
_HAS_FAREWELL: Final = compile_later(rf"(?x){_FAREWELL}")
_PATH = compile_later(r"(?<!\S)(?:~|[a-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]?")
_WORD = compile_later(r"\w+")
_FUNCTION_WORD = compile_later(
    r"no|yes|ok|the|an?|of|is|it|its|this|that|what|whats|[是什么的了吗呢啊吧呀这那个它怎办为咋]+|why|how"
)


def is_follow_up(message: str) -> bool:
    """Whether a folded message only makes sense after an earlier one: 继续, 换成柱状图, make it shorter."""
    message = message.strip()
    return len(message) <= _MAX_FOLLOW_UP_CHARS and bool(_FOLLOW_UP.match(message))


def is_topic_change(message: str) -> bool:
    """Whether a folded message opens with a change of topic: 对了, by the way."""
    return _TOPIC_CHANGE.match(message) is not None


def is_uninformative(message: str) -> bool:
    """Whether a folded message has nothing but file paths and function words: no, /etc/hosts 是什么."""
    if len(message) > _MAX_FOLLOW_UP_CHARS:
        return False
    return all(map(_FUNCTION_WORD.fullmatch, _WORD.findall(_PATH.sub(" ", message))))


def is_question(message: str) -> bool:
    """Whether a folded message asks a question."""
    return _QUESTION.search(message) is not None


def read_small_talk(message: str) -> SmallTalk | None:
    """What a folded message is that has nothing but pleasantries; None for any other."""
    message = message.strip()
    if len(message) > _MAX_FOLLOW_UP_CHARS or not _SMALL_TALK.fullmatch(message):
        return None
    if _HAS_THANKS.search(message):
        return "thanks"
    return "farewell" if _HAS_FAREWELL.search(message) else "greeting"
