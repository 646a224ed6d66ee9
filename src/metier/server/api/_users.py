"""`/api/users`: export and deletion of all that is stored of a user, for operators."""

from fastapi.responses import Response

from metier.errors import Refused
from metier.server.api._export import send_archive
from metier.server.http import Ctx, JsonAnswer, Operator, make_router, responds, responds_text
from metier.server.schema import DeletedUserInfo
from metier.user_data import export_user, require_known_user

routes = make_router("users")


@routes.get(
    "/api/users/{user}/export",
    summary="All data of a user",
    responses=responds_text("PK", 404, kind="application/zip"),
)
async def read_user_data(user: str, here: Ctx, operator: Operator) -> Response:
    """Download everything that is stored of a user as a ZIP archive; that is recorded in the audit log.

    Each conversation has a folder with its records, memories and telemetry as JSON lines, its files, and Markdown.
    """
    await require_known_user(here.places, user)
    await here.store.audit.append(operator, "user.exported", user)
    return await send_archive(user, lambda target: export_user(here.places, user, target))


@routes.delete("/api/users/{user}", summary="Delete a user", responses=responds(DeletedUserInfo, 404))
async def delete_user_data(user: str, here: Ctx, operator: Operator) -> JsonAnswer:
    """Delete a user with keys, conversations, files, memories and telemetry; running turns are stopped first.

    Another may then have the name. The audit log keeps who did what, without content.
    """
    if user == operator.user and await here.needs_key():
        raise Refused("this key belongs to that user", hint="use the key of another operator, or metier users delete")
    await require_known_user(here.places, user)
    gone = await here.delete_user(user, operator)
    return JsonAnswer(DeletedUserInfo(deleted=gone.user, conversations=gone.conversations, keys=gone.keys))
