"""In a catalog whose skills are near to each other, a skill with few examples is asked about rather than taken."""

import numpy as np
import pytest

from metier.routing import Decision, Router
from metier.routing.ranking import SIGNALS, Heads, _calibration
from tests.routing.support import MINUTES, PDF, ConceptView, catalog, skill

WIDTH = len(SIGNALS) + 2 * len(_calibration._CORE_AT) + 1
MESSAGE = "make a new presentation"


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every catalog asks for 1 more in log-odds: 2.39 instead of 1.39."""
    monkeypatch.setattr(_calibration, "compute_caution", lambda *_: 1.0)


def constant(log_odds: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.zeros(WIDTH)
    weights[-1] = log_odds
    return weights


def decide(
    right: float,
    *,
    examples: int = 1,
    views: bool = True,
    triggers: tuple[str, ...] = (),
    title: str = "new presentation",
    about: str = "Makes a presentation.",
) -> Decision:
    """Decide where every first skill is as likely as this, in log-odds."""
    heads = Heads(np.zeros(len(SIGNALS)), np.ones(len(SIGNALS)), constant(3), constant(right), constant(right))
    said = tuple(f"draw slide {at} of a presentation" for at in range(examples))
    slides = skill("slide-check", title=title, description=about, examples=said, triggers=triggers)
    router = Router((ConceptView(),) if views else (), heads={"lex": heads, "use": heads})
    return router.route(MESSAGE, catalog=catalog(slides, MINUTES, PDF))


@pytest.mark.parametrize(("right", "verdict"), [(1.5, "suggest"), (2.3, "suggest"), (2.5, "auto")])
def test_a_skill_must_be_as_sure_as_its_catalog_asks_for(right: float, verdict: str) -> None:
    found = decide(right)
    assert (found.verdict, found.skill) == (verdict, "slide-check")
    assert ("near_but_none" in [note.code for note in found.why]) == (verdict == "suggest")
    assert found.candidates[0].score == pytest.approx(1 / (1 + np.exp(-right)))


@pytest.mark.parametrize(("examples", "verdict"), [(10, "suggest"), (16, "auto"), (20, "auto")])
def test_examples_of_its_own_show_what_a_skill_takes(examples: int, verdict: str) -> None:
    assert decide(1.9, examples=examples).verdict == verdict


def test_a_skill_that_is_named_by_a_trigger_is_taken() -> None:
    assert decide(0.5, triggers=("presentation",)).verdict == "auto"


def test_a_message_that_repeats_an_example_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_calibration, "compute_caution", lambda *_: 2.0)
    assert decide(1.5).verdict == "suggest"
    monkeypatch.setattr("tests.routing.test_near_neighbours.MESSAGE", "draw slide 0 of a presentation")
    assert decide(1.5).verdict == "auto"


def test_a_skill_without_examples_whose_title_is_said_and_words_alone_are_decided_as_before() -> None:
    assert decide(1.5, examples=0).verdict == "auto"
    assert decide(1.5, views=False).verdict == "auto"


@pytest.mark.parametrize("title", ["slide check", "幻灯片"], ids=["not said", "in another script"])
@pytest.mark.parametrize("right", [1.5, 1.9, 2.1, 2.3, 2.5])
def test_an_example_never_makes_a_skill_be_asked_about_that_was_taken_without(title: str, right: float) -> None:
    without, told = (decide(right, examples=count, title=title) for count in (0, 1))
    assert without.skill == told.skill == "slide-check"
    assert without.verdict == "suggest" or told.verdict == "auto"
    assert (without.verdict == "auto") == (right > 2.39)


def test_a_trigger_spares_a_skill_without_examples_what_its_catalog_asks_for() -> None:
    assert decide(0.9, examples=0, triggers=("presentation",), title="幻灯片").verdict == "auto"


@pytest.mark.parametrize("listed", ["new presentations", "\n- letters\n- new presentations"])
def test_what_a_skill_says_it_is_not_for_is_asked_about_unless_a_trigger_names_the_skill(listed: str) -> None:
    about = f"Makes a talk. Do not use for: {listed}"
    assert decide(3.0, examples=0).verdict == "auto"
    assert decide(3.0, examples=0, about=about).verdict == "suggest"
    assert decide(3.0, examples=0, about=about, triggers=("presentation",)).verdict == "auto"
