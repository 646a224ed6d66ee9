"""The fit of the crisis check: what is shipped scores a sentence as the regression does."""

import numpy as np

from metier.packs.life.safety import crisis_head, fold_words
from training.crisis import Sentence, compress_weights, compute_material, solve_ridge

SENTENCES = [
    Sentence(True, "我不想活了", "a"),
    Sentence(True, "I want to end it tonight", "a"),
    Sentence(False, "帮我抽三张牌", "b"),
    Sentence(False, "should I end it with my boyfriend", "b"),
    Sentence(False, "", "b"),
]


def test_the_weights_of_features_score_a_sentence_as_the_kernel_does() -> None:
    vectors = np.random.default_rng(3).normal(size=(len(SENTENCES), 8)).astype(np.float32)
    material = compute_material(SENTENCES, vectors)
    wanted = np.array([1.0 if one.is_danger else -1.0 for one in SENTENCES])
    for name, with_vectors in (("full", True), ("words", False)):
        kernel = material.build_kernel(with_vectors=with_vectors)
        weights = solve_ridge(kernel.copy(), wanted)
        parts = compress_weights(material, weights)
        stored = {f"{name}_{key}": one for key, one in parts.items()} | {"rarity": material.rarity}
        head = crisis_head.build_head(stored, name)
        rows = material.vectors if with_vectors else [None] * len(SENTENCES)
        words = [crisis_head.compute_word_features(fold_words(one.text)) for one in SENTENCES]
        scores = [head.score(one, row) for one, row in zip(words, rows, strict=True)]
        assert np.allclose(scores, kernel @ weights, atol=1e-5)
        assert np.allclose(kernel @ weights + weights, wanted, atol=1e-5)  # a ridge of 1


def test_a_kernel_in_single_precision_is_solved_as_in_double() -> None:
    rows = np.random.default_rng(5).normal(size=(40, 12))
    kernel, wanted = rows @ rows.T, np.sign(rows[:, 0])
    found = solve_ridge(kernel.astype(np.float32), wanted)
    assert np.allclose(found, np.linalg.solve(kernel + np.eye(40), wanted), atol=1e-4)
