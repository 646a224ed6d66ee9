"""Reads a message as a question what to do about something that it names, or who does what until when."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from metier.language import choose, language_of
from metier.patterns import compile_later
from metier.textsearch import to_simplified

AskedColumn = Literal["who", "what", "when"]

_MAX_CHARS: Final = 60
_ACT_ZH: Final = (
    r"(?:停机|停下来?|停掉|停用|停|关掉|删掉|删除|删|改掉|修改|改动|改|换掉|更换|换|修理|维修|检修|修|处理|调整|调"
    r"|降低|降|提高|保留|留)"
)
# What to do: whether to, or to what.
_ADVICE_ZH: Final = compile_later(
    r"要不要|该不该|应不应该|需不需要|用不用|有(?:没有)?必要|是否(?:需要|应该|应当|要|该)|是不是(?:需要|应该|应当|要|该)"
    r"|(?:改|换|降|调|定|写|填|设)(?:成|为|到)(?:多少|什么|几|哪个|怎样)|(?:怎么|如何)(?:改|处理|修改|办)"
    rf"|(?:为什么|为啥|为何|凭什么)(?:要|得|该|应该|建议|需要)?{_ACT_ZH}"
)
_ADVICE_EN: Final = compile_later(
    r"^(?:so |and |but |ok(?:ay)?,? |then )?(?:should|must|shall)\s|^(?:do|does)\s.{1,40}\s(?:need|have)\s+to\b"
    r"|\bis it necessary\b|^(?:so |and |but )?(?:what|how (?:much|many|high|low|large))\b.{0,30}\bshould\b"
    r"|^what (?:can|could|do) (?:i|we) do about\b"
    r"|^why (?:do|should|must|would) (?:i|we|you)\b",
    re.IGNORECASE,
)
_WHY: Final = compile_later(r"为什么|为啥|为何|凭什么|\bwhy\b", re.IGNORECASE)
_FILL_ZH: Final = compile_later(
    rf"合适|合理|比较|马上|立即|立刻|赶紧|赶快|现在|目前|今天|需要|应该|应当|建议|我们|咱们|这[个台条份]|那[个台条份]|{_ACT_ZH}"
    r"|[的了吗呢吧啊呀把将先再就还也都是我你它这那得该要好才成为到给被不用会]|[\s，,。.?？!！、；;：:]"
)
_WORD_EN: Final = compile_later(r"[a-z0-9][a-z0-9'’.-]*", re.IGNORECASE)
_FILL_EN: Final = compile_later(
    r"should|must|shall|so|and|but|ok(?:ay)?|then|do|does|did|is|are|was|were|be|been|it|this|that|these|those|the|an?|i|we"
    r"|you|they|to|of|for|in|on|at|by|with|about|right|now|immediately|today|really|still|also|needs?|ha[ds]|have|can|could"
    r"|would|will|what|why|how|much|many|high|low|large|stop(?:ped|ping)?|chang(?:e|ed|ing)|deleted?|removed?|replaced?"
    r"|repair(?:ed)?|fix(?:ed)?|shut|down|switch(?:ed)?|off|lower(?:ed)?|reduced?|raised?|keep|kept|set|become|get|necessary"
    r"|suggest(?:ed)?|think|say|please|my|our|your|there"
)
_ASKED_ZH: Final[tuple[tuple[AskedColumn, str], ...]] = (
    ("when", r"什么时候|何时|哪[天日]|几号|什么时间|多久|期限(?:是|到)?|截止"),
    ("who", r"谁"),
    ("what", r"什么事情?|什么任务|什么|哪些事情?|哪些|啥"),
)
_ASKED_EN: Final[tuple[tuple[AskedColumn, str], ...]] = (
    ("when", r"\bwhen\b|\bwhat date\b|\bdeadlines?\b|\bhow long\b"),
    ("who", r"\bwho(?:m|se)?\b"),
    ("what", r"\bwhat\b|\bwhich (?:tasks?|things?|items?)\b"),
)
_TASK_ZH: Final = compile_later(
    r"会上|会议[里上中]?|答应|承诺|负责|完成|交付|交|做|干|办|前|每个人|大家|各自|分别|都|要|得|该|需要|[了的在由给去把一下吗呢啊、，,。.?？!！\s及和]"
)
_TASK_EN: Final = compile_later(
    r"ha[ds]|have|to|do|does|did|done|doing|must|should|will|by|until|till|and|or|the|an?|is|are|was|be|been|in|at|of|for|on"
    r"|meeting|promised?|promises|agreed|responsible|supposed|needs?|finish(?:ed)?|deliver|due|each|everyone|takes?|care"
)


@dataclass(frozen=True, slots=True)
class NamedRows:
    """What a message asks of rows: names that they have, and the columns that it asks for; none for advice."""

    names: tuple[str, ...]
    asked: tuple[AskedColumn, ...] = ()
    asks_why: bool = False


def read_named_rows(message: str) -> NamedRows | None:
    """What a message asks about rows; None if it is no such question."""
    said = to_simplified(message.strip())
    if not said or len(said) > _MAX_CHARS:
        return None
    return _read_tasks(said) or _read_advice(said)


def _read_advice(said: str) -> NamedRows | None:
    language = language_of(said)
    if not choose(language, zh=_ADVICE_ZH, en=_ADVICE_EN).search(said):
        return None
    plain = _ADVICE_ZH.sub("\n", said)
    names = choose(language, zh=_split_names, en=_join_words)(plain, choose(language, zh=_FILL_ZH, en=_FILL_EN))
    return NamedRows(names, asks_why=_WHY.search(said) is not None) if names else None


def _read_tasks(said: str) -> NamedRows | None:
    """Who, what and when: two of them, or one of somebody who is named."""
    language = language_of(said)
    asked, rest = list[AskedColumn](), said
    for name, pattern in choose(language, zh=_ASKED_ZH, en=_ASKED_EN):
        rest, count = re.subn(pattern, "\n", rest, flags=re.IGNORECASE)
        asked += [name] if count else []
    if not asked:
        return None
    names = choose(language, zh=_split_names, en=_join_words)(rest, choose(language, zh=_TASK_ZH, en=_TASK_EN))
    if len(names) > 1 or (not names and len(asked) == 1):
        return None
    return NamedRows(names, tuple(asked))


def _split_names(said: str, fill: re.Pattern[str]) -> tuple[str, ...]:
    """What is left of a Chinese message between words that say nothing of their own."""
    return tuple(one for one in fill.sub("\n", said).split("\n") if one.strip())


def _join_words(said: str, fill: re.Pattern[str]) -> tuple[str, ...]:
    """Words that say something, those that stand together as one name."""
    made, last = list[str](), -2
    for at, one in enumerate(_WORD_EN.finditer(said)):
        word = one[0].rstrip(".'’-").lower()
        if fill.fullmatch(word.removesuffix("'s").removesuffix("’s")):
            continue
        made[-1:] = [f"{made[-1]} {word}"] if made and last == at - 1 else [*made[-1:], word]
        last = at
    return tuple(made)
