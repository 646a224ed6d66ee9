"""MCP server: our tools and skills for other agents, behind the gate.

Tools that the rules allow without approval and without a skill are offered directly. Tools that need approval, and
all skills, are reached by `metier_run`, which runs one governed turn. Skills can also be read (Skills over MCP):
`skills/list`, `skills/get` and `skill://` resources, with the digest of every file.
"""

import json
from collections.abc import AsyncIterator, Mapping
from importlib.metadata import version
from typing import Any, Final, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from metier.agent import Runtime, TurnRequest
from metier.errors import MetierError
from metier.jsons import JsonObject
from metier.routing import Router
from metier.server._mcp_skills import GetSkill, ListSkills, SkillShelf
from metier.server._openai_reply import Reply
from metier.store import Event
from metier.tools import Rules, ToolCall, ToolSpec, argument_problems, gate_for

Asked: TypeAlias = ServerRequestContext[Any]

SKILLS: Final = "io.modelcontextprotocol/skills"
_USER: Final = "mcp"
_TEXT: JsonObject = {"type": "string", "minLength": 1}
_RUN: Final = "metier_run"
_ANSWER: Final = "metier_answer"
_ROUTE: Final = "metier_route"
_OWN: Mapping[str, tuple[str, JsonObject]] = {
    _RUN: (
        "Give Metier a task in words. It finds the skill, runs its steps behind the gate, and answers; a question to "
        "the user comes back as 'pause' with a schema.",
        {
            "type": "object",
            "properties": {
                "message": {**_TEXT, "description": "What is wanted, in the user's words."},
                "conversation": {**_TEXT, "description": "Go on with this conversation."},
                "skill": {**_TEXT, "description": "Answer with this skill."},
            },
            "required": ["message"],
            "additionalProperties": False,
        },
    ),
    _ANSWER: (
        "Answer a question of Metier ('pause'); its work goes on.",
        {
            "type": "object",
            "properties": {"pause": _TEXT, "answer": {"description": "What the pause's schema asks for."}},
            "required": ["pause", "answer"],
            "additionalProperties": False,
        },
    ),
    _ROUTE: (
        "Which skill a message means, how surely, and why. Nothing is run.",
        {"type": "object", "properties": {"message": _TEXT}, "required": ["message"], "additionalProperties": False},
    ),
}


class McpDoor:
    """Request handlers of one MCP server over one runtime."""

    def __init__(self, runtime: Runtime, router: Router, policy: Rules | None = None) -> None:
        self._runtime = runtime
        self._router = router
        self._policy = policy
        self._shelf = SkillShelf(runtime.catalog)
        self._conversation: str | None = None

    def server(self) -> Server[Any]:
        """Build the MCP server with all its handlers."""
        made: Server[Any] = Server(
            "metier",
            version=version("metier"),
            instructions="The agent picks a skill; the skill governs the tools. Begin with metier_run.",
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        made.extensions[SKILLS] = {}
        made.add_request_handler("skills/list", ListSkills, self._list_skills)
        made.add_request_handler("skills/get", GetSkill, self._get_skill)
        return made

    async def _list_tools(self, _: Asked, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        own = [_tool(name, about, takes) for name, (about, takes) in _OWN.items()]
        open_to_all = [_tool(spec.name, spec.description, spec.parameters) for spec in self._open_tools()]
        return types.ListToolsResult(tools=[*own, *open_to_all])

    def _open_tools(self) -> list[ToolSpec]:
        """List the tools that the rules allow without approval and without a skill."""
        gate = gate_for([], tools=self._runtime.tools(), policy=self._policy)
        found = [spec for spec in self._runtime.tools().specs() if spec.skill is None and spec.name not in _OWN]
        return [spec for spec in found if gate.check(ToolCall("", spec.name, {})).answer == "allow"]

    async def _call_tool(self, _: Asked, asked: types.CallToolRequestParams) -> types.CallToolResult:
        given = asked.arguments or {}
        try:
            if asked.name in _OWN:
                return await self._own(asked.name, given)
            outcome = await self._runtime.call(asked.name, given, conversation=await self._place(), user=_USER)
        except MetierError as error:
            return _failed(error.code, error.message, error.hint)
        failure = outcome.result.failure
        if failure is not None:
            return _failed(failure.code, failure.message, failure.hint)
        return _said(json.dumps(outcome.result.data, ensure_ascii=False, default=dict), outcome.result.data or {})

    async def _place(self) -> str:
        """Return the conversation for calls outside a turn: it keeps their files and their violations."""
        if self._conversation is None:
            self._conversation = (await self._runtime.store.conversations.create(_USER, title="MCP")).id
        return self._conversation

    async def _own(self, name: str, given: JsonObject) -> types.CallToolResult:
        if problems := argument_problems(_OWN[name][1], given):
            return _failed("invalid_arguments", "; ".join(map(str, problems)), "see the tool's schema")
        if name == _ROUTE:
            decision = self._router.route(str(given["message"]), catalog=self._runtime.catalog())
            told = decision.to_json()
            return _said(json.dumps(told, ensure_ascii=False, default=dict), told)
        if name == _ANSWER:
            return await _told(self._runtime.answer(str(given["pause"]), given["answer"], user=_USER))
        request = TurnRequest(
            str(given["message"]), conversation=_text(given, "conversation"), skill=_text(given, "skill"), user=_USER
        )
        return await _told(self._runtime.turn(request))

    async def _list_resources(self, _: Asked, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=self._shelf.resources())

    async def _read_resource(self, _: Asked, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=[self._shelf.read(str(asked.uri))])

    async def _list_skills(self, _: Asked, asked: ListSkills) -> dict[str, Any]:
        return self._shelf.listed(asked.cursor)

    async def _get_skill(self, _: Asked, asked: GetSkill) -> dict[str, Any]:
        return {"skill": self._shelf.entry(asked.uri)}


async def _told(events: AsyncIterator[Event]) -> types.CallToolResult:
    """Collect a turn into one result: its text, and the question that is open at its end."""
    reply = Reply("", "", 0)
    pause: JsonObject | None = None
    async for event in events:
        reply.hear(event)
        pause = event.data if event.kind == "pause.opened" else pause
    if reply.failure is not None:
        return _failed(str(reply.failure.get("code")), str(reply.failure.get("message")), "")
    told: JsonObject = {"conversation": reply.conversation, "turn": reply.turn, "text": reply.text, "pause": pause}
    return _said(reply.text, told)


def _tool(name: str, about: str, takes: JsonObject) -> types.Tool:
    return types.Tool(name=name, description=about, input_schema=json.loads(json.dumps(takes, default=dict)))


def _said(text: str, told: Mapping[str, object]) -> types.CallToolResult:
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=json.loads(json.dumps(told, default=dict)))


def _failed(code: str, message: str, hint: str) -> types.CallToolResult:
    text = f"{code}: {message}" + (f" ({hint})" if hint else "")
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _text(given: JsonObject, name: str) -> str | None:
    value = given.get(name)
    return value if isinstance(value, str) else None
