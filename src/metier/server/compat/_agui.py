"""`POST /agui`: endpoint for front ends that use the AG-UI 1.0 protocol.

The protocol's models are imported by the first request: a server starts a tenth faster without them.
"""

from typing import Final

from starlette.requests import Request

from metier.json_values import JsonObject
from metier.server.http import Caller, Ctx, make_router, responds_text
from metier.server.stream import SlotResponse

routes = make_router("ag-ui", any_query=True)

_EXAMPLE_INPUT: JsonObject = {
    "threadId": "t1",
    "runId": "r1",
    "messages": [{"id": "m1", "role": "user", "content": "写一份周报"}],
    "state": {},
    "tools": [],
    "context": [],
    "forwardedProps": {"skill": "weekly-report"},
}
_EXAMPLE_STREAM: Final = 'data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}\n\n'


@routes.post(
    "/agui",
    summary="Run a turn over AG-UI",
    responses=responds_text(_EXAMPLE_STREAM, 404, 409, kind="text/event-stream"),
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"example": _EXAMPLE_INPUT}}}},
)
async def run(request: Request, here: Ctx, caller: Caller) -> SlotResponse:
    """Run a turn or answer a question. A thread is a conversation; a question ends the run with an interrupt.

    The front end chooses the thread's id, for itself: two users may use the same one.

    `resume` answers interrupts. `forwardedProps` may name a `skill`, a configured `model` (or `state` does), a `host`
    and a `document`. Events without an AG-UI counterpart are sent as `CUSTOM` events whose name starts with `metier.`.
    """
    from metier.server.compat._agui_turns import run_agui

    return await run_agui(await request.json(), here, caller)
