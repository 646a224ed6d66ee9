"""What was said before a sentence: the sentences it may refer to, and the work for which somebody is still sought."""

import re
from collections import deque
from typing import Final

from metier.packs.office.analysis.meetings._answers import (
    SoughtWork,
    find_sought,
    read_answer,
    read_due,
    seeks_help,
    takes_task,
)
from metier.packs.office.analysis.meetings._names import SELF
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings.settled import is_settled

__all__ = ["SpokenContext"]

_MAX_BEFORE: Final = 4  # sentences in which the thing of `我来改` is looked for
_MAX_OPEN: Final = 4  # utterances after which nobody answers a question any more


class SpokenContext:
    """The talk up to a sentence."""

    def __init__(self, has_speakers: bool) -> None:
        self.has_speakers = has_speakers
        self.at = 0
        self.question = ""
        self.need = ""  # the last sentence, unless it gives work to somebody: its day is not another's
        self._before: deque[tuple[str, str]] = deque(maxlen=_MAX_BEFORE)
        self._sought: SoughtWork | None = None
        self._asker = ""
        self._asked_at = 0

    @property
    def before(self) -> tuple[str, ...]:
        """The sentences before, the nearest last, with the speaker for `我`."""
        return tuple(sentence for _, sentence in self._before)

    def hear(self, utterance: Utterance, plain: str, *, is_work: bool) -> None:
        """Keep a sentence, and the work that it seeks somebody for; `is_work` if somebody has it."""
        self.need = "" if is_work else plain
        if found := find_sought(plain):
            self._sought, self._asker, self._asked_at, self.question = found, utterance.speaker, self.at, plain
        if utterance.speaker or not self.has_speakers:
            kept = re.sub(SELF, utterance.speaker, plain) if utterance.speaker else plain
            self._before.append((utterance.speaker, kept))

    def _list_sought(self, speaker: str) -> list[SoughtWork]:
        """Work for which somebody other than the speaker still seeks a person."""
        is_open = self._sought is not None and 0 < self.at - self._asked_at <= _MAX_OPEN
        is_other = speaker != self._asker or not self.has_speakers
        return [self._sought] if self._sought is not None and is_open and is_other else []

    def answer(self, speaker: str, part: str) -> str:
        """What the speaker takes on with an answer to a question; one that sought somebody is settled then."""
        taken = read_answer(part, self._list_sought(speaker))
        if taken:
            self.settle()
            return taken
        asked = [said for one, said in self._before if one != speaker or not self.has_speakers]
        if asked and takes_task(part) and seeks_help(asked[-1]):
            return asked[-1].rstrip("。.")
        return read_due(part, asked[-1]) if asked else ""

    def settle(self) -> None:
        """Somebody took the work."""
        if self.at > self._asked_at:
            self._sought = None

    def is_asked(self, speaker: str) -> bool:
        """Whether what another person said just before calls for somebody to do something."""
        return (
            bool(self._before)
            and self._before[-1][0] != speaker
            and (seeks_help(self._before[-1][1]) or is_settled(self._before[-1][1]))
        )
