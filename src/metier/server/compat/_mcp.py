"""MCP server: our tools and skills for other agents, behind the gate.

Tools that the rules allow without approval and without a skill are offered directly. Tools that need approval, and
all skills, are reached by `metier_run`, which runs one governed turn. Skills can also be read (Skills over MCP):
`skills/list`, `skills/get` and `skill://` resources, with the digest of every file.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any, Final, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from metier.agent import Runtime, TurnRequest
from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.routing import Router
from metier.server.compat._mcp_skills import GetSkill, ListSkills, SkillResources
from metier.server.compat._openai_reply import Reply
from metier.store import Event, Principal, parse_roles
from metier.tools import Rules, ToolCall, ToolSpec, argument_problems, gate_for

RequestContext: TypeAlias = ServerRequestContext[Any]

SKILLS_EXTENSION: Final = "io.modelcontextprotocol/skills"
_USER: Final = "mcp"
_TEXT_SCHEMA: JsonObject = {"type": "string", "minLength": 1}
_RUN_TOOL: Final = "metier_run"
_ANSWER_TOOL: Final = "metier_answer"
_ROUTE_TOOL: Final = "metier_route"
_OWN_TOOLS: Mapping[str, tuple[str, JsonObject]] = {
    _RUN_TOOL: (
        "Give Metier a task in words. It finds the skill, runs its steps behind the gate, and answers; a question to "
        "the user comes back as 'pause' with a schema.",
        {
            "type": "object",
            "properties": {
                "message": {**_TEXT_SCHEMA, "description": "What is wanted, in the user's words."},
                "conversation": {**_TEXT_SCHEMA, "description": "Go on with this conversation."},
                "skill": {**_TEXT_SCHEMA, "description": "Answer with this skill."},
            },
            "required": ["message"],
            "additionalProperties": False,
        },
    ),
    _ANSWER_TOOL: (
        "Answer a question of Metier ('pause'); its work goes on. An approval is given by a person elsewhere, on the "
        "page or with `metier approvals`; the call then runs by itself.",
        {
            "type": "object",
            "properties": {"pause": _TEXT_SCHEMA, "answer": {"description": "What the pause's schema asks for."}},
            "required": ["pause", "answer"],
            "additionalProperties": False,
        },
    ),
    _ROUTE_TOOL: (
        "Which skill a message means, how surely, and why. Nothing is run.",
        {
            "type": "object",
            "properties": {"message": _TEXT_SCHEMA},
            "required": ["message"],
            "additionalProperties": False,
        },
    ),
}


class McpHandlers:
    """Request handlers of one MCP server over one runtime."""

    def __init__(
        self, runtime: Runtime, router: Router, policy: Rules | None = None, *, self_approval: bool = False
    ) -> None:
        self._runtime = runtime
        self._caller = Principal(_USER, "mcp", parse_roles("approver" if self_approval else "user"))
        self._router = router
        self._policy = policy
        self._resources = SkillResources(partial(runtime.catalog_of, _USER))
        self._conversation: str | None = None

    def build_server(self) -> Server[Any]:
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
        made.extensions[SKILLS_EXTENSION] = {}
        made.add_request_handler("skills/list", ListSkills, self._list_skills)
        made.add_request_handler("skills/get", GetSkill, self._get_skill)
        return made

    async def _list_tools(self, _: RequestContext, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        own = [_build_tool(name, about, takes) for name, (about, takes) in _OWN_TOOLS.items()]
        found = await asyncio.to_thread(self._list_open_tools)  # which may be the first to load those of packs
        open_to_all = [_build_tool(spec.name, spec.description, spec.parameters) for spec in found]
        return types.ListToolsResult(tools=[*own, *open_to_all])

    def _list_open_tools(self) -> list[ToolSpec]:
        """List the tools that the rules allow without approval and without a skill."""
        tools = self._runtime.tools(self._runtime.catalog_of(_USER))
        gate = gate_for([], tools=tools, policy=self._policy)
        found = [spec for spec in tools.specs() if spec.skill is None and spec.name not in _OWN_TOOLS]
        return [spec for spec in found if gate.check(ToolCall("", spec.name, {})).answer == "allow"]

    async def _call_tool(self, _: RequestContext, asked: types.CallToolRequestParams) -> types.CallToolResult:
        given = asked.arguments or {}
        try:
            if asked.name in _OWN_TOOLS:
                return await self._call_own_tool(asked.name, given)
            outcome = await self._runtime.call(
                asked.name, given, conversation=await self._ensure_conversation(), user=_USER
            )
        except MetierError as error:
            return _error_result(error.code, error.message, error.hint)
        failure = outcome.result.failure
        if failure is not None:
            return _error_result(failure.code, failure.message, failure.hint)
        return _text_result(
            json.dumps(outcome.result.data, ensure_ascii=False, default=dict), outcome.result.data or {}
        )

    async def _ensure_conversation(self) -> str:
        """Return the conversation for calls outside a turn: it keeps their files and their violations."""
        if self._conversation is None:
            self._conversation = (await self._runtime.store.conversations.create(_USER, title="MCP")).id
        return self._conversation

    async def _call_own_tool(self, name: str, given: JsonObject) -> types.CallToolResult:
        if problems := argument_problems(_OWN_TOOLS[name][1], given):
            return _error_result("invalid_arguments", "; ".join(map(str, problems)), "see the tool's schema")
        if name == _ROUTE_TOOL:
            decision = self._router.route(str(given["message"]), catalog=self._runtime.catalog_of(_USER))
            told = decision.to_json()
            return _text_result(json.dumps(told, ensure_ascii=False, default=dict), told)
        if name == _ANSWER_TOOL:
            return await _collect_turn(self._answer(given))
        request = TurnRequest(
            str(given["message"]),
            conversation=_optional_text(given, "conversation"),
            skill=_optional_text(given, "skill"),
            user=_USER,
            by=self._caller,
        )
        return await _collect_turn(self._runtime.turn(request))

    def _answer(self, given: JsonObject) -> AsyncIterator[Event]:
        return self._runtime.answer(str(given["pause"]), given["answer"], user=_USER, by=self._caller)

    async def _list_resources(
        self, _: RequestContext, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=self._resources.list_resources())

    async def _read_resource(
        self, _: RequestContext, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=[self._resources.read(str(asked.uri))])

    async def _list_skills(self, _: RequestContext, asked: ListSkills) -> dict[str, Any]:
        return self._resources.list_page(asked.cursor)

    async def _get_skill(self, _: RequestContext, asked: GetSkill) -> dict[str, Any]:
        return {"skill": self._resources.get_entry(asked.uri)}


async def serve_mcp(
    runtime: Runtime, router: Router, policy: Rules | None = None, *, self_approval: bool = False
) -> None:
    """Serve MCP on standard input and output until the client disconnects.

    The client is an agent: it may approve what it asked for only with `self_approval`.
    """
    made = McpHandlers(runtime, router, policy, self_approval=self_approval).build_server()
    async with stdio_server() as (reads, writes):
        await made.run(reads, writes, made.create_initialization_options())


async def _collect_turn(events: AsyncIterator[Event]) -> types.CallToolResult:
    """Collect a turn into one result: its text, and the question that is open at its end."""
    reply = Reply("", "", 0)
    pause: JsonObject | None = None
    async for event in events:
        reply.add_event(event)
        pause = event.data if event.kind == "pause.opened" else pause
    if reply.failure is not None:
        return _error_result(str(reply.failure.get("code")), str(reply.failure.get("message")), "")
    told: JsonObject = {"conversation": reply.conversation, "turn": reply.turn, "text": reply.text, "pause": pause}
    return _text_result(reply.text, told)


def _build_tool(name: str, about: str, takes: JsonObject) -> types.Tool:
    return types.Tool(name=name, description=about, input_schema=json.loads(json.dumps(takes, default=dict)))


def _text_result(text: str, told: Mapping[str, object]) -> types.CallToolResult:
    content = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=json.loads(json.dumps(told, default=dict)))


def _error_result(code: str, message: str, hint: str) -> types.CallToolResult:
    text = f"{code}: {message}" + (f" ({hint})" if hint else "")
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _optional_text(given: JsonObject, name: str) -> str | None:
    value = given.get(name)
    return value if isinstance(value, str) else None
