"""What a developer gets wrong first is said with a code and with what to write instead."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.errors import UsageError
from metier.langchain import SkillMiddleware
from metier.settings import Settings
from metier.testing import FakeModel


async def _run(settings: Settings, request: Any = None, **given: Any) -> None:
    async with Runtime.open(settings, **{"model": FakeModel().say("hi"), **given}) as runtime:
        async for _ in runtime.turn(TurnRequest("hello") if request is None else request):
            pass


CASES: dict[str, tuple[Callable[[Settings], Awaitable[None]], str]] = {
    "a function as a tool": (lambda settings: _run(settings, tools=[len]), "@metier.tool"),
    "a name as a model": (lambda settings: _run(settings, model="openai:gpt-5"), "Settings(model='openai:…')"),
    "a number as a model": (lambda settings: _run(settings, models={"small": 5}), "init_chat_model"),
    "a text as a request": (lambda settings: _run(settings, "hello"), "TurnRequest('…')"),
    "a request without a text": (lambda settings: _run(settings, TurnRequest(None)), "TurnRequest('…')"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("use", "hint"), CASES.values(), ids=CASES.keys())
async def test_a_wrong_use_says_what_to_write(
    use: Callable[[Settings], Awaitable[None]], hint: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        await use(Settings(storage_dir=tmp_path, skills_dir=(tmp_path,)))
    assert hint in caught.value.hint


def test_a_folder_of_skills_that_is_not_there_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    SkillMiddleware(tmp_path / "nope")
    assert "there are no skills until it is there" in caplog.text
    caplog.clear()
    SkillMiddleware(tmp_path)
    assert caplog.text == ""
