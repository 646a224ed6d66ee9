"""Whether a message is about something else than the conversation: another value of a fact, place or subject."""

import re
from collections.abc import Sequence
from typing import Final

from metier.agent.choice.details._load_results import load_results
from metier.agent.turn import TurnState
from metier.facts import Fact
from metier.patterns import compile_later
from metier.questions import Results

_PLACE_WORD: Final = compile_later("[\u4e00-\u9fff]{2}|[A-Z][a-z]{3,}|\\d+号")
_PAIR: Final = compile_later("[\u4e00-\u9fff]{2}")
_WORD: Final = compile_later(r"[a-z]{4,}")
# Words of any order, which say nothing of its subject.
_ORDER_WORDS: Final = frozenset(
    re.findall(
        r"\S+",
        "研究 调研 分析 市场 行业 趋势 现状 风险 成本 报告 资料 出处 情况 发展 前景 业的 的成 的现 的发 什么 如何 多少 "
        "research analyse analyze analysis market markets industry trend trends report sources source with about what "
        "does from that this have were will into study their figures state cost costs risks documents",
    )
)
# A place by its form: 南山区, "in Nanshan"; not 小区 or 区域.
_PLACE: Final = compile_later(
    r"([\u4e00-\u9fff]{2})(?:市|县|(?<![小邻社城郊片全该])区(?![域别间]))|\b(?:in|at|around|near) ([A-Z][a-z]{3,})"
)


async def names_other_value(state: TurnState, results: Results | None = None) -> bool:
    """Whether the message names another value of a fact, such as another place: then it is a new request.

    Words of the results on screen do not count, nor those of the skill in use, whose sample may be called by them (合同
    in 示例合同); without `results` they are loaded if it comes to them.
    """
    message, skill = state.request.message, state.skill.active
    facts = await state.journal.load_facts()
    own = "\n".join((skill.title, *skill.titles.values(), *skill.triggers)) if skill is not None else ""
    named = [one for one in facts if _names_other_option(message, one, own)]
    if not named:
        return _names_unknown_place(message, facts)
    shown = await load_results(state) if results is None else results
    headings = [text for table in shown.tables for text in (table.title, *(one.title for one in table.columns))]
    on_screen = "\n".join([own, *headings, *(chart.title for chart in shown.charts)])
    return any(_names_other_option(message, one, on_screen) for one in named)


def names_other_place(text: str, facts: Sequence[Fact]) -> bool:
    """Whether a text names another value of a fact than the conversation has."""
    return any(_names_other_option(text, one, "") for one in facts)


def is_about_other(text: str, facts: Sequence[Fact], said: str) -> bool:
    """Whether a text is about something else than the conversation: another value of a fact, or another subject.

    A subject is a fact in the user's own words; what shares no word with it is about something else.
    """
    subjects = [one.value for one in facts if isinstance(one.value, str) and _is_in_words(one.value, said)]
    words = [_content_words(one) for one in subjects]
    return names_other_place(text, facts) or (bool(words) and not any(one & _content_words(text) for one in words))


def _is_in_words(value: str, said: str) -> bool:
    return len(_content_words(value)) > 1 and value.casefold() in said.casefold()


def _content_words(text: str) -> frozenset[str]:
    """Pairs of Chinese characters and English words, without those of any order."""
    pairs = {text[at : at + 2] for at in range(len(text) - 1) if _PAIR.fullmatch(text[at : at + 2])}
    return frozenset((pairs | set(_WORD.findall(text.casefold()))) - _ORDER_WORDS)


def _names_unknown_place(message: str, facts: Sequence[Fact]) -> bool:
    """Whether the message names a place that a fact about places does not have."""
    labels = [one.label for one in facts if any(_PLACE.search(f"in {option.label}") for option in one.options)]
    places = [found[1] or found[2] for found in _PLACE.finditer(message)]
    return bool(labels) and any(place not in label for label in labels for place in places)


def _names_other_option(message: str, fact: Fact, on_screen: str) -> bool:
    """Whether a word of another option stands in the message that neither the label of the value nor a heading has."""
    others = [one.label for one in fact.options if one.value != fact.value]
    words = {label[at : at + 2] for label in others for at in range(len(label) - 1)}
    words |= {word for label in others for word in re.findall(r"[A-Z][a-z]{3,}|\d+号", label)}
    known = f"{fact.label}\n{on_screen}"
    return any(_PLACE_WORD.fullmatch(word) and word in message and word not in known for word in words)
