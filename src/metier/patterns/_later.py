"""Regular expressions of our own that are compiled when they are first used, not when their module is imported.

Compiling all of them took a tenth of the processor time of a start. A server compiles the rest in the background once
it is ready (`compile_remaining`), so that no message waits for them.
"""

import re
import sys
import time
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final, cast

from metier.compiled import compile_constant

_USED: Final = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "groups", "groupindex")
_DEPTH: Final = 3  # tables of rules: a mapping of tuples of pairs
# Kinds of tables, and not every `Mapping`: to ask that of each entry of the large tables took 0.1 s of each start.
_MAPPINGS: Final = (dict, MappingProxyType)
_TABLES: Final = (tuple, *_MAPPINGS)
_PAUSE_S: Final = 0.001  # between two patterns: whoever answers a message goes first


class _LaterPattern:
    """Stands for a `re.Pattern`; its methods are those of the compiled one from the first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _USED:
            raise AttributeError(name)
        compiled = compile_constant(self.pattern, self.flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _USED})
        return self.__dict__[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return re.compile, (self.pattern, self.flags)


_CARRIERS: Final = (_LaterPattern, *_TABLES)


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile the pattern when it is first used; for constants of a module. It cannot be given to `re.search` etc."""
    return cast("re.Pattern[str]", _LaterPattern(pattern, flags))


def compile_remaining(package: str = "metier", *, pause_s: float = _PAUSE_S) -> int:
    """Compile what the imported modules of a package have not used yet, and count it; for a thread of its own."""
    waiting = _list_waiting(package)
    for one in waiting:
        one.search  # noqa: B018 - compiles it
        time.sleep(pause_s)
    return len(waiting)


def _list_waiting(package: str) -> list[_LaterPattern]:
    modules = [module for name, module in tuple(sys.modules.items()) if name.partition(".")[0] == package]
    return [one for module in modules for value in tuple(vars(module).values()) for one in _find_waiting(value)]


def _find_waiting(value: object, depth: int = _DEPTH) -> Iterator[_LaterPattern]:
    if isinstance(value, _LaterPattern):
        if "search" not in value.__dict__:
            yield value
    elif depth and isinstance(value, _TABLES):
        for inner in tuple(value.values()) if isinstance(value, _MAPPINGS) else value:
            if isinstance(inner, _CARRIERS):
                yield from _find_waiting(inner, depth - 1)
