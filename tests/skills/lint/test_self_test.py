"""The linter's own test of itself, as an operator runs it."""

from metier.skills import CODES
from metier.skills.lint import _self_test, run_self_test


def test_every_known_bad_skill_is_found_and_the_good_one_is_good() -> None:
    result = run_self_test()
    assert (result.ok, result.failures) == (True, {})
    assert result.tried == len(_self_test._CASES) + 1
    assert set(_self_test._CASES) <= set(CODES)
