"""Token and message budgets of the two phases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one phase: tokens in total, messages of the history, tokens per section.

    Required content may exceed these limits. The skill menu always gets `menu_floor_tokens`, however long the message
    is: without a menu the model could not choose a skill at all.
    """

    limit_tokens: int
    max_messages: int
    section_limits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    menu_floor_tokens: int = 400


CHOOSE_BUDGET: Final = Budget(2000, 5, MappingProxyType({"menu": 1100, "history": 700}))
WORK_BUDGET: Final = Budget(
    6000,
    10,
    MappingProxyType(
        {
            "output": 400,
            "sop": 800,
            "rule_index": 400,
            "rules": 2400,
            "profile": 900,
            "history": 2000,
            "cases": 1000,
            "documents": 1500,
        }
    ),
)
