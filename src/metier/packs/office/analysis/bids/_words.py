"""The words by which a requirement and a line of the bid are compared: what is asked for, without values and modals."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from metier.packs.office.analysis.bids._marks import cut_marks, list_names
from metier.packs.office.analysis.bids._quantities import cut_quantities

__all__ = ["CLAUSES", "lacks_words", "list_answer_pairs", "list_pairs", "list_traces"]

CLAUSES: Final = re.compile(r"[，,；;。！!\n]")
_TYPES: Final = re.compile(
    r"投标人|供应商|响应人|承包人|中标人|我方|我公司|我司|本公司|应当|必须|不得|具有|具备|取得|通过|持有|提供|配备|配置|支持|满足|采用|"
    r"要求|人民币|本项目|所投|的|及以上|以上|、|"
    # Parties, modals and articles of an English requirement ask for nothing by themselves.
    r"(?i:\b(?:the|an?|suppliers?|bidders?|tenderers?|contractors?|vendors?|shall|must|should|will|we|our|be|is|are)\b)"
)
_COMMON: Final = frozenset(
    {"least", "with", "from", "than", "each", "more", "that", "this", "within", "after", "before"}
)
# Words of one character, which are parts of a noun where one other is left without them: `内存`, `前端`, `等保`.
_PARTICLES: Final = re.compile(r"[须应等为在于后前内且并或和与及]")


def _list_content(text: str) -> list[str]:
    """Words that say what is asked for, without label, values, marks and modal words."""
    found: list[str] = []
    for run in _list_runs(text):
        parts = [part for part in _PARTICLES.split(run) if part]
        found += [run] if any(len(part) == 1 for part in parts) else parts
    return found


def list_pairs(text: str) -> frozenset[str]:
    """Pairs of neighbouring characters, and the standards and names with numbers."""
    return list_names(text) | frozenset(_pair_up(_list_content(text)))


def list_answer_pairs(text: str) -> frozenset[str]:
    """Pairs of an answer, which may hold a particle of its own before the noun that is asked for: `现场响应时间`."""
    return list_pairs(text) | frozenset(_pair_up(_list_runs(text)))


def list_traces(text: str) -> frozenset[str]:
    """What shows that a line speaks of the same: pairs of Chinese characters, and whole words of another language."""
    words = {word for word in re.findall(r"[a-z]{4,}", _TYPES.sub(" ", text).lower()) if word not in _COMMON}
    return frozenset(words) | frozenset(pair for pair in list_answer_pairs(text) if not pair.isascii())


def _list_runs(text: str) -> list[str]:
    plain = _TYPES.sub(" ", cut_quantities(cut_marks(text)))
    return [run for run in re.split(r"[\W\d_]+", plain) if run]


def _pair_up(words: Iterable[str]) -> Iterator[str]:
    return (word[at : at + 2] for word in words for at in range(len(word) - 1))


def lacks_words(asked: str, said: str) -> bool:
    """Whether two neighbouring characters of the requirement's words stand nowhere in the answer."""
    return any(pair[0] not in said and pair[1] not in said for pair in _pair_up(_list_content(asked)))
