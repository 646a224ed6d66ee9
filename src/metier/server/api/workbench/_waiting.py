"""`/api/waiting`: which conversations wait for the user, and how many approvals of others an approver may decide."""

from collections import Counter

from metier.agent import APPROVAL_KINDS
from metier.server.http import Caller, Ctx, JsonAnswer, make_router, responds
from metier.server.schema import WaitingInfo

routes = make_router("pauses")


@routes.get("/api/waiting", summary="What waits for you", responses=responds(WaitingInfo))
async def read_waiting(here: Ctx, caller: Caller) -> JsonAnswer:
    """Open questions per conversation of yours; `approvals` counts those of others if your key may approve."""
    own = Counter(one.conversation for one in await here.store.pauses.list_open(user=caller.user))
    approvals = 0
    if "approver" in caller.roles:
        waiting = await here.store.pauses.list_open(kinds=APPROVAL_KINDS)
        approvals = sum(one.conversation not in own for one in waiting)
    return JsonAnswer(WaitingInfo(conversations=dict(own), approvals=approvals))
