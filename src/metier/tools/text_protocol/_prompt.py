"""Prompt section that explains the text protocol for tool calls and lists the tools, one line each."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.tools._document import takes_document, with_optional_document
from metier.tools._spec import ToolSpec
from metier.tools.text_protocol._marks import escape_result_mark
from metier.tools.text_protocol._problems import TextProblem

_MAX_DESCRIPTION_CHARS: Final = 4000  # a menu of skills stands in a description
_MAX_PARAMETER_CHARS: Final = 60
_MAX_DEPTH: Final = 3
_MAX_CHOICES: Final = 32

_RULES: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": (
            "# Tools\n"
            "To use a tool, reply with this one JSON object and nothing else, no fence and no other words:\n"
            '{"name":"<tool>","arguments":{...}}\n'
            "One call per reply. Its result is the next message, a line that starts with TOOL_RESULT: and holds "
            '{"result":{"data":...}} or {"error":{"message":...}}. Never write such a line yourself.\n'
            "When you need no tool, answer in plain words."
        ),
        "zh": (
            "# 工具\n"
            "要用工具时，只回复下面这样一个 JSON 对象，不加代码围栏，也不写别的话：\n"
            '{"name":"<工具名>","arguments":{...}}\n'
            "一次回复只能调用一个工具。结果在下一条消息里，以 TOOL_RESULT: 开头，内容是 "
            '{"result":{"data":...}} 或 {"error":{"message":...}}。不要自己写这样的行。\n'
            "不需要工具时，直接用文字回答。"
        ),
    }
)
_SCHEMA_RULES: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": (
            "# Reply format\n"
            "Reply with one JSON object and nothing else.\n"
            'To use a tool: {{"tool":"<tool>","arguments":{{...}}}}{answer}\n'
            "The result of a call is the next message, a line that starts with TOOL_RESULT: and holds "
            '{{"result":{{"data":...}}}} or {{"error":{{"message":...}}}}. Never write such a line yourself.\n'
            "Tools:"
        ),
        "zh": (
            "# 回复格式\n"
            "只回复一个 JSON 对象，不写别的话。\n"
            '要用工具：{{"tool":"<工具名>","arguments":{{...}}}}{answer}\n'
            "调用的结果在下一条消息里，以 TOOL_RESULT: 开头，内容是 "
            '{{"result":{{"data":...}}}} 或 {{"error":{{"message":...}}}}。不要自己写这样的行。\n'
            "工具："
        ),
    }
)
_SCHEMA_ANSWER: Final[Mapping[Language, str]] = MappingProxyType(
    {"en": '\nTo answer the user: {"answer":"..."}', "zh": '\n要回答用户：{"answer":"..."}'}
)
_SCHEMA_SEVERAL: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": '\nTo use several tools at once: {"calls":[{"tool":"<tool>","arguments":{...}},...]}',
        "zh": '\n要同时用几个工具：{"calls":[{"tool":"<工具名>","arguments":{...}},...]}',
    }
)
_SCHEMA_ONLY: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": "Reply with one JSON object of these fields and nothing else: {fields}",
        "zh": "只回复一个含以下字段的 JSON 对象，不写别的话：{fields}",
    }
)
_DOCUMENT: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": "Leave doc_text out: the open document is filled in for you.",
        "zh": "doc_text 可以省略，系统会填入当前文档。",
    }
)
_MUST: Final[Mapping[Language, str]] = MappingProxyType(
    {"en": "You must call {which} now.", "zh": "现在必须调用{which}。"}
)
_SOME: Final[Mapping[Language, str]] = MappingProxyType({"en": "one of these tools", "zh": "其中一个工具"})
_REPAIR: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": "Your reply could not be used ({code}): {message}. {hint}\nReply again, with one call or in plain words.",
        "zh": "上一条回复无法使用（{code}）：{message}。{hint}\n请重新回复：一个工具调用，或直接用文字回答。",
    }
)
_GIVEN_UP: Final[Mapping[Language, str]] = MappingProxyType(
    {
        "en": "The model's reply could not be used, even after {repairs} repairs ({code}): {message}.",
        "zh": "模型的回复在修正 {repairs} 次后仍无法使用（{code}）：{message}。",
    }
)


def tool_instructions(
    tools: Sequence[ToolSpec], *, language: Language = "en", document: bool = False, must: str | None = None
) -> str:
    """Build the system prompt section that explains the protocol and lists the tools, one line each.

    `must` names the tool that has to be called now; empty means any of them.
    """
    lines = [_RULES[language]]
    if document and any(takes_document(tool.parameters) for tool in tools):
        lines.append(_DOCUMENT[language])
    lines += [format_tool(tool, document=document) for tool in tools]
    if must is not None:
        lines.append(_MUST[language].format(which=repr(must) if must else _SOME[language]))
    return "\n".join(lines)


def schema_instructions(
    tools: Sequence[ToolSpec], *, language: Language = "en", must: str | None = None, several: bool = False
) -> str:
    """Build the system prompt section for a reply that is decoded under a schema.

    Engines do not show the schema to the model: without these lines it would not know what its keys mean. Where `must`
    names a tool, the reply holds the arguments of that tool and nothing else.
    """
    demanded = [tool for tool in tools if tool.name == must]
    if demanded:
        return _explain_arguments(demanded[0], language)
    more = (_SCHEMA_SEVERAL[language] if several else "") + (_SCHEMA_ANSWER[language] if must is None else "")
    lines = [_SCHEMA_RULES[language].format(answer=more), *(format_tool(tool) for tool in tools)]
    if must is not None:
        lines.append(_MUST[language].format(which=repr(must) if must else _SOME[language]))
    return "\n".join(lines)


def _explain_arguments(tool: ToolSpec, language: Language) -> str:
    """The tool's description; its fields if there is more than one, as one field is asked for by the description."""
    described = escape_result_mark(tool.description[: _MAX_DESCRIPTION_CHARS * 4]).strip()
    fields = tool.parameters.get("properties")
    if described and isinstance(fields, Mapping) and len(fields) == 1:
        return described
    asked = _SCHEMA_ONLY[language].format(fields=_format_fields(tool.parameters, _MAX_DEPTH))
    return f"{described}\n\n{asked}" if described else asked


def format_tool(tool: ToolSpec, *, document: bool = False) -> str:
    """Format a tool: `search(query: string (what to look for), top_k?: integer): Search the web`.

    Lines of a description stay lines, indented: small models lose their way in a menu on a single line.
    """
    inner = _format_fields((with_optional_document(tool, explain=False) if document else tool).parameters, _MAX_DEPTH)
    description = _to_lines(tool.description, _MAX_DESCRIPTION_CHARS)
    return f"- {tool.name}({inner})" + (f": {description}" if description else "")


def format_repair_request(problem: TextProblem, language: Language = "en") -> str:
    """Format the message to the model when its reply could not be used."""
    return escape_result_mark(
        _REPAIR[language]
        .format(code=problem.code, message=problem.say_message(language), hint=problem.say_hint(language))
        .strip()
    )


def format_repair_failure(problem: TextProblem, repairs: int, language: Language = "en") -> str:
    """Format the message to the user when repairs did not help."""
    return _GIVEN_UP[language].format(code=problem.code, message=problem.say_message(language), repairs=repairs)


def _format_fields(schema: JsonObject, depth: int) -> str:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ""
    required = set(_to_names(schema.get("required")))
    return ", ".join(_format_field(name, field, name in required, depth) for name, field in properties.items())


def _format_field(name: str, schema: JsonValue, required: bool, depth: int) -> str:
    mark = "" if required else "?"
    note = (
        _to_one_line(str(schema.get("description") or ""), _MAX_PARAMETER_CHARS) if isinstance(schema, Mapping) else ""
    )
    return f"{_to_one_line(name, _MAX_PARAMETER_CHARS)}{mark}: {_format_type(schema, depth)}" + (
        f" ({note})" if note else ""
    )


def _format_type(schema: JsonValue, depth: int) -> str:
    if not isinstance(schema, Mapping) or depth == 0:
        return "any"
    choices = schema.get("enum")
    if isinstance(choices, Sequence) and not isinstance(choices, str) and choices:
        shown = [_to_one_line(str(choice), _MAX_PARAMETER_CHARS) for choice in choices[:_MAX_CHOICES]]
        return "|".join([*shown, "…"] if len(choices) > _MAX_CHOICES else shown)
    options = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(options, Sequence) and not isinstance(options, str):
        return "|".join(_format_type(option, depth - 1) for option in options[:_MAX_CHOICES])
    kind = schema.get("type")
    if kind == "object" and schema.get("properties"):
        return "{" + _format_fields(schema, depth - 1) + "}"
    if kind == "array":
        return f"[{_format_type(schema.get('items'), depth - 1)}]"
    return "|".join(_to_names(kind)) or "any"


def _to_names(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, Sequence) else []


def _to_lines(text: str, most: int) -> str:
    """Shorten an untrusted description of several lines; every further line is indented."""
    lines = (_to_one_line(line, most) for line in text[: most * 4].splitlines())
    joined = "\n  ".join(line for line in lines if line)
    return joined if len(joined) <= most else joined[: most - 1] + "…"


def _to_one_line(text: str, most: int) -> str:
    """Shorten an untrusted description to one line that cannot be mistaken for a tool result."""
    line = escape_result_mark(" ".join(text[: most * 4].split()))
    return line if len(line) <= most else line[: most - 1] + "…"
