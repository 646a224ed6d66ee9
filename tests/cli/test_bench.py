"""`metier bench models`: columns side by side, and the page."""

from pathlib import Path

import pytest

from metier.bench import Figure
from metier.cli import run

FIGURES = [
    Figure("models", "skill chosen, schema", 66, 57, 66, unit="of 66", more=True, column="scripted"),
    Figure("models", "skill chosen, schema", 45, 57, 66, unit="of 66", more=True, column="recorded"),
]


@pytest.fixture(autouse=True)
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metier.bench.models.measure_models", lambda: iter(FIGURES))
    monkeypatch.setattr("metier.bench.models.collect_columns", lambda: ())
    monkeypatch.setattr("metier.bench.models.render_page", lambda _: "# Models, measured\n")


def test_scripted_recorded_and_live_are_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "models", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("scripted", "recorded", "live", "66 of 66 ✓", "45 of 66 ✗", "not run"))
    assert len(list(tmp_path.glob("*.json"))) == 1


def test_the_page_is_written_where_it_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "docs" / "models.md"
    assert run(["bench", "models", "--out", str(tmp_path), "--page", str(page)]) == 0
    assert page.read_text("utf-8") == "# Models, measured\n"
    assert str(page) in capsys.readouterr().err
