"""`metier feedback`: ratings in a table, and a routing case written beside the skill."""

import asyncio
import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.settings import load_settings
from metier.store import Store

SKILL = "---\nname: tarot\ndescription: Reads the cards.\n---\n\nRead the cards.\n"


async def _rate(message: str) -> str:
    async with Store.open(load_settings().database_url) as store:
        talk = await store.conversations.create("li")
        turn = await store.turns.start(talk.id, "me", 60)
        await store.events.append(talk.id, "turn.started", {"message": message, "skill": None}, turn=turn.id)
        kept = await store.feedback.put(
            talk.id, turn.id, "li", "down", reason="wrong_skill", note="\x1b[2Jno", skill="tarot"
        )
        return kept.id


def test_ratings_are_listed_and_one_becomes_a_routing_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tarot.md").write_text(SKILL, "utf-8")
    monkeypatch.setenv("METIER_SKILLS_DIR", str(tmp_path))
    rating = asyncio.run(_rate("what will the weather be"))
    assert run(["feedback", "list"]) == 0
    table = capsys.readouterr().out
    assert "wrong_skill" in table
    assert "\x1b" not in table
    assert run(["feedback", "list", "--verdict", "up", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"feedback": []}
    assert run(["feedback", "case", rating, "--write"]) == 0
    written = json.loads((tmp_path / "evals" / "tarot.json").read_text("utf-8"))
    assert written == [{"query": "what will the weather be", "should_trigger": False}]
    assert run(["feedback", "case", "0" * 32]) != 0
