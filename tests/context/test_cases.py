import pytest

from metier.context import CaseIndex
from metier.context._cases import read_label_terms, read_message_terms
from tests.context.support import case, skill

INDOOR = case("indoor", "弱覆盖", "室内", title="写字楼弱覆盖", rules=("locate",))
UPLINK = case("uplink", "干扰", "上行", title="上行干扰排查")
LOAD = case("load", "PRB", "busy hour", title="Cell load at noon")
INDEX = CaseIndex(skill(cases=(INDOOR, UPLINK, LOAD)))


@pytest.mark.parametrize(
    ("message", "found"),
    [
        pytest.param("室内信号弱覆盖怎么办", ["indoor"], id="chinese without spaces"),
        pytest.param("上行有干扰", ["uplink"], id="two tags"),
        pytest.param("why is PRB high in the busy hour?", ["load"], id="english"),
        pytest.param("ＰＲＢ很高", ["load"], id="wide letters"),
        pytest.param("弱覆盖和干扰都有", ["indoor", "uplink"], id="two cases"),
        pytest.param("今天天气不错", [], id="none"),
        pytest.param("", [], id="silence"),
    ],
)
def test_cases_are_found_by_what_is_said(message: str, found: list[str]) -> None:
    assert [match.case.id for match in INDEX.match(message)] == found


def test_the_rule_that_is_followed_weighs_more_than_a_tag() -> None:
    best = INDEX.match("上行干扰", rule="locate")
    assert [match.case.id for match in best] == ["uplink", "indoor"]
    assert [match.case.id for match in INDEX.match("干扰", rule="locate")] == ["indoor", "uplink"]


def test_a_match_says_why() -> None:
    (match, *_) = INDEX.match("室内弱覆盖", rule="locate")
    assert match.score == pytest.approx(1 + 1 + 0.5 * 2 / 5 + 2)
    assert match.why == (
        "+1.00 tag '弱覆盖' (100% of it was said)",
        "+1.00 tag '室内' (100% of it was said)",
        "+0.20 title '写字楼弱覆盖' (40% of it was said)",
        "+2.00 it belongs to rule 'locate'",
    )
    assert match.to_json()["score"] == 4.2


def test_only_the_best_two_are_taken() -> None:
    index = CaseIndex(skill(cases=tuple(case(f"c{at}", "干扰") for at in range(5))))
    assert [match.case.id for match in index.match("干扰")] == ["c0", "c1"]


def test_what_is_known_of_the_user_counts_too() -> None:
    assert [match.case.id for match in INDEX.match("怎么办", features=["上行", "干扰"])] == ["uplink"]


def test_a_case_from_outside_takes_the_place_of_its_namesake() -> None:
    index = CaseIndex(skill(cases=(INDOOR,)), [case("indoor", "地铁")])
    assert index.match("弱覆盖") == ()
    assert [match.case.tags for match in index.match("地铁里")] == [("地铁",)]


def test_half_a_tag_is_half_a_reason() -> None:
    index = CaseIndex(skill(cases=(case("c", "busy hour"),)))
    assert index.match("hour")[0].score == pytest.approx(0.25)


def test_one_character_is_sought_as_it_is_and_longer_words_by_pairs() -> None:
    assert read_label_terms("网") == {"网"}
    assert read_label_terms("弱覆盖 PRB") == {"弱覆", "覆盖", "prb"}
    assert {"弱", "弱覆", "prb"} <= read_message_terms("弱覆盖PRB")
