"""`ah32.plan.v1`: operations, JSON Schema, and a reader that repairs what models write wrongly."""

from metier.packs.office.plan._contract import PlanContract, read_contract
from metier.packs.office.plan._fields import FieldSpec, HostApp, Operation
from metier.packs.office.plan._lines import list_operation_lines, make_example
from metier.packs.office.plan._load import MAX_ACTIONS, load_plan
from metier.packs.office.plan._operations import HOST_APPS, OPERATIONS, operations_of
from metier.packs.office.plan._plan import PLAN_VERSION, LoadedPlan, OfficeAction, OfficePlan
from metier.packs.office.plan._schema import plan_schema
from metier.packs.office.plan._sentences import PlanFault, PlanRepair
from metier.packs.office.plan._style import StyleSpec, find_style, load_style_spec, read_color

__all__ = [
    "HOST_APPS",
    "MAX_ACTIONS",
    "OPERATIONS",
    "PLAN_VERSION",
    "FieldSpec",
    "HostApp",
    "LoadedPlan",
    "OfficeAction",
    "OfficePlan",
    "Operation",
    "PlanContract",
    "PlanFault",
    "PlanRepair",
    "StyleSpec",
    "find_style",
    "list_operation_lines",
    "load_plan",
    "load_style_spec",
    "make_example",
    "operations_of",
    "plan_schema",
    "read_color",
    "read_contract",
]
