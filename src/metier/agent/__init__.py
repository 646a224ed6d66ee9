"""One turn on LangChain's agent loop: the gate as middleware, tools for models without tool calls."""

from metier.agent._gate_middleware import ConfirmAnswer, GateMiddleware, OnEvent
from metier.agent._gate_sources import GateOf
from metier.agent._ledger import StoreLedger
from metier.agent._refusals import GateState, ViolationRecord
from metier.agent._text_model import MOST_REPAIRS, TextToolModel

__all__ = [
    "MOST_REPAIRS",
    "ConfirmAnswer",
    "GateMiddleware",
    "GateOf",
    "GateState",
    "OnEvent",
    "StoreLedger",
    "TextToolModel",
    "ViolationRecord",
]
