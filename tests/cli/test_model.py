"""`metier model` and what `metier doctor` and `metier lint` say of models."""

import json
from pathlib import Path

import pytest

from metier.cli._main import run
from tests.providers.server import KEY, MODEL, Ability, Call, ModelServer, Reply
from tests.providers.support import APIS

Capture = pytest.CaptureFixture[str]
TOML = """
model = "strong"
stage_models = { choose = "small" }
[models.strong]
model = "deepseek:deepseek-v4-pro"
api_key = "sk-very-secret"
[models.small]
model = "ollama:qwen3:4b"
"""


def test_the_models_are_listed_without_their_keys(capsys: Capture) -> None:
    Path("metier.toml").write_text(TOML, "utf-8")
    assert run(["model", "list"]) == 0
    assert run(["model", "list", "--json"]) == 0
    said = capsys.readouterr().out
    assert "secret" not in said
    assert "models.strong.api_key" in said
    assert "https://api.deepseek.com" in said


def test_a_model_is_tried_out(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(APIS["openai"](), Ability(schemas=True)) as server:
        monkeypatch.setenv("METIER_MODEL", f"openai:{MODEL}")
        monkeypatch.setenv("METIER_BASE_URL", server.url)
        monkeypatch.setenv("METIER_API_KEY", KEY)
        server.reply(Reply(text=("hel", "lo")), Reply(text=("你好",)), Reply(calls=(Call("add", '{"a":2,"b":3}'),)))
        server.reply(Reply(text=('{"colour":"red"}',)))
        assert run(["model", "test"]) == 0
        assert "✓ tools: add(" in capsys.readouterr().out
        server.reply(Reply(status=401, text=("no",)))
        assert run(["model", "test", "--json"]) == 6
        told = json.loads(capsys.readouterr().out)
        assert (told["ok"], told["checks"][-1]["status"]) == (False, "failed")


def test_an_unknown_model_is_not_found(capsys: Capture) -> None:
    assert run(["model", "test", "nobody"]) == 3
    assert "model_not_found" in capsys.readouterr().err


DOCTOR = [
    ({}, "built in", "ok"),
    ({"METIER_MODEL": "openai:m"}, "needs a key", "failed"),
    ({"METIER_MODEL": "deepseek:m", "DEEPSEEK_API_KEY": "sk-secret"}, "key from DEEPSEEK_API_KEY", "ok"),
    ({"METIER_MODEL": "m", "METIER_BASE_URL": "http://127.0.0.1:9/v1"}, "does not answer", "warning"),
    ({"METIER_MODEL": "mistralai:m", "MISTRAL_API_KEY": "k"}, "needs langchain-mistralai", "failed"),
]


@pytest.mark.parametrize(("variables", "message", "status"), DOCTOR, ids=[message for _, message, _ in DOCTOR])
def test_the_doctor_looks_at_the_model(
    variables: dict[str, str], message: str, status: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    run(["doctor", "--json"])
    said = capsys.readouterr().out
    (check,) = [one for one in json.loads(said)["checks"] if one["name"] == "model"]
    assert message in check["message"]
    assert check["status"] == status
    assert "sk-secret" not in said


@pytest.mark.parametrize(
    ("model", "code"), [("[a]", "model_invalid"), ("stong", "model_unknown"), ("strong", None)], ids=str
)
def test_lint_looks_at_the_model_of_a_skill(model: str, code: str | None, capsys: Capture) -> None:
    Path("metier.toml").write_text(TOML, "utf-8")
    Path("skills/one").mkdir(parents=True)
    text = f"---\nname: one\ndescription: One.\nmetadata: {{model: {model}}}\n---\n\nDo one thing.\n"
    Path("skills/one/SKILL.md").write_text(text, "utf-8")
    run(["lint", "skills", "--json"])
    found = {one["code"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert found & {"model_invalid", "model_unknown"} == ({code} if code else set())
