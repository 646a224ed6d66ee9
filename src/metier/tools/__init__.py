"""Tools: the registry, the gate that allows or denies a call, and the executor that runs it."""

from metier.tools._approval import parse_approval
from metier.tools._calls import Tool, ToolCall, ToolContext, ToolFailure, ToolResult
from metier.tools._declared import spec_from_declaration
from metier.tools._exceptions import (
    REQUEST_EXCEPTION,
    AskPerson,
    DenyAll,
    ExceptionOutcome,
    ExceptionPolicy,
    GrantListed,
    handle_exception_request,
    settle_exception,
)
from metier.tools._executor import MAX_RESULT_BYTES, Executor, Outcome
from metier.tools._functions import FunctionTool, function_tool, tool
from metier.tools._gate import Gate, gate_for
from metier.tools._layers import Layer, Rules, load_plan_rules, load_policy, rules_from_skills
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
    find_unknown_tools,
    load_task_types,
)
from metier.tools._text_instructions import (
    format_repair_failure,
    format_repair_request,
    format_tool,
    language_of,
    tool_instructions,
)
from metier.tools._text_protocol import (
    RESULT_MARK,
    TextProblem,
    TextReply,
    escape_result_mark,
    find_call_start,
    format_call,
    format_error,
    format_result,
    inject_document,
    read_reply,
)
from metier.tools._verdict import LayerNote, Verdict, VerdictAnswer, VerdictCode
from metier.tools._violations import (
    MAX_REFUSALS,
    ExceptionRuling,
    Ledger,
    MemoryLedger,
    RefusalCount,
    RefusedCall,
    ToolExceptionRequest,
    digest_arguments,
)
from metier.tools._wording import Language, failure_from_verdict, refusal_limit_failure

__all__ = [
    "ALWAYS",
    "CONTROL_TOOLS",
    "MAX_REFUSALS",
    "MAX_RESULT_BYTES",
    "NEVER",
    "REQUEST_EXCEPTION",
    "RESULT_MARK",
    "Approval",
    "ArgumentProblem",
    "AskPerson",
    "DenyAll",
    "Evidence",
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
    "ToolExceptionRequest",
    "ToolFailure",
    "ToolProblem",
    "ToolResult",
    "ToolSpec",
    "Verdict",
    "VerdictAnswer",
    "VerdictCode",
    "argument_problems",
    "check_parameters",
    "classify",
    "digest_arguments",
    "escape_result_mark",
    "failure_from_verdict",
    "find_call_start",
    "find_unknown_tools",
    "format_call",
    "format_error",
    "format_repair_failure",
    "format_repair_request",
    "format_result",
    "format_tool",
    "function_tool",
    "gate_for",
    "handle_exception_request",
    "inject_document",
    "language_of",
    "load_plan_rules",
    "load_policy",
    "load_task_types",
    "parse_approval",
    "read_reply",
    "refusal_limit_failure",
    "rules_from_skills",
    "settle_exception",
    "spec_from_declaration",
    "tool",
    "tool_instructions",
]
