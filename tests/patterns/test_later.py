"""Patterns compiled at their first use behave as those compiled at once, and none is left for a message to compile."""

import copy
import pickle
import re
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from metier.patterns import _later, compile_later, compile_remaining, keep_patterns


def test_a_later_pattern_does_what_a_compiled_one_does() -> None:
    later, now = compile_later(r"(?P<n>\d+)\s*db", re.IGNORECASE), re.compile(r"(?P<n>\d+)\s*db", re.IGNORECASE)
    text = "3 dB and 12DB"
    assert later.pattern == now.pattern
    assert later.findall(text) == now.findall(text) == ["3", "12"]
    assert later.sub(r"\g<n>", text) == now.sub(r"\g<n>", text)
    assert [match.span() for match in later.finditer(text)] == [match.span() for match in now.finditer(text)]
    assert (later.groups, later.groupindex) == (now.groups, now.groupindex)
    assert copy.deepcopy(later) == pickle.loads(pickle.dumps(later)) == now
    with pytest.raises(AttributeError):
        later.searched  # type: ignore[attr-defined]  # noqa: B018


def test_the_remaining_patterns_are_found_in_modules_and_their_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("some_rules.words")
    module.__dict__.update(
        one=compile_later("a"), table={"x": (("name", compile_later("b")),)}, used=compile_later("c")
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert module.used.search("c")
    assert [compile_remaining("some_rules"), compile_remaining("some_rules")] == [2, 0]


def test_the_entries_of_a_large_table_are_not_looked_into_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    module, visited, find = ModuleType("large_table"), list[object](), _later._find_waiting
    module.__dict__.update(places=dict.fromkeys(range(1_000), "a name"), rule=compile_later("a"))

    def count(value: object, depth: int = 3) -> Iterator[_later._LaterPattern]:
        visited.append(value)
        return find(value, depth)

    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(_later, "_find_waiting", count)
    assert compile_remaining("large_table") == 1
    assert len(visited) == len(vars(module))


def test_a_pattern_of_a_rule_is_compiled_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(re, "_MAXCACHE", 512)
    keep_patterns()
    first, *_ = [re.compile(f"rule {number}") for number in range(2_500)]
    assert re.compile("rule 0") is first


def test_more_patterns_than_are_kept_by_default_stay_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(re, "_MAXCACHE", 20_000)
    keep_patterns()
    assert vars(re)["_MAXCACHE"] == 20_000
