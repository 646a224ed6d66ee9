"""Simulated catalogs: skills and messages drawn from a labelled corpus and scored as in real use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.fitting import LabelledScore
from metier.routing.ranking import Query, RoutingIndex, SkillVectors, compute_signals, normalize_rows, rank
from metier.routing.text import RoutingText
from metier.textsearch import extract_terms, id_to_words
from training._corpus import OUT_OF_SCOPE, Corpus, EncodedCorpus


@dataclass(frozen=True, slots=True)
class CatalogRecipe:
    """Kind of catalog to simulate.

    `kept`: number of skills, or their share if below 1; `examples`: possible numbers of examples per skill;
    `described`: skills have a description; `alike`: similar skills, as in one domain.
    """

    kept: float
    examples: tuple[int, ...]
    described: bool = True
    alike: bool = False


_SIMILAR_SKILLS: Final = (
    CatalogRecipe(10, (5,), alike=True),
    CatalogRecipe(12, (0,), alike=True),
    CatalogRecipe(15, (0, 3, 8), alike=True),
    CatalogRecipe(20, (10,), alike=True),
    CatalogRecipe(25, (5,), alike=True),
    CatalogRecipe(25, (10,), described=False, alike=True),
    CatalogRecipe(40, (4, 8, 16), alike=True),
    CatalogRecipe(30, (0,), alike=True),
)
CATALOG_RECIPES: Final = (
    CatalogRecipe(0.5, (0,)),
    CatalogRecipe(0.9, (0,)),
    CatalogRecipe(0.5, (5,), described=False),
    CatalogRecipe(0.9, (10,)),
    CatalogRecipe(0.9, (10,), described=False),
    CatalogRecipe(0.5, (10,), described=False),
    CatalogRecipe(0.9, (3,)),
    CatalogRecipe(0.9, (5,)),
    CatalogRecipe(0.9, (5,), described=False),
    CatalogRecipe(0.5, (0, 2, 5, 12)),
    CatalogRecipe(0.9, (0, 2, 5, 12)),
    CatalogRecipe(5, (0,)),
    CatalogRecipe(5, (5,)),
    CatalogRecipe(6, (0, 3, 8)),
    CatalogRecipe(8, (16,)),
    CatalogRecipe(12, (10, 16)),
    CatalogRecipe(15, (5,)),
    CatalogRecipe(15, (0, 3, 8)),
    CatalogRecipe(20, (10,), described=False),
    CatalogRecipe(20, (16,)),
    CatalogRecipe(40, (4, 8, 16)),
    # Twice, so that each is drawn around two different skills.
    *_SIMILAR_SKILLS,
    *_SIMILAR_SKILLS,
)


def judge(index: RoutingIndex, query: Query, wanted: int | None) -> LabelledScore:
    """Rank one message; `wanted` is the position of its skill, None if out of scope."""
    ranking = rank(index, query)
    first = int(ranking.order[0])
    among = wanted is not None and wanted in ranking.order[:3]
    return LabelledScore(compute_signals(index, query, ranking), wanted is not None, first == wanted, among)


def simulate_messages(
    corpus: Corpus,
    views: Mapping[str, EncodedCorpus],
    scene: CatalogRecipe,
    chance: np.random.Generator,
    *,
    messages: int = 150,
    near: EncodedCorpus | None = None,
) -> Iterable[LabelledScore]:
    """Draw a catalog from a corpus and score held-out messages, some of them for skills outside the catalog.

    `near` holds the vectors that define similar skills; without it skills are drawn at random.
    """
    skills = sorted(corpus.messages.keys() - {OUT_OF_SCOPE})
    count = int(len(skills) * scene.kept) if scene.kept < 1 else int(scene.kept)
    order = _order_by_similarity(skills, near, chance) if scene.alike and near else chance.permutation(len(skills))
    inside = [skills[at] for at in order[: max(count, 2)]]
    drawn = {skill: _draw_examples(len(corpus.messages[skill]), scene, chance) for skill in inside}
    index = _build_index(corpus, views, drawn, described=scene.described)
    asked = messages if scene.kept < 1 else messages // 2
    places = {skill: at for at, skill in enumerate(inside)}
    known = [(skill, at) for skill in inside for at in range(len(corpus.messages[skill])) if at not in drawn[skill]]
    strange = [(skill, at) for skill in skills if skill not in places for at in range(len(corpus.messages[skill]))]
    outside = [(OUT_OF_SCOPE, at) for at in range(len(corpus.messages.get(OUT_OF_SCOPE, ())))]
    share = 0.4 if scene.kept < 1 else 1.0
    for pool, most in ((known, asked), (strange, int(asked * share)), (outside, int(asked * 0.2))):
        for pick in chance.permutation(len(pool))[:most]:
            skill, at = pool[pick]
            text = corpus.messages[skill][at]
            vectors = {name: encoded.messages[skill][at] for name, encoded in views.items()}
            yield replace(judge(index, Query(extract_terms(text), vectors), places.get(skill)), alike=scene.alike)


def _order_by_similarity(skills: Sequence[str], near: EncodedCorpus, chance: np.random.Generator) -> NDArray[np.int64]:
    """Order of the skills by similarity of their messages to those of one random skill."""
    items = [near.messages[skill] if len(near.messages[skill]) else near.about[skill] for skill in skills]
    means = normalize_rows(np.array([rows.mean(axis=0) for rows in items]))
    order: NDArray[np.int64] = np.argsort(-(means @ means[chance.integers(len(skills))]), kind="stable")
    return order


def _draw_examples(said: int, scene: CatalogRecipe, chance: np.random.Generator) -> frozenset[int]:
    wanted = int(chance.choice(scene.examples))
    return frozenset(int(at) for at in chance.permutation(said)[: min(wanted, max(said - 3, 0))])


def _build_index(
    corpus: Corpus, views: Mapping[str, EncodedCorpus], drawn: Mapping[str, frozenset[int]], *, described: bool
) -> RoutingIndex:
    texts = []
    for skill, picked in drawn.items():
        # A skill needs some text: one drawn without examples always keeps its description.
        about = corpus.about.get(skill, ()) if described or not picked else ()
        said = tuple(corpus.messages[skill][at] for at in sorted(picked))
        labels = (id_to_words(skill),) if not corpus.chinese else ()
        texts.append(RoutingText(skill, "", skill, said, about, labels, ()))
    vectors = {
        name: {text.skill: _build_vectors(encoded, text, drawn[text.skill]) for text in texts}
        for name, encoded in views.items()
    }
    return RoutingIndex(texts, vectors)


def _build_vectors(encoded: EncodedCorpus, text: RoutingText, picked: frozenset[int]) -> SkillVectors:
    rows = encoded.messages[text.skill]
    about = encoded.about[text.skill] if text.about else rows[:0]
    return SkillVectors.of(rows[sorted(picked)], about)
