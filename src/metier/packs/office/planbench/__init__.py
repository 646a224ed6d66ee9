"""PlanBench: requests in words against the files that come of them, by rules, given plans or a model."""

from metier.packs.office.planbench._asserts import ASSERT_KINDS, BenchOutcome, check_assert
from metier.packs.office.planbench._cases import (
    SETS,
    CaseSet,
    PlanCase,
    PlanStory,
    StoryTurn,
    load_canned,
    load_cases,
    load_stories,
)
from metier.packs.office.planbench._drafters import (
    COLUMNS,
    Column,
    DraftedPlan,
    Drafter,
    DraftRequest,
    ask_model,
    make_drafter,
)
from metier.packs.office.planbench._report import measure_suite, summarize_results
from metier.packs.office.planbench._run import PlanResult, run_case, run_stories, run_story
from metier.packs.office.planbench._wire import STREAM_PATH, WireResult, ask_plan, describe_wire, run_wire
from metier.packs.office.planbench._wire_cli import run_wire_bench

__all__ = [
    "ASSERT_KINDS",
    "COLUMNS",
    "SETS",
    "STREAM_PATH",
    "BenchOutcome",
    "CaseSet",
    "Column",
    "DraftRequest",
    "DraftedPlan",
    "Drafter",
    "PlanCase",
    "PlanResult",
    "PlanStory",
    "StoryTurn",
    "WireResult",
    "ask_model",
    "ask_plan",
    "check_assert",
    "describe_wire",
    "load_canned",
    "load_cases",
    "load_stories",
    "make_drafter",
    "measure_suite",
    "run_case",
    "run_stories",
    "run_story",
    "run_wire",
    "run_wire_bench",
    "summarize_results",
]
