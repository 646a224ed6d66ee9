"""Conversions between LangChain's messages, tools and tool results and Metier's; forms; fixed sentences."""

from metier.agent.adapters._forms import Form, arguments_from, form_for, missing_arguments, read_decision
from metier.agent.adapters._messages import clean_text, to_context_messages, to_langchain_messages
from metier.agent.adapters._on_event import OnEvent
from metier.agent.adapters._sentences import render_sentence
from metier.agent.adapters._tool_messages import control_message, data_text
from metier.agent.adapters._tool_specs import spec_from_langchain, specs_from_langchain, to_openai

__all__ = [
    "Form",
    "OnEvent",
    "arguments_from",
    "clean_text",
    "control_message",
    "data_text",
    "form_for",
    "missing_arguments",
    "read_decision",
    "render_sentence",
    "spec_from_langchain",
    "specs_from_langchain",
    "to_context_messages",
    "to_langchain_messages",
    "to_openai",
]
