"""One message while it is decided: what its words say of each skill and its vectors, found once for each text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from metier.routing._candidates import TriggerHits
from metier.routing._index_cache import BuiltIndex, CatalogView
from metier.routing._message_input import MIN_BATCH, RememberingView, compute_bonus, embed_message, weigh_translations
from metier.routing._multiple_skills import ScoredDecision
from metier.routing.passages import Passage
from metier.routing.ranking import Floats, LexicalScores, find_best_score, one_thread, reserve_processors
from metier.routing.text import Glossary
from metier.textsearch import Terms, extract_terms, extract_words, fold

# Sentences of a message without any that asks which are decided on, the best by words and vectors.
_MAX_UNASKING: Final = 2
# Sentences of a long message that are compared with every skill, those with the rarest words of the catalog.
_MAX_WEIGHED: Final = 12


class ExampleOf(NamedTuple):
    """Example of a skill by its text."""

    skill: str
    text: str


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """Folded text with the skills it names, its terms and their scores; `refused` cannot be the result."""

    folded: str
    trigger_hits: TriggerHits
    terms: Terms
    lexical: LexicalScores
    bonus: Floats | None
    refused: frozenset[int]


@dataclass(frozen=True, slots=True)
class MessageReading:
    """One message while it is decided, in whatever parts and readings: each text is read and embedded once.

    `denied` are the skill names that the message refuses; `views` remember what they embedded.
    """

    seen: CatalogView
    ready: BuiltIndex
    glossary: Glossary
    denied: Sequence[str]
    views: Sequence[RememberingView]
    decided: dict[tuple[str, int, bool], ScoredDecision] = field(default_factory=dict)
    _evidence: dict[str, WordEvidence] = field(default_factory=dict)

    def embed_first(self, texts: Sequence[str], *, least: int = MIN_BATCH) -> None:
        """Let the first view embed texts at once, if it can and there are at least so many new ones.

        It leaves a processor to each other view that has begun since the last time: three threads on two processors
        delay each other.
        """
        at_work = [view for view in self.views[1:] if view.begun]
        with reserve_processors(len(at_work)):
            for view in self.views[:1]:
                view.embed_all(texts, least=least)
        for view in at_work:
            view.begun.clear()

    def keep_likeliest(self, passages: Sequence[Passage]) -> Sequence[Passage]:
        """The passages that score best at the first look of the first view, the best one first."""
        index = self.ready.index
        vectors = [embed_message(one.text, index, self.views[:1])[0] for one in passages]
        words = [self.get_evidence(one.text).lexical for one in passages]
        with one_thread():
            scores = [find_best_score(index, *one) for one in zip(vectors, words, strict=True)]
        best = sorted(range(len(passages)), key=lambda at: -scores[at])[:_MAX_UNASKING]
        return [passages[at] for at in best]

    def weigh_texts(self, texts: Sequence[str]) -> Sequence[float]:
        """How much of each text the words of one skill say; 0 for all but the most telling ones."""
        lexical = self.ready.index.lexical
        rough = [lexical.weigh_words(extract_words(text)) for text in texts]
        best = sorted(range(len(texts)), key=lambda at: -rough[at])[:_MAX_WEIGHED]
        weights = [0.0] * len(texts)
        with one_thread():
            for at in best:
                weights[at] = float(lexical.score(extract_terms(texts[at])).values.max(initial=0.0))
        return weights

    def get_evidence(self, text: str) -> WordEvidence:
        """What the words of a text say, collected when it is first asked for."""
        found = self._evidence.get(text)
        if found is None:
            found = self._evidence[text] = self.collect_evidence(text)
        return found

    def collect_evidence(self, text: str, left_out: tuple[int, int] | None = None) -> WordEvidence:
        """What the words of a text say; `left_out` (skill, example) is scored as if its skill did not have it."""
        index, triggers = self.ready.index, self.seen.triggers
        folded = fold(text)
        hits, phrases = triggers.find_hits(folded), triggers.find_phrases(folded)
        spoken = TriggerHits(
            hits,
            triggers.weigh_hits(hits),
            triggers.find_by_names(self.denied),
            phrases,
            self.seen.exclusions.find(folded),
        )
        terms = self.glossary.expand(text, index.lexical.has_term)
        synonyms = self.glossary.extract_synonyms(text, index.lexical.has_term)
        words = index.score_words(extract_terms(text), left_out, synonyms)
        # A skill that is refused by one name and requested by another counts as requested: 不要PPT，要幻灯片.
        refused = frozenset(spoken.refused.keys() - hits.keys())
        worth = Counter(spoken.weights) + Counter(triggers.weigh_phrases(phrases))
        bonus = compute_bonus(worth, spoken.excluded, len(index), weigh_translations(folded, index))
        return WordEvidence(folded, spoken, terms, words, bonus, refused)
