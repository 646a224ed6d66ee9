"""Simulated catalogs ask what they should and never with an example they were given."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from metier.routing.fitting import LabelledScore
from metier.routing.ranking import SIGNALS, Query, RoutingIndex
from metier.textsearch import extract_terms
from tests.routing.letters import Letters
from training import CATALOG_RECIPES, OUT_OF_SCOPE, CatalogRecipe, Corpus
from training import _catalogs as module
from training._catalogs import judge, simulate_messages
from training._corpus import EncodedCorpus, encode_corpus


def corpus(skills: int = 12, said: int = 9) -> Corpus:
    """Every message has a word of its own, so that a message can be told from every other."""
    names = [f"skill_{chr(97 + at)}" for at in range(skills)]
    spoken = {name: tuple(f"{name} {name}x{at}" for at in range(said)) for name in names}
    spoken[OUT_OF_SCOPE] = tuple(f"闲聊 outside{at}" for at in range(10))
    return Corpus("toy", "toy", spoken, {name: (f"about {name}",) for name in names})


CORPUS = corpus()
VIEWS = {"use": encode_corpus(CORPUS, Letters().embed)}
Asked = list[tuple[RoutingIndex, Query, int | None]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return _record_questions(monkeypatch)


def _record_questions(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Every question that is acted out from now on."""
    seen: Asked = []

    def spy(index: RoutingIndex, query: Query, wanted: int | None) -> LabelledScore:
        seen.append((index, query, wanted))
        return judge(index, query, wanted)

    monkeypatch.setattr(module, "judge", spy)
    return seen


def act(
    scene: CatalogRecipe, seed: int, views: dict[str, EncodedCorpus] | None = None, near: EncodedCorpus | None = None
) -> list[LabelledScore]:
    chance = np.random.default_rng(seed)
    return list(simulate_messages(CORPUS, VIEWS if views is None else views, scene, chance, messages=20, near=near))


SCENE_IDS = [
    f"{scene.kept:g} of {scene.examples}{'' if scene.described else ' untold'}{' alike' if scene.alike else ''}"
    for scene in CATALOG_RECIPES
]
every_scene = pytest.mark.parametrize("scene", CATALOG_RECIPES, ids=SCENE_IDS)
SAID: dict[tuple[str, ...], str] = {
    tuple(extract_terms(message).words): skill for skill, said in CORPUS.messages.items() for message in said
}


@cache
def act_out(scene: CatalogRecipe) -> tuple[Asked, list[LabelledScore]]:
    """What is asked in a scene, and how it was judged; two tests look at every scene, and some are there twice."""
    with pytest.MonkeyPatch.context() as patch:
        asked = _record_questions(patch)
        return asked, act(scene, 4)


@every_scene
def test_a_drawn_example_is_never_asked_with(scene: CatalogRecipe) -> None:
    asked, _ = act_out(scene)
    assert asked
    for index, query, _ in asked:
        drawn = {tuple(extract_terms(example).words) for text in index.texts for example in text.examples}
        assert tuple(query.terms.words) not in drawn


@every_scene
def test_a_message_means_its_skill_where_that_was_drawn_and_else_none(scene: CatalogRecipe) -> None:
    asked, judged = act_out(scene)
    for (index, query, wanted), one in zip(asked, judged, strict=True):
        skill = SAID[tuple(query.terms.words)]
        places = {text.skill: at for at, text in enumerate(index.texts)}
        assert wanted == places.get(skill)
        assert one.meant is (skill in places)
        assert one.meant or not (one.right or one.among)
        assert one.among or not one.right


def test_some_messages_are_for_skills_that_were_not_drawn_and_some_for_none_at_all(asked: Asked) -> None:
    act(CatalogRecipe(0.5, (3,)), 0)
    skills = {SAID[tuple(query.terms.words)] for _, query, wanted in asked if wanted is None}
    assert OUT_OF_SCOPE in skills
    assert len(skills) > 1
    assert any(wanted is not None for _, _, wanted in asked)


@pytest.mark.parametrize(
    ("scene", "holds"),
    [
        pytest.param(CatalogRecipe(0.5, (3,)), lambda index: len(index) == 6, id="half of the skills"),
        pytest.param(CatalogRecipe(5, (3,)), lambda index: len(index) == 5, id="five skills"),
        pytest.param(CatalogRecipe(5, (3,)), lambda index: set(index.examples) == {3}, id="three examples"),
        pytest.param(
            CatalogRecipe(5, (16,)), lambda index: set(index.examples) == {6}, id="three messages are kept to ask with"
        ),
        pytest.param(CatalogRecipe(5, (3,)), lambda index: all(text.about for text in index.texts), id="described"),
        pytest.param(
            CatalogRecipe(5, (3,), described=False),
            lambda index: not any(text.about for text in index.texts),
            id="untold",
        ),
        pytest.param(
            CatalogRecipe(5, (0,), described=False),
            lambda index: all(text.about for text in index.texts),
            id="all it has",
        ),
    ],
)
def test_a_catalog_is_drawn_as_the_scene_says(
    scene: CatalogRecipe, holds: Callable[[RoutingIndex], bool], asked: Asked
) -> None:
    act(scene, 0)
    assert all(holds(index) for index, _, _ in asked)


def clock() -> EncodedCorpus:
    """Skills around a clock: those beside each other are alike."""
    names = sorted(CORPUS.messages.keys() - {OUT_OF_SCOPE})
    turns = 2 * np.pi * np.arange(len(names)) / len(names)
    rows = np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32)
    return EncodedCorpus({name: rows[[at]] for at, name in enumerate(names)}, {})


@pytest.mark.parametrize("seed", range(4))
def test_skills_of_one_trade_are_drawn_together(seed: int, asked: Asked) -> None:
    judged = act(CatalogRecipe(5, (3,), alike=True), seed, near=clock())
    names = sorted(CORPUS.messages.keys() - {OUT_OF_SCOPE})
    places = sorted(names.index(text.skill) for text in asked[0][0].texts)
    gaps = np.diff([*places, places[0] + len(names)])
    assert sorted(gaps) == [1, 1, 1, 1, len(names) - 4]
    assert all(one.alike for one in judged)


def test_without_knowing_which_are_alike_they_are_drawn_by_chance() -> None:
    alike, other = (act(CatalogRecipe(5, (3,), alike=alike), 3) for alike in (True, False))
    assert np.array_equal([one.signals for one in alike], [one.signals for one in other])
    assert not any(one.alike for one in other)


def test_the_same_chance_acts_out_the_same() -> None:
    first, again, other = (act(CatalogRecipe(0.5, (3,)), seed) for seed in (1, 1, 2))
    assert np.array_equal([one.signals for one in first], [one.signals for one in again])
    assert not np.array_equal([one.signals for one in first], [one.signals for one in other])


def test_words_alone_can_be_acted_out() -> None:
    nearest = SIGNALS.index("nearest example")
    assert {float(one.signals[nearest]) for one in act(CatalogRecipe(0.5, (3,)), 0, views={})} == {0.0}
