"""Messages that begin with a slash."""

from metier.tasks import parse_commands

NAMES = {"minutes": "minutes", "review": "review"}


def test_what_is_no_command_names_no_skills() -> None:
    assert parse_commands("compare /minutes /review", NAMES) is None
    assert parse_commands("/minutes /review now", NAMES) is not None
