import pytest

from metier.names import find_nearest, is_command, leave_command, suggest

KNOWN = ("web_search", "read_file", "write_file")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        pytest.param("web_serch", "web_search", id="typo"),
        pytest.param("read_files", "read_file", id="plural"),
        pytest.param("paint", "", id="nothing close"),
        pytest.param("", "", id="empty"),
    ],
)
def test_a_misspelt_name_finds_the_closest_known_one(name: str, nearest: str) -> None:
    assert find_nearest(name, KNOWN) == nearest


def test_a_hint_names_the_closest_name_or_else_what_the_caller_says() -> None:
    assert suggest("web_serch", KNOWN, "known: 3") == "did you mean 'web_search'?"
    assert suggest("paint", KNOWN, "known: 3") == "known: 3"
    assert suggest("paint", KNOWN) == ""


def test_only_the_head_of_a_very_long_name_is_compared() -> None:
    assert find_nearest("a" * 200 + "b" * 100_000, ["a" * 200]) == "a" * 200


@pytest.mark.parametrize(
    ("message", "is_one"), [("/x", True), ("／", True), (" /x", True), ("a/b", False), ("", False)]
)
def test_a_slash_begins_a_command(message: str, is_one: bool) -> None:
    assert is_command(message) is is_one


def test_a_message_is_read_without_its_command() -> None:
    assert [leave_command(one) for one in ("/x do it", "／x 做", " /x", "a /b")] == ["do it", "做", "", "a /b"]
    assert [leave_command(one) for one in ("／x　做 完", "/x\n做", "/x\t\tb c")] == ["做 完", "做", "b c"]
