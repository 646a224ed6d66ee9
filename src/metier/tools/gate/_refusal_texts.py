"""Messages for the model when a call was refused or needs approval, in English and Chinese."""

from collections.abc import Sequence
from typing import Final

from metier.language import Language, Sentences, choose, join_names
from metier.tools._calls import ToolFailure
from metier.tools.gate._verdict import Verdict

_MAX_NAMES: Final = 40

# One sentence for each `VerdictCode` that is not "allowed", then the parts of the hint.
_SENTENCES: Final = Sentences(
    {
        "denied_by_policy": (
            "Tool {tool!r} is denied by the operator of this system.",
            "工具 {tool!r} 被系统管理员禁用。",
        ),
        "not_allowed_by_skill": (
            "Tool {tool!r} was not run: {source} does not allow it.",
            "工具 {tool!r} 没有执行：{source} 不允许使用它。",
        ),
        "forbidden_by_skill": (
            "Tool {tool!r} was not run: {source} forbids it.",
            "工具 {tool!r} 没有执行：{source} 明确禁止它。",
        ),
        "not_in_plan": (
            "Tool {tool!r} was not run: the plan does not use it.",
            "工具 {tool!r} 没有执行：当前计划不使用它。",
        ),
        "forbidden_by_plan": (
            "Tool {tool!r} was not run: the plan forbids it.",
            "工具 {tool!r} 没有执行：当前计划禁止它。",
        ),
        "forbidden_for_task_type": (
            "Tool {tool!r} was not run: {source} has no use for it.",
            "工具 {tool!r} 没有执行：{source} 用不到它。",
        ),
        "skill_not_active": (
            "Tool {tool!r} was not run: it belongs to a skill that is not in use.",
            "工具 {tool!r} 没有执行：它属于尚未启用的技能。",
        ),
        "skill_waits": (
            "Tool {tool!r} was not run: {source} waits for a person's approval, and its scripts do not run before.",
            "工具 {tool!r} 没有执行：{source} 还在等待人的批准，批准之前它的脚本不会运行。",
        ),
        "skill_is_bound": (
            "Tool {tool!r} was not run: a person chose {source}, and only a person can leave it.",
            "工具 {tool!r} 没有执行：{source} 是由人指定的，只有人才能离开它。",
        ),
        "skill_was_left": (
            "Tool {tool!r} was not run: a skill was left in this turn already, so {source} stays in use.",
            "工具 {tool!r} 没有执行：本轮已经离开过一个技能，{source} 继续使用。",
        ),
        "skill_not_offered": (
            "Tool {tool!r} was not run: the skill is not chosen by the model here, and {source} was not offered.",
            "工具 {tool!r} 没有执行：这里不由模型选择技能，{source} 没有提供。",
        ),
        "unknown_tool": (
            "There is no tool {tool!r}.",
            "没有名为 {tool!r} 的工具。",
        ),
        "ambiguous_tool": (
            "Tool {tool!r} was not run: several owners bring a tool of this name.",
            "工具 {tool!r} 没有执行：有多个同名工具，无法确定是哪一个。",
        ),
        "file_not_kept": (
            "A file of {tool!r} was not kept: the tool is refused now ({source}).",
            "一个 {tool!r} 文件没有保留：这个工具现在不允许使用（{source}）。",
        ),
        "approval_needed": (
            "Tool {tool!r} waits for a person to agree.",
            "工具 {tool!r} 需要先得到人的同意。",
        ),
        "arguments_changed": (
            "Tool {tool!r} was not run: its arguments changed again after a person had approved it.",
            "工具 {tool!r} 没有执行：人同意之后，它的参数又变了。",
        ),
        "hint_approval": ("the call runs once it is approved", "得到同意后会执行"),
        "hint_nearest": ("did you mean {near!r}? ", "是不是想用 {near!r}？"),
        "hint_allowed": ("allowed: {names}", "可以使用：{names}"),
        "hint_exception": (
            "; if nothing else will do, call request_exception with the reason",
            "；确有必要时，用 request_exception 说明理由",
        ),
        "no_names": ("none", "无"),
        "more_names": ("{names} and {left} more", "{names} 等，另有 {left} 个"),
    }
)
_SOURCES: Final = (("skills ", "技能 "), ("skill ", "技能 "), ("task type ", "任务类型 "), ("plan ", "计划 "))


def failure_from_verdict(verdict: Verdict, language: Language, *, exceptions: bool = True) -> ToolFailure:
    """Return the failure for a call that was refused or needs approval.

    `exceptions` says whether an exception can be requested.
    """
    source = choose(language, en=verdict.source, zh=_translate_source(verdict.source))
    text = _SENTENCES.render(verdict.code, language, tool=verdict.tool[:80], source=source)
    return ToolFailure(verdict.code, text, _build_hint(verdict, language, exceptions and not verdict.is_final))


def _build_hint(verdict: Verdict, language: Language, may_ask: bool) -> str:
    if verdict.code == "approval_needed":
        return _SENTENCES.render("hint_approval", language)
    near = verdict.nearest
    meant = _SENTENCES.render("hint_nearest", language, near=near) if near else ""
    allowed = _SENTENCES.render("hint_allowed", language, names=_list_names(verdict.allowed, language))
    return meant + allowed + (_SENTENCES.render("hint_exception", language) if may_ask else "")


def _list_names(names: Sequence[str], language: Language) -> str:
    joined = join_names(names[:_MAX_NAMES], language) or _SENTENCES.render("no_names", language)
    left = len(names) - _MAX_NAMES
    return _SENTENCES.render("more_names", language, names=joined, left=left) if left > 0 else joined


def _translate_source(source: str) -> str:
    for english, chinese in _SOURCES:
        if source.startswith(english):
            return chinese + source.removeprefix(english)
    return source
