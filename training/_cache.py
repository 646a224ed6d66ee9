"""Vectors and maps of an earlier run, kept in a folder: encoding the sets takes most of the time."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from training._corpus import Encode, Floats

_SAVE_EVERY = 2_000
_BATCH = 32


class CachedEncoder:
    """Encoder that reads known texts from a file and adds new ones to it."""

    def __init__(self, encode: Encode, file: Path) -> None:
        self._encode = encode
        self._file = file
        self._known: dict[str, Floats] = {}
        if file.is_file():
            with np.load(file, allow_pickle=False) as stored:
                self._known = dict(zip(stored["texts"].tolist(), stored["rows"], strict=True))

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Encode texts, one row each."""
        new = sorted({text for text in texts if text not in self._known}, key=len)
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            rows = self._encode(part).astype(np.float16)
            self._known.update(zip(part, rows, strict=True))
            if start % _SAVE_EVERY < _BATCH or start + _BATCH >= len(new):
                self._save()
        found: Floats = np.array([self._known[text] for text in texts], dtype=np.float32)
        return found

    def _save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self._file, texts=np.array(list(self._known)), rows=np.array(list(self._known.values())))


def load_or_learn(file: Path | None, learn: Callable[[], Floats]) -> Floats:
    """Read a matrix from a file; learn and store it if there is none."""
    if file is None:
        return learn()
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, learn())
    found: Floats = np.load(file)
    return found
