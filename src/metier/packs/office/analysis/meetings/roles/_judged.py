"""What the learned judge says of each line of a meeting: how surely it decides, and how surely it gives work to do."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from metier.language import split_sentences
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings.records import cut_mark
from metier.packs.office.analysis.meetings.roles._judge import load_judge
from metier.packs.office.analysis.meetings.roles._lines import SpokenLine

__all__ = [
    "AGREED_WORK",
    "KEPT_DECISION",
    "KEPT_WORK",
    "LIKELY",
    "SURE_DECISION",
    "SURE_REPLY",
    "SURE_WORK",
    "JudgedLine",
    "judge_lines",
]

# Log odds, chosen on authors left out (`python -m training.meeting_roles`): above the first two, nine lines in ten are
# what they are called; above LIKELY half of the others are. A to-do or a decision that a rule reads below the last two
# is more often wrong than right.
SURE_DECISION: Final = 0.65
SURE_WORK: Final = 0.4
SURE_REPLY: Final = 2.0  # of a reply that the rules understand neither as a yes nor as a no
LIKELY: Final = -0.7
KEPT_DECISION: Final = -0.2
KEPT_WORK: Final = -1.4
AGREED_WORK: Final = -2.5  # of an order that the person agreed to who was named in it
_LONG_CHINESE, _LONG = 90, 240  # characters beyond which a line is judged by its sentences
# The judge learned from whole meetings; a few lines are read by the rules alone, and it only says what is likely.
_MIN_LINES: Final = 12


class JudgedLine(NamedTuple):
    """Log odds of the sentence of a line that says most for it, and these sentences.

    `is_likely` says that it may decide or give work. A line that is not judged is left to the rules.
    """

    decides: float
    decision: str
    does: float
    work: str
    is_likely: bool = False


def judge_lines(said: Sequence[Utterance]) -> tuple[JudgedLine, ...]:
    """One judgement for each entry of a transcript; a heading of a talk with speakers is nobody's words."""
    has_speakers = any(one.speaker for one in said)
    unjudged = [JudgedLine(0.0, one.text, LIKELY, one.text) for one in said]
    parts = [
        (at, part)
        for at, one in enumerate(said)
        if not one.part and (one.speaker or not has_speakers)
        for part in _split_long(one.text if one.speaker else cut_mark(one.text))
    ]
    if not parts:
        return tuple(unjudged)
    odds = load_judge().score([SpokenLine(said[at].speaker, part) for at, part in parts])
    found = [
        left if one.part else JudgedLine(-math.inf, one.text, -math.inf, one.text)
        for one, left in zip(said, unjudged, strict=True)
    ]
    for (at, part), (decides, does) in zip(parts, odds.tolist(), strict=True):
        if decides > found[at].decides:
            found[at] = found[at]._replace(decides=decides, decision=part)
        if does > found[at].does:
            found[at] = found[at]._replace(does=does, work=part)
    likely = [not one.part and max(line.decides, line.does) > LIKELY for one, line in zip(said, found, strict=True)]
    lines = found if len(parts) >= _MIN_LINES else unjudged
    return tuple(line._replace(is_likely=is_so) for line, is_so in zip(lines, likely, strict=True))


def _split_long(text: str) -> list[str]:
    longest = _LONG if text.isascii() else _LONG_CHINESE
    return [text] if len(text) <= longest else [one.strip() for one in split_sentences(text) if one.strip()]
