"""Messages for the model when a call was refused or needs approval, in English and Chinese."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from metier.tools._calls import ToolFailure
from metier.tools.gate._verdict import Verdict, VerdictCode

Language = Literal["en", "zh"]
_MAX_NAMES: Final = 40

_EN: Final[Mapping[VerdictCode, str]] = MappingProxyType(
    {
        "denied_by_policy": "Tool {tool!r} is denied by the operator of this system.",
        "not_allowed_by_skill": "Tool {tool!r} was not run: {source} does not allow it.",
        "forbidden_by_skill": "Tool {tool!r} was not run: {source} forbids it.",
        "not_in_plan": "Tool {tool!r} was not run: the plan does not use it.",
        "forbidden_by_plan": "Tool {tool!r} was not run: the plan forbids it.",
        "forbidden_for_task_type": "Tool {tool!r} was not run: {source} has no use for it.",
        "skill_not_active": "Tool {tool!r} was not run: it belongs to a skill that is not in use.",
        "unknown_tool": "There is no tool {tool!r}.",
        "ambiguous_tool": "Tool {tool!r} was not run: several owners bring a tool of this name.",
        "approval_needed": "Tool {tool!r} waits for a person to agree.",
    }
)
_ZH: Final[Mapping[VerdictCode, str]] = MappingProxyType(
    {
        "denied_by_policy": "工具 {tool!r} 被系统管理员禁用。",
        "not_allowed_by_skill": "工具 {tool!r} 没有执行：{source} 不允许使用它。",
        "forbidden_by_skill": "工具 {tool!r} 没有执行：{source} 明确禁止它。",
        "not_in_plan": "工具 {tool!r} 没有执行：当前计划不使用它。",
        "forbidden_by_plan": "工具 {tool!r} 没有执行：当前计划禁止它。",
        "forbidden_for_task_type": "工具 {tool!r} 没有执行：{source} 用不到它。",
        "skill_not_active": "工具 {tool!r} 没有执行：它属于尚未启用的技能。",
        "unknown_tool": "没有名为 {tool!r} 的工具。",
        "ambiguous_tool": "工具 {tool!r} 没有执行：有多个同名工具，无法确定是哪一个。",
        "approval_needed": "工具 {tool!r} 需要先得到人的同意。",
    }
)
_SOURCES: Final = (("skills ", "技能 "), ("skill ", "技能 "), ("task type ", "任务类型 "), ("plan ", "计划 "))


def failure_from_verdict(verdict: Verdict, language: Language, *, exceptions: bool = True) -> ToolFailure:
    """Return the failure for a call that was refused or needs approval.

    `exceptions` says whether an exception can be requested.
    """
    tool, may_ask = verdict.tool[:80], exceptions and not verdict.is_final
    if language == "zh":
        text = _ZH[verdict.code].format(tool=tool, source=_translate_source(verdict.source))
        return ToolFailure(verdict.code, text, _build_hint_zh(verdict, may_ask))
    text = _EN[verdict.code].format(tool=tool, source=verdict.source)
    return ToolFailure(verdict.code, text, _build_hint_en(verdict, may_ask))


def _build_hint_en(verdict: Verdict, may_ask: bool) -> str:
    if verdict.code == "approval_needed":
        return "the call runs once it is approved"
    meant = f"did you mean {near!r}? " if (near := verdict.nearest) else ""
    allowed = f"allowed: {_join_names(verdict.allowed, 'en') or 'none'}"
    ask = "" if not may_ask else "; if nothing else will do, call request_exception with the reason"
    return meant + allowed + ask


def _build_hint_zh(verdict: Verdict, may_ask: bool) -> str:
    if verdict.code == "approval_needed":
        return "得到同意后会执行"
    meant = f"是不是想用 {near!r}？" if (near := verdict.nearest) else ""
    allowed = f"可以使用：{_join_names(verdict.allowed, 'zh') or '无'}"
    ask = "" if not may_ask else "；确有必要时，用 request_exception 说明理由"
    return f"{meant}{allowed}{ask}"


def _join_names(names: Sequence[str], language: Language) -> str:
    joined = ("、" if language == "zh" else ", ").join(names[:_MAX_NAMES])
    left = len(names) - _MAX_NAMES
    if left <= 0:
        return joined
    return f"{joined} 等 {len(names)} 个" if language == "zh" else f"{joined} and {left} more"


def _translate_source(source: str) -> str:
    for english, chinese in _SOURCES:
        if source.startswith(english):
            return chinese + source.removeprefix(english)
    return source
