"""Measures of router answers: accuracy, calibration, abstention, time."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

BINS: Final = 10
_ROUNDS: Final = 200


@dataclass(frozen=True, slots=True)
class RouterAnswer:
    """Answer of a router to one message: skills with scores, best first; whether it answered "none"; time."""

    ranked: tuple[tuple[str, float], ...]
    none: bool
    ms: float

    @property
    def score(self) -> float:
        """Score of the first skill; 0 if there is none."""
        return self.ranked[0][1] if self.ranked else 0.0

    def is_right(self, intent: str) -> bool:
        """Whether the first skill is the intended one."""
        return bool(self.ranked) and self.ranked[0][0] == intent


@dataclass(frozen=True, slots=True)
class Abstention:
    """Counts of refused and out-of-scope messages, and the quality of answering "none"."""

    caught: int
    refused: int
    outside: int
    asked: int
    threshold: float | None = None

    @property
    def precision(self) -> float:
        """Share of refused messages that are out of scope, in percent."""
        return percent(self.caught, self.refused)

    @property
    def recall(self) -> float:
        """Share of out-of-scope messages that were refused, in percent."""
        return percent(self.caught, self.outside)

    @property
    def f1(self) -> float:
        """F1 in percent."""
        return percent(2 * self.caught, self.refused + self.outside)

    @property
    def f1_error(self) -> float:
        """Standard error of the F1, by the delta method over the counts."""
        wrong = self.refused + self.outside - 2 * self.caught
        whole = self.refused + self.outside
        return 200 * sqrt(self.caught * wrong * (self.caught + wrong)) / whole**2 if whole else 0.0

    def to_json(self) -> dict[str, object]:
        ratios = {"precision": self.precision, "recall": self.recall, "f1": self.f1, "f1_error": self.f1_error}
        counts = {"outside": self.outside, "asked": self.asked, "threshold": self.threshold}
        return {**{name: round(value, 2) for name, value in ratios.items()}, **counts}


def count_abstentions(inside: Sequence[bool], outside: Sequence[bool], threshold: float | None = None) -> Abstention:
    """Count refusals among in-scope and out-of-scope messages."""
    caught = sum(outside)
    return Abstention(caught, caught + sum(inside), len(outside), len(inside) + len(outside), threshold)


def find_best_threshold(inside: Sequence[float], outside: Sequence[float]) -> float:
    """Find the score below which answering "none" gives the best F1; halfway to the next score above."""
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
    """Expected calibration error in percentage points, over ten bins of equal width."""
    gaps = [0.0] * BINS
    for score, is_right in zip(scores, right, strict=True):
        gaps[min(int(score * BINS), BINS - 1)] += score - is_right
    return 100 * sum(map(abs, gaps)) / max(len(scores), 1)


def calibration_error_by_chance(scores: Sequence[float]) -> float:
    """Calibration error to expect of a router whose stated probabilities hold exactly, with as many messages."""
    chance = random.Random(0)  # noqa: S311 - repeatable draws
    rounds = ([chance.random() < score for score in scores] for _ in range(_ROUNDS))
    return sum(calibration_error(scores, right) for right in rounds) / _ROUNDS


def percent(part: int, whole: int) -> float:
    """Share in percent; zero if the whole is zero."""
    return 100 * part / whole if whole else 0.0


def share_error(share: float, count: int) -> float:
    """Standard error of a share in percent."""
    return sqrt(share * (100 - share) / count) if count else 0.0
