"""Open a table once for the steps that follow each other: profile, figures and report read the same file."""

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Timer
from typing import Final

from metier.language import Language
from metier.packs.workspace.data._analysis import type_columns
from metier.packs.workspace.data._load import load_table
from metier.packs.workspace.data._summary import Typed

_KEPT_S: Final = 60.0


@dataclass(slots=True)
class _LastTable:
    """The table that was opened last, kept for a minute after its last use, as it may be large."""

    key: tuple[object, ...] = ()
    table: Typed | None = None
    timer: Timer | None = None
    lock: Lock = field(default_factory=Lock)

    def find(self, key: tuple[object, ...]) -> Typed | None:
        with self.lock:
            if self.key != key:
                return None
            self._wait()
            return self.table

    def keep(self, key: tuple[object, ...], table: Typed) -> None:
        with self.lock:
            self.key, self.table = key, table
            self._wait()

    def _wait(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = Timer(_KEPT_S, self._forget)
        self.timer.daemon = True
        self.timer.start()

    def _forget(self) -> None:
        with self.lock:
            self.key, self.table = (), None


_LAST: Final = _LastTable()


def open_table(path: Path, language: Language) -> Typed:
    """Read a file and the kinds of its columns; not again if it did not change since. The table must not be changed."""
    state = path.stat()
    key = (path.resolve(), state.st_mtime_ns, state.st_size, state.st_ino, language)
    found = _LAST.find(key)
    if found is None:
        found = type_columns(load_table(path, language))
        _LAST.keep(key, found)
    return found
