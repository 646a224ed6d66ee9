"""Reasons as a code with values, rendered in English or Chinese on demand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.language import Language, Note, NoteValue, Sentences, choose
from metier.tools import translate_problem

_OF_SCHEMAS: Final = ("schema_misfit", "unexpected_result")

_SENTENCES: Final = Sentences(
    {
        "condition_false": ("not needed this time", "本次不需要"),
        "need_failed": ("a step that it needs failed", "它依赖的一步失败了"),
        "need_skipped": ("a step that it needs was left out", "它依赖的一步这次没有做"),
        "step_skipped": ("step {step!r} was skipped", "步骤 {step!r} 已跳过"),
        "step_failed": ("step {step!r} failed", "步骤 {step!r} 失败"),
        "tool_failed": ("{message}", "{message}"),
        "unexpected_result": ("the result is not what was expected: {detail}", "结果与预期不符：{detail}"),
        "arguments_missing": (
            "{tool} still lacks {names} after {times} attempts",
            "{tool} 补了 {times} 次参数仍缺少 {names}",
        ),
        "tool_unknown": ("there is no tool {tool!r}", "没有名为 {tool!r} 的工具"),
        "tool_denied": ("the tool {tool!r} is not allowed here", "这里不允许使用工具 {tool!r}"),
        "tool_not_allowed": ("the plan does not allow the tool {tool!r}", "计划不允许使用工具 {tool!r}"),
        "too_many_steps": (
            "step {step!r}: its expressions take too long on this data",
            "步骤 {step!r} 的表达式在这些数据上计算量过大",
        ),
        "replans_used_up": ("the plan was changed {times} times already: {why}", "计划已经改过 {times} 次：{why}"),
        "stopped": ("{message}", "{message}"),
        "check_passed": ("as required", "符合要求"),
        "text_missing": ("{texts} not found in {where}", "在{where}中没有找到 {texts}"),
        "pattern_missing": ("nothing in {where} matches {pattern}", "{where}中没有内容匹配 {pattern}"),
        "schema_misfit": ("{where} does not fit the schema: {detail}", "{where}不符合结构要求：{detail}"),
        "expression_false": ("the result does not meet the check", "结果没有满足检查条件"),
        "file_missing": ("there is no file {path!r} in the workspace", "工作区里没有文件 {path!r}"),
        "path_unsafe": ("{path!r} is no path inside the workspace", "{path!r} 不是工作区内的路径"),
        "no_workspace": ("there is no workspace to look for {path!r}", "没有工作区，无法查找 {path!r}"),
        "url_missing": ("the address {url!r} does not contain {texts}", "地址 {url!r} 不包含 {texts}"),
        "output_missing": ("{tool} gave no output in this run", "{tool} 在本次执行中没有输出"),
        "nothing_to_check": ("{where} is empty", "{where}为空"),
        "file_invalid": ("the file {path!r} does not open: {problem}", "文件 {path!r} 打不开：{problem}"),
        "empty": ("it is empty", "内容为空"),
        "damaged": ("it is damaged", "文件已损坏"),
        "too_large": ("it is too large", "文件过大"),
        "locked": ("it is encrypted", "文件已加密"),
        "other_kind": ("its content is of another kind than its name says", "内容与文件类型不符"),
        "file_too_short": (
            "the file {path!r} has {count} {unit}; at least {wanted} are needed",
            "文件 {path!r} 只有 {count} {unit}，至少需要 {wanted}",
        ),
        "pages": ("pages", "页"),
        "slides": ("slides", "张幻灯片"),
        "rows": ("rows", "行"),
        "paragraphs": ("paragraphs", "段"),
        "lines": ("lines", "行"),
        "bytes": ("bytes", "字节"),
        "sources_unreadable": (
            "{where} is no report with evidence",
            "{where}不是带证据的报告",
        ),
        "sources_too_few": (
            "{count} verified sources; at least {wanted} are needed",
            "经核实的来源有 {count} 个，至少需要 {wanted} 个",
        ),
        "sources_unverified": (
            "{count} sentences are not borne out by what they cite, for example {text!r}",
            "有 {count} 句与所引来源对不上，例如 {text!r}",
        ),
        "run_missing": ("nothing was run, so there is no exit code", "没有运行过任何程序，没有退出码"),
        "run_before_write": ("{path} was written after the last run of {tool}", "{tool} 最后一次运行之后又改了 {path}"),
        "exit_code_wrong": (
            "{tool} ended with exit code {code}, not {wanted}",
            "{tool} 的退出码是 {code}，应为 {wanted}",
        ),
        "tests_changed": (
            "the test file {path!r} was changed without being asked for",
            "未经要求改动了测试文件 {path!r}",
        ),
    }
)

_SUGGESTIONS: Final = Sentences(
    {
        "text_missing": (
            "run step {step!r} again so that it names {texts}",
            "请重新执行步骤 {step!r}，使结果包含 {texts}",
        ),
        "pattern_missing": (
            "run step {step!r} again so that the result matches",
            "请重新执行步骤 {step!r}，使结果符合该格式",
        ),
        "schema_misfit": ("correct this place in the result of {step!r}", "请修正步骤 {step!r} 结果中的这一处"),
        "expression_false": (
            "look at the result of {step!r} or change the approach",
            "请检查步骤 {step!r} 的结果，或换一种做法",
        ),
        "file_missing": ("write the file {path!r} first", "请先写出文件 {path!r}"),
        "path_unsafe": ("use a relative path without '..'", "请使用不含 .. 的相对路径"),
        "no_workspace": ("run the plan with a workspace", "请在有工作区的环境中执行"),
        "url_missing": ("open the page that was meant", "请打开正确的页面"),
        "output_missing": ("call {tool} first", "请先调用 {tool}"),
        "nothing_to_check": ("run step {step!r} again", "请重新执行步骤 {step!r}"),
        "file_invalid": ("write the file {path!r} again", "请重新写出文件 {path!r}"),
        "file_too_short": ("add what is missing to {path!r}", "请补全 {path!r} 的内容"),
        "sources_unreadable": (
            "run step {step!r} again so that it gives its evidence",
            "请重新执行步骤 {step!r}，并给出证据",
        ),
        "sources_too_few": ("search further sources", "请再查找其他来源"),
        "sources_unverified": ("take out what the sources do not say", "请删去来源中没有的内容"),
        "run_missing": ("run it and look at the exit code", "请运行一次并查看退出码"),
        "run_before_write": ("run it again after the last change", "请在最后一次修改之后再运行一次"),
        "exit_code_wrong": (
            "mend what failed and run it again",
            "请修好失败之处后再运行",
        ),
        "tests_changed": (
            "restore the tests and mend the code instead",
            "请还原测试文件，改代码而不是改测试",
        ),
        "too_many_steps": ("let step {step!r} give less data", "请让步骤 {step!r} 返回更少的数据"),
    }
)


@dataclass(frozen=True, slots=True)
class PlanReason(Note):
    """Why a step was skipped or failed, a check was not passed, or the run stopped."""

    sentences: ClassVar[Sentences] = _SENTENCES

    def text(self, language: Language = "en") -> str:
        """Sentence in this language; what violates a schema is told in it too."""
        detail = self.values.get("detail")
        if self.code not in _OF_SCHEMAS or not isinstance(detail, str):
            return _SENTENCES.render(self.code, language, **self.values)
        told = choose(language, en=detail, zh=translate_problem(detail))
        return _SENTENCES.render(self.code, language, **{**self.values, "detail": told})

    def suggestion(self, language: Language = "en") -> str:
        """What to do about it; empty if there is nothing to do."""
        return _SUGGESTIONS.render(self.code, language, **self.values) if self.code in _SUGGESTIONS else ""


def reason_from_json(value: JsonValue) -> PlanReason | None:
    """Read the output of `to_json`; null gives None."""
    if value is None:
        return None
    values = value.get("values") if isinstance(value, Mapping) else None
    code = value.get("code") if isinstance(value, Mapping) else None
    if not isinstance(code, str) or not isinstance(values, Mapping):
        raise InvalidInput("a reason has a code and values", hint="read what a run wrote, unchanged")
    return PlanReason(code, {key: _read_value(item) for key, item in values.items()})


def _read_value(value: JsonValue) -> NoteValue:
    return reason_from_json(value) or "" if isinstance(value, Mapping) else str(value)
