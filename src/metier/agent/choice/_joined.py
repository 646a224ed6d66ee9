"""A detail that is said instead of an answer to "which do you mean?": it is read together with what was asked about."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from metier.agent.adapters import render_sentence
from metier.agent.turn import ASKED_MESSAGE, TurnState, get_choices
from metier.language import Sentences, choose, join_names, resolve_language
from metier.questions import asks_only, is_request, is_view_wish
from metier.routing import Decision, read_small_talk
from metier.textsearch import fold

_MAX_CHARS: Final = 600
_MAX_OTHERS: Final = 3
_MAX_SECOND: Final = 0.8  # score of the second skill to that of the first one, at most, to take the first one
_SAID: Final = Sentences(
    {
        "taken_first": (
            "I take it for “{title}”. If you mean something else, say so: {others}.",
            "先按「{title}」来做；如果指的是别的，请直接说：{others}。",
        ),
        "taken_only": ("I take it for “{title}”.", "先按「{title}」来做。"),
    }
)
_END: Final = " \t\n。.!！?？~，,；;"


async def join_with_asked(state: TurnState, decide: Callable[[TurnState], Awaitable[Decision]]) -> Decision:
    """The decision for the message; for a detail, that for the message that was asked about with the detail behind it.

    A message that names a skill by itself is a new request. What is read together is told, and asked about if it is
    still not clear which skill is meant.
    """
    alone, decision = state.request, await decide(state)
    asked = _find_asked(state)
    if not asked or decision.verdict == "auto" or len(decision.requests) > 1:
        return decision
    joined = join_request(asked, alone.message)
    state.request = replace(alone, message=joined)
    whole = await decide(state)
    if is_view_wish(alone.message):  # 按月看 is no second request
        whole = replace(whole, requests=())
    if whole.verdict == "none" or len(whole.requests) > 1:
        state.request = alone
        return decision
    if whole.verdict == "auto":
        state.queue_reply(render_sentence("read_as", alone.language, message=joined))
        return whole
    return _take_first(state, whole) or whole


def is_joined(state: TurnState) -> bool:
    """Whether the message is read together with the one that the open question for a skill is about."""
    pause = state.calls.pending_pause
    asked = str(pause.payload.get(ASKED_MESSAGE, "")) if pause is not None else ""
    return bool(asked) and state.request.message.startswith(asked.rstrip(_END))


def _take_first(state: TurnState, whole: Decision) -> Decision | None:
    """The decision for the first skill, if it was offered before: who adds details to an offer wants to get on.

    That it was taken, and what else there is, is told.
    """
    pause, catalog = state.calls.pending_pause, state.request.catalog
    offered = [str(one.get("value")) for one in get_choices(pause)] if pause is not None else []
    first = whole.candidates[0].skill if whole.candidates else ""
    if first not in offered or first not in catalog or not _is_clear(whole):
        return None
    language = state.request.language
    others = [catalog[one].title_in(language) for one in offered if one != first and one in catalog][:_MAX_OTHERS]
    named = join_names([render_sentence("quoted", language, text=one) for one in others], language)
    code = "taken_first" if others else "taken_only"
    state.queue_reply(_SAID.render(code, language, title=catalog[first].title_in(language), others=named))
    return replace(whole, verdict="auto", skill=first, skills=(first,))


def _is_clear(whole: Decision) -> bool:
    """Whether the first skill is well ahead of the others."""
    best, *others = [one.score for one in whole.candidates]
    return all(score <= _MAX_SECOND * best for score in others)


def _find_asked(state: TurnState) -> str:
    """The message that the open question for a skill is about; empty if this message is no part of it."""
    pause = state.calls.pending_pause
    asked = str(pause.payload.get(ASKED_MESSAGE, "")) if pause is not None else ""
    said = state.request.message
    if not asked or not state.uses_builtin_model("choose") or len(asked) + len(said) > _MAX_CHARS:
        return ""
    stands_alone = read_small_talk(fold(said)) is not None or asks_only(said) or is_request(said)
    return "" if stands_alone or resolve_language("auto", asked) != resolve_language("auto", said) else asked


def join_request(asked: str, detail: str) -> str:
    """A request with what was said of it since."""
    comma = choose(resolve_language("auto", asked), en=", ", zh="，")
    return f"{asked.rstrip(_END)}{comma}{detail.strip()}"
