"""Only a bearing answers the question for one: what is said beside it is no name of a bearing."""

import re
from collections.abc import Iterator

import pytest

from metier.pack import find_installed_packs

BEARINGS = (
    "6205",
    "换成6205",
    "a 6203",
    "6203 呢",
    "SKF 6205-2RS",
    "NU 205",
    "9,7.94,39.04,0",
    "9, 7.94, 39.04",
    "use 6205 please",
)
OTHERS = ("随便吧", "今天天气怎么样", "no idea", "what is BPFO?", "诊断2号风机", "the one from last year")


def _list_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    packs = find_installed_packs().select(["phm"])
    for pack in packs:
        for file in sorted((pack.folder / "skills").glob("*.md")):
            for found in re.finditer(r"pattern: '(.*)'", file.read_text("utf-8")):
                yield file.stem, re.compile(found[1])


@pytest.mark.parametrize("message", BEARINGS)
def test_a_bearing_is_an_answer(message: str) -> None:
    assert [name for name, one in _list_patterns() if one.search(message) is None] == []


@pytest.mark.parametrize("message", OTHERS)
def test_anything_else_is_none(message: str) -> None:
    patterns = list(_list_patterns())
    assert len(patterns) == 3
    assert [name for name, one in patterns if one.search(message)] == []
