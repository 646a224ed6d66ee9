"""What the tuned encoder of the crisis check is learned from, and how; learning itself needs PyTorch."""

import numpy as np
import pytest

from metier.packs.life.safety import crisis_tuned as shipped
from metier.packs.life.safety import fold_words
from metier.routing import load_use_source
from training import crisis_added, crisis_tuned
from training.crisis import Sentence, read_sentences

SENTENCES = {
    "new": [Sentence(True, "楼下的人好小，像蚂蚁", "a"), Sentence(False, "楼下的快递到了", "a")],
    "public": [Sentence(False, "book a table for four", "b")],
}


def test_the_shipped_weights_were_learned_from_the_sentences_that_are_here() -> None:
    assert shipped.read_notes(shipped.TUNED_FILE)["newer"] == crisis_tuned.digest_newer(), (
        "python -m training.crisis_tuned"
    )
    assert shipped.read_notes(shipped.LONG_FILE)["long"] == crisis_tuned.digest_long(), "… --long"
    assert shipped.read_notes(shipped.LONG_FILE)["base"] == shipped.read_notes(shipped.TUNED_FILE)["sha256"]


def test_no_sentence_of_the_new_ones_is_written_twice_with_two_answers() -> None:
    known: dict[str, bool] = {}
    for one in read_sentences(*crisis_added.NEWER):
        assert known.setdefault(fold_words(one.text), one.is_danger) is one.is_danger, one.text
    assert len(known) > 3000


def test_sentences_become_tokens_with_the_weight_of_their_kind() -> None:
    source = load_use_source()
    material = crisis_tuned.build_material(source, SENTENCES)
    assert material.wanted.tolist() == [1, 0, 0]
    assert material.weights.tolist() == [2, 2, 0.5]
    assert material.shares[:2].tolist() == [1, 1]
    assert material.shares[2] < 1
    (expected,) = [source.look_up(np.array(source.cut("楼下的快递到了")))]
    np.testing.assert_array_equal(material.table[material.tokens[1]], expected)
    for batch in crisis_tuned.choose_batches(material, np.random.default_rng(1)):
        assert set(batch.tolist()) <= {0, 1, 2}


def test_the_newest_sentences_come_first_and_weigh_most_where_only_the_top_is_learned() -> None:
    material = crisis_tuned.build_material(
        load_use_source(), dict.fromkeys(("newest", "other", "known"), SENTENCES["new"])
    )
    assert material.weights.tolist() == pytest.approx([3, 3, 1, 1, 0.6, 0.6])
    assert material.shares.tolist() == [1] * 6


def test_of_what_is_learned_from_again_the_newest_dangers_are_all_centres() -> None:
    newest = list(read_sentences(*crisis_added.NEWEST))
    centres = set(crisis_added.choose_centres(newest).tolist())
    dangers = {at for at, one in enumerate(newest) if one.is_danger}
    assert dangers <= centres
    assert len(centres) < len(newest)
