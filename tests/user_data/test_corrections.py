"""What a user writes into the profile by hand: paths and values that can be some."""

import pytest

from metier.errors import InvalidInput, Refused
from metier.json_values import JsonObject, JsonValue
from metier.user_data._corrections import check_corrections

STORED: JsonObject = {"birth_info": {"date": "1990-06-15"}, "words": ["a"], "age": 30, "likes_tea": True}
KEPT: dict[str, JsonObject] = {"career": {"interests": ["art"], "years": 3}}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("age", 31),
        ("age", None),
        ("city", "Oslo"),
        ("birth_info.time", "14:30"),
        ("address", {"city": "Oslo", "number": 3}),
        ("words", ["b", "c"]),
        ("skill_data.career.interests", ["music"]),
        ("skill_data.tarot.deck", "old"),
    ],
)
def test_a_value_of_the_same_kind_and_a_new_plain_one_may_be_written(path: str, value: JsonValue) -> None:
    check_corrections({path: value}, STORED, KEPT)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("age", "thirty"),
        ("age", True),
        ("likes_tea", 1),
        ("birth_info", "x"),
        ("birth_info", []),
        ("words", {"a": 1}),
        ("name", ["x"]),
        ("name", {"a": {"b": 1}}),
        ("name", "x" * 100_000),
        ("words", ["x" * 1000] * 30),
        ("", "x"),
        ("a..b", "x"),
        (".".join("abcdefghi"), "x"),
        ("n" * 65, "x"),
        ("a\nb", "x"),
        ("skill_data", {"career": 1}),
        ("skill_data.career", {"years": 4}),
        ("skill_data.career.years", "three"),
        ("age.first", "x"),
        ("words.x", 1),
        ("words.x", None),
        ("likes_tea.a.b", "x"),
        ("skill_data.career.years.deep", "x"),
        ("birth_info", {"date": 5}),
        ("birth_info", {"date": {"a": 1}}),
        ("skill_data. _x.y", "x"),
        ("city ", "x"),
    ],
)
def test_another_kind_a_nest_a_long_text_and_an_odd_path_are_refused(path: str, value: JsonValue) -> None:
    with pytest.raises(InvalidInput):
        check_corrections({path: value}, STORED, KEPT)


@pytest.mark.parametrize(
    "paths",
    [
        ("birth_info", "birth_info.date"),
        ("birth_info.date", "birth_info"),
        ("q.r.s", "q"),
        ("skill_data.tarot.a", "skill_data.tarot.a.b"),
    ],
)
def test_two_paths_of_which_one_holds_the_other_are_refused_in_any_order(paths: tuple[str, str]) -> None:
    given: dict[str, JsonValue] = {path: {"date": "1990-01-01"} if path == "birth_info" else "x" for path in paths}
    with pytest.raises(InvalidInput, match="overlap"):
        check_corrections(given, {"birth_info": {"date": "1990-06-15"}}, {})
    check_corrections({"birth_info.date": "1990-01-01", "birth_info2": "x"}, {}, {})


def test_a_full_profile_takes_nothing_more_but_lets_values_go() -> None:
    full: JsonObject = {f"n{at}": "x" * 1900 for at in range(106)}
    with pytest.raises(Refused):
        check_corrections({"city": "Oslo"}, full, {})
    check_corrections({"n1": None}, full, {})
