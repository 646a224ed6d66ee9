"""Words of a clause that name something, and how much of them a text has."""

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Final

__all__ = ["EMPTY_ZH", "begins", "content_words", "count_shared", "has_strange_name", "is_covered", "stem", "words_of"]

_EMPTY_EN: Final = frozenset(
    tomllib.loads(files(__package__).joinpath("empty_words.toml").read_text("utf-8"))["english"].split()
)
EMPTY_ZH: Final = re.compile(
    r"[的了着过在到为是和与或及把将向被从对给让也都就还要会能可这那个些上下里中去用成有请您你我他她它们吧呢啊哦呀啦嘛呗吗]+|"
    r"麻烦|帮忙|帮我|一下|现在|改成|改为|换成|变成|改到|应该|已经|不是|而是|目前|全部|所有|统一|领导|说|顺便|别的|其他|"
    r"改|换|变|调|涨|降|提前|推迟|加|减|写|填|放"
)
_OF_WHAT: Final = re.compile(r"\b(?:of|for|in|on|from|with|by|to|at) (?:the |a |an |our |my |this )?([A-Za-z][\w'-]*)")
_NAME: Final = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]{2,}(?:\s+[A-Z][a-z]+)*\b")


def stem(word: str) -> str:
    """A word without the ending that changes with its use."""
    plain = re.sub(r"'s$|'$", "", word.lower())
    return re.sub(r"(?:ing|ed|es|s|e|y|ies)$", "", plain) if len(plain) > 4 else plain


def content_words(text: str) -> list[str]:
    """English words that name something, by their stems."""
    words = re.findall(r"[A-Za-z][A-Za-z'’-]+|(?<![\w.])\d+(?![\w.])", text.replace("’", "'"))
    return [
        stem(one)
        for one in words
        if re.sub(r"'\w*$", "", one.lower()) not in _EMPTY_EN and one.lower() not in _EMPTY_EN
    ]


def words_of(text: str) -> set[str]:
    """Stems of all English words of a text."""
    return {stem(one) for one in re.findall(r"[A-Za-z][A-Za-z'-]+|\d+", text)}


def count_shared(said: str, text: str) -> float:
    """How much of what is said a text has: one for each English word, a half for each Chinese character."""
    own = words_of(text)
    english = sum(1.0 for one in dict.fromkeys(content_words(said)) if one in own or begins(one, own))
    chinese = 0.0
    for chunk in EMPTY_ZH.split(re.sub(r"[^\u4e00-\u9fff]+", "的", said)):
        hits = {at + more for at in range(len(chunk) - 1) if chunk[at : at + 2] in text for more in (0, 1)}
        chinese += len(hits) / 2
    return english + chinese


def begins(word: str, own: Iterable[str]) -> bool:
    """Whether a short form is said: physio for physiotherapy."""
    return len(word) >= 4 and any(one.startswith(word) for one in own if len(one) > len(word) + 2)


def is_covered(said: str, text: str) -> bool:
    """Whether a text has what is said: what it is about and of what, half of the words, those at the value."""
    words = content_words(said)
    own = words_of(text)
    heads = {*words[:1], *(one for found in _OF_WHAT.finditer(said) for one in content_words(found[1])[:1])}
    known = [one for one in words if one in own or begins(one, own)]
    if len(known) * 2 < len(words) or not heads <= set(known):
        return False
    chunks = [one for one in EMPTY_ZH.split(re.sub(r"[^\u4e00-\u9fff]+|人民币|大约|约", "的", said)) if len(one) > 1]
    return not chunks or count_shared(chunks[-1], text) * 2 >= 0.6 * len(chunks[-1])


def has_strange_name(said: str, texts: Iterable[str]) -> str:
    """A name in what is said that no text has; empty if there is none."""
    known = " ".join(texts).lower()
    for found in _NAME.finditer(said):
        if found[0].split()[0].lower() not in _EMPTY_EN and not any(part.lower() in known for part in found[0].split()):
            return found[0]
    return ""
