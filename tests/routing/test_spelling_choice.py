import pytest

from metier.routing import Decision
from metier.routing._multiple_skills import ScoredDecision
from metier.routing._spelling_choice import choose_reading


def decided(skill: str, right: float) -> ScoredDecision:
    return ScoredDecision(Decision("suggest", "search", ""), (skill,), right)


@pytest.mark.parametrize(
    ("plain", "corrected", "is_of_catalog", "chosen"),
    [
        pytest.param(("a", 0.3), ("a", 0.9), False, "corrected", id="a slip"),
        pytest.param(("a", 0.6), ("a", 0.5), False, "written", id="a rare word, and a common one outside the catalog"),
        pytest.param(("a", 0.6), ("a", 0.5), True, "corrected", id="a little surer without a word of the catalog"),
        pytest.param(("a", 0.6), ("a", 0.2), True, "written", id="much surer without a word of the catalog"),
        pytest.param(("a", 0.9), ("b", 0.8), True, "written", id="another skill is likelier without"),
        pytest.param(("a", 0.6), ("b", 0.9), True, "ask", id="another skill is likely without"),
        pytest.param(("a", 0.4), ("b", 0.9), True, "corrected", id="another skill is hardly likely without"),
    ],
)
def test_a_rare_word_stays_and_a_slip_is_corrected(
    plain: tuple[str, float], corrected: tuple[str, float], is_of_catalog: bool, chosen: str
) -> None:
    assert choose_reading(decided(*plain), decided(*corrected), is_of_catalog=is_of_catalog) == chosen


def test_texts_without_any_skill_are_read_with_their_corrections() -> None:
    nothing = ScoredDecision(Decision("none", "search", ""))
    assert choose_reading(nothing, nothing, is_of_catalog=False) == "corrected"
