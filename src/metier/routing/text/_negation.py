"""Negation: finds what a message refuses and the text that remains."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from metier.patterns import compile_later
from metier.routing.text._phrases import is_uninformative, read_small_talk
from metier.routing.text._split_requests import ENGLISH_VERBS, has_request
from metier.routing.text._triggers import WordFinder, WordHit
from metier.textsearch import has_cjk, lower_keep_length, strip_apostrophes

# Looks like a refusal but is none: double negation (不是不要), question (要不要), reassurance (别着急, no problem),
# limit (不要太长, no more than, not a full launch), lack (we have no plan yet), words that merely contain 别.
_NO_REFUSAL = r"""
    (?:不是|并非|不能|不会|从不)(?:不要|不用|不想|不需要|不做|不写) | 不得不 | 不能不 | 不可不
  | 要不要 | 是不是 | 用不用 | 想不想 | 需不需要 | 做不做 | 写不写 | 为什么不 | 为啥不 | 何不 | 要不(?!要)
  | (?:不要|不用|不必|别)(?:太|着急|急|紧张|担心|客气|谢|忘|怕|说|超过|多于|少于|低于|只|光|仅)
  | [特分区类性识级个告辨差派鉴送永各]别 | 别(?:人|的|名|处|墅|致|扭)
  | \bno\s+(?:problem|worries|worry|doubt|idea|matter|(?:more|later|less)\s+than|need\s+to\s+(?:worry|rush|hurry))\b
  | \bnot\s+(?:only|just|sure|yet|too|bad|certain|more\s+than|over|less\s+than|without)\b
  | \bwhy\s+(?:not|dont|do\s+not)\b | \b(?:or|if)\s+not\b
  | \b(?:dont|do\s+not|never|not|cannot)\s+(?:worry|forget|hesitate|know|understand|skip|avoid|omit|leave\s+out)\b
  | \b(?:dont|do\s+not|didnt)\s+(?:mind|have|see|get|feel|think|believe|remember|speak)\b
  | \b(?:how|what|things?|mistakes?|pitfalls?|errors?|ways?|help)\s+(?:(?:do|can|could|should|would)\s+)?
      (?:(?:i|we|you|me|us)\s+)?(?:to\s+)?(?:avoid|skip|omit)\b
  | \b(?:have|has|had|got|is|are|was|were|theres)\s+no\b | \bno\b(?=[^,.;!?]{1,40}\byet\b)
  | \bnot\s+an?\s+(?:full|complete|big|huge|major|real|proper|typical|classic|traditional|very|single)\b
"""
_REFUSAL = r"""
    不要 | 不用 | 不需要?(?!求) | 不想要? | 不必 | 无需 | 无须 | 毋需 | 甭 | 别 | 勿 | 不是 | 并非 | 而非 | 除了 | 与其
  | 先[不别] | 暂不 | 不打算
  | 不再?[做写画出给弄搞]
  | \b(?:dont|do\s+not|doesnt|does\s+not|didnt|no|not|without|never|nor|neither|instead\s+of|rather\s+than
      |except(?:\s+for)?|skip|avoid|omit|leave\s+out|never\s+mind|forget(?:\s+about)?)\b
"""
# 除了PPT还要报告 asks for both.
_BESIDES = compile_later(r"除了(?=.{0,40}(?:还|也|再))", re.DOTALL)
_NEGATION = compile_later(f"(?:{_NO_REFUSAL})|(?P<refusal>{_REFUSAL})", re.VERBOSE)
# Refusal after the name: PPT就不用了; slides are not needed.
_REFUSED_AFTER = compile_later(
    r"\s*(?:就|先|也|都|这次|我)*(?:不要|不用|不需要|不必|免|算)(?:再)?(?:导出|生成|[做写画给跑看管查排约弄改审发算调出聊])?(?:了|啦|吧)*\s*$"
    r"|\s+(?:is|are)\s+(?:not\s+(?:needed|wanted|required|necessary)|unnecessary)\b|\s+not\s+needed\b"
)
_ALSO_REFUSED = compile_later(r"\s*(?:、|/|和|或者?|跟|与|以及|及|or|and|nor)\s*(?:(?:a|an|any|the)\s+)?")
_SUBJECT = compile_later(r"(?:我们?|请|而|就|那|先|也|\b(?:i|we|you|and|so|please)\s)+\s*$")
_PREPOSITION = compile_later(r"\s*(?:for|about|of|on|in|from|with|to|using|based|by|at)\b")
_CLAUSE = compile_later(
    r"[，。；！？,;!?\n]+|\.(?=\s|$)|但是|但|而是|(?<![要用别])(?=帮我|直接|只要|只需|改成|改为|换成)"
    r"|\b(?=(?:but|just|only|please)\b)|\b(?=instead\b(?!\s+of\b))"
    rf"|(?P<and>\s+and(?=\s+(?:{ENGLISH_VERBS})\b))"
)
# After these, "and" begins the request; "don't draw and write" may refuse both.
_SKIPS = compile_later(r"\s*(?:skip|forget|never\s+mind|leave|instead\s+of|rather\s+than)\b")
# The clause postpones something: PPT先放一放, the slides can wait.
_PUT_OFF = compile_later(
    r"""(?:先|就|也|都|这次|今天|暂时|暂且){0,3}
        (?:(?:那|还是|就){0,2}算了 | 不信 | [不没]感?兴趣 | 放一?放 | 放(?:到|在)?一边
         | 搁(?:一搁|置|着) | 缓一?缓 | 不急
         | (?:以后|回头|下次|改天|晚点|等等|之后|过后)再[说看做弄议聊]
         | (?:(?:先|暂时?|就|都)不[看做弄写画查投改抽搞审排聊约挂退管] | 不[看做弄写画查投改抽搞审排聊约挂退]了))
        (?:了|吧|啦)*(?=[，。；！？,;!?\n.\s]|$)
      | \b(?:can\s+wait | later | another\s+time | aside)(?=[,;!?\n.]|\s+and\b|\s*$)
    """,
    re.VERBOSE,
)
# The same without a skill name: 号不用约了.
_NOT_NEEDED = compile_later(
    r"(?:不要|不用|不需要|不必)(?:再)?[做写画给跑看管查排约弄改审发算调出聊]?(?:了|啦|吧)+(?=[，。；！,;!\n.\s]|$)"
)
# Takes back the clause before it.
_RETRACTION = compile_later(
    r"(?:那|就|也|都|还是|你){0,3}(?:不用管|不用|不要|不需要|不必|算|免)(?:了|吧|啦)+|不用管"
    r"|(?:please\s+)?(?:never\s+mind|forget\s+(?:it|that)|leave\s+(?:it|that)(?:\s+alone)?)"
)
_SPEAKER = compile_later(
    r"\s*(?:我们?|咱们?|你|请|麻烦|今天|这次|这回|现在|也|而|那|就|都|暂时|要的"
    r"|(?:i|we|you|please|and|but|so|ok|okay|im|were|thanks)\s|\s)*"
)
_ORDERS = compile_later(
    r"(?:不要|不用|不必|无需|别|甭|先不|先别)(?:再|给我|帮我|去|要)*[做写画弄搞出给生导跑查看算排发投改讲管下约挂退调]"
    r"|(?:dont|do\s+not)\s+(?:need|want|write|make|do|create|give|show|send|draw|build|use|apply|run|start|generate|add|export)\b"
    r"|never\s+mind|forget"
)
# The refusal is about a part of what is named: PPT里的动画不要了, no animations in the slides.
_PART_AFTER = compile_later(r"\s*(?:里面?|中间?|上面?|内|当中)?的(?!话)|\s*(?:里面?|中间?|上面?|内)(?=\w)|\s*'?s\s+\w")
_EDITS_PART = compile_later(
    r"\w(?:里面?|当中|上面?|内)的\w{1,8}?(?:都|就|也|先)?(?:不要|不用|不需要)"
    r"|\b(?:no|without)\s+\w[\w\s]{1,30}\s(?:in|on|from|inside)\s+(?:the|my|this|these|our|your)\s+\w"
)
_PART_BEFORE = compile_later(r"\w.*\b(?:in|on|from|of|inside|within)\s+(?:the\s+|my\s+|this\s+|your\s+|our\s+)?$")
_QUESTION = compile_later(r"[吗呢?？]|怎么|如何|什么|\b(?:what|how|why|which)\b")
_NOT_ALONE = compile_later(r"does|did")
_SELF = compile_later(
    r"\s*(?:我们?|咱们?)不是(?![要想问说让叫])|\s*im\s+not\b(?!\s+(?:asking|looking|after|interested|talking))|\s*not\s+being\b"
)
_JOINED = compile_later(r"[\s，。；！？,;!?.]*(?:但是?|而是|\band|\bbut)?[\s，。；！？,;!?.]*$")
# Without any of these words no clause in Latin letters is a refusal. One search for them takes a tenth of the time of
# all patterns, which try every place of a long text.
_REFUSING_WORD = compile_later(
    r"\b(?:(?:dont|do|doesnt|does|didnt|no|not|without|never|nor|neither|instead|rather|except|skip|avoid|omit|leave|forget)\b"
    r"|(?:can\s+wait|later|another\s+time|aside)(?=[,;!?\n.]|\s+and\b|\s*$))"
)
_ENDS = "，。；！？,;!?\n. "
_SHORT_CHARS = 8
_MAX_REACH_CHARS = 12
_MAX_REACH_LATIN_CHARS = 30
_MAX_IGNORED_REST_CHARS = 6
_MAX_CHAIN_WORDS = 16
_MAX_SUBJECT_CHARS = 12


@dataclass(frozen=True, slots=True)
class Negation:
    """Result of negation parsing.

    `remaining` is the message without its refusals, `denied` the skill names refused, `refused` the refusing clauses
    without a skill name.
    """

    remaining: str
    denied: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Clause:
    """Clause, its remaining text, and the names it refuses.

    `refuses`: the whole clause is a refusal without a skill name; `firmly`: it has no other reading.
    """

    text: str
    left: str
    denied: tuple[str, ...] = ()
    refuses: bool = False
    firmly: bool = False


def parse_negation(message: str, words: WordFinder) -> Negation:
    """Remove what a message refuses: 不要做PPT，写一份研究报告 asks only for the report.

    A refusal covers the next of the `words` in its clause and those joined to it by "or". A refusing clause without any
    of them is removed whole if the rest is a request. Case is kept.
    """
    text = strip_apostrophes(message)
    low = _BESIDES.sub("  ", lower_keep_length(text))
    if not _may_refuse(low) or (has_cjk(low) and not _has_refusal(low)):
        return Negation(message)
    clauses = _apply_retractions(
        [_parse_clause(text[start:end], low[start:end], words) for start, end in _split_clauses(low)], words
    )
    denied = tuple(dict.fromkeys(word for clause in clauses for word in clause.denied))
    refusing = [clause for clause in clauses if clause.refuses]
    refused = tuple(_JOINED.sub("", lower_keep_length(clause.text)).strip(_ENDS) for clause in refusing)
    left = _join(clause.left for clause in clauses if not clause.refuses)
    if (denied or refused) and _is_request(left, words):
        return Negation(left, denied, refused)
    certain = bool(denied) or len(refusing) > 1 or any(clause.firmly for clause in refusing)
    return Negation("", denied, refused) if certain else Negation(message)


def _may_refuse(low: str) -> bool:
    return has_cjk(low) or _REFUSING_WORD.search(low) is not None


def _has_refusal(low: str) -> bool:
    return any(pattern.search(low) for pattern in (_NEGATION, _PUT_OFF, _RETRACTION))


def _parse_clause(text: str, low: str, words: WordFinder) -> _Clause:
    if not _may_refuse(low):
        return _Clause(text, text)
    hits = words.find(low)
    if _PUT_OFF.search(low):
        return _Clause(text, "", tuple(hit.word for hit in hits)) if hits else _Clause(text, "", (), True, True)
    left: list[str] = []
    denied: list[str] = []
    at = 0
    for start, end, refused in _find_refusals(low, hits):
        left.append(text[at:start])
        denied += refused
        at = end
    left.append(text[at:])
    if denied:
        return _Clause(text, "".join(left), tuple(denied))
    refusal = _NEGATION.search(low)
    if refusal is not None and any(_is_part(low, min(refusal.end(), hit.start), hit) for hit in hits):
        return _Clause(text, text)
    if _EDITS_PART.search(low):
        return _Clause(text, text)
    if _NOT_NEEDED.search(low):
        return _Clause(text, "", (), refuses=True, firmly=True)
    begun = _SPEAKER.match(low)
    found = _NEGATION.match(low, begun.end() if begun else 0)
    if found is None or found["refusal"] is None or not _refuses_all(low, found):
        return _Clause(text, text)
    firmly = _ORDERS.match(low, found.start()) is not None and _QUESTION.search(low) is None
    return _Clause(text, text, refuses=True, firmly=firmly)


def _refuses_all(low: str, found: re.Match[str]) -> bool:
    """Whether the text after the match is refused; not in "it doesn't start", 我不是专业人士 or a bare "not"."""
    return not (_NOT_ALONE.match(found[0]) or _SELF.match(low)) and any(map(str.isalnum, low[found.end() :]))


def _apply_retractions(clauses: list[_Clause], words: WordFinder) -> list[_Clause]:
    """Apply clauses that take back the one before: 会议纪要有人写了，不用管."""
    for at, clause in enumerate(clauses[1:], start=1):
        if _RETRACTION.fullmatch(lower_keep_length(clause.text).strip(_ENDS)):
            named = tuple(hit.word for hit in words.find(lower_keep_length(clauses[at - 1].text)))
            clauses[at - 1] = _Clause(clauses[at - 1].text, "", named, not named, True)
            clauses[at] = _Clause(clause.text, "", (), False)
    return clauses


def _join(texts: Iterable[str]) -> str:
    return "".join(texts).strip(" ，。,.;；、")


def _is_request(text: str, words: WordFinder) -> bool:
    """Whether the remaining text is a request; 我自己来 and "thanks" are not."""
    low = lower_keep_length(text)
    if not any(char.isalnum() for char in text) or read_small_talk(low) or is_uninformative(low):
        return False
    return len(low) > _SHORT_CHARS or has_request(low) or bool(words.find(low))


def _split_clauses(message: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _CLAUSE.finditer(message):
        if found["and"] is None or _SKIPS.match(message, start):
            yield start, found.end()
            start = found.end()
    yield start, len(message)


def _find_refusals(clause: str, hits: Sequence[WordHit]) -> Iterator[tuple[int, int, list[str]]]:
    """Spans of a clause that refuse names, with those names, left to right."""
    starts = [hit.start for hit in hits]
    bare = clause.rstrip("，。；！？,;!?\n.")
    done = 0
    for found in _NEGATION.finditer(clause):
        if found["refusal"] is None or found.start() < done:
            continue
        after = bisect_left(starts, found.end())
        before = bisect_left(starts, found.start()) - 1
        if after < len(hits) and _is_in_reach(clause[found.end() : hits[after].start]):
            if _is_part(clause, found.end(), hits[after]):
                continue
            end, words = _chain_forward(clause, hits[after : after + _MAX_CHAIN_WORDS])
            start = max(done, _find_refusal_start(clause, found.start()))
            done = _find_refusal_end(clause, end, asks_more=hits[-1].start >= end)
            yield start, done, words
        elif before >= 0 and done <= hits[before].start and (tail := _REFUSED_AFTER.match(bare, hits[before].end)):
            start, words = _chain_back(clause, hits[max(0, before + 1 - _MAX_CHAIN_WORDS) : before + 1])
            yield max(start, done), tail.end(), words
            done = tail.end()


def _is_part(clause: str, start: int, hit: WordHit) -> bool:
    return bool(_PART_AFTER.match(clause, hit.end) or _PART_BEFORE.match(clause[start : hit.start].strip(" ") + " "))


def _is_in_reach(between: str) -> bool:
    return len(between) <= (_MAX_REACH_LATIN_CHARS if between.isascii() else _MAX_REACH_CHARS)


def _chain_forward(clause: str, hits: Sequence[WordHit]) -> tuple[int, list[str]]:
    """End and names of a refusal: the first name, names inside it, names joined to it: `no slides or charts`."""
    end, words = hits[0].end, [hits[0].word]
    for hit in hits[1:]:
        joined = _ALSO_REFUSED.match(clause, end)
        if hit.start >= end and not (joined and hit.start == joined.end()):
            break
        end = max(end, hit.end)
        words.append(hit.word)
    return end, words


def _chain_back(clause: str, hits: Sequence[WordHit]) -> tuple[int, list[str]]:
    """Start and names of a refusal that follows its names: PPT、PDF都不要."""
    start, words = hits[-1].start, [hits[-1].word]
    for hit in reversed(hits[:-1]):
        if hit.end <= start and not _ALSO_REFUSED.fullmatch(clause, hit.end, start):
            break
        start = min(start, hit.start)
        words.append(hit.word)
    return start, words


def _find_refusal_start(clause: str, start: int) -> int:
    """Start of a refusal including its subject: "I", 我."""
    near = max(0, start - _MAX_SUBJECT_CHARS)
    found = _SUBJECT.search(clause[near:start])
    return near + found.start() if found else start


def _find_refusal_end(clause: str, end: int, *, asks_more: bool) -> int:
    """End of a refusal: the end of the clause, unless another request follows the name: 不要PPT写报告."""
    rest = clause[end:].strip("了吧 ，。；！？,;!?\n.")
    asks_more = asks_more or len(rest) > _MAX_IGNORED_REST_CHARS
    return end if asks_more and not _PREPOSITION.match(clause, end) else len(clause)
