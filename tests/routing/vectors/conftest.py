"""These tests are about how encoders load, so that each loads its own."""

import pytest

from metier.routing.vectors import _shipped


@pytest.fixture(autouse=True)
def _encoders_loaded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("open_use", "open_minilm"):
        monkeypatch.setattr(_shipped, name, getattr(_shipped, name).__wrapped__)
