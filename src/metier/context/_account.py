"""The result of a build: the prompt, and a report of what it contains and what was left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metier.context._menu import SkillMenu
from metier.context._messages import ContextMessage
from metier.context._sections import DroppedPiece, SectionUse
from metier.json_values import JsonObject, JsonValue
from metier.model_settings import StageName

Phase = Literal["choose", "work"]
Mode = Literal["append", "rewrite"]


@dataclass(frozen=True, slots=True)
class BuiltPrompt:
    """Prompt of one model call: system text, messages, tools, and what was left out and why.

    `tokens` counts all of it as sent. It exceeds `limit_tokens` only when the required parts alone do; a note then says
    so. `tools` are definitions in OpenAI's format. `missing` lists user data without which the skill cannot work.
    `digests` are ids of calls whose results are shown as digests. `demanded` is the tool that the reply must call.
    """

    stage: StageName
    mode: Mode
    system: str
    messages: tuple[ContextMessage, ...]
    tokens: int
    limit_tokens: int
    menu: SkillMenu | None = None
    tools: tuple[JsonObject, ...] = ()
    skill: str | None = None
    sections: tuple[SectionUse, ...] = ()
    dropped: tuple[DroppedPiece, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    demanded: str = ""

    @property
    def phase(self) -> Phase:
        """`choose` while no skill is in use, `work` by a skill."""
        return "choose" if self.stage in ("choose", "converse") else "work"

    @property
    def tools_description(self) -> str:
        """Description of the `use_skill` tool; empty when the tool is not offered."""
        return self.menu.description if self.menu else ""

    @property
    def over_budget(self) -> bool:
        return self.tokens > self.limit_tokens

    def to_json(self, *, texts: bool = False) -> dict[str, JsonValue]:
        """The report as JSON; with `texts`, including the system text, messages and tools."""
        account: dict[str, JsonValue] = {
            "stage": self.stage,
            "phase": self.phase,
            "mode": self.mode,
            "skill": self.skill,
            "tokens": self.tokens,
            "limit_tokens": self.limit_tokens,
            "over_budget": self.over_budget,
            "offered": list(self.menu.enum) if self.menu else [],
            "sections": [use.to_json() for use in self.sections],
            "dropped": [one.to_json() for one in self.dropped],
            "notes": list(self.notes),
            "missing": list(self.missing),
        }
        if texts:
            account["system"] = self.system
            account["messages"] = [message.to_json() for message in self.messages]
            account["tools_description"] = self.tools_description
            account["tools"] = list(self.tools)
        return account

    def explain(self) -> Sequence[str]:
        """The report as sentences, most important first."""
        what = f"{self.stage} {self.skill}" if self.skill else self.stage
        lines = [f"{what}: {self.tokens} of {self.limit_tokens} tokens ({self.mode})", *self.notes]
        lines += [f"missing: {path}" for path in self.missing]
        for use in self.sections:
            limit = "" if use.limit_tokens is None else f" of {use.limit_tokens}"
            kept = f": {', '.join(use.kept)}" if use.kept and use.kept != (use.name,) else ""
            lines.append(f"{use.name} {use.tokens}{limit}{kept}")
        return [*lines, *(f"left out: {one.section} {one.piece} ({one.text})" for one in self.dropped)]
