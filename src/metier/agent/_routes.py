"""Which skill a message is for: named by the user or the caller, under way already, or found by the router."""

import asyncio
import re
from functools import partial
from typing import Final

from metier.agent._answers import choices_of
from metier.agent._builtin_model import listed_skills
from metier.agent._pauses import ask_skill
from metier.agent._skill_menu import shortlist_of
from metier.agent._starting import abandon, take_skill
from metier.agent._wording import say
from metier.agent._work import Work
from metier.jsons import JsonObject, JsonValue
from metier.routing import Decision
from metier.store import EventDraft

_LEAVE: Final = re.compile(
    r"(?:请|我想|我要|帮我|那就)?(?:退出|离开|关闭)(?:当前|这个|该)?的?(?:技能|skill)?[吧了]?"
    r"|(?:please\s+)?(?:exit|leave|quit)\s+(?:the\s+|this\s+|current\s+)*skill"
    r"|/(?:exit|leave|quit|退出)",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(
    r"(?:我想|我要)?换(?:一个|个|一种)(?:技能|别的|其他的?)?[吧了]?|(?:use\s+)?another\s+skill", re.I
)
_SWITCH: Final = re.compile(
    r"^(?:请|那就?|我想|我要|帮我|不[^，,。]{0,12}[，,]\s*)*(?:换(?:一个|个|一种|成|到|做)|改(?:成|用|做))"
    r"|\b(?:switch|change)\s+to\b",
    re.IGNORECASE,
)
_END: Final = " \t\n。.!！~"
_MOST_CANDIDATES: Final = 5
_MOST_LISTED: Final = 24


def leaves(message: str) -> bool:
    """Whether the user wants out of the skill in use, and says nothing else."""
    said = message.strip(_END)
    return bool(_LEAVE.fullmatch(said) or _ANOTHER.fullmatch(said))


def switches(message: str) -> bool:
    """Whether the user says that something else is wanted than what is under way."""
    return _SWITCH.search(message.strip()) is not None


def is_command(message: str) -> bool:
    """Whether the message begins with a slash: then it is no answer to anything."""
    return message[:1] in ("/", "／")


async def routed(work: Work, wanted: str | None) -> bool:
    """Settle the skill of this turn. True when the agent goes on; False when all has been said already."""
    if leaves(work.message):
        await _leave(work)
        return False
    if wanted is not None and not is_command(work.message):
        return await _as_the_caller_says(work, wanted)
    decision = await _decide(work)
    work.journal.later(EventDraft("skill.routed", _told(decision)))
    work.shortlist = shortlist_of(work.catalog, [(one.skill, one.score) for one in decision.candidates])
    if decision.route == "list":
        work.say(listed_skills(_listed(work), work.language))
        return False
    return await _follow(work, decision)


async def _follow(work: Work, decision: Decision) -> bool:
    taken = decision.verdict == "auto" and decision.skill is not None
    if taken and decision.route == "explicit":
        work.message = decision.message or work.message
        await take_skill(work, work.catalog[decision.skill or ""], None, "the user named it")
        return True
    if work.skill is not None and work.unfinished and not (taken and switches(work.message)):
        return await _stay(work)
    if taken:
        restart = decision.route != "sticky"
        await take_skill(work, work.catalog[decision.skill or ""], None, "the router is sure", restart=restart)
        return True
    if decision.verdict == "suggest" and work.kit.builtin:
        ranked = [work.catalog[one.skill] for one in decision.candidates if one.skill in work.catalog]
        await ask_skill(work, ranked[:_MOST_CANDIDATES])
        return False
    return True


async def _stay(work: Work) -> bool:
    """Go on with what is under way. What is said beside an open question is answered, and the question stays open."""
    if work.aside is None:
        return True
    if work.kit.builtin:
        choices = ", ".join(str(one["text"]) for one in choices_of(work.aside))
        text = say("again", work.language, text=work.aside.payload.get("text", ""))
        work.say(f"{text}\n\n{say('one_of', work.language, choices=choices)}" if choices else text)
        return False
    work.plan = None  # in the store it waits as it was
    return True


async def _as_the_caller_says(work: Work, wanted: str) -> bool:
    work.shortlist = shortlist_of(work.catalog, ())
    await take_skill(work, work.catalog[wanted], None, "the caller named it", restart=not work.unfinished)
    return True


async def _decide(work: Work) -> Decision:
    said = [one.content for one in work.before if one.role == "user"]
    active = work.skill.id if work.skill else None
    decide = partial(
        work.kit.router.route, work.message, catalog=work.catalog, host=work.host, history=said, active=active
    )
    # The first decision about a catalog builds its index, which may take seconds; the next takes milliseconds.
    return decide() if work.kit.is_routed(work.catalog) else await asyncio.to_thread(decide)


async def _leave(work: Work) -> None:
    another = _ANOTHER.fullmatch(work.message.strip(_END))
    if work.skill is None:
        text = say("nothing_to_leave", work.language)
    else:
        text = say("left", work.language, title=work.skill.title)
        await abandon(work)
        await work.enter(None, None, "the user left it")
    if another or work.kit.builtin:
        text = f"{text}\n\n{listed_skills(_listed(work), work.language)}"
    work.say(text)


def _listed(work: Work) -> list[JsonObject]:
    usable = (skill for skill in work.catalog if skill.enabled and skill.invocation.by_user)
    listed: list[JsonObject] = [{"id": one.id, "title": one.title, "description": one.description} for one in usable]
    return listed[:_MOST_LISTED]


def _told(decision: Decision) -> JsonObject:
    """The decision without its smallest reasons: `metier route --explain` has them all."""
    candidates: list[JsonValue] = [
        {"skill": one.skill, "score": round(one.score, 4), "trigger_hits": list(one.trigger_hits)}
        for one in decision.candidates[:_MOST_CANDIDATES]
    ]
    return {
        "verdict": decision.verdict,
        "route": decision.route,
        "skill": decision.skill,
        "skills": list(decision.skills),
        "candidates": candidates,
        "notes": list(decision.notes),
        "vectors": decision.vectors,
        "elapsed_ms": round(decision.elapsed_ms, 3),
    }
