"""Search index of one catalog: texts, BM25 terms and vectors of its skills."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking._bm25 import LexicalDocument, LexicalIndex, LexicalScores
from metier.routing.ranking._prototypes import DenseView, SkillVectors
from metier.routing.text import RoutingText, WordSynonyms
from metier.textsearch import Terms, has_cjk

Floats = NDArray[np.float32]

_MAX_PROBES = 400
# What the examples say counts from the eleventh on, and in full from the twentieth: where it began at once, the
# twentieth example moved the decisions of all other skills by up to 0.9 in log-odds.
_NO_PROBES = 10
_ENOUGH_PROBES = 20
# Examples in one language spread the vectors of messages in the other, so translated words count up to twice as much
# where skills have some, and less the more there are: half with twenty each. Chosen on seven sources that no map has
# seen, each left out in turn, with none to five examples (docs/benchmarks/unseen.md).
_HALF_SHARE_EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Leave-one-out accuracy and best scores of the catalog's own examples: what a good score looks like here.

    `trust` is the share at which they count, less than 1 where there are few examples.
    """

    accuracy_logit: float
    mean: float
    deviation: float
    covered: float
    trust: float = 1.0


class RoutingIndex:
    """Texts, BM25 terms and vectors of the skills; a skill is its position in `texts`."""

    def __init__(
        self,
        texts: Sequence[RoutingText],
        vectors: Mapping[str, Mapping[str, SkillVectors]],
        documents: Mapping[str, LexicalDocument] | None = None,
    ) -> None:
        """`vectors` maps view → skill → items; `documents` are term counts to reuse, by text digest."""
        self.texts = tuple(texts)
        known = documents or {}
        self.documents = {
            text.digest: known[text.digest] if text.digest in known else LexicalDocument.of(text.all_texts)
            for text in self.texts
        }
        self.lexical = LexicalIndex([self.documents[text.digest] for text in self.texts])
        self.views = {
            name: DenseView(name, [skills[text.skill] for text in self.texts]) for name, skills in vectors.items()
        }
        # A text with any Chinese character is Chinese, as for `find_languages`.
        self.without_chinese = np.array([not any(map(has_cjk, text.about)) for text in self.texts], dtype=np.bool_)
        self.examples = np.array([len(text.examples) for text in self.texts], dtype=np.int64)
        given = self.examples[self.without_chinese]
        fall = _HALF_SHARE_EXAMPLES / (_HALF_SHARE_EXAMPLES + given)
        self.translated_share = float((1 + (given > 0).mean()) * fall.mean()) if len(given) else 0.0
        self.difficulty = {used: found for used in self.view_sets if (found := self._measure_difficulty(used))}

    def __len__(self) -> int:
        return len(self.texts)

    def score_words(
        self, message: Terms, left_out: tuple[int, int] | None = None, synonyms: Sequence[WordSynonyms] = ()
    ) -> LexicalScores:
        """BM25 score of each skill; `left_out` (skill, example) scores that skill without that example."""
        found = self.lexical.score(message, synonyms)
        if left_out is not None:
            text = self.texts[left_out[0]]
            without = self.documents[text.digest].count_without(text.examples[left_out[1]])
            found.values[left_out[0]] = self.lexical.score_one(message, without, synonyms)
        return found

    def find_example(self, skill: str, example: str) -> tuple[int, int] | None:
        """(skill, example) positions of an example; None if the index does not have it."""
        for at, text in enumerate(self.texts):
            if text.skill == skill and example in text.examples:
                return at, text.examples.index(example)
        return None

    def pick_probes(self, max_count: int) -> list[tuple[int, int]]:
        """(skill, example) pairs for leave-one-out checks: one of every skill before a second of any."""
        rounds = range(min(int(self.examples.max(initial=0)), 12))
        able = ((skill, at) for at in rounds for skill in range(len(self)) if 2 <= self.examples[skill] > at)
        return list(islice(able, max_count))

    @property
    def view_sets(self) -> list[tuple[str, ...]]:
        """Combinations of views a message may be embedded in: the first alone, and all of them."""
        names = tuple(self.views)
        return [names[:1], names] if len(names) > 1 else [names] if names else []

    def _measure_difficulty(self, views: tuple[str, ...]) -> Difficulty | None:
        probes = self.pick_probes(_MAX_PROBES)
        trust = trust_probes(len(probes), _NO_PROBES, _ENOUGH_PROBES)
        if not trust:
            return None
        own = np.array([skill for skill, _ in probes])
        scores = np.mean([_score_left_out(self.views[name], probes) for name in views], axis=0)
        best = scores.max(axis=1)
        right = float((scores.argmax(axis=1) == own).sum())
        accuracy = float(np.clip((right + 1) / (len(own) + 2), 0.05, 0.99))
        covered = float((self.examples >= 2).sum() / len(self))
        logit = float(np.log(accuracy / (1 - accuracy)))
        return Difficulty(logit, float(best.mean()), float(best.std()) + 1e-3, covered, trust)


def trust_probes(count: int, none: int, enough: int) -> float:
    """Share at which so many probes count: nothing up to `none`, rising evenly, in full from `enough` on."""
    return min(max((count - none) / (enough - none), 0.0), 1.0)


def _score_left_out(view: DenseView, probes: list[tuple[int, int]]) -> Floats:
    """Scores of each probe against all skills, with the probe removed from its own skill."""
    rows = [view.score(view.skills[skill].items[at].astype(np.float32), (skill, at)) for skill, at in probes]
    return np.array(rows, dtype=np.float32)
