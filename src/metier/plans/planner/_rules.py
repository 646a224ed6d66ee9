"""Plans by rule: the steps of each task type, with the first tool of each that may be used. No model is asked."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences
from metier.plans._plan import Constraints, Plan, Step
from metier.plans.planner._complete import complete_plan
from metier.tools import ToolSpec

MAX_JOINT_STEPS: Final = 4
_MAX_STEPS: Final = 12
# Parameters that take what the user has written.
_MESSAGE_NAMES: Final = ("question", "query", "request", "topic", "description", "message")
_MAX_GOAL_CHARS: Final = 200


class _RuleStep(NamedTuple):
    """A step of a task type: its id, which is also the code of its title, and its tools by preference."""

    id: str
    tools: tuple[str, ...]


_TITLES: Final = Sentences(
    {
        "find": ("Search the sources", "查找资料"),
        "read": ("Collect passages word for word", "逐字摘录"),
        "report": ("Write findings with sources", "写出带出处的结论"),
        "load": ("Look at the data", "查看数据"),
        "compute": ("Compute the results", "计算结果"),
        "open": ("Open the page", "打开网页"),
        "look": ("Look through the project", "查看项目"),
        "test": ("Run the tests", "运行测试"),
        "make": ("Write the document", "生成文档"),
    }
)
# In the order in which a task of several types is done: finding comes before computing, writing comes last.
_STEPS: Final[Mapping[str, tuple[_RuleStep, ...]]] = MappingProxyType(
    {
        "research": (
            _RuleStep("find", ("search_sources", "web_search")),
            _RuleStep("read", ("collect_evidence", "fetch_web_content")),
            _RuleStep("report", ("write_findings",)),
        ),
        "web_task": (_RuleStep("open", ("browser_use", "fetch_web_content")),),
        "data_processing": (
            _RuleStep("load", ("profile_data", "read_file")),
            _RuleStep("compute", ("report_data", "summarize_data", "run_python")),
        ),
        "code_development": (
            _RuleStep("look", ("describe_project", "list_dir")),
            _RuleStep("test", ("run_tests", "run_in_terminal")),
        ),
        "creation": (_RuleStep("make", ("pptx", "docx", "pdf", "xlsx", "write_file")),),
    }
)
_DOCUMENT_WORDS: Final = (
    ("pptx", re.compile(r"ppt|幻灯|演示|课件|slides?\b|\bdeck\b|presentation", re.IGNORECASE)),
    ("xlsx", re.compile(r"xlsx|excel|表格|spreadsheet|workbook", re.IGNORECASE)),
    ("pdf", re.compile(r"\bpdf\b|pdf", re.IGNORECASE)),
    ("docx", re.compile(r"word|docx|文档|报告|document|report", re.IGNORECASE)),
)


def choose_max_steps(types: Collection[str]) -> int:
    """The most steps a plan may have: four where something is found out and then written."""
    return MAX_JOINT_STEPS if {"research", "creation"} <= set(types) else _MAX_STEPS


def plan_by_rules(
    message: str,
    types: Sequence[str],
    *,
    tools: Mapping[str, ToolSpec],
    constraints: Constraints,
    language: Language,
) -> Plan | None:
    """Plan a message by its task types; None if no step has a tool that exists and is permitted.

    The constraints are those given, of the skill or the task type. Each step waits for the one before.
    """
    steps: list[Step] = []
    for rule in _list_steps(types):
        named = _prefer_document(rule.tools, message) if rule.id == "make" else rule.tools
        tool = next((one for one in named if one in tools and constraints.permits(one)), None)
        if tool is not None:
            needs = (steps[-1].id,) if steps else ()
            given = _find_arguments(tools[tool], message)
            steps.append(Step(rule.id, _TITLES.render(rule.id, language), tool, given, needs=needs))
    if not steps:
        return None
    kept = tuple(steps[: choose_max_steps(types)])
    plan = Plan(message[:_MAX_GOAL_CHARS], "rule", "+".join(types), kept, constraints)
    return complete_plan(plan, language)


def _list_steps(types: Sequence[str]) -> Iterator[_RuleStep]:
    for name, steps in _STEPS.items():
        if name in types:
            yield from steps


def _prefer_document(tools: tuple[str, ...], message: str) -> tuple[str, ...]:
    """The kind of document that the message names first, then the others."""
    named = [tool for tool, words in _DOCUMENT_WORDS if words.search(message)]
    return tuple(dict.fromkeys((*named, *tools)))


def _find_arguments(spec: ToolSpec, message: str) -> JsonObject:
    """The message as the argument that takes it; other arguments are asked for or filled in later."""
    properties = spec.parameters.get("properties")
    known: Mapping[str, JsonValue] = properties if isinstance(properties, Mapping) else {}
    name = next((one for one in _MESSAGE_NAMES if one in known), None)
    given: dict[str, JsonValue] = {} if name is None else {name: "$.message"}
    return {**given, "language": "$.language"} if "language" in known else given
