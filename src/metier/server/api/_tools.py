"""`/api/tools` and `/api/gate`: available tools, those that wait for approval, and whether a call is allowed."""

import asyncio
import logging

from pydantic import Field, JsonValue

from metier.errors import ToolNotFound
from metier.server.http import Caller, Ctx, JsonAnswer, Operator, RequestBody, User, make_router, responds
from metier.server.schema import GateVerdict, PendingToolInfo, PendingToolList, ToolList
from metier.tasks import open_analyzer
from metier.tools import ToolCall, gate_for, load_policy, load_task_types

routes = make_router("tools")
_log = logging.getLogger(__name__)


class GateBody(RequestBody):
    """A tool call to check; it is not run."""

    tool: str = Field(max_length=200, examples=["run_command"])
    skill: str | None = Field(None, max_length=200, description="The skill in use.", examples=["weekly-report"])
    arguments: dict[str, JsonValue] = Field(default_factory=dict, description="Approval may depend on them.")
    message: str | None = Field(None, description="Find the task type from what a user wrote.")
    task_type: str | None = Field(None, max_length=200, description="research, creation, data_processing …")


@routes.get("/api/tools", summary="Every tool", responses=responds(ToolList))
async def list_tools(here: Ctx, caller: Caller) -> JsonAnswer:
    """List the built-in tools and those of packs, MCP servers and the skills that you see."""
    tools = await here.load_tools_for(caller)
    return JsonAnswer(
        {
            "tools": [spec.to_json() for spec in tools.specs()],
            "collisions": dict(tools.collisions),
            "problems": [
                {"owner": one.owner, "tool": one.tool, "code": one.code, "message": one.message}
                for one in tools.problems
            ],
        }
    )


class ApproveBody(RequestBody):
    """A tool to approve, in the version that was shown."""

    server: str = Field(max_length=200, examples=["github"])
    tool: str = Field(max_length=200, examples=["create_issue"])
    digest: str = Field(
        max_length=200, description="`digest` of the version that was shown.", examples=["sha256:9f2c…"]
    )


@routes.get("/api/tools/pending", summary="Tools that wait for approval", responses=responds(PendingToolList))
async def list_pending_tools(here: Ctx, user: User) -> JsonAnswer:
    """List the tools of MCP servers that are withheld: changed since they were approved, or never approved."""
    pending = here.runtime.mcp.pending if here.runtime.mcp else ()
    return JsonAnswer({"pending": [one.to_json() for one in pending]})


@routes.post("/api/tools/approve", summary="Approve a tool", responses=responds(PendingToolInfo, 404, 409))
async def approve_tool(body: ApproveBody, here: Ctx, operator: Operator) -> JsonAnswer:
    """Approve the version of an MCP tool that was shown; it may be called from the next turn on."""
    if here.runtime.mcp is None:
        raise ToolNotFound("no MCP server is configured", hint="see METIER_MCP_SERVERS")
    waiting = here.runtime.mcp.find_pending(body.server, body.tool, digest=body.digest)
    await here.store.audit.append(operator, "tool.approved", waiting.name, {"digest": body.digest})  # before its effect
    approved = here.runtime.mcp.approve(body.server, body.tool, by=operator.user, digest=body.digest)
    _log.info("%s approved the MCP tool %s", operator.user, approved.name)
    return JsonAnswer(approved.to_json())


@routes.post("/api/gate", summary="May this tool run?", responses=responds(GateVerdict, 404))
async def check_gate(body: GateBody, here: Ctx, caller: Caller) -> JsonAnswer:
    """Check a call: the verdict, the layer that decided it, and the answer of every other layer."""
    settings = here.settings
    types = load_task_types(settings.task_types_file)
    analysis = None
    if body.message is not None and body.task_type is None:
        analysis = await asyncio.to_thread(open_analyzer(types, here.router).analyze, body.message)
    gate = gate_for(
        [here.catalog_for(caller)[body.skill]] if body.skill else [],
        tools=await here.load_tools_for(caller),
        task_type=types[body.task_type] if body.task_type else analysis.task_type if analysis else None,
        policy=None if settings.policy_file is None else load_policy(settings.policy_file),
    )
    verdict = gate.check(ToolCall("", body.tool, body.arguments))
    told = {**verdict.to_json(), "explain": list(verdict.explain())}
    return JsonAnswer({**told, "task_type_reason": "; ".join(map(str.strip, analysis.explain())) if analysis else None})
