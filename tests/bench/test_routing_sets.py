import json
from pathlib import Path

import pytest

from metier.bench._routing_sets import calibration_error, measure_sets
from metier.errors import PathNotFound

WEATHER = ["will it rain {}", "is it sunny {}", "how warm is it {}", "do I need an umbrella {}"]
MUSIC = ["play some jazz {}", "put on a song {}", "turn the music up {}", "skip this track {}"]
DAYS = ["today", "tomorrow", "on monday", "tonight", "this weekend"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    def said(forms: list[str], days: list[str], intent: str) -> list[list[str]]:
        return [[form.format(day), intent] for form in forms for day in days]

    train = said(WEATHER, DAYS[:3], "weather") + said(MUSIC, DAYS[:3], "music")
    test = said(WEATHER, DAYS[3:], "weather") + said(MUSIC, DAYS[3:], "music")
    parts = {"train": train, "test": test, "oos_test": [["what is seven times eight", "oos"]]}
    (tmp_path / "clinc150").mkdir()
    (tmp_path / "clinc150" / "data_full.json").write_text(json.dumps(parts), "utf-8")
    return tmp_path


def test_a_set_is_measured_through_the_router(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    figures = {figure.name: figure for figure in measure_sets(data)}
    assert figures["clinc150: first choice right"].value == 100
    assert figures["clinc150: first choice right"].samples == 16
    assert figures["clinc150: F1 of none"].samples == 1


def test_a_folder_without_sets_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound) as caught:
        list(measure_sets(tmp_path))
    assert "clinc150" in caught.value.hint


@pytest.mark.parametrize(
    ("scores", "right", "error"),
    [
        pytest.param([1.0, 1.0], [True, True], 0, id="sure and right"),
        pytest.param([1.0, 1.0], [True, False], 50, id="sure and half right"),
        pytest.param([0.5, 0.5], [True, False], 0, id="half sure and half right"),
        pytest.param([], [], 0, id="nothing"),
    ],
)
def test_the_calibration_error_is_the_gap_between_belief_and_truth(
    scores: list[float], right: list[bool], error: float
) -> None:
    assert calibration_error(scores, right) == pytest.approx(error)
