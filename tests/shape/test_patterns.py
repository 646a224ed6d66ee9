"""No message can hold the server up: no pattern of ours has a loop that reads a text in two ways."""

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest

import metier
from tests.shape.ambiguity import find_ambiguous_loops
from tests.sources import find_nodes, list_modules

_DEPTH = 5
_NO_MODULE = re.compile(r"\.__main__$|\.migrations\.(?:env|versions)\b")


def _import_all() -> None:
    for found in pkgutil.walk_packages(metier.__path__, "metier."):
        if not _NO_MODULE.search(found.name):
            importlib.import_module(found.name)


def _iter_patterns() -> Iterator[tuple[str, str, int]]:
    """Place, pattern and flags of every expression in the tables of our modules."""
    _import_all()
    seen: set[int] = set()
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] == "metier":
            for constant, value in list(vars(module).items()):
                for one in _find_patterns(value, seen, _DEPTH):
                    yield f"{name}.{constant}", one.pattern, one.flags


def _find_patterns(value: object, seen: set[int], depth: int) -> Iterator[re.Pattern[str]]:
    if id(value) in seen or not depth:
        return
    if isinstance(value, re.Pattern) or type(value).__name__ == "_LaterPattern":
        seen.add(id(value))
        if isinstance(getattr(value, "pattern", None), str):  # a bytes pattern reads files, no messages
            yield value  # type: ignore[misc]
        return
    inner: Iterator[object] | None = None
    if isinstance(value, Mapping):
        inner = iter(list(value.values()))
    elif isinstance(value, (tuple, list, frozenset, set)):
        inner = iter(list(value))
    elif is_dataclass(value) and not isinstance(value, type):
        inner = (getattr(value, one.name, None) for one in fields(value))
    if inner is not None:
        seen.add(id(value))
        for one in inner:
            yield from _find_patterns(one, seen, depth - 1)


def _iter_inline() -> Iterator[tuple[str, str, int]]:
    """Place and pattern of every expression that stands in a call of `re` itself."""
    for path in list_modules():
        for node in find_nodes(path, ast.Call):
            match node:
                case ast.Call(ast.Attribute(ast.Name("re"), name), [ast.Constant(str(pattern)), *_]) if (
                    name != "escape"
                ):
                    yield f"{path.name}:{node.lineno}", pattern, 0


def test_no_loop_of_a_pattern_can_read_a_text_in_two_ways() -> None:
    """嗯嗯嗯嗯… kept a server busy for minutes: `(?:嗯+|那)*` reads each 嗯 with the one before it, or by itself."""
    found = [*_iter_patterns(), *_iter_inline()]
    assert len(found) > 2500
    wrong = {
        f"{place}: {texts} {pattern[:80]}"
        for place, pattern, flags in found
        if (texts := find_ambiguous_loops(pattern, flags & ~re.DEBUG))
    }
    assert sorted(wrong) == []


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:嗯+|那)*好",
        "(?:a|aa)*b",
        r"(?:\s*,?\s*x)*$",
        "(?:那就|那|就)*好",
        "(?i:(?:bye(?: bye)?|Bye) )+x",
        r"(?:[^,]+,\s*)+\.",
        "(?:再看看?|看)*好",
        "(?=(?:a+)+b)",
        "(?:(?>(?:a+)+b)c)*x",
    ],
)
def test_loops_that_take_exponential_time_are_found(pattern: str) -> None:
    assert find_ambiguous_loops(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:嗯|那)*好",
        r"(?:\s*(?:,\s*)?x)*$",
        "(?:[再看])*好",
        r"\w+(?:-+\w+)*",
        "(?:a{2})*b",
        "(?:(?>a+)b)*",
        r"(?:[^,]+,)+\.",
        "(?:ab?){1,6}b",
    ],
)
def test_clear_loops_are_not_found(pattern: str) -> None:
    assert find_ambiguous_loops(pattern) == []
