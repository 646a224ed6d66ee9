"""The drop-in door for other people's LangChain agents.

from metier.langchain import GateMiddleware

agent = create_agent(model, tools, middleware=[GateMiddleware(allowed=["web_search"])])
"""

from metier.agent import ConfirmAnswer, GateMiddleware, GateState, StoreLedger, TextToolModel, ViolationRecord
from metier.tools import MemoryLedger as ViolationLog

__all__ = [
    "ConfirmAnswer",
    "GateMiddleware",
    "GateState",
    "StoreLedger",
    "TextToolModel",
    "ViolationLog",
    "ViolationRecord",
]
