"""What the guide shows is run as it stands there."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from metier.cli import run
from metier.telemetry import EVENT_NAMES, open_telemetry
from tests.e2e.support import settings_in

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "guides" / "telemetry.md").read_text("utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")


def test_the_commands_work() -> None:
    lines = [shlex.split(line)[1:] for line in "".join(_blocks("sh")).splitlines() if line.startswith("metier ")]
    assert len(lines) == 4
    for words in lines:
        assert run(words) == 0, words


def test_the_code_works(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(ROOT / "examples" / "skills", "skills")
    for block in reversed(_blocks("python")):
        exec(block, {})
    said = capsys.readouterr().out
    assert "pause.opened" in said
    assert "DurationStats(count=0" in said


def test_the_batch_is_taken(tmp_path: Path) -> None:
    (batch,) = _blocks("json")
    with open_telemetry(settings_in(tmp_path)) as telemetry:
        assert telemetry.ingest(json.loads(batch), "li").to_json() == {"accepted": 1, "rejected": []}


def test_the_design_page_names_every_event() -> None:
    page = (ROOT / "docs" / "design" / "telemetry.md").read_text("utf-8")
    assert [name for name in EVENT_NAMES if f"`{name}`" not in page] == []
