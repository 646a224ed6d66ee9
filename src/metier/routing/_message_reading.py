"""One message while it is decided: what its words say of each skill and its vectors, found once for each text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.routing._candidates import TriggerHits
from metier.routing._index_cache import BuiltIndex, CatalogView
from metier.routing._message_input import MIN_BATCH, RememberingView, compute_bonus, embed_message
from metier.routing._multiple_skills import ScoredDecision
from metier.routing.ranking import Floats, LexicalScores, find_best_score
from metier.routing.text import Glossary, Passage
from metier.textsearch import Terms, fold

# Sentences of a message without any that asks which are decided on, the best by words and vectors.
_MAX_UNASKING: Final = 2


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
        """Let the first view embed texts at once, if it can and there are at least so many new ones."""
        for view in self.views[:1]:
            view.embed_all(texts, least=least)

    def keep_likeliest(self, passages: Sequence[Passage]) -> Sequence[Passage]:
        """The passages that score best at the first look of the first view, the best one first."""
        index = self.ready.index
        scores = [
            find_best_score(
                index, embed_message(one.text, index, self.views[:1])[0], self.get_evidence(one.text).lexical
            )
            for one in passages
        ]
        best = sorted(range(len(passages)), key=lambda at: -scores[at])[:_MAX_UNASKING]
        return [passages[at] for at in best]

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
        # A skill that is refused by one name and requested by another counts as requested: 不要PPT，要幻灯片.
        refused = frozenset(spoken.refused.keys() - hits.keys())
        worth = Counter(spoken.weights) + Counter(triggers.weigh_phrases(phrases))
        bonus = compute_bonus(worth, spoken.excluded, len(index))
        return WordEvidence(folded, spoken, terms, index.score_words(terms, left_out), bonus, refused)
