"""What the guide shows is what happens."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from metier.cli import run
from metier.testing import FakeModel

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/guides/running.md").read_text("utf-8")
SKILLS = str(Path(__file__).with_name("cli_skills"))


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def _is_part(shown: object, real: object) -> bool:
    """Whether everything that is shown is there, however much more there is."""
    if isinstance(shown, Mapping):
        return isinstance(real, Mapping) and all(key in real and _is_part(shown[key], real[key]) for key in shown)
    return shown == real


def test_the_transcript_is_true(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    assert run(["run", "帮我记一条笔记", "--skills", SKILLS, "--json"]) == 0
    first = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    pause = first[-1]["data"]["pause"]
    assert run(["run", "--answer", pause, '{"content": "买牛奶"}', "--skills", SKILLS, "--json"]) == 0
    real = [*first, *(json.loads(line) for line in capsys.readouterr().out.splitlines())]
    shown = [json.loads(line) for block in _blocks("json") for line in block.splitlines()]
    assert [one["seq"] for one in shown] == [one["seq"] for one in real]
    for told, event in zip(shown, real, strict=True):
        assert _is_part(told, event), (told, event)


def test_the_code_works(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    monkeypatch.setenv("METIER_SKILLS_DIR", SKILLS)
    script, agent = _blocks("python")
    exec(script, {})
    assert capsys.readouterr().out.splitlines()[0] == "1 turn.started"
    exec(agent, {"model": FakeModel(), "tools": []})
