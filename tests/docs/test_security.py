"""Every line of the security page names the tests that hold it, and they exist."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+::\w+)`", PAGE)))
RISKS = [line for line in PAGE.splitlines() if re.match(r"\| (?:LLM|ASI|AST)\d\d \|", line)]


@cache
def read_tests(path: str) -> frozenset[str]:
    return frozenset(re.findall(r"^(?:async )?def (test_\w+)", (ROOT / path).read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("test", NAMED)
def test_a_test_that_the_page_names_exists(test: str) -> None:
    path, name = test.split("::")
    assert name in read_tests(path)


def test_all_thirty_risks_are_there_and_each_names_a_test() -> None:
    assert [line.split("|")[1].strip() for line in RISKS] == [
        f"{kind}{number:02}" for kind in ("LLM", "ASI", "AST") for number in range(1, 11)
    ]
    assert [line for line in RISKS if "::" not in line] == []
