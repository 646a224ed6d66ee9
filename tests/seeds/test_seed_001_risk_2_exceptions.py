"""Exceptions of seed 001 (申请突破约束): answered in words, listed and counted for the operator."""

import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.testing import FakeModel
from tests.e2e.support import Desk, opened, said


async def test_no_in_words_denies_an_exception(tmp_path: Path) -> None:
    for number, words in enumerate(("不同意", "不同意，换个办法", "不行，换一种方法吧")):
        desk = Desk()
        model = FakeModel().call("request_exception", tool="find_order", reason="用户坚持").say("好，不查了")
        async with opened(tmp_path / str(number), desk, model) as runtime:
            turn = await said(runtime, "帮我算个八字")
            assert turn.one("pause.opened")["purpose"] == "exception"
            last = await said(runtime, words, turn.conversation)
            assert await runtime.store.pauses.list_open(turn.conversation) == (), words
        assert last.one("exception.decided")["state"] == "denied", words
        assert desk.names == [], words
        assert last.text == "好，不查了", words


async def _ask_for_exceptions(folder: Path) -> None:
    for answer in ("同意", "不同意"):
        model = FakeModel().call("request_exception", tool="find_order", reason="用户坚持").say("好")
        async with opened(folder, Desk(), model) as runtime:
            turn = await said(runtime, "帮我算个八字")
            await said(runtime, answer, turn.conversation)


async def test_exceptions_are_listed_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from asyncio import to_thread

    monkeypatch.setenv("METIER_STORAGE_DIR", str(tmp_path / "storage"))
    await _ask_for_exceptions(tmp_path)
    assert await to_thread(run, ["exceptions", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["exceptions"]
    assert [one["state"] for one in listed] == ["denied", "granted"]
    assert {one["reason"] for one in listed} == {"用户坚持"}
    assert await to_thread(run, ["exceptions", "list", "--state", "granted"]) == 0
    assert "find_order" in capsys.readouterr().out
    assert await to_thread(run, ["exceptions", "report", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["exceptions"]
    assert {key: row[key] for key in ("skill", "tool", "asked", "granted", "denied", "advice")} == {
        "skill": "birth-chart",
        "tool": "find_order",
        "asked": 2,
        "granted": 1,
        "denied": 1,
        "advice": "review",
    }
