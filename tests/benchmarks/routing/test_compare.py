import json
from pathlib import Path
from types import MappingProxyType

import pytest

from benchmarks.routing import Comparison, ComparisonOptions, _contest, compare_routers
from benchmarks.routing._ours import ONE_VIEW, OURS, WORDS_ONLY
from metier.errors import NotFound
from tests.benchmarks.routing.test_data import write_set


@pytest.fixture
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ComparisonOptions:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    by_words = MappingProxyType({name: OURS[name] for name in (WORDS_ONLY, ONE_VIEW)})
    monkeypatch.setattr(_contest, "OURS", by_words)
    data = write_set(tmp_path / "data")
    return ComparisonOptions(data, draws=2, messages=4, scale=False, memory=False, own_skills=tmp_path / "nowhere")


def _but_for_time(comparison: Comparison) -> object:
    told = comparison.to_json()
    rows = told["rows"]
    assert isinstance(rows, list)
    return [{key: value for key, value in row.items() if not key.endswith("_ms")} for row in rows]


def test_two_runs_with_one_seed_agree_on_all_but_time(contest: ComparisonOptions) -> None:
    first, again = (_but_for_time(compare_routers(contest)) for _ in range(2))
    assert first == again


def test_every_router_is_asked_with_everything_that_can_be_told(contest: ComparisonOptions) -> None:
    comparison = compare_routers(contest)
    asked = {(row.given, row.router) for row in comparison.rows}
    assert asked == {(given, router) for given in ("names", "5", "10") for router in (WORDS_ONLY, ONE_VIEW)}
    assert all(row.messages == 8 for row in comparison.rows)


def test_the_promises_are_those_of_the_default_router(contest: ComparisonOptions) -> None:
    promised = {figure.name: figure for figure in compare_routers(contest).figures}
    assert promised["clinc150, name and ten examples: first choice right"].target == 92.1
    assert promised["clinc150, name and ten examples: F1 of none"].samples == 2
    assert promised["clinc150, name and ten examples: calibration error"].target == 5
    assert promised["clinc150, name alone: first choice right"].target == 68.4
    assert "clinc150, name alone: calibration error" not in promised


def test_the_document_holds_all_and_names_neither_host_nor_folder(contest: ComparisonOptions) -> None:
    text = json.dumps(compare_routers(contest).to_json())
    told = json.loads(text)
    assert told["machine"].keys() <= {"cores", "python", "system", "load"}
    assert (told["draws"], told["messages"], told["seed"]) == (2, 4, 0)
    assert len(told["rows"]) == 6
    assert str(contest.data) not in text


def test_skills_of_our_own_messages_that_are_missing_are_mentioned(contest: ComparisonOptions) -> None:
    comparison = compare_routers(contest)
    assert comparison.own == ()
    assert any("--own-skills" in note for note in comparison.notes)


def test_progress_is_told_line_by_line(contest: ComparisonOptions) -> None:
    said: list[str] = []
    compare_routers(contest, say=said.append)
    assert len(said) == 6
    assert said[0].startswith(f"clinc150, names: {WORDS_ONLY}: ")


def test_an_unknown_set_is_refused_before_anything_is_measured(contest: ComparisonOptions) -> None:
    said: list[str] = []
    with pytest.raises(NotFound):
        compare_routers(ComparisonOptions(contest.data, ("banking",)), say=said.append)
    assert said == []
