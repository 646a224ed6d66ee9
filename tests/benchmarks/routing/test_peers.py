from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.routing._peers import PEERS, Peer, PeerKind, PeerRouter
from benchmarks.routing._peers_encoders import Encoder, Encoders, Floats
from benchmarks.routing._peers_semantic_router import SemanticRouter
from benchmarks.routing._peers_vectors import LogisticHead, MaxSimilarity
from benchmarks.routing._peers_words import Bm25, CharTfidf, list_texts
from metier.skills import Skill, Source

SOURCE = Source(Path("set"), Path("set"), "flat")
SKILLS = (
    Skill("weather", "weather", "", SOURCE, "weather", examples=("will it rain today", "is it sunny tomorrow")),
    Skill("music", "music", "", SOURCE, "music", examples=("play some jazz", "turn the volume up")),
    Skill("mail", "mail", "", SOURCE, "mail", examples=("write an email to anna", "send the letter")),
)


def letters(texts: Sequence[str]) -> Floats:
    """How often each letter occurs."""
    rows = [[text.lower().count(chr(ord("a") + at)) for at in range(26)] for text in texts]
    return np.asarray(rows, dtype=np.float32)


class Counting:
    """An embedder that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Floats:
        self.asked += texts
        return letters(texts)


def test_a_text_is_embedded_once() -> None:
    counting = Counting()
    encoder = Encoder(lambda: counting)
    rows = encoder(["rain", "jazz", "rain"])
    encoder(["jazz"])
    assert sorted(counting.asked) == ["jazz", "rain"]
    assert np.array_equal(rows[0], rows[2])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)


def test_a_message_alone_is_timed_once_and_never_with_the_weights() -> None:
    counting = Counting()
    encoder = Encoder(lambda: counting)
    first = encoder.measure_ms("will it rain")
    assert encoder.measure_ms("will it rain") == first > 0
    assert counting.asked == ["warm up", "will it rain"]


def test_an_encoder_for_those_that_need_none_costs_nothing() -> None:
    assert Encoders().get("").measure_ms("anything") == 0


def test_one_run_has_one_encoder_of_a_name() -> None:
    encoders = Encoders()
    assert encoders.get("USE-m") is encoders.get("USE-m")
    assert encoders.get("MiniLM").english_only


def test_every_peer_is_told_the_same() -> None:
    described = Skill("a", "title", "what it does", SOURCE, "a", examples=("one", "两个"))
    assert list_texts(described) == ("title", "what it does", "one", "两个")
    assert list_texts(SKILLS[0])[0] == "weather"


@pytest.mark.parametrize(
    ("needs", "make"),
    [
        pytest.param("numpy", MaxSimilarity, id="nearest example"),
        pytest.param("sklearn", LogisticHead, id="logistic regression"),
        pytest.param("bm25s", lambda _: Bm25(), id="bm25s"),
        pytest.param("sklearn", lambda _: CharTfidf(), id="character TF-IDF"),
        pytest.param("semantic_router", SemanticRouter, id="semantic-router"),
        pytest.param("semantic_router", SemanticRouter.hybrid, id="semantic-router hybrid"),
    ],
)
def test_a_peer_finds_the_skill_of_an_example(needs: str, make: Callable[[Encoder], Peer]) -> None:
    pytest.importorskip(needs)
    peer = make(Encoder(lambda: letters))
    peer.fit(SKILLS)
    for skill in SKILLS:
        ranked = peer.route(skill.examples[0])
        assert ranked[0][0] == skill.id
        assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
        assert len(ranked) <= 3
    peer.fit(SKILLS[:2])
    assert {skill for skill, _ in peer.route("write an email to anna")} <= {"weather", "music"}


def test_what_the_encoder_needs_is_part_of_the_time() -> None:
    kind = PeerKind(MaxSimilarity, (), "")
    contestant = PeerRouter("nearest", kind, _Fixed(Encoder(lambda: letters)))
    contestant.fit(SKILLS)
    answer = contestant.ask("will it rain today")
    assert answer.is_right("weather")
    assert answer.ms > contestant._encoder.measure_ms("will it rain today")
    assert not answer.none


class _Fixed(Encoders):
    """Always this encoder."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self._encoder = encoder

    def get(self, name: str) -> Encoder:
        return self._encoder


def test_a_peer_whose_library_is_missing_says_which() -> None:
    kind = PeerKind(MaxSimilarity, ("metier_has_no_such_module",))
    assert kind.missing == ("metier_has_no_such_module",)
    assert PeerKind(MaxSimilarity, ("json",)).missing == ()


def test_only_heads_that_state_probabilities_are_held_to_them() -> None:
    assert {name for name, kind in PEERS.items() if kind.gives_probabilities} == {
        "USE-m + logistic regression",
        "MiniLM + logistic regression",
    }
