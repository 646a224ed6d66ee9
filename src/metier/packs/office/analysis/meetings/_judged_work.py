"""Work that only the learned judge sees in a line: who does it is read from the line and from who answers it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from metier.packs.office.analysis.meetings._acts import is_state
from metier.packs.office.analysis.meetings._english import is_idle
from metier.packs.office.analysis.meetings._items import word_item
from metier.packs.office.analysis.meetings._names import NICKNAME, SELF
from metier.packs.office.analysis.meetings._replies import gives_assent, refuses
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings._withdrawn import takes_back
from metier.packs.office.analysis.meetings.roles import SURE_WORK, JudgedLine

__all__ = ["JudgedWork", "find_judged_work"]

_OWN: Final = re.compile(
    rf"{SELF}|\b(?:I|I'll|I'm|me|mine)\b|^(?:will do|on it|doing it|ringing|calling)\b", re.IGNORECASE
)
_HEAD: Final = re.compile(r"^(?P<name>[A-Z][a-z]+)(?:,| to | and | will | [a-z]+s\b)")
_TO_OTHER: Final = re.compile(r"[你您]|\byou(?:'ll)?\b", re.IGNORECASE)
_QUESTION: Final = re.compile(r"[?？]\s*$|[吗呢]$")
_MAX_SHORT, _MAX_WORDS = 8, 6
_REACH, _QUOTED = 2, 6
_MAX_NOD: Final = 3  # 好, 行吧, ok
_SIGNS: Final = "。.！!，, "


class JudgedWork(NamedTuple):
    """A line that gives work: where it stands, who does it (empty if nobody is known), and what."""

    at: int
    who: str
    what: str
    sentence: str


def find_judged_work(
    said: Sequence[Utterance],
    judged: Sequence[JudgedLine],
    taken: Mapping[int, tuple[str, str]],
    people: Collection[str],
) -> Iterator[JudgedWork]:
    """Lines that surely give work beside those that the rules read, `taken`: who does what, by line."""
    known = dict(taken)
    for at, line in enumerate(judged):
        if line.does <= SURE_WORK or at in known or _is_idle(line.work) or _is_heard(said, at, known):
            continue
        who = _find_doer(said, at, line.work, people)
        before = [one.text for one in said[max(0, at - _REACH) : at] if not _is_idle(one.text)]
        sentence = line.work.rstrip("。.；; ")
        if _is_short(sentence) and before and who == said[at].speaker:
            what = before[-1].rstrip("。.?？ ")
        else:
            what = word_item(sentence, who, said[at].speaker, before)
        known[at] = who, what
        yield JudgedWork(at, who, what, sentence)


def _is_idle(text: str) -> bool:
    """Whether a line gives no work whatever the judge says: a nod, a state, talk, or a word that takes back."""
    is_no_work = takes_back(text) or is_state(text) or (_is_short(text) and (is_idle(text) or refuses(text)))
    return is_no_work or len(text.strip(_SIGNS)) <= _MAX_NOD


def _is_heard(said: Sequence[Utterance], at: int, known: Mapping[int, tuple[str, str]]) -> bool:
    """Whether a line belongs to work that stands beside it: the reply to a request, or the request to a reply."""
    own = said[at].speaker
    if at - 1 in known and said[at - 1].speaker != own and (known[at - 1][0] == own or _is_short(said[at].text)):
        return True
    after, what = known.get(at + 1, ("", ""))
    is_answer = bool(after) and after != own and after == said[at + 1].speaker
    return is_answer and (said[at].text[:_QUOTED] in what or _asks(said[at].text, after))


def _asks(text: str, who: str) -> bool:
    return who in text or _TO_OTHER.search(text) is not None or _QUESTION.search(text) is not None


def _find_doer(said: Sequence[Utterance], at: int, text: str, people: Collection[str]) -> str:
    speaker = said[at].speaker
    named = sorted((text.find(one), -len(one), one) for one in people if one != speaker and one in text)
    is_own = _OWN.search(text) is not None
    if named and (not is_own or named[0][0] == 0):
        return named[0][2]
    answers = said[at + 1].speaker if at + 1 < len(said) and said[at + 1].speaker != speaker else ""
    if _TO_OTHER.search(text) and not text.startswith(("我", "I")):
        return answers if gives_assent(said, at) else ""
    if is_own:
        return speaker
    if found := re.search(NICKNAME, text) or _HEAD.match(text):
        return found["name"] if "name" in found.groupdict() else found[0]
    return answers if gives_assent(said, at) else ""


def _is_short(text: str) -> bool:
    return len(text) <= _MAX_SHORT or (text.isascii() and len(text.split()) <= _MAX_WORDS)
