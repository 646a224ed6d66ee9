"""The language of a turn whose message tells none: that of the messages that began the turns before it."""

from datetime import UTC, datetime
from itertools import count

import pytest

from metier.agent.lifecycle._start import _detect_language
from metier.language import Language
from metier.store import Message
from metier.store._messages import Role

FORM = "optimize: ['tilt', 'power']; lowest tilt: 0; highest tilt: 20"


def _talk(*said: tuple[str, Role, str]) -> list[Message]:
    places = count()
    return [Message("c", next(places), turn, datetime.now(UTC), role, text) for turn, role, text in said]


@pytest.mark.parametrize(
    ("message", "history", "language"),
    [
        pytest.param("/plan", _talk(("t1", "user", "分析干扰"), ("t1", "user", FORM)), "zh", id="a form's values"),
        pytest.param("/plan", _talk(("t1", "user", "分析干扰"), ("t2", "user", "/next"), ("t2", "user", FORM)), "zh"),
        pytest.param("/plan", _talk(("t1", "user", "分析干扰"), ("t2", "user", "show it in English")), "en"),
        pytest.param("/plan", _talk(("t1", "user", "show the cells"), ("t1", "assistant", "好的")), "en"),
        pytest.param("/plan 朝阳", _talk(("t1", "user", "show the cells")), "zh", id="the message tells"),
        pytest.param("sample-ledger.zh.xlsx", _talk(("t1", "user", "画个图")), "zh", id="the name of a file"),
        pytest.param("use sample-ledger.zh.xlsx please", _talk(("t1", "user", "画个图")), "en"),
        pytest.param("OK", [], "en", id="nothing tells"),
        pytest.param("用英文说一遍", _talk(("t1", "user", "分析干扰")), "en", id="the other language is wanted"),
        pytest.param("yes", _talk(("t1", "user", "分析干扰"), ("t2", "user", "用英文说一遍")), "en"),
    ],
)
def test_the_values_of_a_form_do_not_change_the_language(
    message: str, history: list[Message], language: Language
) -> None:
    assert _detect_language(message, history) == language
