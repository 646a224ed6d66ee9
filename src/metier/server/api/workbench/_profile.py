"""`/api/profile`: what is stored about whoever asks: seen, corrected, exported, deleted."""

import json
from typing import Any

from fastapi.responses import Response
from pydantic import Field

from metier.language import language_of
from metier.pack import load_pack_guards
from metier.server.http import Caller, Ctx, JsonAnswer, RequestBody, make_router, responds
from metier.server.schema import DeletedProfile, UserProfile
from metier.user_data import correct_profile, delete_profile, read_profile

routes = make_router("profile")


class ProfileChanges(RequestBody):
    """Corrections by path."""

    changes: dict[str, Any] = Field(
        min_length=1,
        max_length=50,
        description="new value of each path, as `birth_info.date`; null removes it",
        examples=[{"birth_info.date": "1990-06-15"}],
    )


@routes.get("/api/profile", summary="What is known of me", responses=responds(UserProfile))
async def get_profile(here: Ctx, caller: Caller) -> JsonAnswer:
    """Profile, data of each skill with its version, and facts of all own conversations."""
    return JsonAnswer(await read_profile(here.store, caller.user))


@routes.patch("/api/profile", summary="Correct what is known of me", responses=responds(UserProfile, 403))
async def patch_profile(body: ProfileChanges, here: Ctx, caller: Caller) -> JsonAnswer:
    """Replace values by path; a corrected value makes what was computed from it stale. A guard of a pack may refuse."""
    changes = dict(body.changes)
    guards = load_pack_guards(here.packs.found, here.settings)
    language = language_of(json.dumps(changes, ensure_ascii=False))
    changed = await correct_profile(here.store, caller.user, changes, by=caller, guards=guards, language=language)
    return JsonAnswer(changed)


@routes.get(
    "/api/profile/export",
    summary="What is known of me, as a file",
    responses=responds(UserProfile),
)
async def export_profile(here: Ctx, caller: Caller) -> Response:
    """Download all of it as a JSON file."""
    text = json.dumps(await read_profile(here.store, caller.user), ensure_ascii=False, indent=1, default=dict)
    await here.store.audit.append(caller, "profile.exported", caller.user)
    headers = {"Content-Disposition": 'attachment; filename="metier-profile.json"', "Cache-Control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)


@routes.delete("/api/profile", summary="Delete what is known of me", responses=responds(DeletedProfile))
async def remove_profile(here: Ctx, caller: Caller) -> JsonAnswer:
    """Delete profile, skill data, reminders, kept words and facts for good; conversations stay."""
    await delete_profile(here.store, caller.user, caller)
    return JsonAnswer(DeletedProfile(deleted=caller.user))
