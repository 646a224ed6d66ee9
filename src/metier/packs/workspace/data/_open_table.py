"""Open a table once for the steps that follow each other: profile, figures and report read the same file."""

from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Final

from metier.language import Language

if TYPE_CHECKING:
    from metier.packs.workspace.data._summary import Typed

_KEPT_S: Final = 60.0


class OpenTables:
    """The table that was opened last, kept for a minute after its last use, as it may be large.

    Whoever makes the tools has one of their own, and a table is found again only from the workspace that opened it.
    """

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._table: Typed | None = None
        self._timer: Timer | None = None
        self._lock = Lock()

    def open(self, path: Path, workspace: Path, language: Language) -> "Typed":
        """Read a file and the kinds of its columns; not again if it did not change. The table must not be changed."""
        from metier.packs.workspace.data._analysis import type_columns
        from metier.packs.workspace.data._load import load_table

        state = path.stat()
        key = (workspace.resolve(), path.resolve(), state.st_mtime_ns, state.st_size, state.st_ino, language)
        with self._lock:
            found = self._table if self._key == key else None
        if found is None:
            found = type_columns(load_table(path, language))
        with self._lock:
            self._key, self._table = key, found
            if self._timer is not None:
                self._timer.cancel()
            self._timer = Timer(_KEPT_S, self._forget)
            self._timer.daemon = True
            self._timer.start()
        return found

    def _forget(self) -> None:
        with self._lock:
            self._key, self._table, self._timer = (), None, None
