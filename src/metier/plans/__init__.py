"""Plans: steps in order, the SOPs of skills, milestone checks, and how far a turn deviated from its plan."""

from metier.plans._arguments import Missing
from metier.plans._checks import CheckContext, check_milestone
from metier.plans._model_plans import ModelPlan, validate_model_plan
from metier.plans._model_schema import plan_schema
from metier.plans._moves import Ask, Call, Check, Done, Model, Move, next_move
from metier.plans._plan import (
    FREE,
    CheckSpec,
    Choice,
    Constraints,
    Milestone,
    OnFail,
    Plan,
    Step,
)
from metier.plans._problems import Problem
from metier.plans._read import PlanReading, plan_from_json, read_plan
from metier.plans._reasons import Reason
from metier.plans._record import Deviation, PlanRecord, on_plan
from metier.plans._run import Checked, MilestoneProgress, Run, StepProgress, Stop
from metier.plans._run_json import run_from_json, run_to_json
from metier.plans._sop import compile_sop, read_sop, skill_constraints
from metier.plans._tools import plan_rules

__all__ = [
    "FREE",
    "Ask",
    "Call",
    "Check",
    "CheckContext",
    "CheckSpec",
    "Checked",
    "Choice",
    "Constraints",
    "Deviation",
    "Done",
    "Milestone",
    "MilestoneProgress",
    "Missing",
    "Model",
    "ModelPlan",
    "Move",
    "OnFail",
    "Plan",
    "PlanReading",
    "PlanRecord",
    "Problem",
    "Reason",
    "Run",
    "Step",
    "StepProgress",
    "Stop",
    "check_milestone",
    "compile_sop",
    "next_move",
    "on_plan",
    "plan_from_json",
    "plan_rules",
    "plan_schema",
    "read_plan",
    "read_sop",
    "run_from_json",
    "run_to_json",
    "skill_constraints",
    "validate_model_plan",
]
