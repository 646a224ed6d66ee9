"""Sentence encoders shared by the peers, without Metier's maps; each text is embedded once per run."""

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from metier.routing import plain_encoders

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]

_BATCH = 32


class Encoder:
    """Caching encoder of texts to unit vectors; without `load` it is a placeholder for peers that need none."""

    def __init__(self, load: Callable[[], Embed] | None = None, *, english_only: bool = False) -> None:
        self.english_only = english_only
        self._load = load
        self._embed: Embed | None = None
        self._known: dict[str, Floats] = {}
        self._cost_ms: dict[str, float] = {}

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Encode texts, one row each."""
        new = sorted({text for text in texts if text not in self._known}, key=len)
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            self._known.update(zip(part, self._run(part), strict=True))
        return np.stack([self._known[text] for text in texts])

    def measure_ms(self, text: str) -> float:
        """Time to encode this text alone; measured once, after the weights are loaded."""
        if self._load is None:
            return 0.0
        if text not in self._cost_ms:
            if self._embed is None:
                self._run(["warm up"])
            started = perf_counter()
            self._known[text] = self._run([text])[0]
            self._cost_ms[text] = (perf_counter() - started) * 1000
        return self._cost_ms[text]

    def _run(self, texts: Sequence[str]) -> Floats:
        if self._embed is None:
            if self._load is None:
                raise AssertionError("this peer was said to need no encoder")
            self._embed = self._load()
        rows = self._embed(texts)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Floats = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
        return unit


class Encoders:
    """Encoders of one run, each loaded on first use."""

    def __init__(self) -> None:
        self._made: dict[str, Encoder] = {}

    def get(self, name: str) -> Encoder:
        """Return the encoder of this name; the empty name gives the placeholder."""
        if name not in self._made:
            self._made[name] = _build_encoder(name)
        return self._made[name]


def _build_encoder(name: str) -> Encoder:
    if name == "USE-m":
        return Encoder(lambda: plain_encoders()["use"])
    return Encoder(lambda: plain_encoders()["mini"], english_only=True) if name == "MiniLM" else Encoder()
