"""Aspects of a decision and their weights, as numbers, in words or by their order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.language import Language, choose

MAX_WEIGHT: Final = 10.0
_MAX_CRITERIA: Final = 8
_MAX_NAME: Final = 24
_CRITERION: Final = re.compile(r"([^\d,，;；、:：=\n]+?)\s*[:：=]?\s*(\d+(?:\.\d+)?)(?=$|[,，;；、\s])")
# What the importance of an aspect is called; the first that fits counts, and its words are no part of the name.
_IMPORTANCE: Final = tuple(
    (weight, re.compile("|".join(patterns), re.IGNORECASE))
    for weight, patterns in (
        (
            1.0,
            (
                r"最?不(?:太|怎么)?(?:重要|看重|在乎)|无所谓|\bunimportant\b",
                r"\b(?:is |are )?(?:the )?least(?: important| of all)?\b",
                r"\b(?:does not|doesn't|don't|do not|not) (?:really )?(?:matter|important)\b",
            ),
        ),
        (
            5.0,
            (
                r"是?最(?:重要|看重|在乎|关键|要紧)的?是?|^(?:首先|第一)(?:是|位)?|(?:排|放)?在?第一位?$|首位$",
                r"\b(?:is |are |matters? )?(?:the )?most(?: important| of all)?\b",
                r"\b(?:comes? |is )?first\b|\babove all\b",
            ),
        ),
        (
            2.0,
            (
                r"(?:就|比较|都)?(?:一般般?|次要|普通|随意|还好|还行)$|^(?:最后|末尾)才?是?",
                r"\b(?:is |are )?(?:less important|so-so)\b|\bmatters? (?:a )?little\b|\b(?:comes? |is )?last(?:ly)?\b",
            ),
        ),
        (3.0, (r"^(?:再次|再其次|第三)(?:是|位)?|(?:排|放)?在?第三位?$|\b(?:comes? |is )?third(?:ly)?\b",)),
        (
            4.0,
            (
                r"^(?:其次|然后|接着|第二)(?:是|位)?|(?:排|放)?在?第二位?$|(?:也|很|比较|挺|蛮)?(?:重要|看重)$",
                r"\b(?:and )?(?:then|next)\b|\b(?:comes? |is )?second(?:ly)?\b",
                r"\b(?:is |are )?(?:very |quite |also )?important\b",
            ),
        ),
    )
)
_ORDERED: Final = re.compile(r"\s*(?:>|＞|大于|重于)\s*")
_BESIDE: Final = re.compile(r"^(?:是|the |is |comes |my )+|(?:是| is| are| comes| matters?)+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Criterion:
    """An aspect with its weight."""

    name: str
    weight: float


def read_criteria(said: str, language: Language) -> tuple[tuple[Criterion, ...], bool]:
    """Aspects with weights, and whether they were read; four common ones of equal weight if not."""
    found = [Criterion(name.strip(), min(float(weight), MAX_WEIGHT)) for name, weight in _CRITERION.findall(said)]
    found = [one for one in found if one.name and one.weight > 0][:_MAX_CRITERIA]
    if found:
        return tuple(found), True
    if ordered := _read_order(said):
        return ordered, True
    names = [part.strip() for part in re.split(r"[,，、;；\s]+", said) if part.strip()]
    if 1 < len(names) <= _MAX_CRITERIA and all(len(name) <= 12 for name in names):
        return tuple(Criterion(name, 3.0) for name in names), True
    common = choose(language, zh=("收入", "成长", "稳定", "生活"), en=("income", "growth", "stability", "daily life"))
    return tuple(Criterion(name, 3.0) for name in common), False


def reweigh(said: str, criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The same aspects with new weights if a message gives weights of them in place of scores; else nothing."""
    given = {name.strip(): min(float(weight), MAX_WEIGHT) for name, weight in _CRITERION.findall(said)}
    new = [next((value for name, value in given.items() if name and name in one.name), None) for one in criteria]
    if len(given) != len(criteria) or any(not value for value in new):
        return ()
    return tuple(Criterion(one.name, value or one.weight) for one, value in zip(criteria, new, strict=True))


def _read_order(said: str) -> tuple[Criterion, ...]:
    """Aspects whose weights are said in words or by their order: 收入最重要，其次成长; pay > growth. Empty if not."""
    listed = [part.strip(" 。.!！") for part in _ORDERED.split(said)]
    if 1 < len(listed) <= _MAX_CRITERIA and all(0 < len(one) <= _MAX_NAME for one in listed):
        return tuple(Criterion(name, max(5.0 - at, 1.0)) for at, name in enumerate(listed))
    parts = [part.strip(" 。.!！") for part in re.split(r"[,，、;；\n]+|\band\b", said, flags=re.IGNORECASE)]
    found = [_read_importance(part) for part in parts if part]
    if not 1 < len(found) <= _MAX_CRITERIA or all(weight is None for _, weight in found):
        return ()
    if not all(0 < len(name) <= _MAX_NAME for name, _ in found):
        return ()
    return tuple(Criterion(name, weight or 3.0) for name, weight in found)


def _read_importance(part: str) -> tuple[str, float | None]:
    """The name of an aspect without the words of its importance, and the weight that they mean."""
    for weight, pattern in _IMPORTANCE:
        if pattern.search(part):
            return _BESIDE.sub("", pattern.sub("", part).strip()).strip(" :："), weight
    return part, None
