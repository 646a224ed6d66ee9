"""Whether a message asks for a second kind of task: what the whole message and its parts say, weighed together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MAX_PARTS: Final = 6
_MIN_PART_CHARS: Final = 4
_MAX_MESSAGE_CHARS: Final = 120
_BREAK: Final = re.compile(
    r"[，,；;。！!？?\n]|(?<=\w)\.\s|\s[-–:]\s|：|然后|接着|最后|回头|\b(?:and then|then|and)\b", re.IGNORECASE
)
_JOINT: Final = re.compile(
    r"然后|再[^次说]|最后|接着|回头|之后|做成|整理成|写成|汇成|生成|输出|并|\b(?:and|then|into|as a|as)\b",
    re.IGNORECASE,
)
# Kinds of task that people ask for together; the order is that of the weights.
PAIRS: Final = (
    frozenset({"research", "creation"}),
    frozenset({"data_processing", "creation"}),
    frozenset({"web_task", "data_processing"}),
    frozenset({"code_development", "creation"}),
    frozenset({"data_processing", "code_development"}),
    frozenset({"web_task", "creation"}),
)
SECOND_COUNT: Final = 9 + len(PAIRS)


@dataclass(frozen=True, slots=True, eq=False)
class TypeScores:
    """What the model says of a text.

    `shares` of all types and of none add up to 1; `alone` judges each type by itself.
    """

    shares: Floats
    alone: Floats


def split_parts(message: str) -> list[str]:
    """Clauses of a message that are long enough to ask for something; empty for a message of one clause."""
    parts = [part.strip() for part in _BREAK.split(message)]
    long = [part for part in parts if len(part) >= _MIN_PART_CHARS][:MAX_PARTS]
    return long if len(long) > 1 else []


def list_seconds(first: str, types: Sequence[str]) -> list[str]:
    """Types that can come beside this one."""
    return [name for name in types if frozenset({first, name}) in PAIRS]


def compute_second_features(
    message: str, readings: Sequence[TypeScores], pair: tuple[str, str], types: Sequence[str]
) -> Floats:
    """Inputs for the question whether the second type of `pair` is asked for beside the first.

    The first of `readings` is that of the whole message, the others are those of its parts.
    """
    first, second = types.index(pair[0]), types.index(pair[1])
    whole, *parts = readings
    shares = [one.shares for one in parts]
    best = max((float(one[second]) for one in shares), default=0.0)
    apart = max((float(min(one[first], other[second])) for one, other in permutations(shares, 2)), default=0.0)
    return np.array(
        [
            _compute_odds(whole.alone[second]),
            _compute_odds(whole.alone[first]),
            _compute_odds(whole.shares[second]),
            best,
            apart,
            float(len(parts) > 1),
            float(_JOINT.search(message) is not None),
            min(len(message), _MAX_MESSAGE_CHARS) / _MAX_MESSAGE_CHARS,
            *(float(set(pair) == one) for one in PAIRS),
            1.0,
        ]
    )


def _compute_odds(share: float) -> float:
    return float(np.log((share + 0.01) / (1.01 - share)))
