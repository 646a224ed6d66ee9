"""May this call run now, which layer decides, who may grant an exception."""

from metier.tools.gate._exception_report import ExceptionAdvice, ProposedEdit, build_exception_report, propose_edit
from metier.tools.gate._exceptions import (
    REQUEST_EXCEPTION,
    AskPerson,
    DenyAll,
    ExceptionOutcome,
    ExceptionPolicy,
    handle_exception_request,
    settle_exception,
)
from metier.tools.gate._files import RefusedFile, judge_files, leaves_judged_files
from metier.tools.gate._gate import Gate, gate_for
from metier.tools.gate._refusal_texts import failure_from_verdict
from metier.tools.gate._rules import Layer, Rules, load_plan_rules, load_policy, rules_before_compute, rules_from_skills
from metier.tools.gate._task_types import (
    Evidence,
    TaskType,
    TaskTypeMatch,
    TaskTypes,
    classify,
    find_unknown_tools,
    load_task_types,
)
from metier.tools.gate._verdict import LayerNote, Verdict, VerdictAnswer, VerdictCode
from metier.tools.gate._violations import (
    MAX_REFUSALS,
    ExceptionRuling,
    Ledger,
    MemoryLedger,
    RefusedCall,
    ToolExceptionRequest,
    build_refused_call,
    digest_arguments,
    digest_call,
)

__all__ = [
    "MAX_REFUSALS",
    "REQUEST_EXCEPTION",
    "AskPerson",
    "DenyAll",
    "Evidence",
    "ExceptionAdvice",
    "ExceptionOutcome",
    "ExceptionPolicy",
    "ExceptionRuling",
    "Gate",
    "Layer",
    "LayerNote",
    "Ledger",
    "MemoryLedger",
    "ProposedEdit",
    "RefusedCall",
    "RefusedFile",
    "Rules",
    "TaskType",
    "TaskTypeMatch",
    "TaskTypes",
    "ToolExceptionRequest",
    "Verdict",
    "VerdictAnswer",
    "VerdictCode",
    "build_exception_report",
    "build_refused_call",
    "classify",
    "digest_arguments",
    "digest_call",
    "failure_from_verdict",
    "find_unknown_tools",
    "gate_for",
    "handle_exception_request",
    "judge_files",
    "leaves_judged_files",
    "load_plan_rules",
    "load_policy",
    "load_task_types",
    "propose_edit",
    "rules_before_compute",
    "rules_from_skills",
    "settle_exception",
]
