"""A bare "undo it": it belongs to the last change of the conversation that a tool can take back."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.agent.adapters import render_sentence
from metier.agent.choice._set_aside import put_question_aside
from metier.agent.choice._trials import refuse_trial
from metier.agent.turn import TurnState, abandon_open_work, enter_skill, turn_events
from metier.language import Sentences, choose, resolve_language
from metier.patterns import UNDO_VERBS_ZH, compile_later, undo_verbs_en
from metier.skills import Skill
from metier.textsearch import to_simplified
from metier.tools import ALWAYS, ToolSpec

_SENTENCES: Final = Sentences(
    {
        "undo_how": (
            "Nothing was taken back yet. Say “{undo}” and the last change is taken back ({made}).",
            "还没有撤销。说「{undo}」，就会撤回最近一次改动（{made}）。",
        ),
        "none_made": (
            "There is none to take back: “{made}” was not done in this conversation.",
            "没有可以撤销的：这个对话里没有做过「{made}」。",
        ),
    }
)
_MAX_CHARS: Final = 40
_MAX_TURNS: Final = 50
_PUNCTUATION: Final = compile_later(r"[\s，,。.!！?？~、;；]+")
_VERB_ZH: Final = compile_later(f"{UNDO_VERBS_ZH}|恢复(?=原|到原|成原|之前|以前|到之前)")
# Words that also refuse or resume: only with a word of the past are they about a change.
_WEAK_ZH: Final = compile_later("取消|不要|恢复")
_PAST_ZH: Final = compile_later(
    "刚才|刚刚|上一?次|上一步|最近一次|最后一次|之前|前面|原来|原样|原状|以前|改动|修改|更改|变更|操作"
)
_FILL_ZH: Final = compile_later(
    "请|帮我|帮忙|麻烦|我想|我要|还是|全部|所有|它们|这些|那些|这个|那个|样子|状态|一下|回去|回来|不对|错了|哎呀|等等|算了|"
    "能不能|可以|可不可以|[把将给我那就先再都成到为的掉了吧啊呀吗下来去它你做所想要全刚快]"
)
_VERB_EN: Final = compile_later(rf"\b(?:{undo_verbs_en('(?:(?:it|that|this|them|those|everything|all) )?')}|reverse)\b")
_FILL_EN: Final = compile_later(
    r"please|can|could|would|you|we|i|want|to|need|let'?s|just|now|then|it'?s?|that|this|them|those|these|the|a|my|all|of"
    r"|everything|last|latest|previous|recent|changes?|what|did|oh|no|wait|sorry|hey|ok|okay|again|way|was|were|as|how"
    r"|before|originals?|state|step|action|edits?|back|if|possible|be|should|and"
)
# Asks in what way, or whether at all: no order. "Can you undo it?" and 可以撤销吗 are orders.
_ASKS_HOW: Final = compile_later(
    r"怎么|如何|怎样|咋|(?:有什么|有没有|的)?(?:方法|办法)|(?<!不)能(?!不能)(?=.{0,8}[吗么])"
    r"|\bhow\s+(?:do|does|can|could|would|should|to)\b|\bway\s+to\b|\b(?:can|could|may)\s+(?:i|it|this|that|they|these|those)\b"
    r"|\bis\s+(?:it|there|this|that)\b",
    re.IGNORECASE,
)
_WORD_EN: Final = compile_later(r"[a-z']+")


@dataclass(frozen=True, slots=True)
class _LastChange:
    """The tool that takes the last change back, and the skill whose steps call it."""

    undo: ToolSpec
    made: ToolSpec
    skill: Skill
    titles: str
    seq: int


async def follow_undo(state: TurnState) -> bool | None:
    """Take the last change back if the message asks for that and for nothing else; None for any other message.

    True if the agent has to run: the skill gets the message as if the offer below the change had been chosen. Without a
    language model a message that has nothing to take back is answered here.
    """
    if (asked_of := find_undone_in_question(state.request.message)) is not None:
        return await _tell_how(state, asked_of)
    object_words = find_undone(state.request.message)
    if object_words is None:
        return None
    change = await find_last_change(state)
    if change is not None and _is_named(object_words, change.titles):
        await put_question_aside(state)
        if await refuse_trial(state, change.skill):
            return False
        state.request = replace(state.request, message=change.undo.title(state.request.language))
        await enter_skill(state, change.skill, None, "router")
        return True
    if change is None and object_words and (named := _find_named_undo(state, object_words)) is not None:
        return await _take_back_named(state, named)
    if change is not None or object_words or not state.uses_builtin_model("converse"):
        return None
    code = "dismissed" if state.has_open_work else "nothing_to_undo"
    if state.has_open_work:
        await abandon_open_work(state)  # nothing was done yet: what is asked about is taken back
    state.queue_reply(render_sentence(code, state.request.language))
    return False


async def _take_back_named(state: TurnState, named: tuple[ToolSpec, ToolSpec, Skill]) -> bool:
    """Take back what was approved elsewhere, if the work at hand is of that kind; else tell that none was made here."""
    undo, made, skill = named
    language, active = state.request.language, state.skill.active
    if active is None or active.group != skill.group:
        state.queue_reply(_SENTENCES.render("none_made", language, made=made.title(language)))
        return False
    await put_question_aside(state)
    state.request = replace(state.request, message=undo.title(language))
    await enter_skill(state, skill, None, "router")
    return True


def _find_named_undo(state: TurnState, object_words: str) -> tuple[ToolSpec, ToolSpec, Skill] | None:
    """The tool that takes back an approved change which the words name, that change, and the skill with its steps."""
    if not state.uses_builtin_model("converse"):
        return None
    specs = {one.name: one for one in state.resources.toolset(state.request.catalog).registry.specs()}
    for undo in [one for one in specs.values() if one.undoes]:
        made = specs.get(undo.undoes)
        skill = next(_list_skills(state, undo.name), None)
        if made is None or skill is None or made.approval != ALWAYS:
            continue
        named = (made.title("zh"), made.title("en"), skill.title_in("zh"), skill.title_in("en"), skill.id)
        if _is_named(object_words, " ".join(named).casefold()):
            return undo, made, skill
    return None


async def _tell_how(state: TurnState, object_words: str) -> bool | None:
    """Tell with what words the last change is taken back; None without one, or if a language model words it."""
    change = await find_last_change(state)
    if change is None or not _is_named(object_words, change.titles) or not state.uses_builtin_model("converse"):
        return None
    language = state.request.language
    undo = change.undo.title(language)
    state.calls.offers.append({"text": undo, "value": undo})
    state.queue_reply(_SENTENCES.render("undo_how", language, undo=undo, made=change.made.title(language)))
    return False


async def leave_out_idle_undos(state: TurnState, skills: Sequence[Skill]) -> list[Skill]:
    """Leave out the skills that take a change back, unless the conversation has a change."""
    await state.resources.load_tools(state.journal.emit)
    undos = {one.name for one in state.resources.toolset(state.request.catalog).registry.specs() if one.undoes}
    idle = {skill.id for skill in skills if any(step.get("call") in undos for step in skill.sop)}
    kept = [skill for skill in skills if skill.id not in idle]
    return list(skills) if not idle or not kept or await find_last_change(state) else kept


def find_undone_in_question(message: str) -> str | None:
    """What a message asks how, or whether, to take back, in its own words; None if it does not ask that."""
    rest, count = _ASKS_HOW.subn(" ", message)
    return find_undone(rest) if count else None


def find_undone(message: str) -> str | None:
    """What a message asks to take back, in its own words: empty for "undo it"; None if it does not ask for that."""
    said = _PUNCTUATION.sub(" ", to_simplified(message.casefold()).replace("’", "'")).strip()
    if not said or len(said) > _MAX_CHARS:
        return None
    return choose(resolve_language("auto", said), zh=_find_undone_zh, en=_find_undone_en)(said)


def _find_undone_zh(said: str) -> str | None:
    rest, count = _VERB_ZH.subn("", said)
    if not count:
        rest, count = _WEAK_ZH.subn("", said)
        if not count or not _PAST_ZH.search(said):
            return None
    return _FILL_ZH.sub("", _PAST_ZH.sub("", _WEAK_ZH.sub("", rest))).replace(" ", "")


def _find_undone_en(said: str) -> str | None:
    rest, count = _VERB_EN.subn(" ", said)
    if not count:
        return None
    return " ".join(word for word in _WORD_EN.findall(rest) if not _FILL_EN.fullmatch(word))


def _is_named(words: str, titles: str) -> bool:
    """Whether the words are none but those of the titles of the change."""
    if not words.isascii():
        return all(char in titles for char in words)
    return all(word.removesuffix("s") in titles for word in words.split())


async def find_last_change(state: TurnState) -> _LastChange | None:
    """The newest change of the conversation that a tool can take back, and that a skill has a step for."""
    await state.resources.load_tools(state.journal.emit)
    specs = {one.name: one for one in state.resources.toolset(state.request.catalog).registry.specs()}
    undos = {one.undoes: one for one in specs.values() if one.undoes}
    undos |= {one.name: one for one in undos.values()}  # a change that was taken back: its tool says what is left
    store = state.resources.store
    for turn in await store.turns.list(state.conversation, limit=_MAX_TURNS, having="tool.result"):
        for event in reversed(await turn_events(store, turn)):
            tool = str(event.data.get("tool", ""))
            if event.kind != "tool.result" or event.data.get("state") != "done" or tool not in undos:
                continue
            undo = undos[tool]
            if (skill := next(_list_skills(state, undo.name), None)) is None:
                return None
            made = specs.get(undo.undoes, undo)
            named = (title for one in (made, undo) for title in (one.title("zh"), one.title("en")))
            titles = " ".join((*named, skill.title_in("zh"), skill.title_in("en")))
            return _LastChange(undo, made, skill, titles.casefold(), event.seq)
    return None


def _list_skills(state: TurnState, tool: str) -> Iterator[Skill]:
    """Skills with a step that calls the tool, the one in use first."""
    found = [one for one in state.request.catalog if one.enabled and any(step.get("call") == tool for step in one.sop)]
    active = state.skill.active
    yield from sorted(found, key=lambda one: (active is None or one.id != active.id, one.id))
