"""Spelling: words of a message that nobody knows, replaced by the one known word a slip away.

An encoder breaks a misspelt word into pieces that mean something else. Known are the words of the catalog and the
words of the English encoder's vocabulary; names, codes and words with capitals or digits are left alone. The word that
begins a sentence has a capital without being a name; it may be one, so only surer slips of it are corrected.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

# Chinese characters are no part of a Latin word beside them: 做个pptt汇报.
_WORD: Final = re.compile(
    r"(?<![A-Za-z0-9_@./\\#:-])(?:[a-z]|(?:(?<=^)|(?<=[.!?\n]\s)|(?<=\n))[A-Z])[a-z]{3,19}(?![A-Za-z0-9_@/\\-]|\.\w)"
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
# Endings that the vocabulary spells as a piece of its own.
_ENDINGS: Final = ("s", "es", "d", "ed", "ing", "ly", "er", "ers", "r", "ness", "able", "al", "ize", "ise", "ized")
_LONGER: Final = ("d", "ed", "s", "ing")
_WRONG_LETTER: Final = 2
_MIN_SURE_CHARS: Final = 6
_MAX_FIXES: Final = 6
_MAX_CHARS: Final = 2_000


class Correction(NamedTuple):
    """Word as it was written, and as it is read."""

    written: str
    read: str


def correct_spelling(
    message: str, is_in_catalog: Callable[[str], bool], load_words: Callable[[], Mapping[str, int]]
) -> tuple[str, tuple[Correction, ...]]:
    """Correct unknown words of a message; returns the text that is read, and what was corrected.

    `load_words` gives common words with their rank, if there are any.
    """
    if len(message) > _MAX_CHARS or not _WORD.search(message):
        return message, ()
    words = load_words()
    fixes: dict[str, str] = {}
    for written in dict.fromkeys(_WORD.findall(message)):
        word = written.lower()
        is_known = len(fixes) == _MAX_FIXES or _is_in_catalog(word, is_in_catalog) or _is_word(word, words)
        if not is_known and (better := _find_nearest(word, is_in_catalog, words, may_be_name=word != written)):
            fixes[written] = better
    if not fixes:
        return message, ()
    text = _WORD.sub(lambda found: fixes.get(found[0], found[0]), message)
    return text, tuple(Correction(*pair) for pair in fixes.items())


def _is_in_catalog(word: str, has: Callable[[str], bool]) -> bool:
    """Whether the catalog has the word or a longer form of it.

    "refactor" is in order where it says refactoring, and "invoic" is not where it says invoice and invoicing.
    """
    return has(word) or (any(has(f"{word}{ending}") for ending in _LONGER) and not has(f"{word}e"))


def _is_word(word: str, words: Mapping[str, int]) -> bool:
    if not words or word in words:
        return True
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    if any(f"{word}{ending}" in words for ending in _LONGER):
        return True
    return any(form in words for stem in stems if len(stem) > 1 for form in _list_forms(stem))


def _list_forms(stem: str) -> tuple[str, ...]:
    """Words that a stem may come from: "mak" from make, "runn" from run, "polici" from policy."""
    single = (stem[:-1],) if stem[-1] == stem[-2] else ()
    return (stem, f"{stem}e", *single, *((f"{stem[:-1]}y",) if stem.endswith("i") else ()))


def _find_nearest(
    word: str, is_in_catalog: Callable[[str], bool], words: Mapping[str, int], *, may_be_name: bool
) -> str:
    """Word one edit away: of the catalog before any other, then the most common; empty if there is none."""
    # A slip seldom hits the first letter, and swaps, drops or doubles letters more often than it takes a wrong one.
    found = [
        (not is_in_catalog(near), near[0] != word[0], cost, words.get(near, len(words)), near)
        for near, cost in _iter_edits(word)
        if (is_in_catalog(near) and not (may_be_name and (cost == _WRONG_LETTER or near[0] != word[0])))
        or (_is_sure(word, near, cost) and near in words)
    ]
    return min(found)[-1] if found else ""


def _is_sure(word: str, near: str, cost: int) -> bool:
    """Whether a word outside the catalog may be corrected: schema is not scheme, and churn is not chun."""
    return cost < _WRONG_LETTER and near[0] == word[0] and (cost == 0 or len(word) >= _MIN_SURE_CHARS)


def _iter_edits(word: str) -> Iterator[tuple[str, int]]:
    """Words one edit away, each with the cost of the edit."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:], 0
        if tail and len(word) > 1:
            yield head + tail[1:], 1
        for letter in _LETTERS:
            yield head + letter + tail, 1
            if tail:
                yield head + letter + tail[1:], _WRONG_LETTER
