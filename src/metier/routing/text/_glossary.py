"""Glossary of domain synonyms: 物理资源块 is PRB."""

from collections.abc import Callable, Iterable, Sequence

from metier.routing.text._triggers import WordFinder
from metier.textsearch import Terms, extract_terms, fold


class Glossary:
    """Groups of synonyms; a message with one word of a group also matches skills with the others."""

    def __init__(self, groups: Iterable[Sequence[str]] = ()) -> None:
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
