"""Public middleware, models and state for any LangChain agent.

from metier.langchain import GateMiddleware, SkillMiddleware

agent = create_agent(model, tools, middleware=[SkillMiddleware("skills"), GateMiddleware(allowed=["web_search"])])
"""

from metier.agent import (
    ChartMiddleware,
    ConfirmAnswer,
    GateMiddleware,
    GateState,
    Limits,
    LimitsMiddleware,
    ModelConfig,
    NativeToolModel,
    ParametersMiddleware,
    PerRun,
    SchemaToolModel,
    SkillMiddleware,
    SkillState,
    StoreLedger,
    SubAgentMiddleware,
    SubAgents,
    TableMiddleware,
    TextToolModel,
    ViolationRecord,
    count_message_tokens,
    load_model,
    result_data,
)
from metier.tools import MemoryLedger as ViolationLog

__all__ = [
    "ChartMiddleware",
    "ConfirmAnswer",
    "GateMiddleware",
    "GateState",
    "Limits",
    "LimitsMiddleware",
    "ModelConfig",
    "NativeToolModel",
    "ParametersMiddleware",
    "PerRun",
    "SchemaToolModel",
    "SkillMiddleware",
    "SkillState",
    "StoreLedger",
    "SubAgentMiddleware",
    "SubAgents",
    "TableMiddleware",
    "TextToolModel",
    "ViolationLog",
    "ViolationRecord",
    "count_message_tokens",
    "load_model",
    "result_data",
]
