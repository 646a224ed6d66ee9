"""Conversions between LangChain's messages, tools and tool results and Metier's; forms; fixed sentences."""

from metier.agent.adapters._assent import Assent, read_assent
from metier.agent.adapters._call_repeats import MAX_REPEATS, CallRepeats
from metier.agent.adapters._decisions import analysis_to_json, decision_to_json
from metier.agent.adapters._failures import localize_failure
from metier.agent.adapters._forms import (
    Form,
    arguments_from,
    describe_arguments,
    form_for,
    label_argument,
    localize_schema,
    missing_arguments,
    name_to_title,
    read_decision,
)
from metier.agent.adapters._guarded_text import find_complete_length, guard_text
from metier.agent.adapters._invented_names import find_invented_name
from metier.agent.adapters._limits import (
    LIMIT_REACHED,
    MAX_OUTPUT_CHARS,
    Limits,
    Price,
    ReachedLimit,
    TurnUsage,
    UsageTotals,
    limit_reached,
    usage_event,
    usage_from_json,
)
from metier.agent.adapters._messages import to_context_messages, to_langchain_messages
from metier.agent.adapters._on_event import OnEvent
from metier.agent.adapters._reasoning import StreamedReasoning
from metier.agent.adapters._replies import drops_all, is_dismissal, is_go_on, match_text, read_ordinal, read_reply
from metier.agent.adapters._requests import (
    AsyncModelHandler,
    AsyncToolHandler,
    ModelHandler,
    ToolHandler,
    can_pause,
    get_last_message,
    get_state,
    get_tool_call,
)
from metier.agent.adapters._sentences import find_dead_end_sentence, list_names, render_sentence
from metier.agent.adapters._tool_messages import (
    call_state,
    control_message,
    data_text,
    find_tool_message,
    get_metier_artifact,
    held_message,
    not_run_message,
    outcome_message,
    result_data,
    tool_message,
    unknown_message,
    update_metier_artifact,
)
from metier.agent.adapters._tool_specs import spec_from_langchain, specs_from_langchain, to_openai

__all__ = [
    "LIMIT_REACHED",
    "MAX_OUTPUT_CHARS",
    "MAX_REPEATS",
    "Assent",
    "AsyncModelHandler",
    "AsyncToolHandler",
    "CallRepeats",
    "Form",
    "Limits",
    "ModelHandler",
    "OnEvent",
    "Price",
    "ReachedLimit",
    "StreamedReasoning",
    "ToolHandler",
    "TurnUsage",
    "UsageTotals",
    "analysis_to_json",
    "arguments_from",
    "call_state",
    "can_pause",
    "control_message",
    "data_text",
    "decision_to_json",
    "describe_arguments",
    "drops_all",
    "find_complete_length",
    "find_dead_end_sentence",
    "find_invented_name",
    "find_tool_message",
    "form_for",
    "get_last_message",
    "get_metier_artifact",
    "get_state",
    "get_tool_call",
    "guard_text",
    "held_message",
    "is_dismissal",
    "is_go_on",
    "label_argument",
    "limit_reached",
    "list_names",
    "localize_failure",
    "localize_schema",
    "match_text",
    "missing_arguments",
    "name_to_title",
    "not_run_message",
    "outcome_message",
    "read_assent",
    "read_decision",
    "read_ordinal",
    "read_reply",
    "render_sentence",
    "result_data",
    "spec_from_langchain",
    "specs_from_langchain",
    "to_context_messages",
    "to_langchain_messages",
    "to_openai",
    "tool_message",
    "unknown_message",
    "update_metier_artifact",
    "usage_event",
    "usage_from_json",
]
