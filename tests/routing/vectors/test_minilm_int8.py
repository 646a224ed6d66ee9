import numpy as np
import pytest

from metier.routing import Router
from metier.routing.vectors import CheckedEmbedder
from metier.routing.vectors import _minilm_int8 as _minilm
from metier.routing.vectors._minilm_int8 import open_minilm
from metier.routing.vectors._onnx import WeightsFile
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
    monkeypatch.setattr(_minilm, "open_weights", refuse)
    return MiniLmEmbedder()


def test_whole_numbers_give_the_vectors_of_the_model_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = MiniLmEmbedder().embed(TEXTS)
    monkeypatch.setattr(_minilm, "open_weights", refuse)
    plain = MiniLmEmbedder().embed(TEXTS)
    cosines = (plain * found).sum(axis=1) / np.linalg.norm(plain, axis=1) / np.linalg.norm(found, axis=1)
    assert cosines.min() > 0.9999


def test_the_model_we_know_has_nothing_to_say() -> None:
    assert open_minilm()[1] == ()


def test_a_model_we_do_not_know_runs_as_it_comes_and_says_so(as_it_comes: MiniLmEmbedder) -> None:
    view = CheckedEmbedder(as_it_comes)
    assert not view.notes
    assert view.embed(["book a table"]).any()
    assert view.notes == ("the English view runs in float32, at twice the time: 'model.onnx' is another file",)


def test_what_a_view_says_of_itself_stands_in_the_decision() -> None:
    router = Router(views=(ConceptView(notes=("slower than it should be",)),))
    assert "slower than it should be" in router.route("生成 PPT", catalog=DESK).notes
