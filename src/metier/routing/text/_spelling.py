"""Spelling: words of a message that nobody knows, replaced by the one known word a slip away.

An encoder breaks a misspelt word into pieces that mean something else. Known are the words of the catalog, the words of
the English encoder's vocabulary and rare words from a list; names, codes and words with capitals or digits are left
alone. The word that begins a sentence has a capital without being a name; it may be one, so only surer slips of it are
corrected.
"""

import re
from collections.abc import Callable, Container, Mapping
from functools import cache
from typing import Final, NamedTuple

# Chinese characters are no part of a Latin word beside them: 做个pptt汇报.
MIN_WORD_CHARS: Final = 4
MAX_WORD_CHARS: Final = 20
_WORD: Final = re.compile(
    r"(?<![A-Za-z0-9_@./\\#:-])(?:[a-z]|(?:(?<=^)|(?<=[.!?\n]\s)|(?<=\n))[A-Z])"
    rf"[a-z]{{{MIN_WORD_CHARS - 1},{MAX_WORD_CHARS - 1}}}(?![A-Za-z0-9_@/\\-]|\.\w)"
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
# Endings that the vocabulary spells as a piece of its own.
_ENDINGS: Final = ("s", "es", "d", "ed", "ing", "ly", "er", "ers", "r", "ness", "able", "al", "ize", "ise", "ized")
_LONGER: Final = ("d", "ed", "s", "ing")
# Rows of a keyboard, each half a key to the right of the one above: a finger hits the key beside.
_KEYS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_WRONG_LETTER: Final = 2
_MIN_SURE_CHARS: Final = 6
_MAX_FIXES: Final = 6
_MAX_CHARS: Final = 2_000


class Correction(NamedTuple):
    """Word as it was written, and as it is read."""

    written: str
    read: str


def correct_spelling(
    message: str,
    terms: Container[str],
    load_words: Callable[[], Mapping[str, int]],
    load_rare: Callable[[], Container[str]] = frozenset,
) -> tuple[str, tuple[Correction, ...]]:
    """Correct unknown words of a message; returns the text that is read, and what was corrected.

    `terms` are those of the catalog; `load_words` gives common words with their rank, if there are any, and `load_rare`
    words that are right as they are written, and seldom meant by another.
    """
    if len(message) > _MAX_CHARS or not _WORD.search(message):
        return message, ()
    words = load_words()
    fixes: dict[str, str] = {}
    for written in dict.fromkeys(_WORD.findall(message)):
        word = written.lower()
        if len(fixes) == _MAX_FIXES or not words or _is_in_catalog(word, terms) or is_known_word(word, words):
            continue
        better = _find_nearest(word, terms, words, may_be_name=word != written)
        if better and not is_known_word(word, load_rare()):
            fixes[written] = better
    if not fixes:
        return message, ()
    text = _WORD.sub(lambda found: fixes.get(found[0], found[0]), message)
    return text, tuple(Correction(*pair) for pair in fixes.items())


def _is_in_catalog(word: str, terms: Container[str]) -> bool:
    """Whether the catalog has the word or a longer form of it.

    "refactor" is in order where it says refactoring, and "invoic" is not where it says invoice and invoicing.
    """
    return word in terms or (f"{word}e" not in terms and any(f"{word}{ending}" in terms for ending in _LONGER))


def is_known_word(word: str, words: Container[str]) -> bool:
    """Whether a list has a word, a longer form of it, or a stem that it may come from."""
    return (
        word in words
        or any(f"{word}{ending}" in words for ending in _LONGER)
        or any(form in words for form in list_stems(word))
    )


def list_stems(word: str) -> tuple[str, ...]:
    """Words that a word may come from by its ending: mak and make from making."""
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return tuple(form for stem in stems if len(stem) > 1 for form in _list_forms(stem))


def _list_forms(stem: str) -> tuple[str, ...]:
    """Words that a stem may come from: "mak" from make, "runn" from run, "polici" from policy."""
    single = (stem[:-1],) if stem[-1] == stem[-2] else ()
    return (stem, f"{stem}e", *single, *((f"{stem[:-1]}y",) if stem.endswith("i") else ()))


def _find_nearest(word: str, terms: Container[str], words: Mapping[str, int], *, may_be_name: bool) -> str:
    """Word one edit away: of the catalog before any other, then the most common; empty if there is none."""
    # A slip seldom hits the first letter, and swaps, drops or doubles letters more often than it takes a wrong one.
    found = [
        (near not in terms, near[:1] != word[0], cost, words.get(near, len(words)), near)
        for cost, edits in enumerate(_list_edits(word))
        for near in edits
        if (near in terms and not (may_be_name and (cost == _WRONG_LETTER or near[:1] != word[0])))
        or (near in words and _is_sure(word, near, cost))
    ]
    return min(found)[-1] if found else ""


def _is_sure(word: str, near: str, cost: int) -> bool:
    """Whether a word may be read as one outside the catalog: schema is not scheme, and churn is not chun."""
    if cost == 0:
        return near[0] == word[0] and len(word) > MIN_WORD_CHARS  # cron is not corn
    is_long = cost < _WRONG_LETTER and near[0] == word[0] and len(word) >= _MIN_SURE_CHARS
    return is_long and (len(near) > len(word) or _has_stray_letter(word, near))


def _has_stray_letter(word: str, near: str) -> bool:
    """Whether the letter that a word has more than the other gets there by a slip: bridle is not bride.

    Letters are doubled, the key beside one is hit with it, and a silent e is kept: untill, accopunt, arguement.
    """
    at = next((at for at, letter in enumerate(near) if letter != word[at]), len(near))
    return word[at] == "e" or any(word[at] in _list_beside(letter) for letter in (word[at - 1], *word[at + 1 : at + 2]))


@cache
def _list_beside(letter: str) -> str:
    """The letter, and those on the keys around it."""
    row = next(row for row, keys in enumerate(_KEYS) if letter in keys)
    at = _KEYS[row].index(letter)
    above = _KEYS[row - 1][at : at + 2] if row else ""
    below = _KEYS[row + 1][max(at - 1, 0) : at + 1] if row + 1 < len(_KEYS) else ""
    return _KEYS[row][max(at - 1, 0) : at + 2] + above + below


def _list_edits(word: str) -> tuple[list[str], list[str], list[str]]:
    """Words one edit away, by the cost of the edit: letters swapped; one missing or too many; a wrong one."""
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    swapped = [head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1]
    fewer = [head + tail[1:] for head, tail in halves if tail]
    more = [head + letter + tail for head, tail in halves for letter in _LETTERS]
    wrong = [head + letter + tail[1:] for head, tail in halves if tail for letter in _LETTERS]
    return swapped, fewer + more, wrong
