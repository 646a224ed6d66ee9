import asyncio
import json

import pytest

from metier.cli import run
from metier.settings import load_settings
from metier.store import Store

Capture = pytest.CaptureFixture[str]


async def _refused(*tools: str, reason: str = "skill tarot does not list it") -> list[str]:
    ids = []
    async with Store.open(load_settings().database_url) as store:
        for tool in tools:
            talk = await store.conversations.create("li")
            ids.append(talk.id)
            await store.violations.record(
                talk.id,
                tool=tool,
                args_digest="sha256:1",
                layer="skill",
                code="not_allowed_by_skill",
                reason=reason,
                skill="tarot",
            )
    return ids


def _listed(arguments: list[str], capsys: Capture) -> list[str]:
    assert run(["violations", "list", *arguments, "--json"]) == 0
    return [one["tool"] for one in json.loads(capsys.readouterr().out)["violations"]]


def test_refused_calls_are_listed_and_filtered(capsys: Capture) -> None:
    ids = asyncio.run(_refused("pdf", "shell"))
    assert sorted(_listed([], capsys)) == ["pdf", "shell"]
    assert _listed(["--tool", "pdf"], capsys) == ["pdf"]
    assert _listed(["--conversation", ids[1]], capsys) == ["shell"]
    assert len(_listed(["--limit", "1"], capsys)) == 1


def test_people_get_a_table(capsys: Capture) -> None:
    asyncio.run(_refused("pdf"))
    assert run(["violations", "list"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["at", "tool", "layer", "code", "skill", "conversation", "reason"]
    assert "not_allowed_by_skill" in row


def test_what_a_model_called_cannot_move_the_cursor(capsys: Capture) -> None:
    asyncio.run(_refused("\x1b[2Jpdf\u202e", reason="\x9b31m红色"))
    assert run(["violations", "list"]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\x9b" not in said
    assert "\u202e" not in said
    assert "红色" in said


def test_nothing_refused_is_said(capsys: Capture) -> None:
    assert run(["violations", "list"]) == 0
    assert "no call was refused" in capsys.readouterr().err


def test_a_limit_is_a_whole_number_from_one(capsys: Capture) -> None:
    assert run(["violations", "list", "--limit", "0"]) == 2
    assert "--limit" in capsys.readouterr().err
