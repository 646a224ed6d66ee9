"""Messages that begin with a slash."""

import pytest

from metier.tasks import is_command, parse_commands

NAMES = {"minutes": "minutes", "review": "review"}


@pytest.mark.parametrize(
    ("message", "is_one"), [("/x", True), ("／", True), (" /x", True), ("a/b", False), ("", False)]
)
def test_a_slash_begins_a_command(message: str, is_one: bool) -> None:
    assert is_command(message) is is_one


def test_what_is_no_command_names_no_skills() -> None:
    assert parse_commands("compare /minutes /review", NAMES) is None
    assert parse_commands("/minutes /review now", NAMES) is not None
