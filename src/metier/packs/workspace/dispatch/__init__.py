"""DispatchBench: do the layers around a model lead it to the right calls? Tasks, arms, a simulated model, measures."""

from metier.packs.workspace.dispatch._arms import ARMS, BARE, FULL, Arm
from metier.packs.workspace.dispatch._measures import MEASURES, Measured, measure
from metier.packs.workspace.dispatch._page import render_page
from metier.packs.workspace.dispatch._report import DispatchRun, list_figures, measure_dispatch, run_bench
from metier.packs.workspace.dispatch._run import MadeCall, RunOutcome, run_task
from metier.packs.workspace.dispatch._simulated import ErrorDraw, SimulatedModel, choose_reply
from metier.packs.workspace.dispatch._skill_match import SkillMatch, match_keywords, match_skills
from metier.packs.workspace.dispatch._state_checks import find_differences
from metier.packs.workspace.dispatch._taped import ModelReply, RunKey
from metier.packs.workspace.dispatch._tasks import (
    HELDOUT_DIGEST,
    DispatchTask,
    RightCall,
    compute_digest,
    load_tasks,
)
from metier.packs.workspace.dispatch._view import RequestView, read_request
from metier.packs.workspace.dispatch._world import open_world

__all__ = [
    "ARMS",
    "BARE",
    "FULL",
    "HELDOUT_DIGEST",
    "MEASURES",
    "Arm",
    "DispatchRun",
    "DispatchTask",
    "ErrorDraw",
    "MadeCall",
    "Measured",
    "ModelReply",
    "RequestView",
    "RightCall",
    "RunKey",
    "RunOutcome",
    "SimulatedModel",
    "SkillMatch",
    "choose_reply",
    "compute_digest",
    "find_differences",
    "list_figures",
    "load_tasks",
    "match_keywords",
    "match_skills",
    "measure",
    "measure_dispatch",
    "open_world",
    "read_request",
    "render_page",
    "run_bench",
    "run_task",
]
