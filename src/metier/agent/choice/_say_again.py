"""The last result in the other language: the steps run again; what changed something is not done twice."""

from dataclasses import replace
from typing import Final

from metier.agent.adapters import render_sentence
from metier.agent.choice.details import read_request
from metier.agent.turn import TurnState, abandon_open_work, enter_skill, turn_events
from metier.language import Language, Sentences, language_of, read_language_wish
from metier.patterns import compile_later
from metier.skills import Skill

_MAX_TURNS: Final = 10
_STRIP: Final = " \t\n。.!！~"
_AGAIN: Final = compile_later(
    r"(?:请|那|就|帮我)*(?:(?:一样|同样|照样|照旧|再|重新|从头)(?:地|的)?(?:来|做|跑|算|查|分析|开始)(?:一?[遍次下])?|重来(?:一[遍次])?|再来一[遍次])[吧呗了]?"
    r"|(?i:(?:please\s+)?(?:the\s+)?same\s+(?:thing\s+)?again|(?:do|run|try|check|analy[sz]e)\s+(?:(?:it|that|this)\s+)?(?:again|once\s+more)|redo(?:\s+it)?|re-?run(?:\s+it)?|start\s+over|once\s+more)(?i:\s+please)?"
)
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
        return await _do_again(state)
    skill = state.skill.active
    asked = await _find_repeatable(state) if skill is not None and skill.sop else ""
    if skill is None or not asked:
        _tell_how(state, skill, wanted)
        return False
    await abandon_open_work(state)
    state.request = replace(state.request, message=asked)
    await enter_skill(state, skill, None, "user")
    return True


def wants_again(message: str) -> bool:
    """Whether a message only asks to do the work once more: 重来, "same again"."""
    return _AGAIN.fullmatch(message.strip(_STRIP)) is not None


async def _do_again(state: TurnState) -> bool | None:
    """Do the last request once more (重来, "same again"); what made a file or changes something takes an order."""
    skill = state.skill.active
    if (
        skill is None
        or not skill.sop
        or state.calls.pending_pause is not None
        or not state.uses_builtin_model("choose")
    ):
        return None
    if not wants_again(state.request.message) or not (asked := await _find_repeatable(state)):
        return None
    state.queue_reply(render_sentence("read_as", state.request.language, message=asked))
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
