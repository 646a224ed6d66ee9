"""What the heads lack where skills have no examples: every source of messages counts the same."""

import json
from pathlib import Path

import numpy as np
import pytest

from metier.routing import Router
from metier.routing.fitting import LabelledScore
from metier.routing.ranking import LANGUAGE_PAIRS, SIGNALS, Heads, LanguagePair, expand_signals
from training.without_examples import (
    OWN,
    AskedCatalog,
    AskedScore,
    CatalogScores,
    describe,
    fit_by_languages,
    fit_offsets,
    load_catalogs,
    score_catalog,
)

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


def scored(source: str, pair: LanguagePair, right: int, wrong: int) -> CatalogScores:
    rows = tuple(AskedScore("use", pair, True, one) for one in scores(right, wrong))
    return CatalogScores(AskedCatalog(source, source, (), ()), rows)


def test_a_pair_of_languages_is_drawn_to_the_others_and_has_what_they_have_with_few_sources() -> None:
    english = [scored(f"source {at}", "en to en", 1, 1) for at in range(8)]
    chinese = [scored(f"another {at}", "zh to zh", 3, 1) for at in range(8)]
    found = dict(zip(LANGUAGE_PAIRS, fit_by_languages([*english, *chinese], "use", EVEN)[:, 1], strict=True))
    common = found["en to zh"]
    assert 0 < found["en to en"] < common < found["zh to zh"] < np.log(3)
    assert found["zh to en"] == common
    few = fit_by_languages([*english, *chinese[:2]], "use", EVEN)[:, 1]
    assert few[LANGUAGE_PAIRS.index("zh to zh")] == few[LANGUAGE_PAIRS.index("zh to en")]


def test_the_source_of_a_catalog_has_no_part_in_what_is_said_of_it() -> None:
    same = [scored(f"source {at}", "en to en", 1, 1) for at in range(4)]
    lines = list(describe([*same, scored("odd", "en to en", 27, 3)], {"use": EVEN}))
    assert lines[-2].startswith("| odd, 0, use | 30 | 90.0 | 50.0 → 50.0 | 40.0 → 40.0 |")
    assert lines[-1].startswith("| en to en, use | 38 |")


def test_own_catalogs_are_read_by_language_and_scored_without_views(tmp_path: Path) -> None:
    from tests.benchmarks.routing.test_data import write_set

    data = write_set(tmp_path / "data")
    catalogs = {one.name: one for one in load_catalogs(data)}
    clinic = catalogs["clinic en"]
    assert {"clinic zh", "factory-zh en", "factory-zh zh"} <= catalogs.keys()
    assert len(clinic.skills) == 40
    assert {skill for _, skill in clinic.messages} - {None} <= {skill.id for skill in clinic.skills}
    assert score_catalog(Router(), clinic).scores == ()  # words alone are not fitted


def test_every_message_of_our_own_catalogs_means_a_skill_that_is_there_or_none() -> None:
    for file in OWN.glob("*.json"):
        content = json.loads(file.read_text("utf-8"))
        known = {skill["name"] for skill in content.get("skills", ())}
        meant = {name for row in content["messages"] for name in row["expect"]}
        assert "skills_of" in content or meant <= known, file.name
