"""Finds worked cases that match a message: an inverted index over tags and titles, Chinese as bigrams."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from metier.context._prompt_texts import NOTES
from metier.json_values import JsonValue
from metier.language import Language
from metier.skills import Case, Skill
from metier.textsearch import extract_label_terms, extract_words

_TAG_SCORE: Final = 1.0
_PARTIAL_TAG_SCORE: Final = 0.5
_TITLE_SCORE: Final = 0.5
_ACTIVE_RULE_SCORE: Final = 2.0
_MIN_SCORE: Final = 0.25
_MIN_TAG_SHARE: Final = 0.5
_MAX_TEXT_CHARS: Final = 8000


def read_message_terms(text: str) -> frozenset[str]:
    """Terms of a message: words; for Chinese, single characters and bigrams."""
    return frozenset(extract_words(text[:_MAX_TEXT_CHARS]))


def read_label_terms(text: str) -> frozenset[str]:
    """Terms that must occur for a tag or title to match: words; for Chinese, bigrams, or the only character."""
    return frozenset(extract_label_terms(text[:_MAX_TEXT_CHARS]))


def coverage(sought: frozenset[str], said: frozenset[str]) -> float:
    """Share of the `sought` terms that occur in `said`, from 0 to 1."""
    return len(sought & said) / len(sought) if sought else 0.0


@dataclass(frozen=True, slots=True)
class CaseMatch:
    """A matching case, its score, and the reasons for the score."""

    case: Case
    score: float
    why: tuple[str, ...]

    def to_json(self) -> dict[str, JsonValue]:
        return {"case": self.case.id, "score": round(self.score, 4), "why": list(self.why)}


@dataclass(frozen=True, slots=True)
class _Label:
    case: int
    text: str
    terms: frozenset[str]
    is_tag: bool
    tag: str = ""  # of which the text is one synonym


class CaseIndex:
    """Index of a skill's cases: a mentioned tag scores 1, the rule being followed scores 2."""

    def __init__(self, skill: Skill, more: Sequence[Case] = ()) -> None:
        self._cases = tuple({case.id: case for case in (*skill.cases, *more)}.values())
        self._labels = tuple(_iter_labels(self._cases))
        postings: defaultdict[str, list[int]] = defaultdict(list)
        for number, label in enumerate(self._labels):
            for term in label.terms:
                postings[term].append(number)
        self._postings = dict(postings)

    def match(
        self,
        message: str,
        *,
        rule: str | None = None,
        features: Iterable[str] = (),
        top: int = 2,
        language: Language = "en",
    ) -> tuple[CaseMatch, ...]:
        """The best cases for a message and the user's data, best first; ties keep the skill's order."""
        said = read_message_terms(" \n ".join((message, *features)))
        scores: defaultdict[int, float] = defaultdict(float)
        why: defaultdict[int, list[str]] = defaultdict(list)
        for label, share in _keep_best_synonyms(self._find_matching_labels(said), said):
            worth = _score_label(label, share) * self._cases[label.case].weight
            if worth > 0:
                scores[label.case] += worth
                code = "case_tag" if label.is_tag else "case_title"
                why[label.case].append(NOTES.render(code, language, worth=worth, text=label.text, share=share))
        for number, case in enumerate(self._cases):
            if rule is not None and rule in case.rules:
                scores[number] += _ACTIVE_RULE_SCORE
                why[number].append(NOTES.render("case_rule", language, worth=_ACTIVE_RULE_SCORE, rule=rule))
        ranked = sorted(
            (number for number in scores if scores[number] >= _MIN_SCORE), key=lambda one: (-scores[one], one)
        )
        return tuple(CaseMatch(self._cases[one], scores[one], tuple(why[one])) for one in ranked[:top])

    def _find_matching_labels(self, said: frozenset[str]) -> list[_Label]:
        numbers = {number for term in said for number in self._postings.get(term, ())}
        return [self._labels[number] for number in sorted(numbers)]


def _iter_labels(cases: Sequence[Case]) -> Iterable[_Label]:
    for number, case in enumerate(cases):
        for tag in dict.fromkeys(case.tags):
            for word in filter(None, map(str.strip, tag.split("|"))):
                yield _Label(number, word, read_label_terms(word), True, tag)
        yield _Label(number, case.title, read_label_terms(case.title), False)


def _keep_best_synonyms(labels: Iterable[_Label], said: frozenset[str]) -> Iterable[tuple[_Label, float]]:
    """Labels with the share of each in the message; of the synonyms of a tag only the best."""
    best: dict[tuple[int, bool, str], tuple[_Label, float]] = {}
    for label in labels:
        share, key = coverage(label.terms, said), (label.case, label.is_tag, label.tag or label.text)
        if key not in best or share > best[key][1]:
            best[key] = (label, share)
    return best.values()


def _score_label(label: _Label, share: float) -> float:
    if not label.is_tag:
        return _TITLE_SCORE * share
    if share == 1:
        return _TAG_SCORE
    return _PARTIAL_TAG_SCORE * share if share >= _MIN_TAG_SHARE else 0.0
