"""Share links of a conversation: make, list and revoke."""

from datetime import timedelta

from pydantic import Field

from metier.clock import utc_now
from metier.errors import RecordNotFound
from metier.server.http import Caller, Ctx, JsonAnswer, RequestBody, User, make_router, responds
from metier.server.schema import NewShareInfo, ShareInfo, ShareList

routes = make_router("shares")


class ShareBody(RequestBody):
    """How long a link works."""

    expires_in_days: int | None = Field(
        None, ge=1, le=3650, description="Until it is revoked, if left out.", examples=[7]
    )


@routes.get("/api/conversations/{conversation}/shares", summary="Its share links", responses=responds(ShareList, 404))
async def list_shares(conversation: str, here: Ctx, user: User) -> JsonAnswer:
    """List the links to a conversation of yours, newest first; revoked and expired ones stay in the list."""
    found = await here.get_owned_conversation(conversation, user)
    return JsonAnswer({"shares": [one.to_json() for one in await here.store.shares.list(found.id)]})


@routes.post(
    "/api/conversations/{conversation}/shares",
    summary="Make a share link",
    status_code=201,
    responses=responds(NewShareInfo, 404, status=201),
)
async def create_share(conversation: str, body: ShareBody, here: Ctx, caller: Caller) -> JsonAnswer:
    """Make a link that shows the conversation as it is now, read-only, to whoever has it. Its token is told once."""
    found = await here.get_owned_conversation(conversation, caller.user)
    expires = utc_now() + timedelta(days=body.expires_in_days) if body.expires_in_days else None
    async with here.store.transaction() as tx:
        made = await tx.shares.create(found.id, expires_at=expires)
        await tx.audit.append(caller, "share.created", made.share.id, {"conversation": found.id})
    return JsonAnswer({**made.share.to_json(), "path": f"/shared/{made.token}"}, 201)


@routes.delete("/api/shares/{share}", summary="Revoke a share link", responses=responds(ShareInfo, 404))
async def revoke_share(share: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Close a link to a conversation of yours at once; from then on it is as if it had never been."""
    found = await here.store.shares.get(share)
    try:
        await here.get_owned_conversation(found.conversation, caller.user)
    except RecordNotFound:
        raise RecordNotFound(f"there is no share link {share!r}") from None
    async with here.store.transaction() as tx:
        revoked = await tx.shares.revoke(found.id)
        await tx.audit.append(caller, "share.revoked", found.id, {"conversation": found.conversation})
    return JsonAnswer(revoked.to_json())
