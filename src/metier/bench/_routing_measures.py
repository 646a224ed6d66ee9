"""What answers are worth: how often right, how honest about it, how fast."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import quantiles
from typing import Final

BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """What a router said to one message: skills with scores, best first; whether it said none; how long it took."""

    ranked: tuple[tuple[str, float], ...]
    none: bool
    ms: float

    @property
    def score(self) -> float:
        """The score of the first; nothing found is as unsure as can be."""
        return self.ranked[0][1] if self.ranked else 0.0

    def right(self, intent: str) -> bool:
        """Whether the first is the one that was meant."""
        return bool(self.ranked) and self.ranked[0][0] == intent


@dataclass(frozen=True, slots=True)
class Abstention:
    """How well a router says none: of the messages it refused, of those it should have refused."""

    caught: int
    refused: int
    outside: int
    asked: int
    threshold: float | None = None

    @property
    def precision(self) -> float:
        """How many of the refused meant no skill, in percent."""
        return percent(self.caught, self.refused)

    @property
    def recall(self) -> float:
        """How many of those that meant no skill were refused, in percent."""
        return percent(self.caught, self.outside)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return percent(2 * self.caught, self.refused + self.outside)

    @property
    def f1_error(self) -> float:
        """One standard error of the F1, by the delta method over the counts."""
        wrong = self.refused + self.outside - 2 * self.caught
        whole = self.refused + self.outside
        return 200 * sqrt(self.caught * wrong * (self.caught + wrong)) / whole**2 if whole else 0.0

    def to_json(self) -> dict[str, object]:
        ratios = {"precision": self.precision, "recall": self.recall, "f1": self.f1, "f1_error": self.f1_error}
        counts = {"outside": self.outside, "asked": self.asked, "threshold": self.threshold}
        return {**{name: round(value, 2) for name, value in ratios.items()}, **counts}


def abstention(inside: Sequence[bool], outside: Sequence[bool], threshold: float | None = None) -> Abstention:
    """The counts, from whether each message was refused."""
    caught = sum(outside)
    return Abstention(caught, caught + sum(inside), len(outside), len(inside) + len(outside), threshold)


def best_threshold(inside: Sequence[float], outside: Sequence[float]) -> float:
    """Below which score to say none, for the best F1 on these messages; halfway to the next score above."""
    scores = sorted([(score, False) for score in inside] + [(score, True) for score in outside])
    best, chosen, caught = 0.0, float("-inf"), 0
    for at, (score, is_outside) in enumerate(scores):
        caught += is_outside
        above = scores[at + 1][0] if at + 1 < len(scores) else score + 1.0
        f1 = 2 * caught / (at + 1 + len(outside))
        if f1 > best and above > score:
            best, chosen = f1, (score + above) / 2
    return chosen


def calibration_error(scores: Sequence[float], right: Sequence[bool]) -> float:
    """The mean gap, in points, between what the router believed and how often it was right, over ten equal bins."""
    gap = 0.0
    for bin_ in range(BINS):
        inside = [at for at, score in enumerate(scores) if min(int(score * BINS), BINS - 1) == bin_]
        gap += abs(sum(scores[at] for at in inside) - sum(right[at] for at in inside))
    return 100 * gap / max(len(scores), 1)


def percent(part: int, whole: int) -> float:
    """A share in percent; of nothing, zero."""
    return 100 * part / whole if whole else 0.0


def share_error(share: float, count: int) -> float:
    """One standard error of a share in percent, over so many messages."""
    return sqrt(share * (100 - share) / count) if count else 0.0


def p50_p95(taken: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    if len(taken) < 2:
        return (taken[0], taken[0]) if taken else (0.0, 0.0)
    cuts = quantiles(taken, n=20, method="inclusive")
    return cuts[9], cuts[18]
