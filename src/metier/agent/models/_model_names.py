"""Name of the model that answered, for usage reports."""

from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableBinding

from metier.agent.models._resilient import ResilientModel
from metier.agent.models._text_tools import TextToolModel


def model_name(model: Any, reply: AIMessage | None = None) -> str:
    """`provider:name` from the settings or from the model itself; the fallback's name if it answered."""
    while isinstance(model, TextToolModel | RunnableBinding):
        model = model.model if isinstance(model, TextToolModel) else model.bound
    if isinstance(model, ResilientModel):
        at = 1 if _used_fallback(reply) else 0
        return model.names[at] if at < len(model.names) else model_name(model.models[at])
    known = model._get_ls_params()
    name, provider = known.get("ls_model_name"), known.get("ls_provider")
    if not name:
        return str(model._llm_type)
    return f"{provider}:{name}" if provider else str(name)


def _used_fallback(reply: AIMessage | None) -> bool:
    ours = reply.response_metadata.get("metier") if reply is not None else None
    return isinstance(ours, dict) and ours.get("fallback") is True
