"""What a message asks for and refuses, whether it goes on with what was before, whether it asks for several things."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metier.routing._terms import lowered, unquoted
from metier.routing._triggers import Hit, WordFinder

# What looks like a refusal and is none: a doubled one (不是不要), a question (要不要), comfort (别着急, no problem), a
# measure (不要太长, no more than), and words that merely hold the character 别.
_NO_REFUSAL = r"""
    (?:不是|并非|不能|不会|从不)(?:不要|不用|不想|不需要|不做|不写) | 不得不 | 不能不 | 不可不
  | 要不要 | 是不是 | 用不用 | 想不想 | 需不需要 | 做不做 | 写不写 | 为什么不 | 为啥不 | 何不 | 要不(?!要)
  | (?:不要|不用|不必|别)(?:太|着急|急|紧张|担心|客气|谢|忘|怕|说|超过|多于|少于|低于|只|光|仅)
  | [特分区类性识级个告辨差派鉴送永各]别 | 别(?:人|的|名|处|墅|致|扭)
  | \bno\s+(?:problem|worries|worry|doubt|idea|matter|(?:more|later|less)\s+than|need\s+to\s+(?:worry|rush|hurry))\b
  | \bnot\s+(?:only|just|sure|yet|too|bad|certain|more\s+than|over|less\s+than|without)\b
  | \bwhy\s+(?:not|dont|do\s+not)\b | \b(?:or|if)\s+not\b
  | \b(?:dont|do\s+not|never|not|cannot)\s+(?:worry|forget|hesitate|mind|know|understand|skip|avoid|omit|leave\s+out)\b
"""
_REFUSAL = r"""
    不要 | 不用 | 不需要?(?!求) | 不想要? | 不必 | 无需 | 无须 | 毋需 | 甭 | 别 | 勿 | 不是 | 并非 | 而非 | 除了
  | 不再?[做写画出给弄搞]
  | \b(?:dont|do\s+not|doesnt|does\s+not|didnt|no|not|without|never|nor|neither|instead\s+of|rather\s+than
      |except(?:\s+for)?|skip|avoid|omit|leave\s+out)\b
"""
# 除了PPT还要报告 wants both.
_BESIDES = re.compile(r"除了(?=.{0,40}(?:还|也|再))", re.DOTALL)
_DENIAL = re.compile(f"(?:{_NO_REFUSAL})|(?P<refusal>{_REFUSAL})", re.VERBOSE)
# PPT就不用了; slides are not needed.
_REFUSED_AFTER = re.compile(
    r"\s*(?:就|先|也|都|这次|我)*(?:不要|不用|不需要|不必|免|算)(?:再)?(?:做|写|画|导出|生成|给)?(?:了|啦|吧)*\s*$"
    r"|\s+(?:is|are)\s+(?:not\s+(?:needed|wanted|required|necessary)|unnecessary)\b|\s+not\s+needed\b"
)
_ALSO_REFUSED = re.compile(r"\s*(?:、|/|和|或者?|跟|与|以及|及|or|and|nor)\s*(?:(?:a|an|any|the)\s+)?")
_SUBJECT = re.compile(r"(?:我们?|请|而|就|那|先|也|\b(?:i|we|you|and|so|please)\s)+\s*$")
_BELONGS_TO_IT = re.compile(r"\s*(?:for|about|of|on|in|from|with|to|using|based|by|at)\b")
_CLAUSE = re.compile(
    r"[，。；！？,;!?\n]+|\.(?=\s|$)|但是|但|而是|(?<![要用别])(?=帮我|直接|只要|只需|改成|改为|换成)"
    r"|\b(?=(?:but|just|only|please)\b)|\b(?=instead\b(?!\s+of\b))"
)
_SEVERAL = re.compile(
    r"[；;\n]+|[，,]?\s*(?:然后|接着|并且|同时|顺便|最后|另外|再把|再帮|再做|再写|再给)"
    r"|[，,]?\s*\b(?:and then|and also|then|also|plus|after that)\b\s*",
    re.IGNORECASE,
)
_REACH = 12
_REACH_LATIN = 30
_WORTH_KEEPING = 6
_LONGEST_CHAIN = 16
_LONGEST_SUBJECT = 12
_SHORTEST_ASK = 3
_MOST_ASKS = 5
_FOLLOW_UP = re.compile(
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
    | (?:yes|yeah|yep|ok|okay|sure|no|nope|confirmed?|agreed|fine|great|good)
      (?:[\s,.!]+(?:please|thanks|thank\s+you|do\s+(?:it|that|so)|go\s+(?:on|ahead)|that|sounds)\b.{0,24}|[,.!]+\s*.{0,24})?
    | (?:continue|proceed|carry\s+on|keep\s+going|go\s+(?:on|ahead))\b.{0,24}
    | next(?:\s+(?:one|step|page|slide|item|part))? | (?:try\s+|do\s+it\s+)?again | once\s+more | redo\s+(?:it|that)
    | why(?:\s+(?:not|so|that|this|is\s+(?:that|this|it))\b.{0,24})?
    | (?:more|less)(?:\s+(?:details?|formal|please|like\s+that|examples?|of\s+(?:that|those|it))\b.{0,16})?
    | (?:make|change|turn|switch)\s+(?:it|that|this|them)\b.{0,40} | (?:and|what)\s+about\b.{0,40}
    | the\s+(?:first|second|third|last|other|next|previous)\b.{0,16}
    | (?:shorter|longer|simpler|in\s+more\s+detail|as\s+a\s+(?:table|chart|list)|in\s+(?:english|chinese))\b.{0,20}
    )[\s。.!！?？~]*$"""
)
_LONGEST_FOLLOW_UP = 60
# 谢谢 came out as a suggestion (0.68) of a skill it shares nothing with.
_SMALL_TALK = re.compile(
    r"""(?x)(?:
      (?:你|您|大家)们?好[啊呀吗]? | 早(?:上好|安)?[啊呀]? | [上中下]午好 | 晚[上安]好?
    | 嗨+ | 哈喽 | 哈+ | 在吗 | 在不在 | 再见 | 拜拜
    | (?:好的?|非常|太)?(?:感?谢)+(?:你|您|啦|了)? | 辛苦(?:你|您)?了 | 你是谁
    | hi+ | hello+ | hey+ | good\s+(?:morning|afternoon|evening|night) | bye(?:\s+bye)? | goodbye | see\s+you
    | thanks?(?:\s+you)?(?:\s+(?:so|very)\s+much|\s+a\s+lot)? | cheers | who\s+are\s+you | how\s+are\s+you | lol
    )(?:[\s,，。.!！?？~]|there|you|呀|啊)*"""
)
_PATH = re.compile(r"(?<!\S)(?:~|[a-z]:)?(?:[/\\][\w.@+-]+){2,}[/\\]?")
_WORD = re.compile(r"\w+")
_SAYS_LITTLE = re.compile(r"no|yes|ok|the|an?|of|is|it|its|this|that|what|whats|[是什么的了吗呢啊吧呀这那个它]+")


@dataclass(frozen=True, slots=True)
class Heard:
    """A message by what it means: `asked` is what is left without what it refuses."""

    asked: str
    denied: tuple[str, ...] = ()


def hear(message: str, words: WordFinder) -> Heard:
    """Take out what a message refuses: 不要做PPT，写一份研究报告 asks for the report alone.

    A refusal reaches the next of the `words` in its clause, and those joined to it by "or". The message keeps its case.
    """
    text = unquoted(message)
    low = _BESIDES.sub("  ", lowered(text))
    kept: list[str] = []
    denied: list[str] = []
    for start, end in _clauses(low):
        clause = low[start:end]
        hits = words.find(clause) if _DENIAL.search(clause) else []
        at = 0
        for gap_start, gap_end, refused in _refused(clause, hits):
            kept.append(text[start + at : start + gap_start])
            denied += refused
            at = gap_end
        kept.append(text[start + at : end])
    if not denied:
        return Heard(message)
    return Heard("".join(kept).strip(" ，。,.;；、"), tuple(dict.fromkeys(denied)))


def _clauses(message: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _CLAUSE.finditer(message):
        yield start, found.end()
        start = found.end()
    yield start, len(message)


def _refused(clause: str, hits: Sequence[Hit]) -> Iterator[tuple[int, int, list[str]]]:
    """The parts of a clause that refuse one of the words, and the words, from left to right."""
    starts = [hit.start for hit in hits]
    bare = clause.rstrip("，。；！？,;!?\n.")
    done = 0
    for found in _DENIAL.finditer(clause):
        if found["refusal"] is None or found.start() < done:
            continue
        after = bisect_left(starts, found.end())
        before = bisect_left(starts, found.start()) - 1
        if after < len(hits) and _reaches(clause[found.end() : hits[after].start]):
            end, words = _chain(clause, hits[after : after + _LONGEST_CHAIN])
            start = max(done, _start_of_refusal(clause, found.start()))
            done = _end_of_refusal(clause, end, asks_more=hits[-1].start >= end)
            yield start, done, words
        elif before >= 0 and done <= hits[before].start and (tail := _REFUSED_AFTER.match(bare, hits[before].end)):
            start, words = _chain_back(clause, hits[max(0, before + 1 - _LONGEST_CHAIN) : before + 1])
            yield max(start, done), tail.end(), words
            done = tail.end()


def _reaches(between: str) -> bool:
    return len(between) <= (_REACH_LATIN if between.isascii() else _REACH)


def _chain(clause: str, hits: Sequence[Hit]) -> tuple[int, list[str]]:
    """The first refused word, those inside it, and those joined to it: `no slides or charts`."""
    end, words = hits[0].end, [hits[0].word]
    for hit in hits[1:]:
        joined = _ALSO_REFUSED.match(clause, end)
        if hit.start >= end and not (joined and hit.start == joined.end()):
            break
        end = max(end, hit.end)
        words.append(hit.word)
    return end, words


def _chain_back(clause: str, hits: Sequence[Hit]) -> tuple[int, list[str]]:
    """The same, when the refusal comes last: PPT、PDF都不要."""
    start, words = hits[-1].start, [hits[-1].word]
    for hit in reversed(hits[:-1]):
        if hit.end <= start and not _ALSO_REFUSED.fullmatch(clause, hit.end, start):
            break
        start = min(start, hit.start)
        words.append(hit.word)
    return start, words


def _start_of_refusal(clause: str, start: int) -> int:
    """Who refuses is no part of what is asked for: "I", 我."""
    near = max(0, start - _LONGEST_SUBJECT)
    found = _SUBJECT.search(clause[near:start])
    return near + found.start() if found else start


def _end_of_refusal(clause: str, end: int, *, asks_more: bool) -> int:
    """What follows a refused word belongs to it, unless it asks for something else: 不要PPT写报告."""
    rest = clause[end:].strip("了吧 ，。；！？,;!?\n.")
    asks_more = asks_more or len(rest) > _WORTH_KEEPING
    return end if asks_more and not _BELONGS_TO_IT.match(clause, end) else len(clause)


def asks(message: str) -> tuple[str, ...]:
    """The things a message asks for, one after the other; one when it asks for one, or is a long list or a paste."""
    parts = tuple(part for found in _SEVERAL.split(message) if len(part := found.strip(" ，,。.")) >= _SHORTEST_ASK)
    return parts if 1 < len(parts) <= _MOST_ASKS else (message,)


def follows_up(message: str) -> bool:
    """Whether a folded message only makes sense after what was said before: 继续, 换成柱状图, make it shorter."""
    message = message.strip()
    return len(message) <= _LONGEST_FOLLOW_UP and bool(_FOLLOW_UP.match(message))


def says_little(message: str) -> bool:
    """Whether a folded message is nothing but a path and words that every text has: no, /etc/hosts 是什么."""
    if len(message) > _LONGEST_FOLLOW_UP:
        return False
    return all(map(_SAYS_LITTLE.fullmatch, _WORD.findall(_PATH.sub(" ", message))))


def is_small_talk(message: str) -> bool:
    """Whether a folded message is a greeting, thanks or a farewell, and nothing more."""
    message = message.strip()
    return len(message) <= _LONGEST_FOLLOW_UP and bool(_SMALL_TALK.fullmatch(message))
