"""`/api/info` and `/api/packs`: what this server is and which packs it has."""

from importlib.metadata import version

from metier.json_values import JsonObject, JsonValue
from metier.pack import Pack
from metier.server.api import _examples as examples
from metier.server.http import Ctx, JsonAnswer, User, format_time, make_router, responds
from metier.skills import Skill

routes = make_router("info")


@routes.get("/api/info", summary="What this server is", responses=responds(examples.INFO))
async def read_info(here: Ctx, user: User) -> JsonAnswer:
    """Version, model, language, the current user, and which features are on."""
    settings, catalog = here.settings, here.runtime.catalog()
    return JsonAnswer(
        {
            "name": "metier",
            "version": version("metier"),
            "model": settings.model,
            "language": settings.language,
            "user": user,
            "keys": bool(here.keys),
            "dev_routes": settings.dev_routes,
            "telemetry": settings.telemetry_mode,
            "packs": [pack.id for pack in here.packs.found],
            "skills": len(catalog),
            "digest": catalog.digest,
            "skill_tool": settings.skill_tool,
            "started_at": format_time(here.started_at),
            "limits": {
                "message_max_tokens": settings.message_max_tokens,
                "body_max_bytes": settings.body_max_bytes,
                "rate_limit": settings.rate_limit,
                "streams_max": settings.streams_max,
            },
        }
    )


@routes.get("/api/packs", summary="Installed packs", responses=responds(examples.PACKS))
async def list_packs(here: Ctx, user: User) -> JsonAnswer:
    """Title, description, skills and example prompts in both languages; and why a pack could not be loaded."""
    catalog = here.runtime.catalog()
    listed = [
        _pack_to_json(pack, [skill for skill in catalog if _belongs_to_pack(skill, pack)]) for pack in here.packs.found
    ]
    return JsonAnswer({"packs": listed, "problems": [one.to_json() for one in here.packs.problems]})


def _belongs_to_pack(skill: Skill, pack: Pack) -> bool:
    return pack.skills is not None and skill.source.path.is_relative_to(pack.skills)


def _pack_to_json(pack: Pack, skills: list[Skill]) -> JsonObject:
    named: list[JsonValue] = [{"id": one.id, "title": one.title, "description": one.description} for one in skills]
    return {
        "id": pack.id,
        "title": pack.title.to_json(),
        "description": pack.description.to_json(),
        "version": pack.version,
        "requires": list(pack.requires),
        "skills": named,
        "examples": [one.to_json() for one in pack.examples],
    }
