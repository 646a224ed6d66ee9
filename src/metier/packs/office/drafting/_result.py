"""What becomes of a request: a plan with what it takes for granted, or one question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office.drafting._unclear import DraftNote
from metier.packs.office.drafting.columns import HiddenNames

__all__ = ["Draft"]

_ASSUMED: Final = frozenset({"left_out", "default_columns", "default_rows", "default_sections", "default_outline"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan, or the question that must be answered before there can be one."""

    plan: JsonObject | None
    question: str = ""
    reasons: tuple[DraftNote, ...] = ()
    code: str = ""
    left_out: tuple[str, ...] = ()
    part: str = ""  # what the question is about, where it is a part of the request
    rest: str = ""  # the request without the parts that cannot be done, where a plan can be made of it
    undone: tuple[str, ...] = ()  # these parts
    is_whole: bool = False  # read to the last word as one thing: there are no further pieces in it

    def tell_undone(self, language: Language) -> str:
        """The parts of the request that `rest` does not have."""
        return DraftNote.of("undone", names=tuple(f"“{one}”" for one in self.undone)).text(language)

    def tell_assumptions(self, language: Language) -> tuple[str, ...]:
        """What the plan takes for granted because the request does not say it: a number of rows, the usual columns."""
        return tuple(dict.fromkeys(one.text(language) for one in self.reasons if one.code in _ASSUMED))

    def put_back(self, plan: JsonObject, hidden: HiddenNames) -> "Draft":
        """The draft with a plan in the user's own words, and what it tells in them."""
        parts = tuple(hidden.restore(one) for one in self.left_out)
        reasons = [one for one in self.reasons if one.code != "left_out"]
        reasons += [DraftNote("left_out", {"parts": parts})] if len(reasons) < len(self.reasons) else []
        return replace(self, plan=plan, reasons=tuple(reasons), left_out=parts)

    def leave_out(self, parts: Sequence[str]) -> "Draft":
        """The same plan, which tells and records what of the request it passes over."""
        if self.plan is None or not parts:
            return self
        every = tuple(dict.fromkeys((*parts, *self.left_out)))
        meta = self.plan["meta"]
        recorded: JsonObject = {**(meta if isinstance(meta, dict) else {}), "left_out": list[JsonValue](every)}
        reasons = (*(one for one in self.reasons if one.code != "left_out"), DraftNote("left_out", {"parts": every}))
        return replace(self, plan={**self.plan, "meta": recorded}, reasons=reasons, left_out=every)
