"""Messages that say the same as an example of a skill, and questions about the meaning of a term.

Words alone rank such messages badly: 弱覆盖的定义 shares most words with a skill that analyses 覆盖, although it is an
example of the skill that explains terms. Politeness, particles and the wording of the question make no difference here.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple

from metier.patterns import compile_later
from metier.routing.text._glossary import Glossary
from metier.routing.text._meaning import parse_meanings
from metier.routing.text._skill_texts import RoutingText
from metier.textsearch import extract_label_terms, fold

_MAX_CHARS: Final = 80
# A skill explains terms if at least so many of its examples ask for the meaning of one.
_MIN_EXPLAINED: Final = 2
_NOT_SAID: Final = compile_later(r"[^\w\s]+")
_POLITE: Final = compile_later(
    r"^(?:请问|请|麻烦(?:你|您)?|帮我|帮忙|给我|我想(?:要|知道|问)?|你好|那么?|[查说讲]一?下|告诉我|"
    r"不|不对|不是|算了|no|actually|please|can you|could you|would you|"
    r"i want to|id like to|i would like to|help me|tell me|so|and|hi|hello)\s*"
    r"|\s*(?:一下|谢谢|吧|呢|啊|呀|吗|please|thanks|thank you|instead)$"
)
_NO_GLOSSARY: Final = Glossary()


class ExampleMatch(NamedTuple):
    """Skill, as its position in the texts, that has such an example: the same one, or one that asks for a meaning."""

    skill: int
    code: Literal["same_example", "asks_meaning"]
    example: str


class ExampleIndex:
    """Examples of all skills by what they say; built when the first message comes."""

    def __init__(self, texts: Sequence[RoutingText]) -> None:
        self._texts = texts

    def find(self, message: str, glossary: Glossary = _NO_GLOSSARY) -> ExampleMatch | None:
        """The one skill with an example that says the same as a folded message, or that explains the term."""
        said = _simplify(message)
        if not said:
            return None
        meanings = parse_meanings(said)
        for meaning in meanings:
            if found := self._match(self._find_asked(meaning.terms), "asks_meaning"):
                return found
        if found := self._match(self._examples.get(said, {}), "same_example"):
            return found
        documented = (self._find_documented(meaning.terms, glossary) for meaning in meanings)
        if found := next((one for one in documented if one is not None), None):
            return found
        return self._find_explaining(meanings[0].terms[0]) if meanings and not meanings[0].is_weak else None

    def _find_asked(self, terms: Sequence[str]) -> Mapping[int, str]:
        """Skills with an example that asks for the only term."""
        return self._meanings.get(terms[0], {}) if len(terms) == 1 else {}

    def _find_documented(self, terms: Sequence[str], glossary: Glossary) -> ExampleMatch | None:
        """The skill that explains terms in the group whose documents explain one of these."""
        groups = frozenset(group for term in terms for group in glossary.find_documented(term))
        fitting = {skill: example for skill, example in self._explaining.items() if self._texts[skill].group in groups}
        return self._match(fitting, "asks_meaning")

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
                for meaning in parse_meanings(_simplify(fold(example))):
                    if not meaning.is_weak:
                        found.setdefault(meaning.terms[0], {}).setdefault(skill, example)
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
