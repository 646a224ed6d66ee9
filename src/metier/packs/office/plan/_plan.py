"""A checked plan: what executors receive."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.plan._fields import HostApp
from metier.packs.office.plan._sentences import PlanFault, PlanRepair

__all__ = ["PLAN_VERSION", "LoadedPlan", "OfficeAction", "OfficePlan"]

PLAN_VERSION: Final = "ah32.plan.v1"


@dataclass(frozen=True, slots=True)
class OfficeAction:
    """One step of a plan. `fields` has the given values and the defaults of the rest; a block has `actions`."""

    id: str
    op: str
    title: str
    fields: Mapping[str, JsonValue] = field(default_factory=dict, hash=False)
    actions: tuple["OfficeAction", ...] = ()
    is_anchored: bool = field(default=False, compare=False)

    def text(self, name: str, default: str = "") -> str:
        """A text field; the default if it was not given."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else default

    def whole(self, name: str, default: int = 0) -> int:
        """A whole number; the default if it was not given."""
        value = self.fields.get(name)
        return value if isinstance(value, int) else default

    def size(self, name: str) -> float | None:
        """A number; None if it was not given."""
        value = self.fields.get(name)
        return float(value) if isinstance(value, int | float) else None

    def flag(self, name: str, default: bool = False) -> bool:
        """A truth value; the default if it was not given."""
        value = self.fields.get(name)
        return value if isinstance(value, bool) else default

    def switch(self, name: str) -> bool | None:
        """A truth value; None if it was not given."""
        value = self.fields.get(name)
        return value if isinstance(value, bool) else None

    def table(self, name: str = "data") -> list[list[JsonValue]]:
        """Rows of a table field; empty if it was not given."""
        value = self.fields.get(name)
        return [list(row) for row in value if isinstance(row, list)] if isinstance(value, list) else []

    def to_json(self) -> JsonObject:
        nested: JsonObject = {"actions": [one.to_json() for one in self.actions]} if self.actions else {}
        return {"id": self.id, "title": self.title, "op": self.op, **self.fields, **nested}


@dataclass(frozen=True, slots=True)
class OfficePlan:
    """Steps for one document of one host."""

    host_app: HostApp
    actions: tuple[OfficeAction, ...]
    meta: JsonObject = field(default_factory=dict, hash=False)

    def walk(self) -> Iterator[OfficeAction]:
        """All actions, a block before the actions inside it."""
        for action in self.actions:
            yield action
            yield from action.actions

    def to_json(self) -> JsonObject:
        return {
            "schema_version": PLAN_VERSION,
            "host_app": self.host_app,
            "meta": self.meta,
            "actions": [action.to_json() for action in self.actions],
        }


@dataclass(frozen=True, slots=True)
class LoadedPlan:
    """Result of reading a plan: the plan if nothing is wrong, what was repaired, and what is wrong."""

    plan: OfficePlan | None
    repairs: tuple[PlanRepair, ...] = ()
    problems: tuple[PlanFault, ...] = ()
