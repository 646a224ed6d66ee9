"""Takes the place of two compilers of the standard library that run at every start, and keeps what they compile.

A start defines 700 dataclasses, whose 3,600 methods Python writes as text and compiles, and compiles 600 regular
expressions: half a second of processor time for what is the same every time. Code that is kept is found by the whole
text it was compiled from, so that it is never that of an earlier version of a class or a pattern.

Both compilers are of Python itself, which may change them: whatever fails here, they do the work, and nothing is put
in place where a sample does not come out as it does without.
"""

import atexit
import dataclasses
import importlib
import marshal
import re
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from metier.compiled._file import KeptCode, PatternKey, locate_file, read_file, write_file
from metier.compiled._sample import load_sample

_COMPREHENSIONS: Final = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"})
_OF_FUNCTION: Final = 0x1  # `inspect.CO_OPTIMIZED`; importing `inspect` would cost more than is saved
_BETWEEN: Final = frozenset({__name__, "dataclasses", "re", "re._compiler", "sre_compile"})
_IMPORTERS: Final = frozenset({"importlib._bootstrap", "_frozen_importlib"})


class CodeKeeper:
    """Compiles what is not kept; what is compiled while modules are imported, or named a constant, is kept."""

    def __init__(self, file: Path, compiler: Any) -> None:
        self._file = file
        self._compiler = compiler
        self._compile_pattern = compiler.compile
        self._kept = read_file(file)
        self._used: tuple[set[str], set[PatternKey]] = (set(), set())
        self._is_changed = False

    def run_methods(
        self,
        text: str,
        globals: dict[str, Any] | None = None,  # the names that `exec` has
        locals: dict[str, Any] | None = None,
    ) -> None:
        """Stand for `exec` in `dataclasses`."""
        if globals is None:  # `exec` takes those of its caller
            caller = sys._getframe(1)
            globals, locals = caller.f_globals, caller.f_locals if locals is None else locals
        try:
            code = self._find_methods(text)
        except Exception:  # noqa: BLE001 - whatever it is, `exec` itself says what is wrong, or that nothing is
            code = None
        exec(text if code is None else code, globals, locals)  # noqa: S102 - what `dataclasses` does

    def compile_pattern(self, pattern: Any, flags: int = 0) -> Any:
        """Stand for `compile` in the compiler of `re`."""
        try:
            found = self._make_pattern(pattern, flags)
        except Exception:  # noqa: BLE001 - whatever it is, `re` itself says what is wrong, or that nothing is
            found = None
        return self._compile_pattern(pattern, flags) if found is None else found

    def keep_pattern(self, key: PatternKey) -> bytes | None:
        """Keep the code of a pattern that is the same at every start; None for one that is wrong: `re` says why."""
        found = self._kept.patterns.get(key)
        if found is None:
            try:
                found = marshal.dumps(_analyze_pattern(self._compiler, *key))
            except Exception:  # noqa: BLE001 - of a pattern that is wrong, or of a compiler that is not as it was
                return None
            self._kept.patterns[key], self._is_changed = found, True
        self._used[1].add(key)
        return found

    def save(self) -> None:
        """Write what has come since the file was read; if all of it is too much, what this process has used."""
        if not self._is_changed or sys.dont_write_bytecode:
            return
        self._is_changed = False
        kept = KeptCode(self._kept.methods.copy(), self._kept.patterns.copy())  # a thread may import meanwhile
        texts, keys = self._used[0].copy(), self._used[1].copy()
        used = KeptCode({one: kept.methods[one] for one in texts}, {one: kept.patterns[one] for one in keys})
        write_file(self._file, kept, used)

    def _find_methods(self, text: str) -> CodeType | None:
        """Code of the methods of a class in the body of a module; None for any other."""
        found = self._kept.methods.get(text)
        if found is None:
            if not _is_importing():  # a class that a function makes may have the columns of somebody's table
                return None
            found = marshal.dumps(compile(text, "<string>", "exec", dont_inherit=True))
            self._kept.methods[text], self._is_changed = found, True
        self._used[0].add(text)
        code = marshal.loads(found)  # noqa: S302 - as Python does with byte code
        return code if isinstance(code, CodeType) else None

    def _make_pattern(self, pattern: Any, flags: int) -> Any:
        if type(pattern) not in (str, bytes) or flags & (re.DEBUG | re.LOCALE):
            return None
        key = (pattern, int(flags))
        if key not in self._kept.patterns and not _is_importing():  # it may be made of what a person has written
            return None
        found = self.keep_pattern(key)
        return None if found is None else self._compiler._sre.compile(pattern, *marshal.loads(found))  # noqa: S302 - as Python does with byte code


def keep_compiled(file: Path | None = None) -> None:
    """From now on, take the code of dataclasses and constant patterns from a file if it is there; once a process.

    Not with PYTHONDONTWRITEBYTECODE, and not if a sample made with it is not equal to one made without.
    """
    if sys.dont_write_bytecode or _find_keeper() is not None:
        return
    compiler = importlib.import_module("re._compiler")
    original = compiler.compile
    plain = _try_sample()
    keeper = CodeKeeper(locate_file() if file is None else file, compiler)
    vars(dataclasses)["exec"] = keeper.run_methods
    vars(compiler)["compile"] = keeper.compile_pattern
    if plain is None or _try_sample() != plain:
        del vars(dataclasses)["exec"]
        vars(compiler)["compile"] = original
        return
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


def _try_sample() -> object:
    try:
        return load_sample()
    except Exception:  # noqa: BLE001 - whatever it is, the compilers of Python are left alone
        return None


def _find_keeper() -> CodeKeeper | None:
    """The keeper that `dataclasses` uses, if any."""
    keeper = getattr(vars(dataclasses).get("exec"), "__self__", None)
    return keeper if isinstance(keeper, CodeKeeper) else None


def _is_importing() -> bool:
    """Whether the pattern or class stands in the body of a module, or of a class in it, that is being imported."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (
        frame.f_globals.get("__name__") in _BETWEEN or frame.f_code.co_name in _COMPREHENSIONS
    ):
        frame = frame.f_back
    while frame is not None and not frame.f_code.co_flags & _OF_FUNCTION:
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") in _IMPORTERS


def _analyze_pattern(compiler: Any, pattern: str | bytes, flags: int) -> tuple[Any, ...]:
    """What `re` gives to its engine, but for the pattern."""
    parsed = compiler._parser.parse(pattern, flags)
    code = [int(one) for one in compiler._code(parsed, flags)]  # some are named, which cannot be stored
    names: list[str | None] = [None] * parsed.state.groups
    for name, index in parsed.state.groupdict.items():
        names[index] = name
    return int(flags | parsed.state.flags), code, parsed.state.groups - 1, dict(parsed.state.groupdict), tuple(names)
