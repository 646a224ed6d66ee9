"""Answers to complaints and to questions about the program: what is known, and what can be said next."""

import re
from typing import Final

from metier.agent.adapters import render_sentence
from metier.agent.choice._data_question import asks_for_data, has_attachments, name_vague_offer
from metier.agent.choice._own_data import point_to_own_data
from metier.agent.choice._reminders import remind_of_pause
from metier.agent.choice.talk._language_models import list_language_models
from metier.agent.choice.talk._read import Talk, opens_with_complaint, read_talk
from metier.agent.choice.talk._talk_sentences import TALK_SENTENCES
from metier.agent.turn import ASKED_MESSAGE, TurnState, get_choices, is_half_answer, read_control, read_reaction
from metier.language import Language, join_names, language_of
from metier.patterns import compile_later
from metier.routing import read_small_talk
from metier.textsearch import fold

_MAX_FACTS: Final = 5
_AGREES: Final = compile_later(
    r"好的?|行|可以|没问题|\b(?:ok(?:ay)?|yes|yeah|sure|fine|great|good|perfect)\b", re.IGNORECASE
)


async def answer_talk(state: TurnState) -> bool:
    """Answer a message that is only about the talk; False for others.

    Whether "it" is safe is about the question or the result that is there, and about one's data only without either.
    A language model finds words of its own, except for what becomes of a person's data, which it cannot know.
    """
    kind = read_talk(state.request.message)
    is_builtin = state.uses_builtin_model("converse")
    if is_builtin and state.calls.pending_pause is not None and is_half_answer(state.request.message):
        state.queue_reply(f"{_say('half_answer', state.request.language)}\n\n{remind_of_pause(state)}")
        return True
    if is_builtin and kind is None and (await _react(state) or await _tell_how_to_attach(state) or _steer(state)):
        return True
    if kind is None or (kind != "safety" and not is_builtin) or not _is_meant(kind, state):
        return False
    text = _describe_program(kind, state) or await _take_up(kind, state)
    state.queue_reply("\n\n".join(one for one in (text, remind_of_pause(state)) if one))
    return True


async def answer_unread_complaint(state: TurnState) -> bool:
    """Answer a message that begins with a complaint and that no skill was found for; False for others."""
    if not state.uses_builtin_model("converse") or not opens_with_complaint(state.request.message):
        return False
    text = await _take_up("wrong", state)
    state.queue_reply("\n\n".join(one for one in (text, remind_of_pause(state)) if one))
    return True


async def _react(state: TurnState) -> bool:
    """Answer thanks, praise and impatience in a short sentence; beside an approval it is said that they are no yes."""
    reaction, pause, language = read_reaction(state.request.message), state.calls.pending_pause, state.request.language
    if reaction is None:
        return False
    if reaction == "bad":
        told = await _take_up("wrong", state)
    elif pause is not None and reaction in ("thanks", "praise") and not _is_plain_thanks(state.request.message):
        told = _say("polite_yes" if pause.payload.get("purpose") == "approve" else "thanks_open", language)
    elif reaction == "thanks":
        told = render_sentence("thanks", language)
    else:
        told = _say(reaction if pause is None or reaction != "slow" else "slow_open", language)
    # Thanks beside "which of these do you mean?" is no reason to ask it again.
    waits = "" if pause is not None and ASKED_MESSAGE in pause.payload else remind_of_pause(state)
    state.queue_reply("\n\n".join(one for one in (told, waits) if one))
    return True


def _is_plain_thanks(message: str) -> bool:
    """Whether a message thanks and neither agrees nor praises: 谢谢 is no answer, 好的，麻烦了 sounds like one."""
    return read_small_talk(fold(message)) == "thanks" and _AGREES.search(message) is None


def _steer(state: TurnState) -> bool:
    """Answer words about going on with the open question, which stays open; to stop is left to others."""
    pause, control = state.calls.pending_pause, read_control(state.request.message)
    if pause is None or control is None or control in ("stop", "own_file", "attached"):
        return False
    code = {"wait": "wait", "back": "back"}.get(control) or ("choose" if get_choices(pause) else "explain")
    _offer("never_mind", state)
    told = _say(f"control_{code}", state.request.language)
    if code in ("wait", "back") and pause.payload.get("purpose") in ("ask", "ask_user") and not get_choices(pause):
        told = f"{told}{_say('control_meant', state.request.language)}"
    state.queue_reply(f"{told}\n\n{remind_of_pause(state)}")
    return True


async def _tell_how_to_attach(state: TurnState) -> bool:
    """Say how a file is attached to who wants to use one of their own; an open question stays open.

    Who says that it is attached, and it is, is answered by the work itself. A word that a sample is called by (台账)
    does not say whose it is.
    """
    pause, control = state.calls.pending_pause, read_control(state.request.message)
    if control == "attached":
        if not asks_for_data(pause) or await has_attachments(state):
            return False
        told = [_say("not_attached", state.request.language)]
    elif control == "own_file" and pause is not None:
        told = []
    elif offered := name_vague_offer(pause, state.request.message):
        told = [_say("sample_or_own", state.request.language, offer=offered)]
    else:
        return False
    told += [_say("attach", state.request.language)]
    told += [
        _say("attach_then" if asks_for_data(pause) else "attach_say", state.request.language),
        remind_of_pause(state),
    ]
    state.queue_reply("\n\n".join(one for one in (" ".join(told[:-1]), told[-1]) if one))
    return True


def _is_meant(kind: Talk, state: TurnState) -> bool:
    """Whether the words are about the program where they may be about a result, such as what a thing costs."""
    if kind not in ("cost", "duration"):
        return True
    return state.skill.active is None or state.calls.pending_pause is not None


def _describe_program(kind: Talk, state: TurnState) -> str:
    language = state.request.language
    match kind:
        case "person":
            _offer("abilities", state)
            return _say("person", language, model=_describe_model("model", state))
        case "safe" if state.calls.pending_pause is not None:
            return _say("safe_open", language)
        case "safe" if state.skill.active is not None:
            return _say("safe_result", language)
        case "safety" | "safe":
            told = _say("safety", language, model=_describe_model("model", state))
            return f"{told}\n\n{point_to_own_data('', language)}"
        case "cost":
            return _say("cost", language, model=_describe_model("price", state))
        case "duration":
            return _say("duration", language)
        case _:
            return ""


def _describe_model(about: str, state: TurnState) -> str:
    """What holds for every language model that any stage, any skill or a fallback may send to."""
    language = state.request.language
    connected = list_language_models(state)
    if not connected:
        return _say(f"{about}_none", language)
    hosted = [one.name for one in connected if not one.is_self_hosted]
    if not hosted:
        return _say(f"{about}_own", language)
    names = join_names([_say("quoted", language, name=one) for one in hosted], language)
    return _say(f"{about}_hosted", language, names=names)


async def _take_up(kind: Talk, state: TurnState) -> str:
    language, has_pause = state.request.language, state.calls.pending_pause is not None
    facts = await _list_facts(state)
    if kind == "wrong":
        return _ask_what_is_wrong(state, facts)
    if kind == "same_again":
        _offer("abilities", state)
        return _say("same_again", language)
    if has_pause:
        _offer("skip", state)
        return _say("asked_open", language)
    return _say("known_facts", language, facts=facts) if facts else _say("asked_nothing", language)


def _ask_what_is_wrong(state: TurnState, facts: str) -> str:
    language = state.request.language
    if state.skill.active is None:
        _offer("abilities", state)
        return _say("wrong_nothing", language)
    _offer("evidence", state)
    asked = _say("wrong_facts", language, facts=facts) if facts else _say("wrong_work", language)
    return f"{asked}\n\n{_say('evidence_offer', language)}"


async def _list_facts(state: TurnState) -> str:
    """What is settled in the conversation, as far as it is named in the language of the message."""
    language = state.request.language
    named = [(one.title, one.label) for one in await state.journal.load_facts() if one.title and one.label]
    own = [one for one in named if language_of(one[0]) == language][:_MAX_FACTS]
    return join_names([_say("fact", language, title=title, label=label) for title, label in own], language)


def _offer(code: str, state: TurnState) -> None:
    text = _say(code, state.request.language)
    state.calls.offers.append({"text": text, "value": text})


def _say(code: str, language: Language, **values: object) -> str:
    return TALK_SENTENCES.render(code, language, **values)
