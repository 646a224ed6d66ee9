"""`/api/skills` and `/api/route`: loaded skills, the reload log, and routing of a message to a skill."""

import asyncio
from collections import Counter
from dataclasses import asdict, replace
from functools import partial
from typing import Annotated, Final

from fastapi import Query
from pydantic import Field

from metier.errors import Conflict
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, resolve_language
from metier.routing import Decision
from metier.server.http import (
    AppContext,
    Caller,
    Ctx,
    JsonAnswer,
    Operator,
    RequestBody,
    User,
    make_router,
    narrow_catalog,
    responds,
)
from metier.server.schema import (
    ApprovedSkill,
    PendingSkillList,
    ReloadLog,
    RouteDecision,
    SkillDetail,
    SkillList,
    SkillLockReport,
)
from metier.skills import (
    Catalog,
    Skill,
    WaitingSkill,
    diff_skills,
    narrow_groups,
    open_skill_approvals,
    open_skill_library,
    skill_summary,
    skill_to_json,
)
from metier.skills.lint import lint
from metier.tasks import open_analyzer
from metier.tools import load_task_types

routes = make_router("skills")
_TOP_K: Final = 10


class RouteBody(RequestBody):
    """A message to route, and the assumptions to route it under."""

    message: str = Field(description="What a user would write.", examples=["帮我写这周的周报"])
    host: str | None = Field(None, max_length=200, description="Where the message comes from: writer, et, wpp …")
    groups: list[str] = Field(default_factory=list, max_length=100, description="Only skills of these groups.")
    active: str | None = Field(None, max_length=200, description="The skill in use when the message arrives.")
    without: list[str] = Field(default_factory=list, max_length=10_000, description="Skills to leave out.")
    history: list[str] = Field(default_factory=list, max_length=100, description="What the user said before.")
    language: Language | None = Field(None, description="Of the sentences; null: as the message.")


class ApproveSkillBody(RequestBody):
    """A skill to approve, in the version that was shown."""

    skill: str = Field(max_length=200, examples=["weekly-report"])
    digest: str = Field(max_length=200, description="`digest` of the version that was shown.")


class PinSkillsBody(RequestBody):
    """All skills to approve, in the versions that were shown."""

    digest: str = Field(
        max_length=200, description="`digest` of the comparison that was shown.", examples=["9f2c1b7de0a4"]
    )


@routes.get("/api/skills", summary="Every skill", responses=responds(SkillList))
async def list_skills(here: Ctx, user: Caller) -> JsonAnswer:
    """List the catalog by descending priority, with diagnostics and usage counts."""
    catalog = here.catalog_for(user)
    found = Counter(one.skill for one in catalog.diagnostics)
    listed = [
        {**skill_summary(skill), "findings": found[skill.id], "usage": here.usage.get_counts(skill.id)}
        for skill in catalog
    ]
    diagnostics = [one.to_json() for one in catalog.diagnostics]
    return JsonAnswer({"digest": catalog.digest, "skills": listed, "diagnostics": diagnostics})


@routes.get("/api/skills/log", summary="What reloading changed", responses=responds(ReloadLog))
async def read_reload_log(here: Ctx, user: Caller, limit: Annotated[int, Query(ge=1, le=100)] = 50) -> JsonAnswer:
    """List the changes of the skills that you see since the server started, newest first, with a diff of each."""
    entries = here.reloads.list_entries(limit, partial(narrow_catalog, user))
    return JsonAnswer({"digest": here.catalog_for(user).digest, "reloads": entries})


@routes.get("/api/skills/pending", summary="Skills that wait for approval", responses=responds(PendingSkillList))
async def list_pending_skills(here: Ctx, operator: Operator) -> JsonAnswer:
    """List the versions of skills that are withheld, each with what changed since the approved version."""
    waiting = here.catalog_for(operator).waiting
    pending = await asyncio.to_thread(lambda: [_waiting_to_json(one) for one in waiting])
    return JsonAnswer({"trust": here.settings.skill_trust, "pending": pending})


@routes.post("/api/skills/approve", summary="Approve a skill", responses=responds(ApprovedSkill, 404, 409))
async def approve_skill(body: ApproveSkillBody, here: Ctx, operator: Operator) -> JsonAnswer:
    """Approve the version of a skill that was shown; it is used from the next turn on."""
    library = here.runtime.library
    waiting = await asyncio.to_thread(library.find_waiting, body.skill, body.digest)
    told = {"digest": body.digest, "source": str(waiting.skill.source.path)}
    await here.store.audit.append(operator, "skill.approved", waiting.skill.id, told)  # before it has an effect
    entry = await asyncio.to_thread(library.approve, body.skill, body.digest, operator.user)
    return JsonAnswer(asdict(entry))


@routes.get("/api/skill-lock", summary="Skills against the lock file", responses=responds(SkillLockReport))
async def verify_skills(here: Ctx, _operator: Operator) -> JsonAnswer:
    """Compare the skills on disk with the lock file, as `metier skills verify`; skills of packs are not in it."""
    return JsonAnswer(await asyncio.to_thread(_compare_with_lock, here))


@routes.post("/api/skill-lock", summary="Approve every skill", responses=responds(SkillLockReport, 409))
async def pin_skills(body: PinSkillsBody, here: Ctx, operator: Operator) -> JsonAnswer:
    """Approve every skill as it is now, as `metier skills pin`; 409 if one is another than in the comparison shown."""
    catalog = await asyncio.to_thread(_read_unlocked, here)
    if catalog.digest != body.digest:
        raise Conflict("the skills are others than those shown", hint="look at them again, then approve")
    async with here.store.transaction() as tx:  # before it has an effect
        for skill in catalog:
            told = {"digest": skill.digest, "source": str(skill.source.path)}
            await tx.audit.append(operator, "skills.pinned", skill.id, told)
    approvals = open_skill_approvals(here.settings)
    await asyncio.to_thread(approvals.pin, catalog, operator.user, replace_all=True)
    return JsonAnswer(await asyncio.to_thread(_compare_with_lock, here, catalog))


def _read_unlocked(here: AppContext) -> Catalog:
    """All skills as they stand in the folders of the operator, approved or not."""
    return open_skill_library(here.settings, trust="off").catalog()


def _compare_with_lock(here: AppContext, known: Catalog | None = None) -> JsonObject:
    catalog = _read_unlocked(here) if known is None else known
    report = open_skill_approvals(here.settings).verify(catalog)
    told: JsonObject = {"trust": here.settings.skill_trust, "digest": catalog.digest, "count": len(catalog)}
    return {**told, **report.to_json()}


@routes.get("/api/skills/{skill}", summary="One skill", responses=responds(SkillDetail, 404))
async def read_skill(skill: str, here: Ctx, user: Caller) -> JsonAnswer:
    """Read one skill: all fields, its instructions, lint findings, and the skills that can precede it."""
    catalog = here.catalog_for(user)
    found = catalog[skill]
    known = frozenset(spec.name for spec in (await here.load_tools_for(user)).specs())
    findings = await asyncio.to_thread(_collect_findings, found, catalog, known)
    before = [one.id for one in catalog if found.id in one.next]
    return JsonAnswer(
        {**skill_to_json(found), "findings": findings, "usage": here.usage.get_counts(found.id), "before": before}
    )


@routes.post("/api/route", summary="Why this skill?", responses=responds(RouteDecision))
async def route(body: RouteBody, here: Ctx, user: User) -> JsonAnswer:
    """Route a message: the decision with every candidate, feature and threshold. Nothing is run or stored."""
    return await decide_route(here, body, user)


async def decide_route(here: AppContext, body: RouteBody, user: str) -> JsonAnswer:
    """Route the message and return the decision with its thresholds and explanation."""
    catalog = here.runtime.catalog_of(user)
    if body.without:
        catalog = Catalog.from_skills(skill for skill in catalog if skill.id not in frozenset(body.without))
    groups = narrow_groups(here.settings.skill_groups, body.groups)
    router = replace(here.router, top_k=_TOP_K, groups=groups)
    decide = partial(
        router.route, body.message, catalog=catalog, host=body.host, active=body.active, history=body.history
    )
    decision = await asyncio.to_thread(decide)
    language = _choose_language(here, body)
    analyzer = open_analyzer(load_task_types(here.settings.task_types_file), here.router)
    analysis = await asyncio.to_thread(analyzer.analyze, body.message, decision)
    told = _decision_to_json(decision, catalog, asdict(here.router.thresholds), language)
    explained: list[JsonValue] = [*decision.explain(language), *analysis.explain(language)]
    return JsonAnswer({**told, "explain": explained, "task": analysis.to_json(language)})


def _choose_language(here: AppContext, body: RouteBody) -> Language:
    return resolve_language(body.language or here.settings.language, body.message)


def _decision_to_json(
    decision: Decision, catalog: Catalog, thresholds: dict[str, float], language: Language
) -> JsonObject:
    named = {
        one.skill: skill.title_in(language)
        for one in decision.candidates
        if (skill := catalog.get(one.skill)) is not None
    }
    return {
        **decision.to_json(language),  # type: ignore[dict-item]  # a JSON object, whose type is wider than that of a response
        "thresholds": thresholds,
        "titles": named,
        "digest": catalog.digest,
    }


def _waiting_to_json(one: WaitingSkill) -> JsonObject:
    found = diff_skills(one.shared, one.skill)
    return {
        "id": one.id,
        "title": one.skill.title,
        "path": str(one.skill.source.path),
        "change": "changed" if one.shared else "new",
        "digest": one.skill.digest,
        "approved": one.shared.digest if one.shared else None,
        "files": [change.to_json() for change in found.files],
        "diff": found.text,
        "cut": found.cut,
    }


def _collect_findings(skill: Skill, catalog: Catalog, known: frozenset[str]) -> list[JsonObject]:
    """Collect the reader's diagnostics and the linter's findings, without duplicates."""
    place = skill.source.path if skill.source.layout == "flat" else skill.source.folder
    report = lint(place, known_tools=known, trusted=skill.source.trusted)
    said = [*(one for one in catalog.diagnostics if one.skill == skill.id), *report.findings]
    return [one.to_json() for one in dict.fromkeys(said)]
