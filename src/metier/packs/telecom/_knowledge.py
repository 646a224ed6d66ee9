"""Keyword search over the pack's documents: passages can be cited, and unanswerable questions are refused.

A score is the share of the question's term weight that a passage covers (BM25), so it is comparable between questions
and needs no second model to judge it. Synonyms are unified on both sides: 信噪比低 finds passages about SINR.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, choose
from metier.patterns import compile_later
from metier.routing import Glossary
from metier.textsearch import Bm25, extract_words, has_cjk

# Questions our documents answer score 0.4 and more, others 0.22 and less; measured on 18 and 30 of them.
MIN_SCORE: Final = 0.3
_MAX_PASSAGES: Final = 3
_K1: Final = 1.2
_B: Final = 0.4
_HEADING_WEIGHT: Final = 3
# A domain term says more about the subject of a question than the words around it.
_TERM_WEIGHT: Final = 3.0
# The English part of a passage, at its end.
_ENGLISH: Final = "English:"
_HEADING = compile_later(r"^(#{1,3})\s+(.+?)\s*$", re.MULTILINE)
_PARENTHESES = compile_later(r"（[^）]*）|\([^)]*\)")
_STOP_WORDS = compile_later(
    r"多少算|怎么测|怎么产生|怎么统计|请问一下|请问|帮我|给我|我想|我要|想知道|知道|一下|查询|查找|查|看看|说明|解释|介绍|告诉我|什么叫|"
    r"什么是|是什么|什么|怎么样|怎么办|怎么|"
    r"区别|差别|不同|差异|不一样|一样|"
    r"如何|怎样|哪些|哪个|多少|为什么|为何|意思|含义|定义|标准|有关|关于|的|了|吗|呢|吧|请|和|与|是|有|应该|需要|可以|会|要|"
    r"问题|分析|找找|很高|太高|很|太|比较|处理|"
    r"\b(?:what|which|how|why|when|where|is|are|was|the|a|an|of|in|on|for|to|do|does|i|me|my|we|you|please|tell|explain|"
    r"about|mean|means|meaning|define|definition|and|or|should|can|be|it|that|this|with|at|by|there|s|"
    r"difference|differences|between|differ|from|good|bad|normal|count|counts|as|measured|happen|happens|causes?|long|takes?|will)\b",
    re.IGNORECASE,
)


_CHINESE: Final = re.compile(r"[（(]?[\u4e00-\u9fff][^（）()]*[）)]?")


@dataclass(frozen=True, slots=True)
class KnowledgePassage:
    """A part of a document under one heading; `id` is its citation."""

    collection: str
    file: str
    chunk: int
    heading: str
    text: str

    @property
    def id(self) -> str:
        return f"{self.file}#{self.chunk}"

    def title(self, language: Language) -> str:
        """The headings above it in one language, as people find it in the documents."""
        parts = [part.split(" · ") for part in self.heading.split(" › ")]
        titles = [choose(language, zh=part[0], en=_CHINESE.sub("", part[-1])).strip() for part in parts]
        return " › ".join(filter(None, titles))

    @property
    def topic(self) -> str:
        """Last part of the heading."""
        return self.heading.rpartition(" › ")[2]

    @property
    def text_zh(self) -> str:
        """Text without its English part."""
        return self.text.partition(_ENGLISH)[0].strip()

    @property
    def text_en(self) -> str:
        """English part of the text; all of it if there is none."""
        return self.text.partition(_ENGLISH)[2].strip() or self.text


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A passage and the share of the question it covers, from 0 to 1."""

    passage: KnowledgePassage
    score: float

    def to_json(self) -> JsonObject:
        one = self.passage
        return {
            "id": one.id,
            "source": one.file,
            "heading": one.heading,
            "score": round(self.score, 3),
            "text": one.text,
        }


@dataclass(frozen=True, slots=True)
class KnowledgeAnswer:
    """Matches, best first; empty if no passage answers. `synonyms` are the additional words searched for."""

    matches: tuple[PassageMatch, ...]
    best: float
    synonyms: tuple[str, ...]


class Synonyms:
    """Groups of synonyms; the first word of each group represents it."""

    def __init__(self, groups: Iterable[Sequence[str]]) -> None:
        self._groups = tuple(tuple(group) for group in groups if group)
        self._glossary = Glossary(self._groups)
        self._first = {word.lower(): group[0] for group in reversed(self._groups) for word in group}
        longest = sorted(self._first, key=len, reverse=True)
        self._words = re.compile("|".join(map(_word_pattern, longest)) or "(?!)", re.IGNORECASE)

    @property
    def words(self) -> tuple[str, ...]:
        """All words of all groups."""
        return tuple(word for group in self._groups for word in group)

    def find_synonyms(self, text: str) -> tuple[str, ...]:
        """Synonyms of the words in the text."""
        return self._glossary.find_synonyms(text)

    def unify(self, text: str) -> str:
        """Replace each word by the first of its synonym group."""
        return self._words.sub(lambda found: f" {self._first[found[0].lower()]} ", text)

    def split_words(self, text: str) -> list[str]:
        """Split a text into words: Latin words whole, Chinese as bigrams."""
        return [word for word in extract_words(self.unify(text)) if len(word) > 1 or not has_cjk(word)]


class KnowledgeBase:
    """Passages searchable by collection; word rarity is computed over all of them."""

    def __init__(self, passages: Sequence[KnowledgePassage], synonyms: Synonyms, terms: Iterable[str] = ()) -> None:
        self._passages = tuple(passages)
        self._synonyms = synonyms
        self._terms = frozenset(word for term in terms for word in synonyms.split_words(term))
        self._counts = [self._count_words(passage) for passage in self._passages]
        self._lengths = [sum(counted.values()) for counted in self._counts]
        mean_length = sum(self._lengths) / max(1, len(self._lengths))
        self._bm25 = Bm25(len(self._passages), mean_length, _K1, _B)
        self._having = Counter(word for counted in self._counts for word in counted)

    @property
    def passages(self) -> tuple[KnowledgePassage, ...]:
        return self._passages

    def list_words(self, passages: Iterable[KnowledgePassage]) -> tuple[str, ...]:
        """Words that mean the topics of the passages."""
        topics = [name for one in passages for name in re.split("[（）()]", one.topic) if name]
        return (*topics, *(word for name in topics for word in self._synonyms.find_synonyms(name)))

    def search(
        self, question: str, collection: str, *, max_passages: int = _MAX_PASSAGES, min_score: float = MIN_SCORE
    ) -> KnowledgeAnswer:
        """The passages of a collection that answer the question; none if the best score is below `enough`."""
        asked = self._weigh_question(question)
        synonyms = self._synonyms.find_synonyms(question)
        whole = sum(asked.values())
        if not whole:
            return KnowledgeAnswer((), 0.0, synonyms)
        scored = [
            PassageMatch(one, self._score(at, asked) / whole)
            for at, one in enumerate(self._passages)
            if one.collection == collection
        ]
        scored.sort(key=lambda found: (-found.score, found.passage.file, found.passage.chunk))
        best = scored[0].score if scored else 0.0
        kept = tuple(found for found in scored[:max_passages] if found.score >= max(min_score, best / 2))
        return KnowledgeAnswer(kept, best, synonyms)

    def _weigh_question(self, question: str) -> dict[str, float]:
        bare = _STOP_WORDS.sub(" ", question)
        return {word: self._weigh_word(word) for word in self._synonyms.split_words(bare)}

    def _weigh_word(self, word: str) -> float:
        weight = self._bm25.idf(self._having[word])
        return weight * _TERM_WEIGHT if word in self._terms else weight

    def _score(self, at: int, asked: dict[str, float]) -> float:
        return self._bm25.score(asked, self._counts[at], self._lengths[at]) / (_K1 + 1)

    def _count_words(self, passage: KnowledgePassage) -> Counter[str]:
        counted = Counter(self._synonyms.split_words(passage.text))
        for word in self._synonyms.split_words(passage.heading):
            counted[word] += _HEADING_WEIGHT
        return counted


def read_passages(folder: Path) -> tuple[KnowledgePassage, ...]:
    """Read the Markdown files of all subfolders (the collections), split at their headings."""
    return tuple(passage for file in sorted(folder.glob("*/*.md")) for passage in _split_passages(file))


def extract_headings(passages: Iterable[KnowledgePassage]) -> tuple[str, ...]:
    """Headings of the passages without text in parentheses."""
    return tuple(_PARENTHESES.sub("", passage.heading.rpartition(" › ")[2]).strip() for passage in passages)


def _split_passages(file: Path) -> Iterable[KnowledgePassage]:
    text = file.read_text("utf-8")
    found = list(_HEADING.finditer(text))
    title = found[0][2] if found else file.stem
    chunk = 0
    for at, heading in enumerate(found):
        until = found[at + 1].start() if at + 1 < len(found) else len(text)
        body = text[heading.end() : until].strip()
        if not body:
            continue
        chunk += 1
        path = heading[2] if heading[2] == title else f"{title} › {heading[2]}"
        yield KnowledgePassage(file.parent.name, file.stem, chunk, path, body)


def _word_pattern(word: str) -> str:
    """Regex of a word: a Latin word matches only as a whole, a Chinese one anywhere."""
    left = r"(?<![A-Za-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    right = r"(?![A-Za-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return f"{left}{re.escape(word)}{right}"
