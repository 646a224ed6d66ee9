"""Clients of model providers: made by name, asked with retries and fallbacks, their replies and errors read."""

from metier.agent.models.providers._attempts import RetryPolicy
from metier.agent.models.providers._clients import OPENAI, client_options, find_client, make_client
from metier.agent.models.providers._errors import classify
from metier.agent.models.providers._reply_end import (
    METIER,
    REASONING,
    DroppedCall,
    ReplyEnd,
    dropped_calls,
    find_reasoning,
    has_stood_in,
    reply_end,
)
from metier.agent.models.providers._resilient import ResilientModel
from metier.agent.models.providers._thinking import (
    PROVIDER_REPLY,
    attach_provider_reply,
    kept_reasoning,
    reasoning_of_block,
)

__all__ = [
    "METIER",
    "OPENAI",
    "PROVIDER_REPLY",
    "REASONING",
    "DroppedCall",
    "ReplyEnd",
    "ResilientModel",
    "RetryPolicy",
    "attach_provider_reply",
    "classify",
    "client_options",
    "dropped_calls",
    "find_client",
    "find_reasoning",
    "has_stood_in",
    "kept_reasoning",
    "make_client",
    "reasoning_of_block",
    "reply_end",
]
