"""What a turn accepts, and which words leave a skill."""

from typing import Any

import pytest

from metier.agent import TurnRequest
from metier.agent.choice import is_leave_request
from metier.agent.turn import validate_request
from metier.context import BasePrompt
from metier.errors import InvalidInput


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("  你好 \r\n", "你好"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\x00b\ud800c", "a\ufffdb\ufffdc"),
        ("tab\tstays", "tab\tstays"),
        ("🎉", "🎉"),
        (f"a{' ' * 40}b", f"a{' ' * 40}b"),
        (f"a{' ' * 5000}b", f"a{' ' * 40}b"),
        ("a" + "\n \t" * 5000 + "b", "a" + ("\n \t" * 14)[:40] + "b"),
    ],
)
def test_a_message_is_made_readable(message: str, text: str) -> None:
    assert validate_request(TurnRequest(message), 1000).message == text


@pytest.mark.parametrize("message", ["", " \n\t", "\x00", "\ud800"])
def test_a_message_without_anything_is_refused(message: str) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        validate_request(TurnRequest(message), 1000)


@pytest.mark.parametrize("message", ["字" * 5000, "x" * 2_000_000], ids=["counted", "too long to count"])
def test_a_message_that_is_too_long_is_refused(message: str) -> None:
    with pytest.raises(InvalidInput, match="the most is 1000"):
        validate_request(TurnRequest(message), 1000)


def test_an_unknown_voice_or_chooser_is_refused_by_name() -> None:
    fields: tuple[dict[str, Any], ...] = ({"voice_mode": "angry"}, {"skill_choice": "dice"})
    for asked in fields:
        with pytest.raises(InvalidInput, match="is unknown") as caught:
            validate_request(TurnRequest("x", **asked), 1000)
        assert caught.value.hint.startswith("known: ")
    with pytest.raises(InvalidInput, match="'angry' is unknown"):
        BasePrompt.default("zh").render(voice="angry")  # type: ignore[arg-type]


def test_a_blank_skill_is_none() -> None:
    assert validate_request(TurnRequest("x", skill=" "), 1000).skill is None


@pytest.mark.parametrize(
    "words",
    ["退出", "退出。", "请退出技能", "离开当前技能吧", "exit skill", "Please leave the skill", "/exit", "不看了，退出"],
)
def test_words_that_leave_a_skill(words: str) -> None:
    assert is_leave_request(words)


@pytest.mark.parametrize("words", ["退出登录怎么做", "exit", "leave me alone", "换一个地点再分析", "如何退出技能？"])
def test_words_that_do_not(words: str) -> None:
    assert not is_leave_request(words)
