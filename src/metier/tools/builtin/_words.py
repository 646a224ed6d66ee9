"""Split text into search terms; CJK text is split into characters and character pairs.

FTS5's trigram tokenizer matches no word of two characters, and most Chinese words have two.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_CJK = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_RUN: Final = re.compile(f"[{_CJK}]+|[^\\W_{_CJK}]+")
_IS_CJK: Final = re.compile(f"[{_CJK}]")
_APOSTROPHE: Final = re.compile("['’]")
# Invisible characters: controls, zero widths, bidirectional overrides, tag characters.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
# Stop words.
# fmt: off
_STOP_WORDS: Final = frozenset((
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "did", "for", "from", "has", "have", "how",
    "i", "in", "is", "it", "me", "my", "of", "on", "or", "our", "the", "their", "this", "that", "to", "was",
    "we", "were", "what", "when", "where", "which", "who", "why", "with", "you", "your", "的", "了", "吗", "呢",
    "吧", "是", "在", "我", "你", "他", "她", "和", "与", "有",
))
# fmt: on
_QUESTION_WORDS: Final = re.compile(
    "为什么|是什么|什么|怎么样|怎么|怎样|哪些|哪个|哪里|多少|如何|请问|一下|[吗呢吧](?=\\W|$)"
)


def strip_invisible(text: str) -> str:
    """Remove invisible characters."""
    return _INVISIBLE.sub("", text)


def fold_text(text: str) -> str:
    """Normalise width, form and case; apostrophes are dropped, so that `don't` equals `dont`."""
    return _APOSTROPHE.sub("", unicodedata.normalize("NFKC", strip_invisible(text))).lower()


def extract_index_terms(text: str) -> list[str]:
    """Return all terms a text can be found by: words, and for CJK single characters and pairs."""
    found: list[str] = []
    for run in _RUN.findall(fold_text(text)):
        if _IS_CJK.match(run):
            found.extend((*run, *_split_pairs(run)))
        else:
            found.append(run)
    return found


def extract_query_terms(text: str) -> list[str]:
    """Return the distinct terms to search for: words and pairs; a single CJK character only if it stands alone.

    Stop words ("what", "的", "怎么") are dropped unless there is nothing else.
    """
    low = fold_text(text)
    asked = _split_terms(_QUESTION_WORDS.sub(" ", low)) or _split_terms(low)
    telling = [term for term in asked if term not in _STOP_WORDS and "的" not in term]
    return list(dict.fromkeys(telling or asked))


def split_characters(terms: Iterable[str]) -> list[str]:
    """Return the characters of CJK terms: the weaker query, used if the pairs match nothing."""
    return list(
        dict.fromkeys(char for term in terms if _IS_CJK.match(term) for char in term if char not in _STOP_WORDS)
    )


def _split_terms(text: str) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(text):
        found.extend(_split_pairs(run) if _IS_CJK.match(run) and len(run) > 1 else [run])
    return found


def _split_pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
