"""Takes the place of two compilers of the standard library that run at every start, and keeps what they compile.

A start defines 700 dataclasses, whose 3,600 methods Python writes as text and compiles, and compiles 600 regular
expressions: half a second of processor time for what is the same every time. Code that is kept is found by the whole
text it was compiled from, so that it is never that of an earlier version of a class or a pattern.
"""

import atexit
import dataclasses
import importlib
import marshal
import re
import sys
from pathlib import Path
from typing import Any, Final

from metier.compiled._file import KeptCode, PatternKey, locate_file, read_file, write_file

_COMPREHENSIONS: Final = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"})
_OF_FUNCTION: Final = 0x1  # `inspect.CO_OPTIMIZED`; importing `inspect` would cost more than is saved
_FRAMES_TO_CALLER: Final = 3  # compile_pattern, re._compile, and re.compile


class CodeKeeper:
    """Compiles what is not kept; what is compiled while modules are imported, or named a constant, is kept."""

    def __init__(self, file: Path, compiler: Any) -> None:
        self._file = file
        self._compiler = compiler
        self._compile_pattern = compiler.compile
        self._kept = read_file(file)
        self._used = KeptCode({}, {})
        self._is_changed = False

    def run_methods(
        self, text: str, variables: dict[str, Any] | None = None, made: dict[str, Any] | None = None
    ) -> None:
        """Stand for `exec` in `dataclasses`."""
        found = self._kept.methods.get(text)
        if found is None:
            found = marshal.dumps(compile(text, "<string>", "exec", dont_inherit=True))
            self._is_changed = True
        self._used.methods[text] = found
        exec(marshal.loads(found), variables, made)  # noqa: S102, S302 - what `dataclasses` does, with byte code

    def compile_pattern(self, pattern: Any, flags: int = 0) -> Any:
        """Stand for `compile` in the compiler of `re`."""
        if type(pattern) not in (str, bytes) or flags & (re.DEBUG | re.LOCALE):
            return self._compile_pattern(pattern, flags)
        key = (pattern, int(flags))
        found = self._find_pattern(key)
        if found is None and _is_importing():  # any other may be made of what a person has written
            found = self.keep_pattern(key)
        if found is None:
            return self._compile_pattern(pattern, flags)
        self._used.patterns[key] = found
        return self._compiler._sre.compile(pattern, *marshal.loads(found))  # noqa: S302 - as with byte code

    def keep_pattern(self, key: PatternKey) -> bytes | None:
        """Keep the code of a pattern that is the same at every start; None for one that is wrong: `re` says why."""
        found = self._find_pattern(key)
        if found is None:
            try:
                found = marshal.dumps(_analyze_pattern(self._compiler, *key))
            except (re.error, ValueError, OverflowError, RecursionError):
                return None
            self._used.patterns[key], self._is_changed = found, True
        return found

    def save(self) -> None:
        """Write what has come since the file was read; if all of it is too much, what this process has used."""
        if not self._is_changed or sys.dont_write_bytecode:
            return
        self._is_changed = False
        used = KeptCode(dict(self._used.methods), dict(self._used.patterns))
        both = KeptCode(self._kept.methods | used.methods, self._kept.patterns | used.patterns)
        if not write_file(self._file, both):
            write_file(self._file, used)

    def _find_pattern(self, key: PatternKey) -> bytes | None:
        return self._kept.patterns.get(key) or self._used.patterns.get(key)


def keep_compiled(file: Path | None = None) -> None:
    """From now on, take the code of dataclasses and constant patterns from a file if it is there; once a process."""
    if _find_keeper() is not None:
        return
    compiler = importlib.import_module("re._compiler")
    keeper = CodeKeeper(locate_file() if file is None else file, compiler)
    vars(dataclasses)["exec"] = keeper.run_methods
    vars(compiler)["compile"] = keeper.compile_pattern
    atexit.register(keeper.save)


def save_compiled() -> None:
    """Write the file now, if `keep_compiled` was called and something is new: a server may end at any moment."""
    if (keeper := _find_keeper()) is not None:
        keeper.save()


def compile_constant(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern that is written in the program or its data, not by a person; its code may be kept."""
    if (keeper := _find_keeper()) is not None:
        keeper.keep_pattern((pattern, int(flags)))
    return re.compile(pattern, flags)


def _find_keeper() -> CodeKeeper | None:
    """The keeper that `dataclasses` uses, if any."""
    keeper = getattr(vars(dataclasses).get("exec"), "__self__", None)
    return keeper if isinstance(keeper, CodeKeeper) else None


def _is_importing() -> bool:
    """Whether the pattern stands in the body of a module or of a class."""
    frame = sys._getframe(_FRAMES_TO_CALLER + 1)
    while frame.f_code.co_name in _COMPREHENSIONS and frame.f_back is not None:
        frame = frame.f_back
    return not frame.f_code.co_flags & _OF_FUNCTION


def _analyze_pattern(compiler: Any, pattern: str | bytes, flags: int) -> tuple[Any, ...]:
    """What `re` gives to its engine, but for the pattern."""
    parsed = compiler._parser.parse(pattern, flags)
    code = [int(one) for one in compiler._code(parsed, flags)]  # some are named, which cannot be stored
    names: list[str | None] = [None] * parsed.state.groups
    for name, index in parsed.state.groupdict.items():
        names[index] = name
    return int(flags | parsed.state.flags), code, parsed.state.groups - 1, dict(parsed.state.groupdict), tuple(names)
