import numpy as np
import pytest

from metier.routing import Router
from metier.routing.ranking import _native
from metier.routing.vectors import CheckedEmbedder
from metier.routing.vectors import _minilm_int8 as _minilm
from metier.routing.vectors._minilm_int8 import open_minilm
from metier.routing.vectors._onnx import WeightsFile, is_int8_exact
from metier.routing.vectors._shipped import MiniLmEmbedder
from tests.routing.support import DESK, ConceptView

TEXTS = (
    "no",
    "book me a table for four tonight",
    "Summarise the quarterly report, please: revenue, costs, and what changed since March.",
    "42 / 7 = ?",
    "the same word the same word the same word " * 40,
)


def refuse(*_: object) -> WeightsFile:
    raise ValueError("'model.onnx' is another file")


@pytest.fixture
def as_it_comes(monkeypatch: pytest.MonkeyPatch) -> MiniLmEmbedder:
    monkeypatch.setattr(_minilm, "hold_weights", refuse)
    return MiniLmEmbedder()


@pytest.mark.parametrize(
    ("machine", "least"),
    [
        ("x86_64", 0.9999),
        pytest.param("aarch64", 0.995, marks=pytest.mark.skipif(not is_int8_exact(), reason="needs arm64")),
    ],
)
def test_the_shipped_graphs_give_the_vectors_of_the_model_as_it_comes(
    machine: str, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    found = MiniLmEmbedder().embed(TEXTS)
    monkeypatch.setattr(_minilm, "hold_weights", refuse)
    plain = MiniLmEmbedder().embed(TEXTS)
    cosines = (plain * found).sum(axis=1) / np.linalg.norm(plain, axis=1) / np.linalg.norm(found, axis=1)
    assert cosines.min() > least


def test_a_text_has_the_same_vector_whatever_stands_beside_it() -> None:
    embedder = MiniLmEmbedder()
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(embedder.embed(TEXTS), alone, atol=2e-5)


@pytest.mark.parametrize(
    ("machine", "graph"),
    [
        ("aarch64", _minilm.SINGLE_PASS_GRAPH),
        ("arm64", _minilm.SINGLE_PASS_GRAPH),
        ("AMD64", _minilm.FLOAT_GRAPH),
        ("x86_64", _minilm.FLOAT_GRAPH),
    ],
)
def test_the_graph_is_chosen_by_the_processor_and_names_the_vectors(
    machine: str, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert MiniLmEmbedder().name == f"{graph}-1.0.0+map2"


def test_the_model_we_know_has_nothing_to_say() -> None:
    assert open_minilm()[1] == ()


def test_a_model_we_do_not_know_runs_as_it_comes_and_says_so(as_it_comes: MiniLmEmbedder) -> None:
    view = CheckedEmbedder(as_it_comes)
    assert not view.notes
    assert view.embed(["book a table"]).any()
    assert view.notes == ("the English view runs in its package's own graph, slower: 'model.onnx' is another file",)


def test_what_a_view_says_of_itself_stands_in_the_decision() -> None:
    router = Router(views=(ConceptView(notes=("slower than it should be",)),))
    assert "slower than it should be" in router.route("生成 PPT", catalog=DESK).notes


@pytest.mark.parametrize("processors", [1, 3])
def test_texts_on_several_processors_have_the_rows_of_their_own(
    processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_native, "count_processors", lambda: processors)
    texts = [f"book a table for {number}" for number in range(50)]
    embedder = MiniLmEmbedder()
    found = embedder.embed(texts)
    for at in (0, 7, 49):
        np.testing.assert_allclose(found[at], embedder.embed([texts[at]])[0], atol=2e-3)
