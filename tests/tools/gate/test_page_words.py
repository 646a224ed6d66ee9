"""Every code with which the gate refuses a call has a sentence in both languages where the page shows refusals."""

from pathlib import Path
from typing import get_args

import pytest

from metier.tools.gate._verdict import VerdictCode
from tests.browser.words import sentence

_PAGE = Path(__file__).resolve().parents[3] / "web" / "src"
_NOT_REFUSED = {"allowed", "granted", "control_tool", "approval_needed"}
_PLACES = {"chat": "chat/violation.tsx", "console-decisions": "console/violations.tsx"}


@pytest.mark.parametrize("room", _PLACES)
@pytest.mark.parametrize("code", sorted({*get_args(VerdictCode)} - _NOT_REFUSED))
def test_a_refusal_is_worded(code: str, room: str) -> None:
    chinese, english = sentence(room, f"code_{code}", "zh"), sentence(room, f"code_{code}", "en")
    assert chinese != english
    assert f'"{code}"' in (_PAGE / _PLACES[room]).read_text("utf-8")
