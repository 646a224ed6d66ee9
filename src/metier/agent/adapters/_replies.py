"""What a message says to an open question: yes or no in many wordings, which choice, "never mind", or "go on".

For questions and for a no only: an approval takes the plain yes of `read_assent` and nothing else.
"""

import re
from collections.abc import Sequence
from typing import Final

from metier.agent.adapters._assent import Assent, read_assent
from metier.language import choose, language_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLAUSE: Final = re.compile(r"[，,。.!！;；、~～\s]+")
_ASKS_ZH: Final = re.compile(
    r"[？?]|什么|怎么|为何|为啥|多久|多少|哪|谁|几个|[吗嘛呢]$|(.)不\1|(?:能|会|可|要|是)(?:不|否)"
)
_ASKS_EN: Final = re.compile(
    r"\?|^(?:what|why(?! not)|how|when|where|who|which|is|are|does|did|can you|could you)\b", re.I
)
_ENOUGH: Final = re.compile(r"(?:对|行|好|可以|要|是|够)了+")
_ACKNOWLEDGED_ZH: Final = re.compile(
    r"那?好的?|好[嘞滴哒呀啊吧]|嗯+[嗯呐]?|行[吧啊]?|哦+|噢+|那|那么|谢谢[你您]?|多谢|麻烦[你您]?了?|辛苦了?"
)
_YES_ACK_ZH: Final = re.compile(r"那?好的?|好[嘞滴哒呀啊吧]|嗯+[嗯呐]?|行[吧啊]?")
_YES_ZH: Final = re.compile(
    r"当然(?:可以|要|需要|好)?|没错|必须的?|可以可以|来吧|来一个|走起|开始吧?|开干|动手吧|就这样(?:吧|办|做)?|就这么(?:办|做|定)(?:吧|了)?"
    r"|听你的|(?:就)?(?:按|照)(?:你|您|这个)?(?:说的|计划|方案)?(?:做|来|办|执行)吧?|照做|没意见|没有意见|没问题|赞成|支持|正合我意|求之不得|太好了|好极了"
)
_NOT_ZH: Final = re.compile(
    r"没必要|没有必要|无需|无须|不必|不用|不要|不想|不需要|暂不|先不|不急|不了|不|别|甭|免了|罢了"
)
_NO_ZH: Final = re.compile(
    r"算了|算啦|取消|停(?:止|下)?|放弃|拒绝|否|没兴趣|没(?:那个)?必要|再说吧?|以后再说|下次(?:再说|吧)?|改天(?:吧|再说)?|晚点再说|到此为止|就这样吧不?|暂停|跳过"
)
_FILL_ZH: Final = re.compile(
    r"帮我|帮忙|麻烦[你您]?|那就|那么|就|请|[你您]|我们|咱们?|我|现在|马上|立刻|立即|直接|今天|暂时|可以|需要|想要|希望|要|想|继续|开始|进行|做|跑|来|执行|开展|启动|弄|搞"
    r"|安排|试试|试|一下|一次|一个|一轮|一遍|这个|那个|这|那|该|它|对|吧|了|啊|呀|哦|嘛|呗|啦|看看|看|的|把|再|先|还是|都|全|给|去|下|个|好|行|什么都|任何"
)
_MARK_ZH: Final = re.compile(r"做|跑|来|执行|开展|启动|弄|搞|安排|试|进行|开始|继续|可以|需要|想|要")
_PHRASES_EN: Final = (
    (re.compile(r"\b(?:no problem|not a problem|why not|of course|by all means|no objections?|sounds good)\b"), "yes"),
    (
        re.compile(
            r"\bnever ?mind\b|\bforget (?:it|that|about (?:it|that))\b|\bno need\b|\b(?:don't|do not) bother\b"
            r"|\brather not\b|\b(?:maybe )?(?:later|another time|some other time|next time)\b|\bhold off\b"
            r"|\b(?:skip|leave|drop) (?:it|that)\b|\bi(?: a|')m good\b|\bthat's (?:enough|all)\b"
            r"|\bnot (?:now|yet|today|this time|interested|necessary|needed)\b"
        ),
        "no",
    ),
)
_YES_EN: Final = _words(
    """yes yep yeah yup yea y ok okay k sure absolutely definitely certainly agreed right correct affirmative aye fine
    great perfect good alright proceed approved excellent exactly indeed totally cool wonderful"""
)
_POLITE_EN: Final = _words("ok okay k alright fine right good great cool")
_DO_EN: Final = _words(
    """go ahead do run start begin continue try want need like love make let's lets let simulate execute perform carry
    launch proceed works keep going"""
)
_NO_EN: Final = _words(
    """no nope nah n not don't dont never cancel stop decline reject skip abort quit won't wouldn't shouldn't needn't"""
)
_FILL_EN: Final = _words(
    """it that this the a an now then just so i we me us you to for with and would i'd we'd i'll can may could should
    thanks thank much very well really all up on be am is think say my your one of at in by oh hmm please any anything
    more rid get out but that's thing"""
)
_WORD: Final = re.compile(r"[a-z']+|[^\sa-z',.!;:~-]+")
_GO_ON: Final = re.compile(
    r"(?:好的?|嗯|请|那|那就|我们|可以)*[，, ]*(?:继续|接着|接着做|继续做|恢复|往下走|继续往下|接着来|接着说)"
    r"(?:刚才|之前|上面|上次|剩下)?的?"
    r"(?:问题|仿真|计划|流程|步骤|任务|分析|工作)?(?:执行|进行|做|下去)?[吧啊了]?"
    r"|(?:请)?回到(?:刚才|之前|上面|上一个)的?(?:问题|步骤|流程|计划|仿真|任务)吧?"
    r"|(?:ok(?:ay)?,? |yes,? |please,? )*(?:go on|continue|resume|carry on|keep going|proceed"
    r"|pick up where (?:we|you|i) left off"
    r"|(?:go )?back to (?:the|that|my|our) (?:question|plan|simulation|task|steps?))"
    r"(?: (?:with )?(?:it|that|the (?:plan|simulation|task|question|analysis|rest)))?(?:,? please)?",
    re.IGNORECASE,
)
_DIGITS_ZH: Final = "一二三四五六七八九十"
_ORDINAL_ZH: Final = re.compile(
    rf"(?:我?(?:选|要|用|就)|就)*(?:第)?([{_DIGITS_ZH}]|两|\d{{1,2}})(?:个|项|条|种|号)?(?:吧|的|就行|好了)*"
)
_ORDINALS_EN: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_NUMBERS_EN: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINAL_EN: Final = re.compile(
    r"(?:i(?:'ll| will)? (?:take|want|choose|pick|go with) |take |choose |pick |let's take |use )?(?:the )?"
    r"(?:(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th))"
    r"(?: one| option| choice)?"
    r"|(?:option|number|no\.?|#|choice) ?(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}))(?:,? please)?",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"(?:我?(?:选|要))?最后(?:一)?(?:个|项|条|种)(?:吧)?|后者|(?:the )?(?:last|latter)(?: one| option)?", re.I
)
_FORMER: Final = re.compile(r"前者|(?:the )?former(?: one)?", re.IGNORECASE)
_STRIP: Final = " \t\r\n。.!！~～，,"


def read_reply(message: str, question: str = "") -> Assent | None:
    """Whether the message says yes or no to a question; None if it says anything else.

    Words of the question's last sentence may be repeated ("可以，仿真吧", "yes, simulate it"); other content may not.
    """
    said = " ".join(message.strip(_STRIP).split()).replace("’", "'")
    if (plain := read_assent(said)) is not None:
        return plain
    asked = _last_sentence(question)
    read = choose(language_of(said), en=_read_en, zh=_read_zh)
    return read(said.casefold(), asked.casefold())


def is_dismissal(message: str, question: str = "") -> bool:
    """Whether the message only says that nothing (more) shall be done: "算了", "不用仿真了", "never mind"."""
    said = message.strip(_STRIP)
    if re.fullmatch(r"n|no|不|否|stop|停", said, re.IGNORECASE):
        return True
    return read_reply(message, question) == "no"


def is_go_on(message: str) -> bool:
    """Whether the message asks to go on with what was stopped or put aside."""
    return _GO_ON.fullmatch(message.strip(_STRIP)) is not None


def read_ordinal(message: str, count: int) -> int | None:
    """Place of the choice that the message names, from 0: "第二个", "the first one", "最后一个"; None for others."""
    said = message.strip(_STRIP)
    if _LAST.fullmatch(said):
        return count - 1
    if _FORMER.fullmatch(said):
        return 0 if count == 2 else None
    place = _ordinal_zh(said) or _ordinal_en(said.casefold())
    return place - 1 if place and place <= count else None


def _ordinal_zh(said: str) -> int:
    found = _ORDINAL_ZH.fullmatch(said)
    if found is None or (said[0] not in "第选要用就我" and not re.search("[个项条种号]", said)):
        return 0
    text = found.group(1)
    return int(text) if text.isdecimal() else 2 if text == "两" else _DIGITS_ZH.index(text) + 1


def _ordinal_en(said: str) -> int:
    found = _ORDINAL_EN.fullmatch(said)
    if found is None:
        return 0
    text = found.group(1) or found.group(2)
    if digits := re.match(r"\d+", text):
        return int(digits.group())
    return (_ORDINALS_EN if text in _ORDINALS_EN else _NUMBERS_EN).index(text) + 1


def _last_sentence(question: str) -> str:
    parts = [part for part in re.split(r"[。！!？?\n]|(?<=\w)\.\s", question) if part.strip()]
    return parts[-1] if parts else ""


def _read_zh(said: str, asked: str) -> Assent | None:
    if _ASKS_ZH.search(said):
        return None
    found = [_clause_zh(clause, asked) for clause in _CLAUSE.split(said) if clause]
    answers = {one for one in found if one != "ack"}
    if not answers and found and any(_YES_ACK_ZH.fullmatch(clause) for clause in _CLAUSE.split(said)):
        return "yes"
    if not answers or None in answers or len(answers) > 1:
        return None
    return "no" if "no" in answers else "yes"


def _clause_zh(clause: str, asked: str) -> str | None:
    """Whether one clause is yes, no or only an acknowledgement; None if it says something else."""
    if _ENOUGH.fullmatch(clause):
        return None
    if _ACKNOWLEDGED_ZH.fullmatch(clause):
        return "ack"
    if (plain := read_assent(clause)) is not None:
        return plain
    if _YES_ZH.fullmatch(clause):
        return "yes"
    rest = _NO_ZH.sub("", _NOT_ZH.sub("", clause))
    is_negated = rest != clause
    if len(re.findall("不|别", clause)) > 1:
        return None
    rest = _FILL_ZH.sub("", rest)
    if rest and not (len(rest) >= 2 and rest in asked):
        return None
    if is_negated:
        return "no"
    return "yes" if rest or _MARK_ZH.search(clause) else None


def _read_en(said: str, asked: str) -> Assent | None:
    if _ASKS_EN.search(said):
        return None
    votes: set[str] = set()
    for pattern, vote in _PHRASES_EN:
        said, hits = pattern.subn(" ", said)
        votes |= {vote} if hits else set()
    words, known = _WORD.findall(said), {word[:5] for word in _WORD.findall(asked) if len(word) > 3}
    is_polite = all(word not in _YES_EN or word in _POLITE_EN for word in words)
    for word in words:
        if word in _YES_EN:
            votes.add("yes")
        elif word in _NO_EN:
            votes.add("no")
        elif word in _DO_EN or word[:5] in known:
            votes.add("do")
        elif word not in _FILL_EN:
            return None
    if "no" in votes:
        return "no" if "yes" not in votes or is_polite else None
    return "yes" if votes else None


def match_text(message: str, texts: Sequence[str]) -> int | None:
    """Place of the only text that contains what the message says, beside words like "the one"; None otherwise."""
    said = message.strip(_STRIP).casefold()
    core = re.sub(r"^(?:我?(?:选|要|用|就)|那个|就)+|(?:那个|这个|的|吧|就行|好了)+$", "", said)
    core = re.sub(r"^(?:the|i want|i'll take|take|choose|pick)\s+|\s+(?:one|option|please)$", "", core).strip()
    if len(core) < 2:
        return None
    found = [at for at, text in enumerate(texts) if core in text.casefold()]
    return found[0] if len(found) == 1 else None
