"""The deployment example: it can be parsed, what it names exists, and its settings are settings."""

import re
from pathlib import Path
from typing import Any

import yaml

from metier.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "examples" / "deploy"


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def test_every_file_that_the_compose_file_names_exists() -> None:
    services = compose()["services"]
    build = services["metier"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    mounted = [one.split(":")[0] for service in services.values() for one in service.get("volumes", ())]
    named = {one for one in mounted if not one.startswith(".")}
    assert named == set(compose()["volumes"])
    assert all((DEPLOY / one).exists() for one in mounted if one.startswith("."))


def test_every_variable_of_metier_is_a_setting() -> None:
    text = "".join((DEPLOY / name).read_text("utf-8") for name in ("compose.yaml", "Dockerfile"))
    names = set(re.findall(r"\bMETIER_([A-Z_]+)\b", text))
    assert {name.lower() for name in names} - set(Settings.model_fields) == set()
    assert {"DATABASE_URL", "API_KEYS", "STORAGE_DIR"} <= names


def test_a_server_has_more_time_to_stop_than_it_takes() -> None:
    grace_s = float(compose()["services"]["metier"]["stop_grace_period"].removesuffix("s"))
    assert grace_s > Settings.model_fields["drain_s"].default


def test_the_image_installs_extras_that_exist_and_gets_its_signals() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    extras = re.search(r"'\.\[([a-z,]+)\]'", text)
    assert extras is not None
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert all(re.search(rf"^{name} = \[", project, re.M) for name in extras[1].split(","))
    assert 'CMD ["metier", "serve"]' in text


def test_the_proxy_passes_streams_on_as_they_come() -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    assert text.count("{") == text.count("}")
    assert "proxy_buffering off;" in text
    assert "server metier:8321" in text
