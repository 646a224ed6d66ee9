"""Arms of DispatchBench: which layers are on. Layers are switched by data and settings, never in the runtime's code."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Arm:
    """What stands between the model and the tools.

    `router`: the router chooses the skill; without it the model chooses from the menu if there is a menu. `menu`: there
    are skills at all. `gate`: the skills' `allowed_tools` and the task types hold. `plan`: the skills' steps lead.
    `schema`: the endpoint holds replies to the schema of what is allowed now.
    """

    name: str
    menu: bool = True
    router: bool = True
    gate: bool = True
    plan: bool = True
    schema: bool = True


BARE: Final = Arm("bare loop", menu=False, router=False, gate=False, plan=False, schema=False)
FULL: Final = Arm("all")
ARMS: Final = (
    BARE,
    Arm("+ router", gate=False, plan=False, schema=False),
    Arm("+ gate", plan=False, schema=False),
    Arm("+ plan", schema=False),
    FULL,
    Arm("all − router", router=False),
    Arm("all − gate", gate=False),
    Arm("all − plan", plan=False),
)
