"""Every one of the 96 bad inputs has an expected outcome and a test that exists."""

import importlib
import inspect
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import pytest

from metier.skills import Effect
from tests.hostile.materialise import HERE

ROOT = HERE.parent.parent
ROWS: tuple[Mapping[str, Any], ...] = tuple(tomllib.loads((HERE / "rows.toml").read_text("utf-8"))["row"])
CASES: tuple[Mapping[str, Any], ...] = tuple(tomllib.loads((HERE / "cases.toml").read_text("utf-8"))["case"])
REFERENCES = [(row["id"], reference) for row in ROWS for reference in row.get("tests", ())]


def test_the_table_has_all_rows_in_order() -> None:
    assert [row["id"] for row in ROWS] == list(range(1, 97))


def test_every_row_says_what_comes_in_where_and_what_happens() -> None:
    for row in ROWS:
        assert row["what"]
        assert row["outcome"]
        assert row["entrance"] in ("loader", "api", "agent", "page", "cli")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}")
def test_every_row_has_a_test(row: Mapping[str, Any]) -> None:
    effects = {case["effect"] for case in CASES if case["row"] == row["id"]}
    if row.get("tests"):
        assert not effects
    else:
        assert row["outcome"] in effects
        assert effects <= {*get_args(Effect), "loaded"}


@pytest.mark.parametrize(("number", "reference"), REFERENCES, ids=[f"{row}-{at}" for row, at in REFERENCES])
def test_a_named_test_exists(number: int, reference: str) -> None:
    path, _, name = reference.partition("::")
    if path.startswith("web/"):
        assert f'"{name}"' in (ROOT / path).read_text("utf-8")
    else:
        check_pytest_id(path, name)


def check_pytest_id(path: str, name: str) -> None:
    matched = re.fullmatch(r"(test_\w+)(?:\[(.+)\])?", name)
    assert matched
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    function = getattr(module, matched[1])
    assert inspect.isfunction(function)
    if matched[2] is not None:
        assert matched[2] in set(iter_ids(getattr(function, "pytestmark", ())))


def iter_ids(marks: Iterable[pytest.Mark]) -> Iterable[str]:
    """Ids of a test's cases: those of the mark, those of the parameters, or the values themselves."""
    for mark in (one for one in marks if one.name == "parametrize"):
        values = list(mark.args[1])
        ids = mark.kwargs.get("ids")
        yield from map(str, map(ids, values) if callable(ids) else ids or ())
        yield from (str(getattr(one, "id", None) or one) for one in values)
