"""Glossary of domain synonyms: 物理资源块 is PRB."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.routing.text._triggers import WordFinder
from metier.textsearch import Terms, extract_terms, fold

_NO_TERMS: Final[Mapping[str, Iterable[str]]] = MappingProxyType({})
_MIN_PART_CHARS: Final = 3


class WordSynonyms(NamedTuple):
    """Terms of a word in a message, and of each other word that says the same."""

    said: Terms
    others: Sequence[Terms]


class Glossary:
    """Groups of synonyms; a message with one word of a group also matches skills with the others.

    `documented` are the terms that documents explain, by the group of skills that has the documents.
    """

    def __init__(
        self, groups: Iterable[Sequence[str]] = (), documented: Mapping[str, Iterable[str]] = _NO_TERMS
    ) -> None:
        self._documented = {group: frozenset(map(fold, words)) for group, words in documented.items()}
        self._groups: dict[str, dict[str, None]] = {}
        for group in groups:
            words = dict.fromkeys(word for word in map(fold, group) if word.strip())
            for word in words:
                self._groups.setdefault(word, {}).update(words)
        self._finder = WordFinder(self._groups)

    def find_synonyms(self, message: str) -> tuple[str, ...]:
        """Find the synonyms of the words in a message that are not in it; works without spaces too."""
        said = dict.fromkeys(hit.word for hit in self._finder.find(fold(message)))
        others = dict.fromkeys(word for found in said for word in self._groups[found])
        return tuple(word for word in others if word not in said)

    def extract_synonyms(self, message: str, known: Callable[[str], bool]) -> tuple[WordSynonyms, ...]:
        """Words in a message with their synonyms that are not in it and have known words only, as terms.

        A word within a longer one is a part of it.
        """
        hits = self._finder.find(fold(message))
        said, ends_at = {hit.word for hit in hits}, 0
        found: dict[str, WordSynonyms] = {}
        for hit in hits:
            if hit.end > ends_at:
                terms = [extract_terms(word) for word in self._groups[hit.word] if word not in said]
                if able := [one for one in terms if all(map(known, one.words))]:
                    found[hit.word] = WordSynonyms(extract_terms(hit.word), able)
            ends_at = max(ends_at, hit.end)
        return tuple(found.values())

    def find_documented(self, term: str) -> tuple[str, ...]:
        """Groups whose documents explain a folded term: it is one of theirs, or a long part of one (内圈故障频率)."""
        named = tuple(group for group, words in self._documented.items() if _is_same_term(term, words))
        if named or len(term) < _MIN_PART_CHARS or term.isascii():
            return named
        return tuple(group for group, words in self._documented.items() if any(term in word for word in words))

    def expand(self, message: str, known: Callable[[str], bool] | None = None) -> Terms:
        """Extract the terms of a message and of its synonyms.

        With `known`, synonyms with an unknown word are skipped: they match nothing and would only lower the share of
        the other terms.
        """
        found = extract_terms(message)
        for synonym in self.find_synonyms(message):
            more = extract_terms(synonym)
            if known is None or all(known(word) for word in more.words):
                found.words.extend(more.words)
                found.pieces.extend(more.pieces)
        return found


def _is_same_term(term: str, words: frozenset[str]) -> bool:
    """Whether the term is one of the words; in English also in the plural."""
    return term in words or term.removesuffix("s") in words
