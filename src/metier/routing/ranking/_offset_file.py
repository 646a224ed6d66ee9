"""Offsets and caution of earlier processes: a restart with the same skills computes nothing."""

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from metier.routing.ranking._index import RoutingIndex

if TYPE_CHECKING:
    from metier.routing.ranking._calibration import Heads

# Raised with every change to how an offset is computed.
_FORMAT: Final = 4
_MAX_ENTRIES: Final = 64


@dataclass(frozen=True, slots=True)
class OffsetFile:
    """JSON file of numbers by a digest of what they were computed from; a file that cannot be used costs only time."""

    path: Path

    def get(self, key: str) -> float | None:
        """Offset under this key; None if there is none."""
        found = self._read().get(key)
        return float(found) if isinstance(found, int | float) and math.isfinite(found) else None

    def put(self, key: str, offset: float) -> None:
        """Store an offset, the oldest of too many go."""
        entries = {**{known: one for known, one in self._read().items() if known != key}, key: offset}
        kept = dict(list(entries.items())[-_MAX_ENTRIES:])
        fresh = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(kept), encoding="utf-8")
            fresh.replace(self.path)
        except OSError:
            fresh.unlink(missing_ok=True)

    def _read(self) -> Mapping[str, object]:
        try:
            found = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def build_offset_key(index: RoutingIndex, heads: "Heads", views: tuple[str, ...]) -> str:
    """Digest of everything an offset depends on: texts and vectors of the skills, the heads, this version."""
    digest = hashlib.sha256(json.dumps([_FORMAT, _find_version(), views]).encode())
    for weights in astuple(heads):
        digest.update(np.ascontiguousarray(weights).tobytes())
    for text in index.texts:
        digest.update(f"{text.skill}\0{text.digest}\0".encode("utf-8", "replace"))
    for view in views:
        for skill in index.views[view].skills:
            digest.update(np.ascontiguousarray(skill.items).tobytes())
            digest.update(np.ascontiguousarray(skill.sentences).tobytes())
    return digest.hexdigest()


@cache
def _find_version() -> str:
    """Version of Metier; to read it from the package's metadata takes longer than the rest of the key."""
    return version("metier")
