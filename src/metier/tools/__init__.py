"""Tools: the registry, the gate that allows or denies a call, and the executor that runs it."""

from metier.tools._approval import parse_approval
from metier.tools._calls import Tool, ToolCall, ToolContext, ToolFailure, ToolResult
from metier.tools._declared import declared_spec
from metier.tools._exceptions import (
    REQUEST_EXCEPTION,
    AskPerson,
    DenyAll,
    ExceptionOutcome,
    ExceptionPolicy,
    GrantListed,
    ask_exception,
    settle_exception,
)
from metier.tools._executor import MOST_RESULT_BYTES, Executor, Outcome
from metier.tools._functions import FunctionTool, function_tool, tool
from metier.tools._gate import Gate, gate_for
from metier.tools._layers import Layer, Rules, load_plan_rules, load_policy, skill_rules
from metier.tools._names import CONTROL_TOOLS
from metier.tools._registry import Registry, ScriptRunner, ToolProblem
from metier.tools._schema import ArgumentProblem, argument_problems, check_parameters
from metier.tools._scripts import SkillScripts
from metier.tools._scripts_pool import ScriptPool
from metier.tools._spec import ALWAYS, NEVER, Approval, Origin, ResultKind, SideEffect, ToolSpec
from metier.tools._task_types import (
    Evidence,
    TaskType,
    TaskTypeMatch,
    TaskTypes,
    classify,
    load_task_types,
    unknown_tools,
)
from metier.tools._text_instructions import given_up_text, language_of, repair_text, tool_instructions, tool_line
from metier.tools._text_protocol import (
    RESULT_MARK,
    TextProblem,
    TextReply,
    call_text,
    defused,
    error_text,
    held_from,
    inject_document,
    read_reply,
    result_text,
)
from metier.tools._verdict import Answer, LayerNote, Verdict, VerdictCode
from metier.tools._violations import (
    MOST_REFUSALS,
    ExceptionAsk,
    ExceptionRuling,
    Ledger,
    MemoryLedger,
    RefusalCount,
    RefusedCall,
    args_digest,
)
from metier.tools._wording import Language, failure_of, too_many_refusals

__all__ = [
    "ALWAYS",
    "CONTROL_TOOLS",
    "MOST_REFUSALS",
    "MOST_RESULT_BYTES",
    "NEVER",
    "REQUEST_EXCEPTION",
    "RESULT_MARK",
    "Answer",
    "Approval",
    "ArgumentProblem",
    "AskPerson",
    "DenyAll",
    "Evidence",
    "ExceptionAsk",
    "ExceptionOutcome",
    "ExceptionPolicy",
    "ExceptionRuling",
    "Executor",
    "FunctionTool",
    "Gate",
    "GrantListed",
    "Language",
    "Layer",
    "LayerNote",
    "Ledger",
    "MemoryLedger",
    "Origin",
    "Outcome",
    "RefusalCount",
    "RefusedCall",
    "Registry",
    "ResultKind",
    "Rules",
    "ScriptPool",
    "ScriptRunner",
    "SideEffect",
    "SkillScripts",
    "TaskType",
    "TaskTypeMatch",
    "TaskTypes",
    "TextProblem",
    "TextReply",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolFailure",
    "ToolProblem",
    "ToolResult",
    "ToolSpec",
    "Verdict",
    "VerdictCode",
    "args_digest",
    "argument_problems",
    "ask_exception",
    "call_text",
    "check_parameters",
    "classify",
    "declared_spec",
    "defused",
    "error_text",
    "failure_of",
    "function_tool",
    "gate_for",
    "given_up_text",
    "held_from",
    "inject_document",
    "language_of",
    "load_plan_rules",
    "load_policy",
    "load_task_types",
    "parse_approval",
    "read_reply",
    "repair_text",
    "result_text",
    "settle_exception",
    "skill_rules",
    "too_many_refusals",
    "tool",
    "tool_instructions",
    "tool_line",
    "unknown_tools",
]
