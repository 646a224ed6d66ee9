"""`metier serve` as a person starts it: it says where it is, answers, and stops when told to."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from metier.cli import run
from tests.server.support import SKILL


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    folder = tmp_path / "skills"
    folder.mkdir()
    (folder / "weekly-report.md").write_text(SKILL, "utf-8")
    return folder


def test_it_says_where_it_is_answers_and_stops(tmp_path: Path, skills: Path) -> None:
    command = [sys.executable, "-m", "metier", "serve", "--port", "0", "--skills", str(skills), "--dev"]
    environment = {**os.environ, "METIER_EMBEDDER": "none", "METIER_STORAGE_DIR": str(tmp_path / "storage")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process:
        try:
            assert process.stderr is not None
            found = next(match for line in process.stderr if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
            info = httpx.get(f"{found[0]}/api/info", timeout=30).json()
            assert (info["skills"] >= 1, info["dev_routes"], info["model"]) == (True, True, "builtin")
            answer = httpx.post(f"{found[0]}/api/chat", json={"message": "帮我写这周的周报"}, timeout=30)
            name = answer.headers["x-conversation-id"]
            with httpx.stream("GET", f"{found[0]}/api/conversations/{name}/events", timeout=30) as stream:
                pieces = stream.iter_text()
                assert "turn.started" in next(piece for piece in pieces if "event:" in piece)
                process.send_signal(signal.SIGINT)
                assert "turn.started" not in "".join(pieces)  # the stream ends, and does not break off
            assert process.wait(60) in (0, 130)
            assert "Traceback" not in process.stderr.read()
        finally:
            process.kill()


def test_listening_for_others_is_possible_with_a_key_in_the_store(
    skills: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[str] = []
    monkeypatch.setattr("metier.server.serve", lambda _, host, *__, **___: heard.append(host))
    assert run(["users", "add", "ann"]) == 0
    assert run(["serve", "--host", "0.0.0.0", "--skills", str(skills)]) == 0, capsys.readouterr().err
    assert heard == ["0.0.0.0"]


def test_listening_for_others_without_keys_is_refused(skills: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--host", "0.0.0.0", "--skills", str(skills)]) == 5
    assert "--unsafe-no-auth" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(skills: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--port", port, "--skills", str(skills)]) == 6
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--skills", "nowhere"], 3), (["--pack", "nothing"], 3), (["--port", "70000"], 2)],
    ids=["folder", "pack", "port"],
)
def test_what_is_not_there_is_told_before_anything_opens(arguments: list[str], code: int) -> None:
    assert run(["serve", *arguments]) == code


REFUSALS = {
    "a file that is no database": ({"METIER_DATABASE_URL": "sqlite:///broken.sqlite3"}, 6, "not a SQLite database"),
    "a PostgreSQL that is down": (
        {"METIER_DATABASE_URL": "postgresql://ann:hunter2hunter2@127.0.0.1:1/x"},
        6,
        "the database cannot be reached",
    ),
    "a folder that cannot be made": ({"METIER_STORAGE_DIR": "/proc/nope"}, 6, "cannot be used"),
    "an unknown provider": ({"METIER_MODEL": "nope:x"}, 5, "cannot be made"),
    "a bad address": ({"METIER_OTLP_ENDPOINT": "ftp://ann:hunter2hunter2@x"}, 5, "cannot be 'ftp://ann:***@x'"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_server_that_cannot_start_says_why_in_one_sentence(
    case: str, skills: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    variables, code, sentence = REFUSALS[case]
    Path("broken.sqlite3").write_bytes(b"x" * 4096)
    for name, value in {"METIER_EMBEDDER": "none", **variables}.items():
        monkeypatch.setenv(name, value)
    assert run(["serve", "--port", "0", "--skills", str(skills)]) == code
    told = capfd.readouterr().err
    assert sentence in told
    assert ("Traceback" in told, "hunter2" in told, len(told.splitlines())) == (False, False, 2)
