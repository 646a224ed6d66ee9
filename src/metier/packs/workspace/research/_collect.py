"""Collects evidence: for each sub-question the sentences that answer it, figures that disagree, and what is missing."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Final, NamedTuple

from metier.evidence import (
    Disagreement,
    EvidenceItem,
    EvidenceLedger,
    FigureStatement,
    find_disagreements,
    read_quantities,
)
from metier.language import Language
from metier.packs.workspace.research._questions import (
    ResearchQuestion,
    SubQuestion,
    asks_for,
    list_measures,
    list_names,
    list_other_questions,
    list_rates,
    query_terms,
)
from metier.packs.workspace.research._sources import Corpus, SourceSentence, iter_sentences
from metier.skills import find_suspicious_wording
from metier.textsearch import extract_words, fold

_MAX_PER_QUESTION: Final = 3
_MAX_DOCUMENTS: Final = 40
_MIN_CHARS: Final = 8
_MAX_CHARS: Final = 400
_MIN_COVERAGE: Final = 0.5
_MIN_NAME_COVERAGE: Final = 0.75
_MAX_DISAGREEMENTS: Final = 10
_LEAST_WEIGHT: Final = 0.2


@dataclass(frozen=True, slots=True)
class Answered:
    """A sub-question and the numbers of the evidence that answers it; none if nothing was found."""

    question: str
    found: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """All evidence of a research; `relevant` counts the documents about the subject, `orders` sentences left out."""

    ledger: EvidenceLedger
    answered: tuple[Answered, ...]
    disagreements: tuple[Disagreement, ...]
    relevant: int
    orders: int


class _Candidate(NamedTuple):
    sentence: SourceSentence
    text: str
    is_about: bool
    is_named: bool


def collect(question: ResearchQuestion, corpus: Corpus, language: Language) -> Collected:
    """Find the sentences of a corpus that answer a question; they are taken word for word."""
    paths = _find_relevant(question, corpus)
    names = list_names(question.subject)
    candidates: list[_Candidate] = []
    orders = 0
    for path in paths:
        is_titled = _has_name(fold(corpus.documents[path].title), names)
        for sentence in iter_sentences(corpus, path, language):
            if not _MIN_CHARS <= len(sentence.text) <= _MAX_CHARS:
                continue
            if find_suspicious_wording(sentence.text):
                orders += 1
                continue
            text = fold(sentence.text)
            is_named = _has_name(text, names)
            candidates.append(_Candidate(sentence, text, is_titled or is_named, is_named))
    ledger = EvidenceLedger()
    answered: list[Answered] = []
    homes = _find_homes((*question.sub_questions, *list_other_questions(question)), candidates)
    quoted: set[str] = set()
    for at, asked in enumerate(question.sub_questions):
        numbers = []
        own = [one for one, home in zip(candidates, homes, strict=True) if home == at]
        others = [one for one in candidates if one.sentence.text not in quoted]
        for one in _choose(asked, own) or _choose(asked, others) or _choose(asked, candidates)[:1]:
            ledger, item = ledger.add(one.text, one.place)
            numbers.append(item.id)
            quoted.add(one.text)
        answered.append(Answered(asked.text, tuple(numbers)))
    compared = [one.sentence for one in candidates if one.is_about]
    ledger, disagreements = _compare(ledger, compared, question, quoted)
    return Collected(ledger, tuple(answered), disagreements, len(paths), orders)


def _find_relevant(question: ResearchQuestion, corpus: Corpus) -> tuple[str, ...]:
    """Documents about the subject, those that name it most often first."""
    names = list_names(question.subject)
    wanted = set(query_terms(question.subject)) if question.sub_questions[0].words else set()
    direct = set(query_terms(question.question)) if not question.sub_questions[0].words else set()
    scores: dict[str, float] = {}
    for path, document in corpus.documents.items():
        held = [set(passage.term_counts) | document.title_terms for passage in document.passages]
        if direct:
            scores[path] = max((len(direct & one) / len(direct) for one in held), default=0.0)
            scores[path] = scores[path] if scores[path] >= _MIN_COVERAGE else 0.0
            continue
        if not any(wanted & one for one in held) and not _shares_words(names, held):
            continue
        text = fold("\n".join((document.title, *(passage.text for passage in document.passages))))
        named = sum(text.count(name) for name in names)
        covered = max((len(wanted & one) / len(wanted) for one in held), default=0.0) if wanted else 0.0
        scores[path] = float(named) if named else (covered if covered >= _MIN_NAME_COVERAGE else 0.0)
    best = sorted((path for path, score in scores.items() if score > 0), key=lambda path: (-scores[path], path))
    return tuple(best[:_MAX_DOCUMENTS])


def _shares_words(names: Sequence[str], held: Iterable[set[str]]) -> bool:
    """Whether any passage has all words of any name: cheaper than searching the whole text."""
    terms = [set(extract_words(name)) for name in names]
    return any(one <= words or len(one - words) == 1 for words in held for one in terms if one)


def _has_name(folded: str, names: Sequence[str]) -> bool:
    return any(name in folded for name in names)


def _find_homes(asked: Sequence[SubQuestion], candidates: Sequence[_Candidate]) -> list[int]:
    """For each sentence the sub-question whose words it has most of: a word that few sentences have weighs more."""
    words = [tuple(fold(word) for word in one.words) for one in asked]
    counts = {word: sum(word in one.text for one in candidates) for group in words for word in group}
    total = len(candidates) + 1
    weights = {word: math.log(total / (1 + count)) + _LEAST_WEIGHT for word, count in counts.items()}

    def weigh(one: _Candidate, at: int) -> float:
        return sum(weights[word] for word in words[at] if word in one.text)

    return [max(range(len(words)), key=lambda at: weigh(one, at)) for one in candidates]


def _choose(asked: SubQuestion, candidates: Sequence[_Candidate]) -> list[SourceSentence]:
    """The best sentences, in the user's language if there are any; a second one of a source has to be much better."""
    words, terms = tuple(fold(word) for word in asked.words), frozenset(query_terms(asked.text))
    scored = [(score, one.sentence) for one in candidates if (score := _score(words, terms, one)) > 0]
    left = [pair for pair in scored if pair[1].is_own_language] or scored
    taken: Counter[str] = Counter()
    chosen: list[SourceSentence] = []
    while left and len(chosen) < _MAX_PER_QUESTION:
        best = max(left, key=lambda pair: pair[0] - taken[pair[1].place.source])
        left = [pair for pair in left if pair[1].text != best[1].text]
        taken[best[1].place.source] += 1
        chosen.append(best[1])
    return chosen


def _score(words: Sequence[str], terms: frozenset[str], one: _Candidate) -> float:
    """How well a sentence answers: by the words of an aspect, or without any by the terms of the question."""
    if not words:
        covered = len(terms & set(extract_words(one.text))) / len(terms) if terms else 0.0
        return covered if covered >= _MIN_COVERAGE else 0.0
    hits = sum(word in one.text for word in words)
    if not hits or not one.is_about:
        return 0.0
    has_figure = any(quantity.unit not in ("", "year") for quantity in read_quantities(one.sentence.text))
    return min(hits, 3) + (0.7 if one.is_named else 0.0) + (0.5 if has_figure else 0.0)


def _compare(
    ledger: EvidenceLedger, candidates: Sequence[SourceSentence], question: ResearchQuestion, quoted: Set[str]
) -> tuple[EvidenceLedger, tuple[Disagreement, ...]]:
    """Figures of all sentences side by side; those that disagree are entered into the ledger.

    Only measures that the question asks about, or that a quoted sentence states, are the matter of this report.
    """
    sentences = [one for one in candidates if one.is_own_language] or candidates
    items = [EvidenceItem(at, one.text, one.place) for at, one in enumerate(sentences)]
    found: list[Disagreement] = []
    differing = find_disagreements(items, list_measures(), rates=list_rates())
    asked = [one for one in differing if asks_for(question, one.measure) or _is_stated(one, sentences, quoted)]
    for one in asked[:_MAX_DISAGREEMENTS]:
        stated = []
        for statement in one.statements:
            sentence = sentences[statement.id]
            ledger, item = ledger.add(sentence.text, sentence.place)
            stated.append(FigureStatement(statement.text, item.id))
        found.append(Disagreement(one.measure, one.period, tuple(stated)))
    return ledger, tuple(found)


def _is_stated(one: Disagreement, sentences: Sequence[SourceSentence], quoted: Set[str]) -> bool:
    return any(sentences[statement.id].text in quoted for statement in one.statements)
