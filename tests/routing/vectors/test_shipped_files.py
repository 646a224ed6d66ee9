"""A file that ships with the router and was damaged: it is told, and nothing is different without a word."""

import re
import shutil
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from metier.errors import EmbedderBroken, Unavailable
from metier.routing.ranking import DATA, _shipped_files, load_shipped_heads
from metier.routing.vectors import CheckedEmbedder
from metier.routing.vectors._minilm_int8 import choose_graph
from metier.routing.vectors._shipped import MiniLmEmbedder, UseEmbedder

# Looked for, not imported: it starts a thread, which the process that test processes are forked from must not have.
pytestmark = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="needs ONNX Runtime")


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data that a test may damage."""
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    monkeypatch.setattr(_shipped_files, "DATA", folder)
    return folder


@cache
def embed_undamaged(name: str) -> NDArray[np.float32]:
    embedder = UseEmbedder() if name == UseEmbedder.__name__ else MiniLmEmbedder()
    return embedder.embed(["book a table"])


def change_a_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def swap(file: Path) -> None:
    """Put another file of its kind in its place."""
    others = sorted(one for one in file.parent.glob(f"*{file.suffix}") if one != file)
    file.write_bytes(others[0].read_bytes() if others else b"another")


@pytest.mark.parametrize("damage", [change_a_byte, swap, Path.unlink], ids=["one byte", "swapped", "missing"])
@pytest.mark.parametrize(
    ("name", "embedder", "then"),
    [
        ("use-multilingual.onnx", UseEmbedder, "runs in NumPy"),
        ("use-multilingual.weights.json", UseEmbedder, "runs in NumPy"),
        ("use-multilingual.map.npz", UseEmbedder, None),
        (f"{choose_graph()}.onnx", MiniLmEmbedder, "runs in its package's own graph"),
        ("all-minilm-l6-v2-int8.weights.json", MiniLmEmbedder, "runs in its package's own graph"),
        ("all-minilm-l6-v2.map.npz", MiniLmEmbedder, None),
        ("bert-uncased.vocab.txt", MiniLmEmbedder, None),
    ],
)
def test_a_damaged_file_is_told_and_never_gives_other_vectors(
    name: str,
    embedder: type[UseEmbedder | MiniLmEmbedder],
    then: str | None,
    damage: Callable[[Path], None],
    copied: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damage(copied / name)
    checked = CheckedEmbedder(embedder())
    if then is None:
        with pytest.raises(EmbedderBroken, match=re.escape(name)):
            checked.embed(["book a table"])
        return
    found = checked.embed(["book a table"])[0]
    assert then in checked.notes[0]
    assert name in checked.notes[0]
    monkeypatch.undo()
    expected = embed_undamaged(embedder.__name__)[0]
    assert float(found @ expected / np.linalg.norm(found) / np.linalg.norm(expected)) > 0.997


@pytest.mark.parametrize("content", ["", "{", "[]", "{}"])
def test_without_checksums_no_file_is_used(content: str, copied: Path) -> None:
    (copied / "checksums.json").write_text(content, "utf-8")
    with pytest.raises(EmbedderBroken, match=r"checksums\.json"):
        CheckedEmbedder(UseEmbedder()).embed(["book a table"])


@pytest.mark.parametrize("damage", [change_a_byte, Path.unlink], ids=["one byte", "missing"])
def test_a_damaged_calibration_is_told(damage: Callable[[Path], None], copied: Path) -> None:
    damage(copied / "calibration.json")
    with pytest.raises(Unavailable, match=r"calibration\.json") as caught:
        load_shipped_heads.__wrapped__()
    assert caught.value.hint == "install metier again"
