"""Suite of models: a scripted one, recorded answers of a small one, and the configured one side by side."""

from metier.bench.models._answers import Column, RecordedAnswers, ScriptedAnswers
from metier.bench.models._conversations import CASES, HeldConversation, hold_conversation
from metier.bench.models._incomplete import CutCalls, run_cut_calls
from metier.bench.models._measure import (
    collect_columns,
    combine_with_router,
    count_router_right,
    list_stale,
    measure_models,
    to_figures,
)
from metier.bench.models._page import render_page
from metier.bench.models._record import list_current, record
from metier.bench.models._recordings import (
    KINDS,
    RECORDED_MODES,
    RECORDINGS,
    Kind,
    Mode,
    Recording,
    read_recordings,
    write_recording,
)
from metier.bench.models._stages import (
    StageOutcome,
    ask_forbidden,
    choose_skills,
    fill_arguments,
    route_messages,
)

__all__ = [
    "CASES",
    "KINDS",
    "RECORDED_MODES",
    "RECORDINGS",
    "Column",
    "CutCalls",
    "HeldConversation",
    "Kind",
    "Mode",
    "RecordedAnswers",
    "Recording",
    "ScriptedAnswers",
    "StageOutcome",
    "ask_forbidden",
    "choose_skills",
    "collect_columns",
    "combine_with_router",
    "count_router_right",
    "fill_arguments",
    "hold_conversation",
    "list_current",
    "list_stale",
    "measure_models",
    "read_recordings",
    "record",
    "render_page",
    "route_messages",
    "run_cut_calls",
    "to_figures",
    "write_recording",
]
