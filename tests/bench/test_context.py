"""What choosing costs is measured on real prompts."""

import pytest

from metier.bench import _context as suite


def test_the_prompt_does_not_grow_with_the_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "SIZES", (10, 60))
    monkeypatch.setattr(suite, "MESSAGES", 4)
    few, many = suite.measure_context()
    assert few.ok
    assert many.ok
    assert 100 < many.value < 1.3 * few.value
