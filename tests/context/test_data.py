import pytest

from metier.context import DataRequest, build_data_request, select_user_data
from metier.context._data import UserField
from metier.skills import DataNeeds, Skill
from tests.context.support import skill

BAZI = skill(
    "bazi",
    profile_fields=("birth_info", "skill_data.bazi"),
    needs=DataNeeds(birth_info=True, compute=True, compute_type="bazi"),
)


@pytest.mark.parametrize(
    ("one", "request_"),
    [
        pytest.param(skill(), DataRequest(), id="nothing declared, nothing loaded"),
        pytest.param(
            BAZI,
            DataRequest(("birth_info",), {"bazi": ()}, needed=("birth_info", "skill_data.bazi")),
            id="birth and chart",
        ),
        pytest.param(
            skill("chart", needs=DataNeeds(compute=True)),
            DataRequest((), {"chart": ()}, needed=("skill_data.chart",)),
            id="a chart of its own",
        ),
        pytest.param(
            skill(profile_fields=("life_context", "extracted.goals", "extracted.goals.year", "extracted.goalsetting")),
            DataRequest(("life_context", "extracted.goals", "extracted.goalsetting")),
            id="a path inside another",
        ),
        pytest.param(
            skill(profile_fields=("skill_data.bazi.chart.day", "skill_data.tarot", "skill_data.tarot.last")),
            DataRequest((), {"bazi": ("chart.day",), "tarot": ()}),
            id="parts of other skills' data",
        ),
        pytest.param(
            skill(profile_fields=("a..b", "", "x.0", 'q"', "skill_data", "生日")),
            DataRequest(("生日",), refused=("a..b", "", "x.0", 'q"', "skill_data")),
            id="no paths",
        ),
    ],
)
def test_a_skill_asks_for_what_it_declares_and_nothing_else(one: Skill, request_: DataRequest) -> None:
    assert build_data_request(one) == request_


def test_only_what_was_asked_for_is_picked_however_much_is_given() -> None:
    data = {"bazi": {"chart": "甲子"}, "tarot": {"last": "愚者"}}
    assert select_user_data(build_data_request(BAZI), {"birth_info": {"year": 1990}, "income": 5}, data).fields == (
        UserField("birth_info", {"year": 1990}),
        UserField("skill_data.bazi", {"chart": "甲子"}),
    )


def test_a_profile_may_be_flat_by_path_as_the_store_gives_it() -> None:
    request = build_data_request(skill(profile_fields=("birth.year", "birth.place")))
    assert select_user_data(request, {"birth.year": 1990}, {}).fields == (UserField("birth.year", 1990),)
    assert select_user_data(request, {"birth": {"place": "杭州"}}, {}).fields == (UserField("birth.place", "杭州"),)


def test_what_the_skill_cannot_work_without_is_named_when_it_is_not_there() -> None:
    assert select_user_data(build_data_request(BAZI), {"birth_info": {}}, {"bazi": {}}).missing == (
        "birth_info",
        "skill_data.bazi",
    )
    assert select_user_data(build_data_request(BAZI), {"birth_info": {"year": 1}}, {"bazi": {"x": 0}}).missing == ()


def test_zero_and_no_are_values() -> None:
    request = build_data_request(skill(profile_fields=("children", "smokes")))
    assert select_user_data(request, {"children": 0, "smokes": False}, {}).fields == (
        UserField("children", 0),
        UserField("smokes", False),
    )


def test_a_request_is_json() -> None:
    assert build_data_request(BAZI).to_json() == {
        "profile": ["birth_info"],
        "skill_data": {"bazi": []},
        "needed": ["birth_info", "skill_data.bazi"],
        "refused": [],
    }
