"""Finds the triggers and names of skills in a message in one pass."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from metier.routing.text._skill_texts import RoutingText
from metier.textsearch import has_cjk

# Where a word can begin: a run of plain Latin letters and digits, or any other character with the one after it.
_HEAD = re.compile(r"[a-z0-9]+|[^a-z0-9](?=(.?))", re.DOTALL)
_MAX_COUNTED = 3
# A phrase that a description quotes names its skill less surely than a trigger its author chose.
_PHRASE_WORTH = 0.5


class WordHit(NamedTuple):
    """Word and its span in the message."""

    start: int
    end: int
    word: str


class SkillMention(NamedTuple):
    """Span of a message and the skills it names."""

    start: int
    end: int
    skills: Sequence[int]


class WordFinder:
    """Set of folded words to find: Latin ones as whole words (`pdf` is not in `pdfium`), Chinese ones anywhere.

    Words are indexed by what they begin with, a run of Latin letters or two other characters, and looked up by length,
    so the cost does not grow with the number of skills, even where hundreds of names begin with "get".
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(filter(None, words))
        lengths: dict[str, set[int]] = {}
        for word in self._words:
            lengths.setdefault(_read_head(word), set()).add(len(word))
        self._lengths = {head: tuple(sorted(found, reverse=True)) for head, found in lengths.items()}

    def find(self, message: str) -> list[WordHit]:
        """Find every occurrence in a folded message, left to right; at the same start the longer word first."""
        lengths, words = self._lengths, self._words
        hits: list[WordHit] = []
        for head in _HEAD.finditer(message) if words else ():
            start, said = head.start(), head[0]
            found = lengths.get(said, ())
            if after := head[1]:
                found = (*lengths.get(said + after, ()), *found)
            for length in found:
                word = message[start : start + length]
                if word in words and _is_whole_word(message, start, word):
                    hits.append(WordHit(start, start + len(word), word))
        return sorted(set(hits), key=lambda hit: (hit.start, -hit.end))


class TriggerIndex:
    """Index from trigger or name to skills; a skill is its position in the texts."""

    def __init__(self, texts: Sequence[RoutingText]) -> None:
        self.ids = tuple(text.skill for text in texts)
        self.words = WordFinder(name for text in texts for name in text.names)
        self._triggers = _index_by_word(text.triggers for text in texts)
        self._names = _index_by_word(text.names for text in texts)
        self._phrases = _index_by_word(text.phrases for text in texts)
        self._finder = WordFinder(self._triggers)
        self._phrase_finder = WordFinder(self._phrases)

    def find_hits(self, message: str) -> dict[int, tuple[str, ...]]:
        """Triggers found in a folded message, by skill; skills without any are absent."""
        return _group_hits(self._finder.find(message), self._triggers)

    def find_phrases(self, message: str) -> dict[int, tuple[str, ...]]:
        """Phrases that descriptions quote and a folded message has, by skill."""
        return _group_hits(self._phrase_finder.find(message), self._phrases)

    def find_mentions(self, message: str) -> list[SkillMention]:
        """Spans of a folded message that hold a trigger or name, with the skills they name."""
        return [SkillMention(hit.start, hit.end, self._names[hit.word]) for hit in self.words.find(message)]

    def weigh_hits(self, hits: Mapping[int, Sequence[str]]) -> dict[int, float]:
        """Weight of the found triggers by skill; a trigger shared by n skills counts 1/n."""
        return _sum_shares(hits, self._triggers)

    def weigh_phrases(self, hits: Mapping[int, Sequence[str]]) -> dict[int, float]:
        """Weight of the found phrases by skill, half of that of triggers."""
        return {skill: _PHRASE_WORTH * worth for skill, worth in _sum_shares(hits, self._phrases).items()}

    def find_by_names(self, words: Iterable[str]) -> dict[int, tuple[str, ...]]:
        """Skills that have any of the words as a name, with those words."""
        found: dict[int, list[str]] = {}
        for word in words:
            for skill in self._names.get(word, ()):
                found.setdefault(skill, []).append(word)
        return {skill: tuple(said) for skill, said in found.items()}


def _read_head(word: str) -> str:
    head = _HEAD.match(word)
    return "" if head is None else head[0] + (head[1] or "")


def _group_hits(hits: Iterable[WordHit], skills: Mapping[str, Sequence[int]]) -> dict[int, tuple[str, ...]]:
    found: dict[int, dict[str, None]] = {}
    for hit in hits:
        for skill in skills[hit.word]:
            found.setdefault(skill, {})[hit.word] = None
    return {skill: tuple(words) for skill, words in found.items()}


def _sum_shares(hits: Mapping[int, Sequence[str]], skills: Mapping[str, Sequence[int]]) -> dict[int, float]:
    shares = {skill: sorted((1 / len(skills[word]) for word in words), reverse=True) for skill, words in hits.items()}
    return {skill: sum(found[:_MAX_COUNTED]) for skill, found in shares.items()}


def _index_by_word(words_of_each: Iterable[Sequence[str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for skill, words in enumerate(words_of_each):
        for word in words:
            places.setdefault(word, []).append(skill)
    return places


def _is_whole_word(message: str, start: int, word: str) -> bool:
    end = start + len(word)
    before = message[start - 1] if start else " "
    after = message[end] if end < len(message) else " "
    return not (_is_same_word(before, word[0]) or _is_same_word(word[-1], after))


def _is_same_word(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and not has_cjk(left) and not has_cjk(right)
