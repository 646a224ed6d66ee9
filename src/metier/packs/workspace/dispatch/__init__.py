"""DispatchBench: do the layers around a model lead it to the right calls? Tasks, arms, a simulated model, measures."""

from metier.packs.workspace.dispatch._arms import ARMS, BARE, FULL, Arm
from metier.packs.workspace.dispatch._error_mix import ERROR_KINDS, CountedRate, ErrorKind, count_recorded_errors
from metier.packs.workspace.dispatch._measures import MEASURES, Measured, measure
from metier.packs.workspace.dispatch._page import render_page
from metier.packs.workspace.dispatch._report import DispatchRun, list_figures, measure_dispatch, run_bench
from metier.packs.workspace.dispatch._run import MadeCall, RunOutcome, run_task
from metier.packs.workspace.dispatch._simulated import Draw, SimulatedModel, choose_reply
from metier.packs.workspace.dispatch._skill_match import SkillMatch, match_keywords, match_skills
from metier.packs.workspace.dispatch._state_checks import find_differences
from metier.packs.workspace.dispatch._taped import Reply, RunKey
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
    "ERROR_KINDS",
    "FULL",
    "HELDOUT_DIGEST",
    "MEASURES",
    "Arm",
    "CountedRate",
    "DispatchRun",
    "DispatchTask",
    "Draw",
    "ErrorKind",
    "MadeCall",
    "Measured",
    "Reply",
    "RequestView",
    "RightCall",
    "RunKey",
    "RunOutcome",
    "SimulatedModel",
    "SkillMatch",
    "choose_reply",
    "compute_digest",
    "count_recorded_errors",
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
