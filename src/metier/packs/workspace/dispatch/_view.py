"""What a model sees of a request: the messages, the tools on offer, the schema that holds its reply, what was done.

Nothing else reaches the simulated model. A request looks the same to it as to the client of a provider.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from metier.json_values import JsonObject

RESULT_MARK: Final = "TOOL_RESULT:"
# Tools that steer the turn; they are no part of the way to a goal.
CONTROL_TOOLS: Final = frozenset(
    {"use_skill", "ask_user", "write_plan", "write_todos", "leave_skill", "request_exception", "task", "show_chart"}
    | {"load_rule", "read_result", "read_document", "search_skills"}
)
_ERROR_START: Final = '{"error"'


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call in the transcript and how it went."""

    tool: str
    arguments: JsonObject
    ok: bool


@dataclass(frozen=True, slots=True)
class RequestView:
    """One request as a model sees it.

    `offered` are the parameter schemas by name; `demanded` the one tool that must be called, under a schema without its
    name (`""`). `is_held` means that the reply is decoded under a schema.
    """

    text: str
    offered: Mapping[str, JsonObject] = field(default_factory=dict)
    demanded: str | None = None
    is_held: bool = False
    calls: tuple[SeenCall, ...] = ()
    results: str = ""
    asked: str = ""

    def list_choices(self) -> tuple[str, ...]:
        """Skills on the menu; empty if there is none."""
        for schema in self.offered.values():
            properties = schema.get("properties")
            skill = properties.get("skill") if isinstance(properties, Mapping) else None
            enum = skill.get("enum") if isinstance(skill, Mapping) else None
            if isinstance(enum, Sequence):
                return tuple(map(str, enum))
        return ()


def read_request(messages: Sequence[BaseMessage], options: Mapping[str, Any]) -> RequestView:
    """Read a request of either form: native tools, or a schema in the body."""
    schema = _find_schema(options)
    offered, demanded = _read_schema(schema) if schema else _read_native(options)
    calls = tuple(_iter_calls(messages))
    results = "\n".join(
        one.text for one in messages if isinstance(one, ToolMessage) or RESULT_MARK in one.text or _is_brief(one)
    )
    asked = next((one.text for one in messages if isinstance(one, HumanMessage)), "")
    text = "\n".join(one.text for one in messages)
    return RequestView(text, offered, demanded, schema is not None, calls, results, asked)


def _is_brief(message: BaseMessage) -> bool:
    """Whether the message is written by the runtime, which puts results of a plan into it."""
    return isinstance(message, HumanMessage)


def _find_schema(options: Mapping[str, Any]) -> JsonObject | None:
    body = options.get("extra_body") or {}
    held = (body.get("response_format") or {}).get("json_schema") or {}
    schema = held.get("schema")
    return schema if isinstance(schema, Mapping) else None


def _read_schema(schema: JsonObject) -> tuple[dict[str, JsonObject], str | None]:
    found: dict[str, JsonObject] = {}
    for one in _iter_branches(schema):
        properties: Any = one.get("properties") or {}
        if set(properties) == {"tool", "arguments"}:
            found[str(properties["tool"]["enum"][0])] = properties["arguments"]
    if found or "answer" in str(next(_iter_branches(schema)).get("properties", {}))[:40]:
        return found, None
    return {"": schema}, ""


def _iter_branches(schema: JsonObject) -> Iterator[JsonObject]:
    many = schema.get("anyOf")
    if isinstance(many, Sequence):
        yield from (one for one in many if isinstance(one, Mapping))
    else:
        yield schema


def _read_native(options: Mapping[str, Any]) -> tuple[dict[str, JsonObject], str | None]:
    offered = {
        str(one["function"]["name"]): one["function"].get("parameters") or {} for one in options.get("tools", ())
    }
    choice = options.get("tool_choice")
    named = choice.get("function", {}).get("name") if isinstance(choice, Mapping) else choice
    return offered, named if named in offered else None


def _iter_calls(messages: Sequence[BaseMessage]) -> Iterator[SeenCall]:
    results = {one.tool_call_id: one for one in messages if isinstance(one, ToolMessage)}
    for number, message in enumerate(messages):
        if not isinstance(message, AIMessage):
            continue
        for call in message.tool_calls:
            result = results.get(call["id"] or "")
            yield SeenCall(call["name"], call["args"], result is not None and result.status != "error")
        if (written := _read_written_call(message.text)) is not None:
            following = messages[number + 1].text if number + 1 < len(messages) else ""
            after = following.partition(RESULT_MARK)[2].strip()
            yield SeenCall(*written, bool(after) and not after.startswith(_ERROR_START))


def _read_written_call(text: str) -> tuple[str, JsonObject] | None:
    try:
        read = json.loads(text)
    except ValueError:
        return None
    if isinstance(read, dict) and isinstance(read.get("arguments"), dict) and "tool" in read:
        return str(read["tool"]), read["arguments"]
    return None
