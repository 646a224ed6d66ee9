"""A skill known by its description alone is asked about where a message leaves out what the skill is called."""

import numpy as np
import pytest

from metier.routing import Decision, Router
from metier.routing.ranking import SIGNALS, Heads
from metier.routing.ranking._calibration import _CORE_AT
from tests.routing.support import MINUTES, PDF, ConceptView, catalog, skill

SLIDES = skill("slide-check", title="slide check", description="Looks through a presentation for mistakes.")
WIDTH = len(SIGNALS) + 2 * len(_CORE_AT) + 1


def constant(log_odds: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = np.zeros(WIDTH)
    weights[-1] = log_odds
    return weights


def decide(message: str, right: float, *, views: bool = True, **fields: tuple[str, ...]) -> Decision:
    """Decide where every first skill is as likely as this, in log-odds; 0.8 is 1.39."""
    heads = Heads(np.zeros(len(SIGNALS)), np.ones(len(SIGNALS)), constant(3), constant(right), constant(right))
    named = skill("slide-check", title=SLIDES.title, description=SLIDES.description, **fields)
    router = Router((ConceptView(),) if views else (), heads={"lex": heads, "use": heads})
    return router.route(message, catalog=catalog(named, MINUTES, PDF))


@pytest.mark.parametrize(
    ("message", "right", "verdict"),
    [
        pytest.param("make a new presentation", 1.5, "suggest", id="nothing of the title"),
        pytest.param("make a new presentation", 2.1, "auto", id="nothing of it, but sure"),
        pytest.param("check this slide presentation", 1.5, "auto", id="the whole title"),
        pytest.param("draw a slide for the presentation", 1.8, "auto", id="half of it, a little surer"),
        pytest.param("draw a slide for the presentation", 1.5, "suggest", id="half of it"),
    ],
)
def test_a_described_skill_must_be_surer_the_less_of_its_title_is_said(
    message: str, right: float, verdict: str
) -> None:
    found = decide(message, right)
    assert (found.verdict, found.skill) == (verdict, "slide-check")
    assert ("near_but_none" in [note.code for note in found.why]) == (verdict == "suggest")


def test_the_stated_probability_stays_what_it_is() -> None:
    assert decide("make a new presentation", 1.5).candidates[0].score == pytest.approx(1 / (1 + np.exp(-1.5)))


def test_examples_show_how_a_skill_is_asked_for() -> None:
    assert decide("make a new presentation", 1.5, examples=("go over my deck",)).verdict == "auto"


def test_without_vectors_words_decide_as_before() -> None:
    assert decide("make a new presentation", 1.5, views=False).verdict == "auto"
