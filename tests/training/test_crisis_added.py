"""What newer sentences add to the weights of the crisis check: the sum scores as both together do."""

import numpy as np
import pytest

from metier.packs.life.safety import crisis_head, fold_words
from training import crisis_added
from training.crisis import Sentence, compress_weights, compute_material, read_sentences, solve_ridge

OLD = [Sentence(True, "我不想活了", "a"), Sentence(False, "帮我抽三张牌", "b"), Sentence(False, "book a table", "b")]
NEW = [Sentence(True, "楼下的人好小，像蚂蚁", "c"), Sentence(False, "楼下的快递到了", "c")]


def test_new_sentences_are_learned_and_old_ones_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crisis_added, "read_sentences", lambda *_: iter(NEW))
    sentences = [*NEW, *OLD]
    vectors = np.random.default_rng(3).normal(size=(len(sentences), 8)).astype(np.float32)
    first = compute_material(OLD, vectors[len(NEW) :])
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in OLD])
    solved = solve_ridge(first.build_kernel(with_vectors=True), wanted)
    stored = {f"full_{key}": one for key, one in compress_weights(first, solved).items()} | {"rarity": first.rarity}
    material = compute_material(sentences, vectors, rarity=first.rarity)
    before = crisis_added.score_all(material, stored, "full", with_vectors=True)
    added = crisis_added.add_weights(material, sentences, stored, "full", with_vectors=True)
    after = crisis_added.score_all(material, added, "full", with_vectors=True)
    truth = np.array([1.0 if one.is_danger else -1.0 for one in sentences])
    assert np.abs(truth - after)[: len(NEW)].max() < np.abs(truth - before)[: len(NEW)].max()
    assert np.sign(after).tolist() == truth.tolist()
    head = crisis_head.build_head({**added, "rarity": first.rarity}, "full")
    words = [crisis_head.compute_word_features(fold_words(one.text)) for one in sentences]
    scores = [head.score(one, row) for one, row in zip(words, material.vectors, strict=True)]
    assert np.allclose(scores, after, atol=1e-6)


def test_every_text_is_learned_from_once_and_the_newest_dangers_are_all_centres() -> None:
    new = list(read_sentences(*crisis_added.NEWEST))
    assert len(new) > 1000
    assert len({one.text for one in new}) > 0.99 * len(new)
    centres = crisis_added.choose_centres(new)
    assert {at for at, one in enumerate(new) if one.is_danger} <= set(centres.tolist())
