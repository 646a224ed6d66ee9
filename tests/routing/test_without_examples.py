"""In a catalog without examples the heads are too low: what is stated is raised, and what is taken unasked is not.

How far depends on the languages of message and skill.
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest

from metier.routing import Decision, Router
from metier.routing.fitting import LabelledScore, fit_heads, write_heads
from metier.routing.ranking import (
    LANGUAGE_PAIRS,
    SIGNALS,
    Heads,
    LanguagePair,
    Odds,
    _calibration,
    load_heads,
    load_shipped_heads,
)
from metier.skills import Skill
from tests.routing.support import MINUTES, PDF, ConceptView, catalog, skill

WIDTH = len(SIGNALS) + 2 * len(_calibration._CORE_AT) + 1
MESSAGE = "make a new presentation"
SLIDES = skill("slide-check", title="New presentation", description="Makes a presentation.")


def constant(log_odds: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.zeros(WIDTH)
    weights[-1] = log_odds
    return weights


def decide(heads: Heads, *, others: Sequence[Skill] = (MINUTES, PDF), views: bool = True) -> Decision:
    """Decide with heads that say the same of every message."""
    router = Router((ConceptView(),) if views else (), heads={"lex": replace(heads), "use": heads})
    return router.route(MESSAGE, catalog=catalog(SLIDES, *others))


def heads_of(meant: float, right: float, *, more: tuple[float, float, float]) -> Heads:
    scale = np.zeros(len(SIGNALS)), np.ones(len(SIGNALS))
    rows = np.array([more] * len(LANGUAGE_PAIRS))
    return Heads(*scale, constant(meant), constant(right), constant(right), rows)


PLAIN = [replace(one, examples=(), triggers=()) for one in (MINUTES, PDF)]


@pytest.mark.parametrize(
    ("meant", "right", "before", "after"),
    [(-0.6, 0.2, "none", "suggest"), (0.0, 0.2, "none", "suggest"), (0.0, 1.0, "suggest", "suggest")],
)
def test_more_is_offered(meant: float, right: float, before: str, after: str) -> None:
    found = [decide(heads_of(meant, right, more=more), others=PLAIN) for more in ((0, 0, 0), (0.9, 0.5, 0.7))]
    assert [one.verdict for one in found] == [before, after]
    assert found[1].candidates[0].score == pytest.approx(1 / (1 + np.exp(-right - 0.5)))


@pytest.mark.parametrize(("meant", "right"), [(3.0, 1.2), (3.0, 1.3), (0.0, 2.5)])
def test_nothing_more_is_taken(meant: float, right: float) -> None:
    found = decide(heads_of(meant, right, more=(2.0, 2.0, 2.0)), others=PLAIN)
    assert (found.verdict, found.skill) == ("suggest", "slide-check")
    assert "near_but_none" in [note.code for note in found.why]


@pytest.mark.parametrize(("with_examples", "share"), [(0, 1.0), (1, 1 / 3), (2, 0.0), (3, 0.0)])
def test_examples_of_the_catalog_take_the_place_of_what_is_added(with_examples: int, share: float) -> None:
    given = [replace(one, examples=("an example",)) for one in PLAIN[:with_examples]]
    skills = [*given, *PLAIN[with_examples:]]
    if with_examples == 3:
        skills = [replace(one, examples=("an example", "another one")) for one in PLAIN]
    router = Router((ConceptView(),), heads={"use": heads_of(1.0, 1.0, more=(0, 0, 0))})
    scored = router.score_message(MESSAGE, catalog=catalog(SLIDES, *skills))
    assert scored is not None
    shift = heads_of(1.0, 1.0, more=(0.9, 0.6, 0.3)).get_shift(scored.index, "en to en")
    assert astuple(shift) == pytest.approx([share * one for one in (0.9, 0.6, 0.3)])


def test_heads_fitted_to_an_installation_keep_it_and_are_fitted_beside_it() -> None:
    prior = heads_of(0.0, 0.0, more=(0.9, 0.5, 0.7))
    row = np.zeros(len(SIGNALS), dtype=np.float32)
    scores = [LabelledScore(row, True, yes, yes, Odds(0.9, 0.5, 0.7)) for yes in (True, True, True, False)] * 200
    fitted = fit_heads(scores, prior=prior)
    np.testing.assert_array_equal(fitted.without_examples, prior.without_examples)
    # Three in four are right: the head and what is added say so together.
    assert fitted(row).right + 0.5 == pytest.approx(np.log(3), abs=0.1)


def test_what_ships_has_it_for_views_and_not_for_words_alone() -> None:
    shipped = load_shipped_heads()
    assert not shipped["lex"].without_examples.any()
    assert all(0 < one < 1.5 for mode in ("use", "use+mini") for one in shipped[mode].without_examples.flat)


@pytest.mark.parametrize(
    ("message", "description", "pair"),
    [
        ("make a new presentation", "Makes a presentation.", "en to en"),
        ("make a new presentation", "制作演示文稿", "en to zh"),
        ("做一个new presentation", "Makes a presentation.", "zh to en"),
        ("做一个演示文稿", "制作演示文稿", "zh to zh"),
    ],
)
def test_what_is_added_is_that_of_the_languages_of_message_and_skill(
    message: str, description: str, pair: LanguagePair
) -> None:
    rows = np.zeros((len(LANGUAGE_PAIRS), 3))
    rows[LANGUAGE_PAIRS.index(pair)] = 0.9
    heads = replace(heads_of(3.0, 0.2, more=(0, 0, 0)), without_examples=rows)
    router = Router((ConceptView(),), heads={"use": heads})
    decision = router.route(message, catalog=catalog(replace(SLIDES, description=description), *PLAIN))
    assert decision.candidates[0].skill == "slide-check"
    assert decision.candidates[0].score == pytest.approx(1 / (1 + np.exp(-0.2 - 0.9)))


def test_one_row_of_an_earlier_calibration_is_for_all_languages(tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    write_heads(file, {"use": heads_of(1.0, 1.0, more=(0.9, 0.6, 0.3))}, {})
    stored = json.loads(file.read_text("utf-8"))
    by_languages = load_heads(file)["use"].without_examples
    stored["modes"]["use"]["without_examples"] = [0.9, 0.6, 0.3]
    file.write_text(json.dumps(stored), "utf-8")
    np.testing.assert_array_equal(load_heads(file)["use"].without_examples, by_languages)


def test_chinese_words_find_skills_described_in_english_and_the_explanation_names_the_translation() -> None:
    told = {
        "contract-review": "Check contracts for risks before somebody signs.",
        "interviews": "Plan interviews with applicants.",
        "stock": "Count the inventory of a warehouse.",
        "poems": "Write poems.",
    }
    skills = catalog(*(skill(name, description=text) for name, text in told.items()))
    for message, wanted, reason in (
        ("帮我看看这份合同", "contract-review", "合同 (contract)"),
        ("下周的面试怎么安排", "interviews", "面试 (interviews)"),
        ("盘点一下库存", "stock", "库存 (stock)"),
    ):
        found = Router().route(message, catalog=skills).candidates[0]
        assert found.skill == wanted, message
        (translated,) = (one for one in found.why if one.feature == "translated")
        assert reason in translated.words, message
        assert translated.text("zh").startswith("它的英文说明里有消息用词的译词")


def test_english_examples_make_translated_words_worth_more_until_there_are_many() -> None:
    def share(count: int) -> float:
        said = tuple(f"go through contract {at}" for at in range(count))
        skills = catalog(skill("review", description="Check contracts.", examples=said))
        found = Router().score_message("帮我看看这份合同", catalog=skills)
        assert found is not None
        return found.index.translated_share

    shares = [share(count) for count in (0, 1, 3, 10, 30)]
    assert shares[0] == 1
    assert shares[1:] == sorted(shares[1:], reverse=True)
    assert 1.75 < shares[1] <= 2
    assert shares[-1] < 1


def test_a_translation_changes_nothing_for_skills_described_in_chinese() -> None:
    chinese = catalog(skill("a", description="审查合同"), skill("b", description="安排面试 interviews"))
    found = Router().route("下周的面试怎么安排", catalog=chinese).candidates
    assert not any(one.feature == "translated" for candidate in found for one in candidate.why)
