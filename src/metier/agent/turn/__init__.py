"""State of one turn and everything that may be done to it; no LangGraph."""

from metier.agent.turn._answers import answer_in_words, describe_answer, validate_answer
from metier.agent.turn._call_answers import (
    answer_held_calls,
    closing_message,
    combine_digests,
    find_decision,
    given_arguments,
    hold_for_approval,
    is_approved,
    may_ask_for_approval,
    record_void_approval,
)
from metier.agent.turn._call_batch import (
    CallBatch,
    HeldCall,
    answers_from_json,
    batch_from_json,
    call_to_json,
    calls_from_json,
    preview_from_data,
)
from metier.agent.turn._choose_skill import (
    choose_skill,
    is_command,
    is_leave_request,
    read_answer,
)
from metier.agent.turn._control_tools import check_leaving, list_control_tools, may_leave_skill, run_control_tool
from metier.agent.turn._enter_skill import (
    enter_skill,
    find_missing_data,
    forms_for,
    load_user_data,
    nest_paths,
    restore_plan,
    start_plan,
)
from metier.agent.turn._journal import Journal, PlanSnapshot, turn_events, turn_messages
from metier.agent.turn._pauses import (
    ask_arguments,
    ask_for_held_calls,
    ask_question,
    ask_review,
    ask_step_question,
    nullable,
    open_pause,
)
from metier.agent.turn._plan_runner import PLAN_CALL_PREFIX, PlanRunner, require_plan
from metier.agent.turn._previews import update_preview
from metier.agent.turn._publish_results import publish_files
from metier.agent.turn._repeats import MAX_REPEATS
from metier.agent.turn._request import TurnRequest, validate_request
from metier.agent.turn._resources import Resources, make_context_builders
from metier.agent.turn._state import (
    InterruptAnswer,
    ModelNote,
    TurnInput,
    TurnSkill,
    TurnState,
    get_turn_state,
    usage_from_json,
)
from metier.agent.turn._store_ledger import StoreLedger
from metier.agent.turn._tool_calls import (
    close_open_calls,
    execute,
    is_control_tool,
    mark_not_run,
    record_given_results,
    record_result,
    run_call,
    started_event,
)
from metier.agent.turn._write_plan import MAX_PLANS, WRITE_PLAN, make_plan_tool, validate_plan

__all__ = [
    "MAX_PLANS",
    "MAX_REPEATS",
    "PLAN_CALL_PREFIX",
    "WRITE_PLAN",
    "CallBatch",
    "HeldCall",
    "InterruptAnswer",
    "Journal",
    "ModelNote",
    "PlanRunner",
    "PlanSnapshot",
    "Resources",
    "StoreLedger",
    "TurnInput",
    "TurnRequest",
    "TurnSkill",
    "TurnState",
    "answer_held_calls",
    "answer_in_words",
    "answers_from_json",
    "ask_arguments",
    "ask_for_held_calls",
    "ask_question",
    "ask_review",
    "ask_step_question",
    "batch_from_json",
    "call_to_json",
    "calls_from_json",
    "check_leaving",
    "choose_skill",
    "close_open_calls",
    "closing_message",
    "combine_digests",
    "describe_answer",
    "enter_skill",
    "execute",
    "find_decision",
    "find_missing_data",
    "forms_for",
    "get_turn_state",
    "given_arguments",
    "hold_for_approval",
    "is_approved",
    "is_command",
    "is_control_tool",
    "is_leave_request",
    "list_control_tools",
    "load_user_data",
    "make_context_builders",
    "make_plan_tool",
    "mark_not_run",
    "may_ask_for_approval",
    "may_leave_skill",
    "nest_paths",
    "nullable",
    "open_pause",
    "preview_from_data",
    "publish_files",
    "read_answer",
    "record_given_results",
    "record_result",
    "record_void_approval",
    "require_plan",
    "restore_plan",
    "run_call",
    "run_control_tool",
    "start_plan",
    "started_event",
    "turn_events",
    "turn_messages",
    "update_preview",
    "usage_from_json",
    "validate_answer",
    "validate_plan",
    "validate_request",
]
