"""The last result in the other language: the steps run again; what changed something is not done twice."""

from dataclasses import replace
from typing import Final

from metier.agent.choice._read_as import take_as
from metier.agent.choice._set_aside import put_question_aside
from metier.agent.choice.again._last_request import find_last_request
from metier.agent.choice.details import FOLLOW_UPS
from metier.agent.turn import TurnState, abandon_open_work, enter_skill, wants_again
from metier.language import Language, Sentences, language_of, read_language_wish, shorten_text
from metier.skills import Skill

_MAX_ASKED_CHARS: Final = 60
_SAID: Final = Sentences(
    {
        "ask_again": (
            "Without a language model I cannot translate an answer. Ask in English and the answer is in English.",
            "没有接入语言模型，不能翻译已有的回答。用中文提问，回答就是中文。",
        ),
        "such_as": (" For example: “{example}”.", "例如「{example}」。"),
        "not_repeated": (
            "“{asked}” changes something or makes a file, so it is not done once more by itself. To do that, say the "
            "whole request again.",
            "「{asked}」会改动内容或生成文件，不会自动再做一遍。要再做，请把要求完整地再说一次。",
        ),
    }
)


async def say_again(state: TurnState) -> bool | None:
    """Do the last request again in the language that the message wants; None if it wants something else.

    True if the agent has to run. A language model translates by itself.
    """
    wanted = read_language_wish(state.request.message)
    if wanted is None or not state.uses_builtin_model("converse"):
        return None
    last = await find_last_request(state) if state.skill.active is not None else None
    if last is None or not last.is_safe:
        _tell_how(state, state.skill.active, wanted)
        return False
    await abandon_open_work(state)
    state.request = replace(state.request, message=last.message)
    await enter_skill(state, last.skill, None, "user")
    return True


async def do_again(state: TurnState) -> bool | None:
    """Do the last request once more (重来, "same again"); what made a file or changes something takes an order.

    Beside a question that has no result above it, nothing was done that could be done again: the question stays.
    """
    skill, pause = state.skill.active, state.calls.pending_pause
    if skill is None or not wants_again(state.request.message) or not state.uses_builtin_model("choose"):
        return None
    if skill.metadata.get(FOLLOW_UPS) == "steps" or (last := await find_last_request(state)) is None:
        return None
    if last.draws:
        return None
    if pause is not None and not (last.is_safe and last.has_result and pause.payload.get("purpose") == "ask"):
        return None
    if not last.is_safe:
        asked = shorten_text(last.message, _MAX_ASKED_CHARS)
        state.queue_reply(_SAID.render("not_repeated", state.request.language, asked=asked))
        return False
    await put_question_aside(state)
    take_as(state, last.message, last.skill)
    await enter_skill(state, last.skill, None, "user")
    return True


def _tell_how(state: TurnState, skill: Skill | None, wanted: Language) -> None:
    """Say that the question has to be asked in that language, with an example of the skill in use to tap."""
    text = _SAID.render("ask_again", wanted)
    examples = skill.examples if skill is not None else ()
    if example := next((one for one in examples if language_of(one) == wanted), ""):
        text += _SAID.render("such_as", wanted, example=example)
        state.calls.offers.append({"text": example, "value": example})
    state.queue_reply(text)
