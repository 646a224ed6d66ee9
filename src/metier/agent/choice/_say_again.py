"""The last result in the other language: the steps run again; what changed something is not done twice."""

from dataclasses import replace
from typing import Final

from metier.agent.choice.details import read_request
from metier.agent.turn import TurnState, abandon_open_work, enter_skill, turn_events
from metier.language import Language, Sentences, language_of, read_language_wish
from metier.skills import Skill

_MAX_TURNS: Final = 10
_SAID: Final = Sentences(
    {
        "ask_again": (
            "Without a language model I cannot translate an answer. Ask in English and the answer is in English.",
            "没有接入语言模型，不能翻译已有的回答。用中文提问，回答就是中文。",
        ),
        "such_as": (" For example: “{example}”.", "例如「{example}」。"),
    }
)
# What a step that is done again would make twice: a file, a drawn card.
_MADE: Final = frozenset({"file", "image"})


async def say_again(state: TurnState) -> bool | None:
    """Do the last request again in the language that the message wants; None if it wants something else.

    True if the agent has to run. A language model translates by itself.
    """
    wanted = read_language_wish(state.request.message)
    if wanted is None or not state.uses_builtin_model("converse"):
        return None
    skill = state.skill.active
    asked = await _find_repeatable(state) if skill is not None and skill.sop else ""
    if skill is None or not asked:
        _tell_how(state, skill, wanted)
        return False
    await abandon_open_work(state)
    state.request = replace(state.request, message=asked)
    await enter_skill(state, skill, None, "user")
    return True


async def _find_repeatable(state: TurnState) -> str:
    """The last message that steps ran for; empty if they made a file or picture, or wanted to change something."""
    store = state.resources.store
    for turn in await store.turns.list(state.conversation, limit=_MAX_TURNS, having="tool.called"):
        if turn.id == state.turn:
            continue
        events = await turn_events(store, turn)
        if any(one.kind in _MADE or one.data.get("purpose") == "approve" for one in events):
            return ""
        said = read_request(events)
        if read_language_wish(said) is None:
            return said
    return ""


def _tell_how(state: TurnState, skill: Skill | None, wanted: Language) -> None:
    """Say that the question has to be asked in that language, with an example of the skill in use to tap."""
    text = _SAID.render("ask_again", wanted)
    examples = skill.examples if skill is not None else ()
    if example := next((one for one in examples if language_of(one) == wanted), ""):
        text += _SAID.render("such_as", wanted, example=example)
        state.calls.offers.append({"text": example, "value": example})
    state.queue_reply(text)
