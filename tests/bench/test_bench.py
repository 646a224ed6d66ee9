import json
from pathlib import Path

import pytest

from metier.bench import SUITES, BenchRun, Figure, p50_p95, run_suites, save, write_corpus
from metier.errors import NotFound
from metier.skills import SkillLibrary


def test_a_generated_corpus_loads_whole_and_in_all_layouts(tmp_path: Path) -> None:
    write_corpus(tmp_path, 40)
    catalog = SkillLibrary.from_folders(tmp_path).catalog()
    assert len(catalog) == 40
    assert {skill.source.layout for skill in catalog} == {"flat", "agent-skill", "manifest", "bare"}
    assert {found.code for found in catalog.diagnostics} == {"description_advised"}


def test_the_same_seed_gives_the_same_corpus(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_corpus(tmp_path / name, 12)
    first, second = (SkillLibrary.from_folders(tmp_path / name).catalog() for name in ("a", "b"))
    assert first.digest == second.digest


def test_a_figure_compares_itself_with_its_target_and_the_raw_library() -> None:
    figure = Figure("skills", "cold load", 500, 2000, 5, 250, "PyYAML")
    assert figure.ok
    assert figure.row == ("skills", "cold load", "500 ms", "< 2000 ms", "✓", "2 × PyYAML (250 ms)")
    assert not Figure("skills", "cold load", 2000, 2000, 5).ok


def test_of_some_figures_more_is_better() -> None:
    figure = Figure("routing", "right", 93.0, 90.0, 100, unit="%", more=True)
    assert figure.ok
    assert figure.row[2:5] == ("93 %", "> 90 %", "✓")


def test_a_run_is_saved_as_json(tmp_path: Path) -> None:
    run = BenchRun("2026-01-02T03:04:05+00:00", {"python": "3.11"}, (Figure("cli", "help", 100, 300, 9, 50, "typer"),))
    saved = json.loads(save(run, tmp_path).read_text("utf-8"))
    assert saved["figures"][0]["ratio"] == 2
    assert saved["machine"] == {"python": "3.11"}


def test_an_unknown_suite_is_answered_with_the_list() -> None:
    with pytest.raises(NotFound) as caught:
        run_suites(["nothing"])
    assert all(name in caught.value.hint for name in SUITES)


def test_a_run_says_which_suite_it_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metier.bench._cli.measure_cli", lambda: iter([Figure("cli", "help", 100, 300, 9)]))
    said: list[str] = []
    run = run_suites(["cli", "cli"], say=said.append)
    assert said == ["cli (1 of 2)", "cli (2 of 2)"]
    assert len(run.figures) == 2


@pytest.mark.parametrize(
    ("taken", "expected"),
    [([], (0, 0)), ([3.0], (3, 3)), ([float(ms) for ms in range(101)], (50, 95))],
    ids=["none", "one", "many"],
)
def test_times_are_told_by_their_median_and_their_tail(taken: list[float], expected: tuple[float, float]) -> None:
    assert p50_p95(taken) == pytest.approx(expected)
