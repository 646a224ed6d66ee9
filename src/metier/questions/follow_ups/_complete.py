"""Completes a follow-up: the subject of an earlier question is replaced by the one that the follow-up names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from metier.patterns import compile_later
from metier.questions._parse import parse_question
from metier.questions.follow_ups._read import read_compared, read_subject
from metier.textsearch import has_cjk

_MAX_EARLIER: Final = 12
_MAX_SUBJECTS: Final = 5
_JOINT: Final = compile_later(r"\s*(?:[和与跟及、]|以及|还有|,(?:\s*and\b)?|\band\b|&)\s*", re.IGNORECASE)
_MIN_HAN: Final = 2
_MIN_LETTERS: Final = 4
_NUMBER: Final = r"(?<![A-Za-z\d.])(?:\d+(?:\.\d+)?|[一二三四五六七八九十两]+|[IVⅠ-Ⅴ]+)(?![A-Z])"
_COUNTED: Final = compile_later(rf"(?P<number>{_NUMBER})\s*(?P<unit>[A-Za-z%°/]+|[\u4e00-\u9fff]{{1,4}})")
_LABELLED: Final = compile_later(rf"(?P<unit>[A-Za-z]{{3,}})\s+(?P<number>{_NUMBER})(?![A-Za-z])")
_CODE: Final = compile_later(r"(?<![A-Za-z\d])[A-Za-z]{0,3}\d{3,}(?!\d)")
# Words of one kind, of which a question has one at a time.
_KINDS: Final = tuple(
    compile_later(one)
    for one in (
        r"(?:19|20)\d{2}\s*年?|[今明后去前]年|(?i:(?:this|next|last)\s+year)",
        r"(?:\d{1,2}|[一二三四五六七八九十]{1,2})\s*月份?|[上下这本]个?月|(?i:(?:this|next|last)\s+month)",
        r"第?[一二三四1-4]\s*季度|[Qq][1-4]|[上下这本]个?季度",
        r"今天|明天|后天|昨天|前天|(?i:today|tomorrow|yesterday)",
    )
)
_PRONOUN: Final = compile_later(
    r"它(?!们)|这台(?:设备|机器)?|该(?:设备|机器)|(?i:\b(?:its|it|this\s+(?:one|machine))\b)"
)
_TERM: Final = r"[「“\"]?(?P<term>[^，,。；;？?！!\n「」“”\"]{1,30}?)[」”\"]?"
_COMMA: Final = compile_later(r"\s*[,，](?:\s*and\b)?\s*(?=.*\w)")
_DEFINITIONS: Final = (
    compile_later(
        rf"(?:请问|那么?|什么是|啥是)*\s*{_TERM}\s*(?:是什么意思|是什么|是啥(?:意思)?|什么意思|的(?:含义|定义|意思)(?:是什么)?|怎么理解)[？?。]*"
    ),
    compile_later(rf"(?:什么|啥)(?:是|叫做?){_TERM}[？?。]*"),
    compile_later(
        rf"(?i)what(?:'s|\s+is|\s+are|\s+does|\s+do)\s+(?:the\s+meaning\s+of\s+|an?\s+|the\s+)?{_TERM}(?:\s+mean|\s+stand\s+for)?[?.]*"
    ),
    compile_later(rf"(?i)(?:the\s+)?(?:meaning|definition)\s+of\s+{_TERM}[?.]*"),
)
# A day or an hour is one thing: its year is not the year that is asked about.
_DATE: Final = compile_later(
    r"\d{2,4}\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*[日号])?|\d{1,2}\s*月\s*\d{1,2}\s*[日号]|\d{2,4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?"
    r"|(?i:\b\d{1,2}(?:st|nd|rd|th)?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+\d{4})?"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?)"
)
# An order that changes or makes something, by its form: it begins with the verb, or says what is done to what. It is
# not carried out again because of a question: that takes an order.
_ORDER: Final = compile_later(
    r"(?:请|帮我?|麻烦|给我|替我|再|先|只|仅|就|那|[，,\s])*(?:[把将](?!来)|删|改(?![善进])|换|调(?![查研])|设[成为置]|关[掉闭]|停[掉用]|启[动用]|撤[销回]|移[到至动除]|下发|执行|写"
    r"|拟|起草|生成|新建|创建|制作|做一?[份个张]|发[送给到]|寄|安排|预约|加|增加|减少|插入|填|录入|保存|导出|转[成换为]|提交|支付|购买|下单|订).*"
    r"|.*(?:提醒|通知)我.*"
    r"|(?i:(?:please|can\s+you|could\s+you|would\s+you|ok(?:ay)?|now|then|[,\s])*(?:delete|remove|clear|change|replace|rename|set"
    r"|reset|move|add|insert|apply|undo|write|draft|create|make|generate|send|e-?mail|remind|schedule|book|buy|order|pay|submit"
    r"|fill|save|export|convert|turn|switch|stop|start|increase|decrease|raise|lower|reduce)\b.*)",
    re.DOTALL,
)
_ASKS_FOR: Final = compile_later(
    r"[我你您他她它]们?|然后|之后|后来|接着|现在|[这那]|其他|别的|所有|全部|.*(?:什么|怎|如何|为何|哪|谁|几|多少|吗).*"
    r"|(?i:(?:.*\b)?(?:why|how|what|when|where|which|who|is|are|do|does|did|can|will|should|me|you|us|him|her|them|it|then|now"
    r"|later|so|this|that|others?|everything|everyone|all|more|thanks?)(?:\b.*)?)"
)
_MAX_TERM_WORDS: Final = 3
_AFTER_PLACE: Final = "新市区县"
_COMMAND: Final = compile_later(r"/[\w-]+\s*")


class _Slot(NamedTuple):
    start: int
    end: int


class _Hit(NamedTuple):
    """A part of a name in a text: where, how long, and where in the name."""

    start: int
    size: int
    place: int


def complete_follow_up(message: str, said: Sequence[str], kinds: Sequence[Sequence[str]]) -> str:
    """The whole question that a follow-up means; empty if it is none, or nothing said before has its kind of subject.

    `said` are the user's messages before, oldest first. `kinds` are names of which a question is about one at a time:
    the values that a fact can have, or those of a column.
    """
    return _complete(message, read_subject(message), _complete_earlier(said, kinds), kinds)


def complete_several(message: str, said: Sequence[str], kinds: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The whole questions that a follow-up about several subjects of one kind means: 浦东和朝阳呢, "and fan 2, pump 1".

    Empty if it names fewer than two, or one of them is no subject that the earlier question could have.
    """
    listed = read_subject(message) or read_subject(_COMMA.sub(" and " if message.isascii() else "、", message))
    subjects = _split_subjects("" if read_compared(message) else listed, kinds)
    if not subjects:
        return ()
    earlier = _complete_earlier(said, kinds)
    wholes = [_complete(message, one, earlier, kinds, keeps_same=True) for one in subjects]
    return tuple(wholes) if all(wholes) and len(set(wholes)) == len(wholes) else ()


def _split_subjects(subject: str, kinds: Sequence[Sequence[str]]) -> list[str]:
    parts = [one for one in _JOINT.split(subject) if one]
    is_one_kind = any(all(_find_place(one, names) is not None for one in parts) for names in kinds)
    return parts if 1 < len(parts) <= _MAX_SUBJECTS and is_one_kind else []


def _complete_earlier(said: Sequence[str], kinds: Sequence[Sequence[str]]) -> list[str]:
    whole: list[str] = []
    for one in said[-_MAX_EARLIER:]:
        completed = _complete(one, read_subject(one), whole, kinds)
        if completed or not whole or not _is_bare(one):
            whole.append(completed or one)
    return whole


def orders_change(message: str) -> bool:
    """Whether a message is an order that changes or makes something, by its form: a question does not repeat it."""
    return _ORDER.fullmatch(message.strip()) is not None


def _is_bare(message: str) -> bool:
    """Whether a message names a subject and says nothing of it: 浦东呢, "and Pudong?"; 浦东怎么样 asks something."""
    return bool(read_subject(message)) and not _asks_how(message)


def _asks_how(message: str) -> bool:
    return message.rstrip("？?。.！! ").endswith(("样", "如何"))


def _complete(
    message: str, subject: str, said: Sequence[str], kinds: Sequence[Sequence[str]], *, keeps_same: bool = False
) -> str:
    if not subject or not said:
        return ""
    named = [(names, place) for names in kinds if (place := _find_place(subject, names)) is not None]
    requests = [one for one in reversed(said) if _find_definition(one) is None and parse_question(one) is None]
    newest, defined = next(iter(requests), ""), _find_definition(said[-1])
    for earlier in dict.fromkeys((said[-1], *requests)):
        like = () if defined and earlier == said[-1] else _list_like(subject, earlier)
        slots = set(
            _leave_dates(
                chain(_list_named(earlier, named, with_pronouns=has_cjk(earlier) == has_cjk(message)), like), earlier
            )
        )
        if slots:
            whole = "" if len(slots) > 1 or orders_change(earlier) else _put(earlier, slots.pop(), subject)
            return whole if whole != earlier or keeps_same else ""
    if defined is not None and not named and _is_like_term(said[-1][defined.start : defined.end], subject, message):
        return _put(said[-1], defined, subject)
    return f"{newest} {subject}" if named and _COMMAND.fullmatch(newest) else ""


def _is_like_term(term: str, subject: str, message: str) -> bool:
    """Whether a follow-up names a term like the one before: 天气怎么样, "and why?" or "and thanks" are none."""
    if _ASKS_FOR.fullmatch(subject) or _ORDER.fullmatch(subject) or _asks_how(message):
        return False
    if max(len(term.split()), len(subject.split())) > _MAX_TERM_WORDS or re.search(r"\s(?:of|in|for)\s|的", term):
        return False
    return subject[:1].isascii() == term[:1].isascii() and (not term.isupper() or not subject.islower())


def _leave_dates(slots: Iterable[_Slot], text: str) -> Iterator[_Slot]:
    """The slots that are no part of a date."""
    dates = [one.span() for one in _DATE.finditer(text)]
    return (one for one in slots if not any(start < one.end and one.start < end for start, end in dates))


def _put(text: str, slot: _Slot, subject: str) -> str:
    return text[: slot.start] + subject + text[slot.end :]


def _list_named(text: str, kinds: Sequence[tuple[Sequence[str], int]], *, with_pronouns: bool) -> Iterator[_Slot]:
    """Where a text names one of a kind, or points to it by a pronoun of the message's own language."""
    for names, place in kinds:
        found = _find_named(text, names, place)
        if found is None and with_pronouns and (pronoun := _PRONOUN.search(text)):
            found = _Slot(pronoun.start(), pronoun.end())
        if found is not None:
            yield found


def _find_place(subject: str, names: Sequence[str]) -> int | None:
    """Where in its name the part stands that is the whole subject; None if the subject is no name of these."""
    for hit in _list_hits(subject, names):
        if _widen(subject, hit) == (0, len(subject)):
            return hit.place
    return None


def _find_named(text: str, names: Sequence[str], place: int) -> _Slot | None:
    """Where a text names one of these: whole, or by a part that no other has.

    A name may have several parts in the text (天河 and 负荷): the one that stands in it as the subject does in its own.
    """
    hits = list(_list_hits(text, names))
    if not hits:
        return None
    return _widen(text, min(hits, key=lambda one: (abs(one.place - place), -one.size, one.start)))


def _list_hits(text: str, names: Sequence[str]) -> Iterator[_Hit]:
    lower = text.casefold()
    whole = [_Hit(lower.find(name.casefold()), len(name), 0) for name in names if name and name.casefold() in lower]
    if whole:
        longest = max(one.size for one in whole)
        yield from (one for one in whole if one.size == longest)
        return
    for name in names:
        for part in _list_own_parts(name, names, lower):
            yield _Hit(lower.find(part), len(part), name.casefold().find(part))


def _widen(text: str, hit: _Hit) -> _Slot:
    """With the number before a part of a name (号泵), and what a place has after it."""
    start, end = hit.start, hit.start + hit.size
    while start > 0 and text[start - 1].isdigit():
        start -= 1
    while text[end : end + 1] and text[end] in _AFTER_PLACE:
        end += 1
    return _Slot(start, end)


def _list_own_parts(name: str, names: Sequence[str], lower: str) -> Iterator[str]:
    """Parts of a name that stand in a text and in no other name: two characters or a word."""
    others = [one.casefold() for one in names if one != name]
    own = name.casefold()
    words = re.findall(rf"[a-z]{{{_MIN_LETTERS},}}", own)
    pieces = re.findall(rf"[\u4e00-\u9fff]{{{_MIN_HAN},}}", own)
    parts = [one[at:end] for one in pieces for at in range(len(one)) for end in range(at + _MIN_HAN, len(one) + 1)]
    for part in (*words, *parts):
        if part in lower and not any(part in other for other in others):
            yield part


def _list_like(subject: str, text: str) -> Iterator[_Slot]:
    """Where a text has something of the same kind as the subject: another year, class, number of the same unit."""
    for kind in _KINDS:
        if kind.fullmatch(subject):
            yield from (_Slot(one.start(), one.end()) for one in kind.finditer(text))
    for pattern in (_COUNTED, _LABELLED):
        if (wanted := pattern.fullmatch(subject)) is not None:
            unit = wanted["unit"].casefold()
            for one in pattern.finditer(text):
                if one["unit"].casefold() == unit:
                    yield _Slot(one.start(), one.end())
                elif pattern is _COUNTED and one["unit"].casefold().startswith(unit):
                    yield _Slot(one.start(), one.start("unit") + len(unit))
    if _CODE.fullmatch(subject):
        yield from (_Slot(one.start(), one.end()) for one in _CODE.finditer(text) if len(one[0]) == len(subject))


def _find_definition(text: str) -> _Slot | None:
    """The term whose meaning a text asks for."""
    for pattern in _DEFINITIONS:
        if (found := pattern.fullmatch(text.strip())) is not None and "term" in found.groupdict():
            at = len(text) - len(text.lstrip())
            return _Slot(at + found.start("term"), at + found.end("term"))
    return None
