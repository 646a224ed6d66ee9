"""Search terms of Chinese and English text, and BM25.

Words where the script separates them, characters and character n-grams where it does not. On Chinese, default
tokenizers score 2–6 %, a dictionary 53 %, character bigrams 59 %; bigrams need no dictionary.
"""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final, NamedTuple

from metier.patterns import compile_later

__all__ = [
    "Bm25",
    "Terms",
    "extract_label_terms",
    "extract_query_terms",
    "extract_terms",
    "extract_words",
    "fold",
    "has_cjk",
    "id_to_words",
    "lower_keep_length",
    "normalize_text",
    "split_characters",
    "strip_apostrophes",
    "strip_invisible",
    "to_simplified",
]

_CJK: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_RUN: Final = compile_later(f"[{_CJK}]+|[^\\W_{_CJK}]+")
_HAS_CJK: Final = compile_later(f"[{_CJK}]")
# Controls that are no white space, zero widths, bidirectional overrides, tag characters, halves of characters.
_INVISIBLE: Final = compile_later(
    "[\x00-\x08\x0e-\x1f\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_CACHED_WORDS: Final = 2_048
_APOSTROPHE: Final = compile_later("['’]")
_CAMEL: Final = compile_later(r"(?<=[a-z0-9])(?=[A-Z])")
# fmt: off
_STOP_WORDS: Final = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "did", "for", "from", "has", "have", "how",
    "i", "in", "is", "it", "me", "my", "of", "on", "or", "our", "the", "their", "this", "that", "to", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "with", "you", "your", "的", "了", "吗", "呢",
    "吧", "是", "在", "我", "你", "他", "她", "和", "与", "有",
))
# fmt: on
_QUESTION_WORDS: Final = compile_later(
    "为什么|是什么|什么|怎么样|怎么|怎样|哪些|哪个|哪里|多少|如何|请问|一下|[吗呢吧](?=\\W|$)"
)


class Terms(NamedTuple):
    """Words and character n-grams (`pieces`) of a text; pieces start with `#` so that both share one vocabulary."""

    words: list[str]
    pieces: list[str]


def strip_invisible(text: str) -> str:
    """Remove characters that nobody sees: controls, zero widths, bidirectional overrides, halves of characters."""
    return _INVISIBLE.sub("", text)


def normalize_text(text: str) -> str:
    """Apply NFKC and drop invisible characters; case is kept."""
    return unicodedata.normalize("NFKC", strip_invisible(text))


def strip_apostrophes(text: str) -> str:
    """Remove apostrophes, so that `don't` and `dont` are one word."""
    return _APOSTROPHE.sub("", text)


def lower_keep_length(text: str) -> str:
    """Lower-case without changing the length, so that offsets stay valid."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(char.lower()[:1] for char in text)


def to_simplified(text: str) -> str:
    """Write traditional Chinese characters as simplified ones, one for one; other text is unchanged."""
    if not _HAS_CJK.search(text):
        return text
    try:
        # Text within GB 2312 has no traditional characters: most messages never load the table.
        text.encode("gb2312", "strict")
    except UnicodeEncodeError:
        return text.translate(_load_simplified())
    return text


@cache
def _load_simplified() -> Mapping[int, str]:
    """Table of OpenCC; empty if its package lacks the file."""
    path = resources.files("opencc") / "dictionary" / "TSCharacters.txt"
    if not path.is_file():
        return {}
    rows = (line.split() for line in path.read_text("utf-8").splitlines())
    return {ord(row[0]): row[1] for row in rows if len(row) > 1 and len(row[0]) == len(row[1]) == 1}


def fold(text: str) -> str:
    """Fold case, width, compatibility forms and apostrophes; drop control characters."""
    return lower_keep_length(strip_apostrophes(normalize_text(text)))


def has_cjk(text: str) -> bool:
    """Whether the text has any Chinese, Japanese or Korean character."""
    return bool(_HAS_CJK.search(text))


def id_to_words(name: str) -> str:
    """Split an id into words: `weekly-report`, `weekly_report` and `weeklyReport` become "weekly report"."""
    return _CAMEL.sub(" ", name.replace("_", " ").replace("-", " ")).strip()


def extract_terms(text: str) -> Terms:
    """Extract words (Chinese: characters and bigrams) and pieces (2- to 4-grams; Chinese: bigrams and trigrams)."""
    found = Terms([], [])
    for run, is_cjk in _iter_runs(fold(text)):
        if is_cjk:
            pairs = _split_ngrams(run, 2)
            found.words.extend((*run, *pairs))
            found.pieces.extend(f"#{gram}" for gram in (*pairs, *_split_ngrams(run, 3)))
        else:
            found.words.append(run)
            found.pieces.extend(_split_word(run))
    return found


def extract_words(text: str) -> list[str]:
    """Extract the words a text can be found by; for Chinese, characters and bigrams."""
    found: list[str] = []
    for run, is_cjk in _iter_runs(fold(text)):
        found.extend((*run, *_split_ngrams(run, 2)) if is_cjk else (run,))
    return found


def extract_label_terms(text: str) -> list[str]:
    """Extract the terms that name a subject: words; for Chinese, bigrams, or a character that stands alone."""
    found: list[str] = []
    for run, is_cjk in _iter_runs(fold(text)):
        found.extend(_split_ngrams(run, 2) if is_cjk and len(run) > 1 else (run,))
    return found


def extract_query_terms(text: str) -> list[str]:
    """Extract the distinct terms to search for: label terms without stop words ("what", "的", "怎么").

    Stop words stay if there is nothing else.
    """
    low = fold(text)
    asked = extract_label_terms(_QUESTION_WORDS.sub(" ", low)) or extract_label_terms(low)
    telling = [term for term in asked if term not in _STOP_WORDS and "的" not in term]
    return list(dict.fromkeys(telling or asked))


def split_characters(terms: Iterable[str]) -> list[str]:
    """Return the characters of CJK terms: the weaker query, for when the bigrams match nothing."""
    return list(dict.fromkeys(char for term in terms if has_cjk(term) for char in term if char not in _STOP_WORDS))


def _iter_runs(folded: str) -> Iterator[tuple[str, bool]]:
    return ((run, bool(_HAS_CJK.match(run))) for run in _RUN.findall(folded))


@lru_cache(_CACHED_WORDS)
def _split_word(word: str) -> tuple[str, ...]:
    """Pieces of a word; the words of a catalog's texts repeat."""
    return tuple(f"#{gram}" for size in (2, 3, 4) for gram in _split_ngrams(f"_{word}_", size))


def _split_ngrams(run: str, size: int) -> list[str]:
    return [run[at : at + size] for at in range(len(run) - size + 1)]


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25 over a collection: `k1` says how much repetition counts, `b` how much the length of a document does.

    Counts come from the caller, so that documents can be added and dropped without an index to rebuild. Routing weighs
    words by a formula of its own: there one skill must not change the score of another.
    """

    documents: int
    mean_length: float
    k1: float = 1.2
    b: float = 0.75

    def idf(self, holders: int) -> float:
        """Weight of a term that this many documents hold."""
        return math.log(1 + (self.documents - holders + 0.5) / (holders + 0.5))

    def score(self, weights: Mapping[str, float], counts: Mapping[str, int], length: int) -> float:
        """Score of a document: the weights of the terms it holds, each up to `k1 + 1` times."""
        usual = self.k1 * (1 - self.b + self.b * length / self.mean_length)
        held = ((weight, counts[term]) for term, weight in weights.items() if counts.get(term, 0) > 0)
        return sum(weight * count * (self.k1 + 1) / (count + usual) for weight, count in held)
