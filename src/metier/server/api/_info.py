"""`/api/info` and `/api/packs`: what this server is and which packs it has."""

from importlib.metadata import version

from metier.events import event_schema
from metier.pack import BilingualText, Pack
from metier.server.http import Caller, Ctx, JsonAnswer, User, make_router, responds
from metier.server.schema import (
    PackInfo,
    PackList,
    PackProblemInfo,
    PackSkill,
    SchemaDocument,
    ServerInfo,
    ServerLimits,
    TwoLanguages,
)
from metier.skills import Skill
from metier.store import KEY_ROLES

routes = make_router("info")


@routes.get("/api/info", summary="What this server is", responses=responds(ServerInfo))
async def read_info(here: Ctx, caller: Caller) -> JsonAnswer:
    """Version, model, language, the current user, and which features are on."""
    settings, catalog = here.settings, here.catalog_for(caller)
    limits = ServerLimits(
        message_max_tokens=settings.message_max_tokens,
        body_max_bytes=settings.body_max_bytes,
        rate_limit=settings.rate_limit,
        streams_max=settings.streams_max,
    )
    return JsonAnswer(
        ServerInfo(
            name="metier",
            version=version("metier"),
            model=settings.model,
            language=settings.language,
            user=caller.user,
            roles=[role for role in KEY_ROLES if role in caller.roles],
            keys=await here.needs_key(),
            dev_routes=settings.dev_routes,
            telemetry=settings.telemetry_mode,
            packs=[pack.id for pack in here.packs.found],
            skills=len(catalog),
            digest=catalog.digest,
            skill_tool=settings.skill_tool,
            started_at=here.started_at.isoformat(),
            limits=limits,
        )
    )


@routes.get("/api/schema/events.json", summary="JSON Schema of events", responses=responds(SchemaDocument))
async def read_event_schema(user: User) -> JsonAnswer:
    """JSON Schema of a stored event, one branch per kind: what every `data:` line of a stream holds."""
    return JsonAnswer(event_schema())


@routes.get("/api/packs", summary="Installed packs", responses=responds(PackList))
async def list_packs(here: Ctx, caller: Caller) -> JsonAnswer:
    """Title, description, skills and example prompts in both languages; and why a pack could not be loaded."""
    catalog = here.catalog_for(caller)
    packs = [
        _pack_to_info(pack, [skill for skill in catalog if _belongs_to_pack(skill, pack)]) for pack in here.packs.found
    ]
    problems = [
        PackProblemInfo(pack=one.pack, code=one.code, message=one.message, hint=one.hint) for one in here.packs.problems
    ]
    return JsonAnswer(PackList(packs=packs, problems=problems))


def _belongs_to_pack(skill: Skill, pack: Pack) -> bool:
    return pack.skills is not None and skill.source.path.is_relative_to(pack.skills)


def _pack_to_info(pack: Pack, skills: list[Skill]) -> PackInfo:
    return PackInfo(
        id=pack.id,
        title=_to_two_languages(pack.title),
        description=_to_two_languages(pack.description),
        version=pack.version,
        requires=list(pack.requires),
        skills=[_skill_to_info(one) for one in skills],
        examples=[_to_two_languages(one) for one in pack.examples],
    )


def _skill_to_info(skill: Skill) -> PackSkill:
    title = TwoLanguages(zh=skill.title_in("zh"), en=skill.title_in("en"))
    description = TwoLanguages(zh=skill.summary_in("zh"), en=skill.summary_in("en"))
    return PackSkill(id=skill.id, title=title, description=description)


def _to_two_languages(text: BilingualText) -> TwoLanguages:
    return TwoLanguages(zh=text.zh, en=text.en)
