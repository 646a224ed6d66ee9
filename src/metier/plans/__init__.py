"""Plans: steps in order, the SOPs of skills, milestone checks, and how far a turn deviated from its plan."""

from metier.plans._arguments import MissingArgument, evaluate_facts, facts_from_arguments, is_fact_used
from metier.plans._checks import CheckContext, check_milestone
from metier.plans._model_plans import ModelPlan, build_plan_schema, validate_model_plan
from metier.plans._moves import AskUser, CallModel, CallTool, CheckMilestone, Done, Move, next_move
from metier.plans._plan import (
    DATA_ROOTS,
    UNCONSTRAINED,
    CheckSpec,
    Choice,
    Constraints,
    Milestone,
    OnFail,
    Plan,
    Step,
)
from metier.plans._problems import PlanProblem
from metier.plans._read import PlanReading, plan_from_json, read_plan
from metier.plans._reasons import PlanReason
from metier.plans._record import Deviation, PlanRecord, is_on_plan
from metier.plans._run import CheckResult, MilestoneProgress, PlanRun, StepProgress, Stop
from metier.plans._run_json import run_from_json, run_to_json
from metier.plans._schemas import find_misfit
from metier.plans._sop import compile_sop, constraints_from_skill, read_sop
from metier.plans._tool_rules import rules_from_plan
from metier.plans.planner import MAX_JOINT_STEPS, choose_max_steps, complete_plan, find_incomplete_steps, plan_by_rules
from metier.plans.results import MAX_RECORDED, CallRecord, call_from_json, measure_file, record_call

__all__ = [
    "DATA_ROOTS",
    "MAX_JOINT_STEPS",
    "MAX_RECORDED",
    "UNCONSTRAINED",
    "AskUser",
    "CallModel",
    "CallRecord",
    "CallTool",
    "CheckContext",
    "CheckMilestone",
    "CheckResult",
    "CheckSpec",
    "Choice",
    "Constraints",
    "Deviation",
    "Done",
    "Milestone",
    "MilestoneProgress",
    "MissingArgument",
    "ModelPlan",
    "Move",
    "OnFail",
    "Plan",
    "PlanProblem",
    "PlanReading",
    "PlanReason",
    "PlanRecord",
    "PlanRun",
    "Step",
    "StepProgress",
    "Stop",
    "build_plan_schema",
    "call_from_json",
    "check_milestone",
    "choose_max_steps",
    "compile_sop",
    "complete_plan",
    "constraints_from_skill",
    "evaluate_facts",
    "facts_from_arguments",
    "find_incomplete_steps",
    "find_misfit",
    "is_fact_used",
    "is_on_plan",
    "measure_file",
    "next_move",
    "plan_by_rules",
    "plan_from_json",
    "read_plan",
    "read_sop",
    "record_call",
    "rules_from_plan",
    "run_from_json",
    "run_to_json",
    "validate_model_plan",
]
