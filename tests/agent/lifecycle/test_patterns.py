"""An open runtime lets Python keep the patterns of all rules."""

import re
from pathlib import Path

import pytest

from metier.agent import Runtime
from metier.testing import FakeModel
from tests.e2e.support import settings_in


async def test_what_a_rule_compiled_is_there_for_the_next_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(re, "_MAXCACHE", 512)
    async with Runtime.open(settings_in(tmp_path), model=FakeModel()):
        first, *_ = [re.compile(f"of a rule {number}") for number in range(2_000)]
        assert re.compile("of a rule 0") is first
