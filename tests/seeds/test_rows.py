from pathlib import Path

import pytest

from scripts.seed_reference import SeedRow, find_empty_tests, find_missing_tests, judge_run, read_rows

FILE = "tests/test_it.py"


def test_every_row_of_the_seeds_has_tests_that_exist_and_check_something() -> None:
    rows = read_rows()
    twice = {row.feature for row in rows if sum(other.feature == row.feature for other in rows) > 1}

    assert {f"{row.seed} {row.feature}": gone for row in rows if (gone := find_missing_tests(row))} == {}
    assert {f"{row.seed} {row.feature}": empty for row in rows if (empty := find_empty_tests(row))} == {}
    assert [row.feature for row in rows if row.status != "works"] == []
    assert twice == set()
    assert len(rows) >= 148


def test_a_row_without_a_test_or_with_one_that_is_gone_is_open() -> None:
    assert SeedRow("000", "feature").status == "open"
    assert SeedRow("000", "feature", ("tests/seeds/test_rows.py::test_that_was_never_written",)).status == "open"
    assert SeedRow("000", "feature", ("tests/seeds/no_such_file.py",)).status == "open"


@pytest.mark.parametrize(
    ("body", "empty"),
    [
        ("run()", True),
        ("assert True", True),
        ("plain()", True),
        ("assert run() == 1", False),
        ("with pytest.raises(ValueError):\n        run()", False),
        ("helped()", False),
    ],
)
def test_a_test_that_checks_nothing_shows_nothing(tmp_path: Path, body: str, empty: bool) -> None:
    (tmp_path / "tests").mkdir()
    helpers = "def helped():\n    assert run()\n\ndef plain():\n    run()\n"
    (tmp_path / FILE).write_text(f"{helpers}\ndef test_it():\n    {body}\n", "utf-8")
    cited = f"{FILE}::test_it"
    assert find_empty_tests(SeedRow("000", "feature", (cited,)), tmp_path) == ([cited] if empty else [])


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ({"passed"}, "works"),
        ({"passed", "failed"}, "broken"),
        ({"passed", "skipped"}, "works"),  # one of its cases needs another machine
        ({"skipped"}, "not shown"),
        (set(), "not shown"),
    ],
)
def test_a_row_works_only_if_its_tests_ran_and_passed(outcomes: set[str], status: str) -> None:
    cited = "tests/seeds/test_rows.py::test_a_row_works_only_if_its_tests_ran_and_passed"
    row = SeedRow("000", "feature", (cited,))
    assert judge_run(row, {cited: outcomes} if outcomes else {}) == status
