"""Words of what skills say they are not for, found in a message."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from metier.routing.text._skill_texts import RoutingText
from metier.textsearch import extract_query_terms

# fmt: off
_GENERIC: Final = frozenset((
    "use", "used", "using", "see", "skill", "skills", "not", "no", "instead", "when", "if", "user", "please", "prefer",
    "handle", "cover", "support", "trigger", "task", "tasks", "work", "any", "other", "directly", "need", "dont",
    "invoke", "apply", "scope", "request", "requests", "wants", "want", "asks", "ask", "about", "only", "this",
    "适用", "用于", "不要", "使用", "不用", "不适", "处理", "负责", "情况", "场景", "其他", "技能", "请用", "用户",
    "时候", "如果",
))
# fmt: on


# Share of a sentence's words that a message must have: single ones ("page" of "landing page copy") say nothing.
_MIN_SHARE: Final = 0.75


class _Scope(NamedTuple):
    """What one skill is not for, and words of the case in which it is."""

    skill: int
    words: frozenset[str]
    unless: frozenset[str]


class ExclusionIndex:
    """What skills exclude and do not claim elsewhere, one set of words per thing."""

    def __init__(self, texts: Sequence[RoutingText]) -> None:
        self._scopes: list[_Scope] = []
        # "For page copy, see copywriting" excludes page copy; the name is where to look instead.
        names = {word for text in texts for word in _list_stems((text.skill,))}
        for skill, text in enumerate(texts):
            claimed = _list_stems((*text.examples, *text.phrases)) if text.excluded else set()
            for one in text.excluded:
                words = _list_stems((one.text,)) - _GENERIC - claimed
                unless = frozenset(_list_stems((one.unless,)) - _GENERIC - words)
                if words:
                    self._scopes.append(_Scope(skill, frozenset(words - names or words), unless))
        self._scopes_by_word: dict[str, list[int]] = {}
        for scope, kept in enumerate(self._scopes):
            for word in kept.words:
                self._scopes_by_word.setdefault(word, []).append(scope)

    def find(self, message: str) -> Mapping[int, tuple[str, ...]]:
        """Excluded words in a folded message, by skill; skills without any are absent.

        Nothing is excluded for a message that has a word of the case in which it is not.
        """
        if not self._scopes:
            return {}
        said = {_stem(word): word for word in extract_query_terms(message)}
        shared = Counter(scope for word in said for scope in self._scopes_by_word.get(word, ()))
        found: dict[int, tuple[str, ...]] = {}
        for scope in sorted(shared):
            skill, words, unless = self._scopes[scope]
            if shared[scope] >= _MIN_SHARE * len(words) and unless.isdisjoint(said):
                hits = (written for word, written in said.items() if word in words)
                found[skill] = tuple(dict.fromkeys((*found.get(skill, ()), *hits)))
        return found


def _list_stems(texts: Sequence[str]) -> set[str]:
    return {_stem(word) for text in texts for word in extract_query_terms(text)}


def _stem(word: str) -> str:
    """Singular of an English word; "spreadsheets" and "spreadsheet" are one."""
    return word[:-1] if len(word) > 3 and word.isascii() and word.endswith("s") and not word.endswith("ss") else word
