"""What the heads lack where skills have no examples: every source of messages counts the same."""

import json
from pathlib import Path

import numpy as np
import pytest

from metier.routing import Router
from metier.routing.fitting import LabelledScore
from metier.routing.ranking import SIGNALS, Heads, expand_signals
from training.without_examples import OWN, fit_offsets, load_catalogs, score_catalog

ROW = np.zeros(len(SIGNALS), dtype=np.float32)
ZEROS, ONES = np.zeros(len(SIGNALS)), np.ones(len(SIGNALS))
WIDE = np.zeros(len(expand_signals(ROW, ZEROS, ONES)))
EVEN = Heads(ZEROS, ONES, WIDE, WIDE, WIDE)


def scores(right: int, wrong: int) -> list[LabelledScore]:
    return [LabelledScore(ROW, True, at < right, at < right) for at in range(right + wrong)]


def test_three_right_of_four_are_told_whatever_a_source_has_of_messages() -> None:
    _, right, among = fit_offsets(EVEN, [scores(3, 1)])
    assert (right, among) == pytest.approx((np.log(3), np.log(3)), abs=0.01)
    assert fit_offsets(EVEN, [scores(3, 1) * 50, scores(1, 3)])[1] == pytest.approx(0, abs=0.01)


def test_messages_for_nobody_count_less_for_the_first_than_for_any() -> None:
    nobody = [LabelledScore(ROW, False, False, False)] * 4
    meant, right, _ = fit_offsets(EVEN, [[*scores(4, 0), *nobody]])
    assert meant == pytest.approx(np.log(2), abs=0.01)
    assert right == pytest.approx(np.log(4 / 0.6), abs=0.01)


def test_own_catalogs_are_read_by_language_and_scored_without_views(tmp_path: Path) -> None:
    from tests.benchmarks.routing.test_data import write_set

    data = write_set(tmp_path / "data")
    catalogs = {one.name: one for one in load_catalogs(data)}
    clinic = catalogs["clinic en"]
    assert {"clinic zh", "factory-zh en", "factory-zh zh"} <= catalogs.keys()
    assert len(clinic.skills) == 40
    assert {skill for _, skill in clinic.messages} - {None} <= {skill.id for skill in clinic.skills}
    assert score_catalog(Router(), clinic).scores == {}  # words alone are not fitted


def test_every_message_of_our_own_catalogs_means_a_skill_that_is_there_or_none() -> None:
    for file in OWN.glob("*.json"):
        content = json.loads(file.read_text("utf-8"))
        known = {skill["name"] for skill in content.get("skills", ())}
        meant = {name for row in content["messages"] for name in row["expect"]}
        assert "skills_of" in content or meant <= known, file.name
