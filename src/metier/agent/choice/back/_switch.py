"""A bare 再换回来 or "switch it back": a fact gets the value that it had before, and the work is done again with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.agent.choice._read_as import take_as
from metier.agent.choice._set_aside import put_question_aside
from metier.agent.choice.back._undo import find_last_change
from metier.agent.turn import TurnState, enter_skill, turn_events
from metier.facts import Fact, fact_from_json, make_fact
from metier.language import Language, Sentences, choose, join_names
from metier.patterns import compile_later

_MAX_CHARS: Final = 40
_MAX_TURNS: Final = 50
_MAX_NAMED: Final = 3
_VERB_ZH: Final = compile_later(r"(?:换|改|切|调|变)换?回")
_VERB_EN: Final = compile_later(
    r"\b(?:switch|change|go|put|set|turn)(?:\s+(?:it|that|this|them|the\s+\w+))?\s+back\b", re.I
)
_FILL_ZH: Final = compile_later(
    r"请|帮我|麻烦|我想|我要|还是|算了|再|那就?|把|将|先|就|来|去|到|成|为|原来|原先|之前|刚才|刚刚|最初|最早|开始|以前|上一个|前一个|那个|这个|型号|的|吧|了|呢|啊|它"
    r"|诊断|分析|算|看看|看|试试?|跑|做|一[次下遍]|重新|不对?|好"
)
_FILL_EN: Final = compile_later(
    r"\b(?:please|can|could|you|i|want|to|let'?s|just|now|then|and|ok|no|it|that|this|the|one|value|type|model|original|previous|old|earlier|first"
    r"|former|before|what|was|were|as|again|once|more|diagnose|analy[sz]e|run|do|check|try|with|for|of)\b",
    re.I,
)
_SAID: Final = Sentences(
    {
        "order": ("Change the {title} to {label}", "{title}换成{label}"),
        "unchanged": (
            "Nothing was switched in this conversation, so nothing can be switched back; it is {facts}. Say what it "
            "shall be instead.",
            "这个对话里没有换过，所以没有可以换回的；现在是：{facts}。要换成别的，请说出换成什么。",
        ),
        "fact": ("{title} {label}", "{title} {label}"),
    }
)


@dataclass(frozen=True, slots=True)
class _SwitchedFact:
    """A fact that got another value: what it was before, and when that was written."""

    seq: int
    before: tuple[Fact, ...]


async def follow_switch_back(state: TurnState) -> bool | None:
    """Give a fact the value it had before, and do the work again with it; None for any other message.

    A change that a tool can undo is older than the fact's, or it is left to the undo.
    """
    wanted, language = read_switch_back(state.request.message), state.request.language
    if wanted is None or not state.uses_builtin_model("choose"):
        return None
    history = await _load_history(state)
    undoable = await find_last_change(state)
    newer = [one for one in history if undoable is None or one.seq > undoable.seq]
    if not newer:
        facts = await state.journal.load_facts()
        if wanted or undoable is not None or not facts:
            return None
        state.queue_reply(_SAID.render("unchanged", language, facts=_name_facts(facts, language)))
        return False
    target = next(filter(None, (_choose_target(one.before, wanted) for one in newer)), None)
    skill = None if target is None else state.request.catalog.get(target.skill)
    if target is None or skill is None or not skill.enabled:
        return None
    await put_question_aside(state)
    title = choose(language, en=target.title.lower(), zh=target.title)
    take_as(state, _SAID.render("order", language, title=title, label=target.label or str(target.value)), skill)
    await enter_skill(state, skill, None, "router", restart=True)
    return True


def read_switch_back(message: str) -> str | None:
    """What a message wants to have back, in its own words: empty for "switch it back"; None for other messages."""
    said = " ".join(re.sub(r"[，,。.!！?？~、;；]+", " ", message.replace("’", "'")).split())
    if not said or len(said) > _MAX_CHARS:
        return None
    verb, fill = (_VERB_EN, _FILL_EN) if said.isascii() else (_VERB_ZH, _FILL_ZH)
    rest, count = verb.subn(" ", said)
    return " ".join(fill.sub(" ", rest).split()) if count else None


def _choose_target(before: Sequence[Fact], wanted: str) -> Fact | None:
    """The value that is meant: the one before, or an earlier one that the message names."""
    named = [one for one in before if wanted and _is_named(one, wanted)]
    if named:
        return named[0]
    newest = before[0]
    is_title = all(part.casefold() in newest.title.casefold() for part in wanted.split())
    return newest if not wanted or is_title else None


def _is_named(fact: Fact, wanted: str) -> bool:
    rest = wanted.replace(fact.title, "").strip().casefold()
    return bool(rest) and rest in f"{fact.label} {fact.value}".casefold()


async def _load_history(state: TurnState) -> list[_SwitchedFact]:
    """Facts whose newest value is another than one before, the newest change first.

    Of those that changed in one turn the first comes first: another machine has another bearing.
    """
    store, saved = state.resources.store, dict[str, list[tuple[int, int, Fact]]]()
    turns = await store.turns.list(state.conversation, limit=_MAX_TURNS, having="fact.saved")
    for age, turn in enumerate(one for one in turns if one.id != state.turn):
        for event in reversed(await turn_events(store, turn)):
            if event.kind == "fact.saved":
                fact = make_fact(fact_from_json(event.data))
                saved.setdefault(fact.name, []).append((age, event.seq, fact))
    changes = []
    for values in saved.values():
        age, seq, newest = values[0]
        before = tuple(one for *_, one in values[1:] if one.value != newest.value)
        changes += [(age, _SwitchedFact(seq, before))] if before else []
    return [one for _, one in sorted(changes, key=lambda one: (one[0], one[1].seq))]


def _name_facts(facts: Sequence[Fact], language: Language) -> str:
    named = [one for one in facts if one.title and (one.label or one.value)][:_MAX_NAMED]
    return join_names(
        [_SAID.render("fact", language, title=one.title, label=one.label or str(one.value)) for one in named], language
    )
