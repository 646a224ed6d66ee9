"""A check that is silenced says why: `# noqa: S603 - reason`, `# type: ignore[misc]  # reason`."""

import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from tests.sources import SOURCE, list_modules

SILENCED = re.compile(r"#\s*(?:noqa(?::[ A-Z0-9,]*)?|type:\s*ignore(?:\[[^\]]*\])?)(?P<reason>.*)")
REASON = re.compile(r"\s*(?:-|#)\s*\S+")


def _list_unexplained(text: str) -> Iterator[int]:
    """Lines with a comment that silences a check and says nothing else."""
    if all(REASON.match(found["reason"]) for found in SILENCED.finditer(text)):
        return  # most modules: to cut one into tokens takes a hundred times long
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        found = SILENCED.match(token.string) if token.type == tokenize.COMMENT else None
        if found is not None and not REASON.match(found["reason"]):
            yield token.start[0]


def test_a_silenced_check_says_why() -> None:
    unexplained = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in list_modules()
        for line in _list_unexplained(path.read_text("utf-8"))
    ]
    assert unexplained == []


@pytest.mark.parametrize(
    ("line", "is_unexplained"),
    [
        ("run(x)  # noqa: S603", True),
        ("run(x)  # noqa", True),
        ("run(x)  # noqa: S603, S607 - ", True),
        ("run(x)  # type: ignore[misc]", True),
        ("run(x)  # type: ignore", True),
        ("run(x)  # noqa: S603 - the program is a constant", False),
        ("run(x)  # type: ignore[misc]  # the library has no types", False),
        ("run('# noqa: S603')", False),
    ],
)
def test_a_check_that_is_silenced_without_a_word_is_seen(line: str, is_unexplained: bool) -> None:
    assert bool(list(_list_unexplained(line))) == is_unexplained
