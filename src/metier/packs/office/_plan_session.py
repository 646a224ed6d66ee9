"""What runs of a plan on a sheet and on a deck share: changes that are offered, warnings, and errors of a step."""

import hashlib
import json
from abc import ABC, abstractmethod

from metier.language import BilingualText, Language, NoteValue, language_of
from metier.packs.office._hosts import Change, SkippedAction
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.ooxml import parse_color
from metier.packs.office.plan import OfficeAction, OfficePlan

__all__ = ["PlanSession", "find_plan_language", "name_block"]


class PlanSession(ABC):
    """One run of a plan. Steps ask `offer` before they write, so that only chosen changes are made."""

    __slots__ = ()

    path: str
    block: str
    chosen: frozenset[str] | None
    changes: list[Change]
    skipped: list[SkippedAction]
    warnings: list[BilingualText]
    inner: list[tuple[str, BilingualText, tuple[str, str]]]

    @abstractmethod
    def render(self, code: str, **values: NoteValue) -> BilingualText:
        """Sentence of the host."""

    def fail(self, code: str, place: str = "", **values: NoteValue) -> PlanStepError:
        """Error of the current step, to be raised."""
        return PlanStepError(code, f"{self.path}.{place}" if place else self.path, self.render(code, **values))

    def warn(self, code: str, **values: NoteValue) -> None:
        warning = self.render(code, **values)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def skip(self, action: OfficeAction, code: str) -> None:
        self.skipped.append(SkippedAction(action.id, action.op, code, self.render(code)))

    def offer(
        self, action: OfficeAction, address: str, title: BilingualText, texts: tuple[str, str], number: int = 0
    ) -> bool:
        """Whether to make a change; it is recorded if so. Inside a block everything belongs to the block."""
        if self.block:
            self.inner.append((address, title, texts))
            return True
        change_id = f"{action.id}#{number}" if number else action.id
        if self.chosen is not None and change_id not in self.chosen:
            return False
        self.changes.append(Change(change_id, action.id, action.op, address, title, *texts))
        return True

    def color(self, action: OfficeAction, name: str) -> str:
        text = action.text(name)
        color = parse_color(text) if text else ""
        if color is None:
            raise self.fail("bad_color", name, text=text)
        return color


def find_plan_language(plan: OfficePlan) -> Language:
    """Language of the plan's titles and texts."""
    return language_of(" ".join(str(value) for action in plan.walk() for value in action.to_json().values()))


def name_block(action: OfficeAction) -> str:
    """Id of a block for a step that stands alone, so that the same step is found again."""
    text = json.dumps(action.to_json(), sort_keys=True, ensure_ascii=False, default=str)
    return f"step-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
