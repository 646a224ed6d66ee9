"""Messages that say the same as an example of a skill, and questions about the meaning of a term.

Words alone rank such messages badly: 弱覆盖的定义 shares most words with a skill that analyses 覆盖, although it is an
example of the skill that explains terms. Politeness, particles and the wording of the question make no difference here.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple

from metier.routing.text._skill_texts import RoutingText
from metier.textsearch import extract_label_terms, fold

_MAX_CHARS: Final = 80
_MAX_TERM_CHARS: Final = 30
# A skill explains terms if at least so many of its examples ask for the meaning of one.
_MIN_EXPLAINED: Final = 2
_NOT_SAID: Final = re.compile(r"[^\w\s]+")
_POLITE: Final = re.compile(
    r"^(?:请问|请|麻烦(?:你|您)?|帮我|帮忙|给我|我想(?:要|知道|问)?|你好|那么?|[查说讲]一?下|告诉我|"
    r"please|can you|could you|would you|"
    r"i want to|id like to|i would like to|help me|tell me|so|and|hi|hello)\s*"
    r"|\s*(?:一下|谢谢|吧|呢|啊|呀|吗|please|thanks|thank you)$"
)
_ARTICLE: Final = re.compile(r"\b(?:the|an?|this|that) (?=\w)")
_PRONOUN: Final = re.compile(
    r"(?:这|那|它|他|她|这个|那个|这些|这是|那是|上面|刚才).{0,2}|it|this|that|these|those|you|he|she|they"
)
_FRAMES: Final = (
    re.compile(r"(?P<term>.+?)(?:是|有|到底是|具体)?(?:什么|啥|何)(?:意思|含义|概念)"),
    re.compile(r"(?P<term>.+?)(?:的|有什么)?(?:含义|定义|意思)(?:是什么|是啥|有哪些)?"),
    re.compile(r"(?P<term>.+?)(?:指|代表|表示)(?:的?是)?(?:什么|啥)(?:意思)?"),
    re.compile(r"(?P<term>.+?)是(?:什么|啥|哪几个)(?:单?词)?的?(?:缩写|简称|全称)"),
    re.compile(r"(?P<term>.+?)的?(?:是?怎么|如何)(?:计?算|定义|判定|判断|衡量|界定|得出|得来)(?:出来)?的?"),
    re.compile(r"(?P<term>.+?)的(?:计算方法|算法|判定标准|全称|单位)(?:是?什么|是?啥)?"),
    re.compile(r"(?:什么|啥)(?:是|叫做?)(?P<term>.+?)"),
    re.compile(r"(?:何为|何谓|解释)(?:一下)?(?P<term>.+?)(?:这个)?(?:词|术语|概念)?"),
    re.compile(r"what (?:does|do) (?P<term>.+?) (?:mean|stand for)"),
    re.compile(r"what (?:is|are) (?P<term>.+?) (?:short for|an abbreviation (?:of|for))"),
    re.compile(r"what do you mean by (?P<term>.+?)"),
    re.compile(r"how (?:is|are) (?P<term>.+?) (?:computed|calculated|defined|measured|determined|worked out)"),
    re.compile(r"what is (?:meant by|(?:the )?(?:meaning|definition) of) (?P<term>.+?)"),
    re.compile(r"(?:the )?(?:meaning|definition) of (?P<term>.+?)"),
    re.compile(r"(?:define|explain)(?: the (?:term|word))? (?P<term>.+?)"),
)
# "X 是什么" may ask for a result (原因是什么), so it counts only for terms that a skill is known to explain.
_WEAK_FRAMES: Final = (
    re.compile(r"(?P<term>.+?)(?:是|叫)(?:什么|啥)"),
    re.compile(r"whats (?P<term>.+?)|what (?:is|are) (?P<other>.+?)"),
)
_CUE: Final = re.compile(
    r"什么|啥|何|含义|定义|意思|解释|怎么|缩写|简称|全称|标准|单位|算法|计算|what|mean|defin|explain|how"
)


class ExampleMatch(NamedTuple):
    """Skill, as its position in the texts, that has such an example: the same one, or one that asks for a meaning."""

    skill: int
    code: Literal["same_example", "asks_meaning"]
    example: str


class _Meaning(NamedTuple):
    """Term whose meaning is asked for; `is_weak` if the words may also ask for something else."""

    term: str
    is_weak: bool


class ExampleIndex:
    """Examples of all skills by what they say; built when the first message comes."""

    def __init__(self, texts: Sequence[RoutingText]) -> None:
        self._texts = texts

    def find(self, message: str) -> ExampleMatch | None:
        """The one skill with an example that says the same as a folded message, or that explains the term."""
        said = _simplify(message)
        if not said:
            return None
        meaning = _parse_meaning(said)
        if meaning is not None and (found := self._match(self._meanings.get(meaning.term, {}), "asks_meaning")):
            return found
        if found := self._match(self._examples.get(said, {}), "same_example"):
            return found
        return self._find_explaining(meaning.term) if meaning is not None and not meaning.is_weak else None

    def _match(self, skills: Mapping[int, str], code: Literal["same_example", "asks_meaning"]) -> ExampleMatch | None:
        if len(skills) != 1:  # an example of two skills decides nothing
            return None
        (skill, example) = next(iter(skills.items()))
        return ExampleMatch(skill, code, example)

    def _find_explaining(self, term: str) -> ExampleMatch | None:
        """The skill that explains terms, if this is a term of its group."""
        words = set(extract_label_terms(term))
        fitting = {skill: example for skill, example in self._explaining.items() if words & self._words[skill]}
        return self._match(fitting, "asks_meaning")

    @cached_property
    def _examples(self) -> dict[str, dict[int, str]]:
        """Skills by the simplified example; a trigger alone (rsrp) is a word of a message, not a message."""
        found: dict[str, dict[int, str]] = {}
        for skill, text in enumerate(self._texts):
            for example in text.examples:
                folded = fold(example)
                if folded not in text.triggers and (said := _simplify(folded)):
                    found.setdefault(said, {}).setdefault(skill, example)
        return found

    @cached_property
    def _meanings(self) -> dict[str, dict[int, str]]:
        """Skills by the term that an example or trigger asks to explain."""
        found: dict[str, dict[int, str]] = {}
        for skill, text in enumerate(self._texts):
            for example in text.examples:
                meaning = _parse_meaning(_simplify(fold(example)))
                if meaning is not None and not meaning.is_weak:
                    found.setdefault(meaning.term, {}).setdefault(skill, example)
        return found

    @cached_property
    def _explaining(self) -> dict[int, str]:
        """Skills that explain terms, with an example of each."""
        by_skill: dict[int, list[str]] = {}
        for skills in self._meanings.values():
            for skill, example in skills.items():
                by_skill.setdefault(skill, []).append(example)
        return {skill: examples[0] for skill, examples in by_skill.items() if len(examples) >= _MIN_EXPLAINED}

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        """Words of the group of each skill that explains terms."""
        return {skill: self._list_group_words(skill) for skill in self._explaining}

    def _list_group_words(self, skill: int) -> frozenset[str]:
        group = self._texts[skill].group
        of_group = [text for text in self._texts if group and text.group == group] or [self._texts[skill]]
        return frozenset(word for text in of_group for said in text.all_texts for word in extract_label_terms(said))


def _simplify(folded: str) -> str:
    """The message without punctuation, politeness and articles; empty if it is too long to be compared."""
    if len(folded) > _MAX_CHARS:
        return ""
    said = " ".join(_NOT_SAID.sub(" ", folded).split())
    while (shorter := _POLITE.sub("", said).strip()) != said and shorter:
        said = shorter
    return said


def _parse_meaning(said: str) -> _Meaning | None:
    if not _CUE.search(said):
        return None
    for frames, is_weak in ((_FRAMES, False), (_WEAK_FRAMES, True)):
        for frame in frames:
            if hit := frame.fullmatch(said):
                term = next((text for text in hit.groups() if text), "")
                term = _ARTICLE.sub("", " ".join(term.split()).strip("的 "))
                is_term = 0 < len(term) <= _MAX_TERM_CHARS and not _PRONOUN.fullmatch(term) and not _CUE.search(term)
                return _Meaning(term, is_weak) if is_term else None
    return None
