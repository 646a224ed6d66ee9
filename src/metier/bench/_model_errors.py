"""How often a small real model goes wrong, and in which way: counted in the recordings of the suite `models`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, get_args

ErrorKind = Literal["wrong_tool", "invented_tool", "bad_arguments", "loop", "early_stop"]
ERROR_KINDS: Final[tuple[ErrorKind, ...]] = get_args(ErrorKind)
# Single recorded replies show no loops: an assumption, said on the page.
ASSUMED_LOOP_RATE: Final = 0.1


@dataclass(frozen=True, slots=True)
class CountedRate:
    """Recorded answers with an error; `out_of` is 0 if it was not counted but assumed."""

    wrong: int
    out_of: int
    where: str

    @property
    def rate(self) -> float:
        """Share of answers with this error."""
        return self.wrong / self.out_of if self.out_of else ASSUMED_LOOP_RATE


@cache
def count_recorded_errors() -> Mapping[ErrorKind, CountedRate]:
    """Count every kind of error in the recordings of the 1.5B model.

    A simulated model keeps the proportions between the kinds; how often it errs at all is its own affair.
    """
    from metier.bench.models import RecordedAnswers, ask_forbidden, choose_skills, fill_arguments

    answers = RecordedAnswers()
    chosen = list(choose_skills(answers, "schema"))
    spoken = list(choose_skills(answers, "native"))
    filled = list(fill_arguments(answers, "schema"))
    forbidden = asyncio.run(ask_forbidden(answers, "native"))
    silent = sum(not one.is_right and not one.skill and not one.is_foreign for one in spoken)
    return MappingProxyType(
        {
            "wrong_tool": CountedRate(sum(not one.is_right for one in chosen), len(chosen), "choice under a schema"),
            "invented_tool": CountedRate(
                sum(one.is_foreign for one in forbidden), len(forbidden), "tools that were not on offer, native"
            ),
            "bad_arguments": CountedRate(
                sum(not one.is_right for one in filled), len(filled), "arguments under a schema"
            ),
            "loop": CountedRate(0, 0, "assumed"),
            "early_stop": CountedRate(silent, len(spoken), "choice, native: text and no call"),
        }
    )


def list_error_weights() -> list[float]:
    """Weights of the kinds of error, in the order of `ERROR_KINDS`."""
    counted = count_recorded_errors()
    return [counted[kind].rate for kind in ERROR_KINDS]
