"""What a skill demands of its plans: hosts, operations, how often each stands there, and where."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.plan._fields import HostApp
from metier.packs.office.plan._operations import HOST_APPS
from metier.packs.office.plan._plan import OfficePlan
from metier.packs.office.plan._sentences import PlanFault

__all__ = ["PlanContract", "read_contract"]

_BLOCK: Final = "upsert_block"


@dataclass(frozen=True, slots=True)
class PlanContract:
    """Demands on a plan; an empty field demands nothing. `operations` None: all of the host.

    `exactly`, `at_least` and `at_most` give a number for an operation, `anchor` is where a block stands, and with
    `only_in_block` no step stands beside the block.
    """

    hosts: tuple[HostApp, ...] = ()
    operations: tuple[str, ...] | None = None
    exactly: Mapping[str, int] = field(default_factory=dict)
    at_least: Mapping[str, int] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    anchor: str = ""
    only_in_block: bool = False

    def find_faults(self, plan: OfficePlan) -> Iterator[PlanFault]:
        """What in a plan breaks the contract, with its path."""
        yield from self._check_counts(plan)
        for at, action in enumerate(plan.actions):
            path = f"actions[{at}]"
            if action.op != _BLOCK and self.only_in_block:
                yield PlanFault.at(path, "outside_block", op=action.op)
            if action.op == _BLOCK and self.anchor and action.is_anchored and action.text("anchor") != self.anchor:
                yield PlanFault.at(f"{path}.anchor", "wrong_anchor", found=action.text("anchor"), expected=self.anchor)

    def _check_counts(self, plan: OfficePlan) -> Iterator[PlanFault]:
        counts = Counter(action.op for action in plan.walk())
        rules = (("not_exactly", self.exactly), ("not_enough", self.at_least), ("too_often", self.at_most))
        for code, wanted in rules:
            for op, expected in wanted.items():
                found = counts[op]
                is_kept = {"not_exactly": found == expected, "not_enough": found >= expected}
                if not is_kept.get(code, found <= expected):
                    yield PlanFault.at(_path_of(plan, op, expected), code, op=op, found=found, expected=expected)


def read_contract(value: JsonValue) -> PlanContract:
    """Contract as a skill's manifest says it under `output.x-plan`; what cannot be read demands nothing."""
    said: JsonObject = value if isinstance(value, Mapping) else {}
    operations = said.get("operations")
    hosts = said.get("hosts")
    anchor = said.get("anchor")
    return PlanContract(
        hosts=tuple(one for one in HOST_APPS if isinstance(hosts, list | tuple) and one in hosts),
        operations=tuple(map(str, operations)) if isinstance(operations, list | tuple) else None,
        exactly=_read_counts(said.get("exactly")),
        at_least=_read_counts(said.get("at_least")),
        at_most=_read_counts(said.get("at_most")),
        anchor=anchor if isinstance(anchor, str) else "",
        only_in_block=said.get("only_in_block") is True,
    )


def _read_counts(value: JsonValue) -> Mapping[str, int]:
    given = value if isinstance(value, Mapping) else {}
    return {op: count for op, count in given.items() if isinstance(count, int) and not isinstance(count, bool)}


def _path_of(plan: OfficePlan, op: str, expected: int) -> str:
    """Place of the first step that is too many; the list of steps where one is missing."""
    paths = [
        path
        for at, action in enumerate(plan.actions)
        for path, one in (
            (f"actions[{at}]", action.op),
            *((f"actions[{at}].actions[{inside}]", inner.op) for inside, inner in enumerate(action.actions)),
        )
        if one == op
    ]
    return paths[expected] if len(paths) > expected else "actions"
