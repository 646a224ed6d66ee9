"""Expected problems reach the user as a sentence and a hint in their language."""

import pytest

from metier.errors import InvalidInput
from metier.language import Language, Sentences
from metier.tools import ExpectedProblem, ToolError, problems_in


class _Problem(ExpectedProblem):
    sentences = Sentences({"no_file": ("There is no file {name}.", "没有文件「{name}」。")})
    hints = Sentences({"no_file": ("attach {name} first", "请先附上「{name}」")})


def test_every_expected_problem_becomes_a_tool_error_in_the_language_of_the_user() -> None:
    cases: list[tuple[Language, Exception, tuple[str, str, str]]] = [
        ("zh", _Problem("no_file", name="甲"), ("no_file", "没有文件「甲」。", "请先附上「甲」")),
        ("en", _Problem("no_file", name="a"), ("no_file", "There is no file a.", "attach a first")),
        ("en", InvalidInput("no", hint="yes"), (InvalidInput.code, "no", "yes")),
        ("en", OSError(2, "No such file"), ("file_unavailable", "No such file", "")),
    ]
    for language, problem, expected in cases:
        with pytest.raises(ToolError) as caught, problems_in(language):
            raise problem
        failure = caught.value.failure
        assert (failure.code, failure.message, failure.hint) == expected
