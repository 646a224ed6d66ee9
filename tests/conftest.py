"""Every test runs in a folder of its own, with no settings of the machine it runs on."""

import os
from pathlib import Path

import pytest

from tests.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.fixture(autouse=True)
def _a_clean_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("METIER_", "AH32_")) or name in ("SKILLS_DIR", "TELEMETRY_MODE"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
