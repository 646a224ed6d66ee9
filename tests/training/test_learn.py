"""From labelled sets to the files the router reads, on sets and encoders small enough for a test."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metier.errors import EmbedderBroken
from metier.routing.fitting import write_heads
from metier.routing.ranking import SIGNALS, Floats, Heads, load_heads, load_shipped_heads
from metier.routing.vectors._shipped import load_map
from tests.routing.letters import Letters
from training import OUT_OF_SCOPE, CatalogRecipe, Corpus, LearnedWeights, MapRecipe, learn
from training import _learn as module
from training._corpus import EncodedCorpus, encode_corpus
from training._maps import learn_map

RECIPE = MapRecipe(steps=5, seeds=(0,))
SCENES = (CatalogRecipe(0.5, (3,)), CatalogRecipe(5, (0,)))
WORDS = ("rain", "jazz", "mail", "slides", "taxi", "bank", "food", "news")
MARKS = "雨乐信图车钱饭闻"


def english() -> Corpus:
    said = {word: tuple(f"{word} {word[at % 3 :]} please {at}" for at in range(8)) for word in WORDS}
    said[OUT_OF_SCOPE] = ("hello there", "who are you", "tell me a joke")
    return Corpus("english", "toy", said, {word: (word,) for word in WORDS})


def chinese() -> Corpus:
    marks = dict(zip(WORDS, MARKS, strict=True))
    said = {word: tuple(f"{mark}{mark} {word} {at}" for at in range(8)) for word, mark in marks.items()}
    return Corpus("chinese", "toy", said, {word: (mark,) for word, mark in marks.items()}, chinese=True)


class Few(Letters):
    """The second view: fewer letters, and no Chinese."""

    def embed(self, texts: Sequence[str]) -> Floats:
        assert all(text.isascii() for text in texts)
        return super().embed(texts)[:, :20]


def learned(**more: object) -> LearnedWeights:
    encoders = {"use": Letters().embed, "mini": Few().embed}
    return learn(
        [english(), chinese()],
        encoders,
        recipe=RECIPE,
        recipes=SCENES,
        messages=20,
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def both() -> LearnedWeights:
    return learned()


def test_what_was_learned_is_written_as_the_files_that_are_read(both: LearnedWeights, tmp_path: Path) -> None:
    saved = both.save(tmp_path / "out", {"sets": "english, chinese"})
    names = ["use-multilingual.map.npz", "all-minilm-l6-v2.map.npz", "calibration.json"]
    assert [path.name for path in saved] == names
    for path, view, width in zip(saved, ("use", "mini"), (26, 20), strict=False):
        np.testing.assert_allclose(load_map(path, width), both.maps[view], atol=2e-3)
    heads = load_heads(saved[-1])
    assert heads.keys() == both.heads.keys() == {"lex", "use", "use+mini"}
    for mode, found in heads.items():
        assert found is not load_shipped_heads()[mode]
        for part in ("mean", "deviation", "meant", "right", "among"):
            np.testing.assert_allclose(getattr(found, part), getattr(both.heads[mode], part), atol=1e-5)


def test_the_file_says_what_it_was_made_from(both: LearnedWeights, tmp_path: Path) -> None:
    *_, file = both.save(tmp_path, {"sets": "english, 中文"})
    stored = json.loads(file.read_text("utf-8"))
    assert stored["made from"] == {"sets": "english, 中文"}
    assert stored["signals"] == list(SIGNALS)


def test_a_map_for_one_view_does_not_fit_the_other(both: LearnedWeights, tmp_path: Path) -> None:
    first, *_ = both.save(tmp_path, {})
    with pytest.raises(EmbedderBroken, match="damaged"):
        load_map(first, 20)


def test_learning_again_learns_the_same(both: LearnedWeights) -> None:
    again = learned()
    assert all(np.array_equal(again.maps[view], both.maps[view]) for view in both.maps)
    assert all(np.array_equal(again.heads[mode].right, both.heads[mode].right) for mode in both.heads)


def test_learning_says_how_far_it_is() -> None:
    said: list[str] = []
    learned(say=said.append)
    assert said[:2] == ["use: 2 sets encoded", "mini: 1 sets encoded"]
    assert [line.partition(":")[0] for line in said[2:]] == ["lex", "use", "use+mini"]


Taught = list[tuple[list[str], int]]


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> Taught:
    """What every map is learned from, and with how many seeds."""
    seen: Taught = []

    def spy(corpora: Sequence[Corpus], encoded: Mapping[str, EncodedCorpus], recipe: MapRecipe | None = None) -> Floats:
        seen.append((sorted(encoded), len((recipe or MapRecipe()).seeds)))
        return learn_map(corpora, encoded, recipe)

    monkeypatch.setattr(module, "learn_map", spy)
    return seen


def counted(*families: str) -> dict[str, int]:
    """How many messages the heads of each mode are fitted to, with a set of each of these families."""
    said: list[str] = []
    corpora = [replace(english(), name=f"{family} {at}", family=family) for at, family in enumerate(families)]
    recipe = MapRecipe(steps=2, seeds=(0, 1, 2))
    learn(corpora, {"use": Letters().embed}, recipe=recipe, recipes=SCENES, messages=20, say=said.append)
    return {mode: int(line.split()[2]) for mode, _, line in (text.partition(":") for text in said[1:])}


def test_the_heads_also_see_every_set_by_a_map_that_has_not(taught: Taught) -> None:
    found = counted("toy", "toy", "other")
    assert taught == [(["other 2", "toy 0", "toy 1"], 3), (["other 2"], 2), (["toy 0", "toy 1"], 2)]
    assert found["use"] == 2 * found["lex"]


def test_sets_of_one_family_are_seen_once(taught: Taught) -> None:
    found = counted("toy", "toy")
    assert taught == [(["toy 0", "toy 1"], 3)]
    assert found["use"] == found["lex"]


def test_without_the_second_view_there_is_no_map_and_no_mode_for_it(tmp_path: Path) -> None:
    found = learn([english()], {"use": Letters().embed}, recipe=RECIPE, recipes=SCENES, messages=20)
    assert found.heads.keys() == {"lex", "use"}
    assert [path.name for path in found.save(tmp_path, {})] == ["use-multilingual.map.npz", "calibration.json"]


def test_heads_come_back_as_they_were_written(tmp_path: Path) -> None:
    heads: Heads = load_shipped_heads()["lex"]
    write_heads(tmp_path / "new" / "heads.json", {"lex": heads}, {})
    again = load_heads(tmp_path / "new" / "heads.json")["lex"]
    np.testing.assert_allclose(again.among, heads.among, atol=1e-5)


def test_a_corpus_is_encoded_text_by_text_at_length_one() -> None:
    found = encode_corpus(english(), lambda texts: 7 * Letters().embed(texts))
    assert {skill: len(rows) for skill, rows in found.messages.items()} == dict.fromkeys(WORDS, 8) | {OUT_OF_SCOPE: 3}
    rows = found.messages["jazz"]
    np.testing.assert_allclose(rows, Letters().embed(english().messages["jazz"]), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.about["jazz"], axis=1), 1, atol=1e-6)


def test_a_corpus_of_nothing_is_encoded_as_nothing() -> None:
    found = encode_corpus(Corpus("none", "none", {}, {}), Letters().embed)
    assert (found.messages, found.about) == ({}, {})
