"""Stages: why the model is called. A stage decides the prompt, the tools and the budget of the call."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal

from metier.model_settings import StageName

# What the model is offered: the menu of skills, the one tool of a step, what the gate allows now, or nothing.
ToolScope = Literal["menu", "one", "allowed", "none"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one model call: tokens in total, messages before this turn, tokens per section.

    The total counts everything as sent: system text, messages, tools. Required content may exceed these limits. The
    skill menu always gets `menu_floor_tokens`, however long the message is: without a menu the model could not choose a
    skill at all.
    """

    limit_tokens: int
    max_messages: int
    section_limits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    menu_floor_tokens: int = 400

    def cap(self, limit_tokens: int | None) -> "Budget":
        """The same budget with at most this total; the limits of the sections shrink with it."""
        if limit_tokens is None or limit_tokens >= self.limit_tokens:
            return self
        limit = max(1, limit_tokens)
        sections = {name: most * limit // self.limit_tokens for name, most in self.section_limits.items()}
        return replace(self, limit_tokens=limit, section_limits=MappingProxyType(sections))


@dataclass(frozen=True, slots=True)
class Stage:
    """Why the model is called: which tools it is offered, and how many tokens the call may have as sent."""

    name: StageName
    tools: ToolScope
    budget: Budget


CHOOSE_MENU_TOKENS: Final = 1100
CHOOSE: Final = Stage(
    "choose", "menu", Budget(2000, 5, MappingProxyType({"menu": CHOOSE_MENU_TOKENS, "history": 700, "documents": 120}))
)
FILL: Final = Stage("fill", "one", Budget(2000, 0, MappingProxyType({"said": 400})))
ACT: Final = Stage(
    "act",
    "allowed",
    Budget(
        6000,
        10,
        MappingProxyType(
            {
                "tools": 3000,
                "output": 400,
                "sop": 800,
                "rule_index": 400,
                "rules": 2400,
                "profile": 900,
                "history": 3500,
                "cases": 1000,
                "documents": 2400,
            }
        ),
    ),
)
REPORT: Final = Stage("report", "none", Budget(3000, 0, MappingProxyType({"said": 200, "results": 500})))
CONVERSE: Final = Stage(
    "converse", "allowed", Budget(6000, 10, MappingProxyType({"tools": 3000, "history": 2500, "documents": 2400}))
)
STAGES: Mapping[StageName, Stage] = MappingProxyType(
    {stage.name: stage for stage in (CHOOSE, FILL, ACT, REPORT, CONVERSE)}
)
