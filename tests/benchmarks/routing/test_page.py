import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.routing import Comparison, save_comparison
from benchmarks.routing._contest import AccuracyRow, SampleSize
from benchmarks.routing._measures import Abstention
from benchmarks.routing._memory import NO_ROUTER, MemoryUse
from benchmarks.routing._ours import ONE_VIEW
from benchmarks.routing._own import OwnRow
from benchmarks.routing._page import render_chart, render_page
from benchmarks.routing._pairs import PairRow
from benchmarks.routing._peers import INSTALL_COMMAND
from metier.bench import Figure
from metier.errors import UsageError

OURS = AccuracyRow(
    "clinc150",
    "10",
    ONE_VIEW,
    400,
    90.0,
    97.5,
    5.0,
    6.5,
    4.2,
    Abstention(40, 50, 45, 445),
    Abstention(41, 48, 45, 445, 0.5),
)
PEER = AccuracyRow("clinc150", "10", "BM25 (bm25s)", 400, 75.0, 87.5, 0.1, 0.2, tuned=Abstention(20, 40, 45, 445, 2.0))
ZERO = replace(OURS, set="massive zh", given="names", calibration=None, none=None, tuned=None)

COMPARISON = Comparison(
    "2026-11-15T01:02:03+00:00",
    {"cores": "2", "python": "3.11.7", "system": "Linux", "load": "0.4"},
    {"metier": "0.1.0", "bm25s": "0.3.16"},
    SampleSize(2, 200),
    (OURS, PEER, ZERO),
    {"clinc150": {"10": 92.1}, "massive zh": {"10": 69.4}},
    {"clinc150": {"10": 81.6, "5": 78.9}},
    memory={NO_ROUTER: MemoryUse(70, 71), ONE_VIEW: MemoryUse(300, 400)},
    scale=(
        Figure("routing", "index of 1,000 skills, cold", 3400, 10_000, 1),
        Figure("routing", "memory", 391.2, 400, 1, unit="MB"),
    ),
    own=(OwnRow("dev", "near_miss", 20, 8, 4, 10), OwnRow("dev", "none", 33, 32, 0, 0)),
    pairs=(PairRow("metatool", ONE_VIEW, 100, 40.0, 55.0), PairRow("metatool", "BM25 (bm25s)", 100, 20.0, 31.0)),
    peers=True,
)


def _line(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(start))


def test_a_router_is_a_line_with_its_error_and_its_best_three() -> None:
    assert _line(render_page(COMPARISON), f"| **{ONE_VIEW}**") == f"| **{ONE_VIEW}** | 90.0 ± 1.5 / 97.5 |"
    assert "| *best known before* | *92.1* |" in render_page(COMPARISON)


@pytest.mark.parametrize(
    "part",
    [
        "2 cores, Linux, Python 3.11.7, load 0.4;",
        "2026-11-15",
        "bm25s 0.3.16",
        "--peers --draws 2 --messages 200",
        "2 draws of",
        "seed 0",
        "| index of 1,000 skills, cold | 3.4 s | < 10.0 s | ✓ |",
        "| dev | near miss | 8 of 20 | 4 | 10 |",
        "| dev | none | 32 of 33 | – | – |",
        "Together dev: 40 of 53.",
        "holds 70 MB",
        "## Two asks in one message: MetaTool",
        "| BM25 (bm25s) | 20.0 ± 4.0 | 31.0 |",
        "## Name alone",
        "| BM25 (bm25s) | – | – | never says none | 50.0 / 44.4 / 47.1 ± ",
        "| *best F1 known before* | – | *78.9* | *81.6* | – |",
        "| memory | 391 MB | < 400 MB | ✓ |",
        f"| **{ONE_VIEW}** | 4.2 / – / – |",
    ],
)
def test_the_page_says(part: str) -> None:
    assert part in " ".join(render_page(COMPARISON).split("\n")) or part in render_page(COMPARISON)


def test_every_table_has_as_many_cells_in_each_line() -> None:
    missing = {"character TF-IDF": ("sklearn",)}
    for block in render_page(replace(COMPARISON, missing=missing)).split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in lines}) <= 1


def test_a_peer_that_is_not_installed_is_in_the_table_with_the_command_that_installs_it() -> None:
    text = render_page(replace(COMPARISON, missing={"character TF-IDF": ("sklearn",)}))
    assert "| character TF-IDF | not installed |" in text
    assert INSTALL_COMMAND in text


def test_without_peers_the_page_says_how_to_ask_them() -> None:
    text = render_page(replace(COMPARISON, rows=(OURS,), peers=False))
    assert "Peers were not asked" in text
    assert "--peers --draws" not in text


def test_what_was_not_measured_is_said_to_be_so() -> None:
    assert "not measured" not in render_page(COMPARISON)
    bare = render_page(replace(COMPARISON, memory={}, scale=(), bests={"clinc150": {}, "massive zh": {}}))
    assert "Memory was not measured" in bare
    assert "by the thousand were not measured" in bare
    assert "best known before" not in bare


def test_the_test_half_is_only_named_when_it_was_asked() -> None:
    assert "which was not asked in this run" in render_page(COMPARISON)
    both = (*COMPARISON.own, OwnRow("test", "none", 33, 30, 0, 0))
    asked = render_page(replace(COMPARISON, own=both))
    assert "which was not asked" not in asked
    assert "--own-test" in asked
    assert "--own-test" not in render_page(COMPARISON)
    assert "Together dev: 40 of 53; test: 30 of 33." in asked


def test_the_chart_shows_first_choices_at_ten_examples() -> None:
    drawn = render_chart(COMPARISON)
    assert f"CLINC150: {ONE_VIEW} 90.0 %, BM25 (bm25s) 75.0 %" in drawn
    assert "MASSIVE" not in drawn


def test_page_chart_and_figures_are_saved_together(tmp_path: Path) -> None:
    saved = save_comparison(COMPARISON, tmp_path / "new")
    assert [path.name for path in saved] == ["routing.md", "routing.svg", "routing.json"]
    assert json.loads(saved[2].read_text("utf-8"))["rows"][0]["first"] == 90.0
    assert "(routing.svg)" in saved[0].read_text("utf-8")


def test_a_folder_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", "utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        save_comparison(COMPARISON, tmp_path / "taken")
