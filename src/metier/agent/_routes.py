"""Chooses the skill of a turn: named by the user or the caller, already in use, or found by the router."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from metier.agent._answers import choices_of
from metier.agent._builtin_model import listed_skills
from metier.agent._pauses import ask_skill
from metier.agent._skill_menu import shortlist_of
from metier.agent._starting import abandon, take_skill
from metier.agent._wording import say
from metier.agent._work import Work
from metier.jsons import JsonObject, JsonValue
from metier.routing import Candidate, Decision, Reason
from metier.store import EventDraft
from metier.tools import Language

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
_MOST_REASONS: Final = 8
_MOST_NOTES: Final = 4
_SENTENCE_CHARS: Final = 120
_WORD_CHARS: Final = 40
_MOST_CANDIDATE_BYTES: Final = 3000


def leaves(message: str) -> bool:
    """Whether the message only asks to leave the skill in use."""
    said = message.strip(_END)
    return bool(_LEAVE.fullmatch(said) or _ANOTHER.fullmatch(said))


def switches(message: str) -> bool:
    """Whether the message asks for something other than the current work."""
    return _SWITCH.search(message.strip()) is not None


def is_command(message: str) -> bool:
    """Whether the message starts with a slash; a command never answers a pause."""
    return message[:1] in ("/", "／")


async def routed(work: Work, wanted: str | None) -> bool:
    """Choose the skill of this turn. True if the agent has to run; False if the reply is complete."""
    if leaves(work.message):
        await _leave(work)
        return False
    if wanted is not None and not is_command(work.message):
        return await _as_the_caller_says(work, wanted)
    decision = await _decide(work)
    work.journal.later(EventDraft("skill.routed", _told(decision, work.language)))
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
    """Continue the open work. With an open pause, the message is answered and the pause stays open."""
    if work.aside is None:
        return True
    if work.kit.builtin:
        choices = ", ".join(str(one["text"]) for one in choices_of(work.aside))
        text = say("again", work.language, text=work.aside.payload.get("text", ""))
        work.say(f"{text}\n\n{say('one_of', work.language, choices=choices)}" if choices else text)
        return False
    work.plan = None  # this turn only; the stored plan keeps waiting
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
    # The first routing over a catalog builds its index, which may take seconds; later ones take milliseconds.
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


def _told(decision: Decision, language: Language) -> JsonObject:
    """Decision with its reasons, so that it can be explained later in either language without routing again.

    Over the size limit, first sentences and then candidates are dropped, both from the end.
    """
    listed = [_candidate(one, language) for one in decision.candidates[:_MOST_CANDIDATES]]
    for one in reversed(listed):
        if _size_bytes(listed) > _MOST_CANDIDATE_BYTES:
            one["why"] = [{"feature": why["feature"], "value": why["value"]} for why in one["why"]]
    while len(listed) > 1 and _size_bytes(listed) > _MOST_CANDIDATE_BYTES:
        listed.pop()
    candidates: list[JsonValue] = [*listed]
    notes = decision.why[:_MOST_NOTES]
    meant = {} if decision.meant is None else {"meant": round(decision.meant, 4)}
    return {
        "verdict": decision.verdict,
        "route": decision.route,
        "skill": decision.skill,
        "skills": list(decision.skills),
        "candidates": candidates,
        "notes": [note.say(language)[:_SENTENCE_CHARS] for note in notes],
        "why": [_cut(note.to_json(), _SENTENCE_CHARS) for note in notes],
        **meant,
        "vectors": decision.vectors,
        "elapsed_ms": round(decision.elapsed_ms, 3),
    }


def _size_bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def _cut(value: JsonValue, chars: int) -> JsonValue:
    """Copy with texts cut to `chars` and lists to a few items."""
    if isinstance(value, str):
        return value[:chars]
    if isinstance(value, Mapping):
        return {name: _cut(inner, chars) for name, inner in value.items()}
    return [_cut(inner, chars) for inner in value[:_MOST_REASONS]] if isinstance(value, Sequence) else value


def _reason(one: Reason, language: Language) -> JsonObject:
    words = {"words": _cut(one.words, _WORD_CHARS)} if one.words else {}
    return {"feature": one.feature, "value": round(one.value, 4), **words, "text": one.say(language)[:_SENTENCE_CHARS]}


def _candidate(one: Candidate, language: Language) -> dict[str, Any]:
    negated = {"negated": _cut(one.negated, _WORD_CHARS)} if one.negated else {}
    return {
        "skill": one.skill,
        "score": round(one.score, 4),
        "lexical": round(one.lexical, 4),
        "vector": None if one.vector is None else round(one.vector, 4),
        "trigger_hits": _cut(one.trigger_hits, _WORD_CHARS),
        **negated,
        "why": [_reason(reason, language) for reason in one.why[:_MOST_REASONS]],
    }
