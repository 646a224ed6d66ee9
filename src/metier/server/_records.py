"""`/api/violations`, `/api/exceptions`, `/api/plans`: refused calls, exceptions to the rules, and plans."""

from typing import Annotated, Literal

from fastapi import Query

from metier.server import _examples as examples
from metier.server._security import User
from metier.server._serving import Here
from metier.server._told import exception_json, plan_json, violation_json
from metier.server._wire import Told, router, shows

routes = router("records")

Limit = Annotated[int, Query(ge=1, le=1000)]
Name = Annotated[str | None, Query(min_length=1, max_length=200)]


@routes.get("/api/violations", summary="Refused calls", responses=shows({"violations": [examples.VIOLATION]}, 404))
async def list_violations(
    here: Here, user: User, conversation: Name = None, tool: Name = None, limit: Limit = 100
) -> Told:
    """List calls that the gate refused in your conversations, newest first."""
    if conversation is not None:
        await here.owned(conversation, user)
    found = await here.store.violations.list(user=user, conversation=conversation, tool=tool, limit=limit)
    return Told({"violations": [violation_json(one) for one in found]})


@routes.get(
    "/api/exceptions", summary="Exceptions asked for", responses=shows({"exceptions": [examples.EXCEPTION]}, 404)
)
async def list_exceptions(
    here: Here,
    user: User,
    conversation: Name = None,
    state: Literal["requested", "granted", "denied"] | None = None,
    limit: Limit = 100,
) -> Told:
    """List exceptions requested in your conversations and their state, newest first."""
    if conversation is not None:
        await here.owned(conversation, user)
    found = await here.store.exceptions.list(user=user, conversation=conversation, state=state, limit=limit)
    return Told({"exceptions": [exception_json(one) for one in found]})


@routes.get("/api/plans", summary="Plans of a conversation", responses=shows({"plans": [examples.PLAN]}, 404))
async def list_plans(
    here: Here, user: User, conversation: Annotated[str, Query(min_length=1, max_length=200)], limit: Limit = 100
) -> Told:
    """List every saved version of the conversation's plans, newest first."""
    found = await here.owned(conversation, user)
    plans = await here.store.plans.list(found.id, limit=limit)
    return Told({"plans": [plan_json(one) for one in plans]})
