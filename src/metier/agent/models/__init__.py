"""Chat models: loaded by name, with retries, as a text protocol, or the built-in fallback."""

from metier.agent.models._answer_blocks import displayable_length, find_block, hide_blocks
from metier.agent.models._builtin import BuiltinModel, render_offer
from metier.agent.models._builtin_report import DISPLAYED_KEYS, drop_said, render_plan_report, render_stop_report
from metier.agent.models._chat_templates import find_chat_template
from metier.agent.models._check_sentences import CHECK_SENTENCES
from metier.agent.models._checks import ModelCheck, ask_reachable, check_model
from metier.agent.models._entries import ModelEntry
from metier.agent.models._load import ModelConfig, load_model, supervise_model
from metier.agent.models._output_guard import cut_note, cut_text, shorten
from metier.agent.models._pool import ModelChoice, ModelPool, ModelWishes
from metier.agent.models._text_tools import TextToolModel
from metier.agent.models._token_scale import TokenScale
from metier.agent.models._tool_format import get_tool_format
from metier.agent.models._wrapping import model_name
from metier.agent.models.decoding import (
    MAX_REPAIRS,
    Capabilities,
    CapabilityStore,
    Endpoint,
    NativeToolModel,
    SchemaToolModel,
    count_uttered_calls,
    probe_endpoint,
)
from metier.agent.models.providers import (
    METIER,
    PROVIDER_REPLY,
    DroppedCall,
    ReplyEnd,
    ResilientModel,
    RetryPolicy,
    attach_provider_reply,
    dropped_calls,
    find_reasoning,
    has_stood_in,
    kept_reasoning,
    reply_end,
)
from metier.agent.models.recordings import (
    KeptReplies,
    RecordedModel,
    RecordedReply,
    StageModel,
    StageReply,
    record_model,
    replay_model,
)

__all__ = [
    "CHECK_SENTENCES",
    "DISPLAYED_KEYS",
    "MAX_REPAIRS",
    "METIER",
    "PROVIDER_REPLY",
    "BuiltinModel",
    "Capabilities",
    "CapabilityStore",
    "DroppedCall",
    "Endpoint",
    "KeptReplies",
    "ModelCheck",
    "ModelChoice",
    "ModelConfig",
    "ModelEntry",
    "ModelPool",
    "ModelWishes",
    "NativeToolModel",
    "RecordedModel",
    "RecordedReply",
    "ReplyEnd",
    "ResilientModel",
    "RetryPolicy",
    "SchemaToolModel",
    "StageModel",
    "StageReply",
    "TextToolModel",
    "TokenScale",
    "ask_reachable",
    "attach_provider_reply",
    "check_model",
    "count_uttered_calls",
    "cut_note",
    "cut_text",
    "displayable_length",
    "drop_said",
    "dropped_calls",
    "find_block",
    "find_chat_template",
    "find_reasoning",
    "get_tool_format",
    "has_stood_in",
    "hide_blocks",
    "kept_reasoning",
    "load_model",
    "model_name",
    "probe_endpoint",
    "record_model",
    "render_offer",
    "render_plan_report",
    "render_stop_report",
    "replay_model",
    "reply_end",
    "shorten",
    "supervise_model",
]
