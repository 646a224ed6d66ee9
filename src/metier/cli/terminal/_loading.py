"""While a command loads: a spinner on stderr, so that a person sees that something happens; no garbage collection."""

import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final, Literal, TextIO

import typer

from metier.background import pause_collection, resume_collection
from metier.cli.terminal._words import find_system_locale
from metier.language import BilingualText, Language, resolve_language

if TYPE_CHECKING:
    from rich.status import Status

    from metier.store import Event

_DELAY_S: Final = 0.3
_TEXT: Final = BilingualText(zh="正在加载…", en="Loading…")
_SILENT_EVENTS: Final = frozenset({"turn.started", "skill.routed"})


class LoadingStatus:
    """Context manager: after 0.3 s a spinner until `stop`, on a terminal only; until then no garbage is collected."""

    def __init__(self, language: Language, *, stream: TextIO | None = None, delay_s: float = _DELAY_S) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._language = language
        self._lock = threading.Lock()
        self._status: Status | None = None
        self._stopped = False
        self._timer = threading.Timer(delay_s, self.show)
        self._timer.daemon = True

    def __enter__(self) -> "LoadingStatus":
        pause_collection()
        if self._stream.isatty():
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def show(self) -> None:
        """Show the spinner now, unless it was stopped."""
        from rich.console import Console

        with self._lock:
            if not self._stopped and self._status is None:
                self._status = Console(file=self._stream).status(_TEXT.text(self._language))
                self._status.start()

    def stop(self) -> None:
        """Remove the spinner; it does not come back."""
        self._timer.cancel()
        resume_collection()
        with self._lock:
            self._stopped = True
            if self._status is not None:
                self._status.stop()

    async def until_output(self, events: "AsyncIterator[Event]") -> "AsyncIterator[Event]":
        """Pass the events on; stop before the first one that is printed."""
        async for event in events:
            if event.kind not in _SILENT_EVENTS:
                self.stop()
            yield event


def choose_language(
    setting: Literal["auto", "en", "zh"],
    message: str,
    find_locale: Callable[[], str] = find_system_locale,
) -> Language:
    """Language for a person: that of the settings, else of the message, else of the system."""
    if setting != "auto":
        return setting
    if message:
        return resolve_language(setting, message)
    return "zh" if find_locale().startswith("zh") else "en"


def parse_language(asked: str | None, setting: Literal["auto", "en", "zh"]) -> Language:
    """Language that the option `--language` asks for; without it that of the settings, else of the system."""
    match asked:
        case None:
            return choose_language(setting, "")
        case "en" | "zh":
            return asked
    raise typer.BadParameter("zh or en", param_hint="--language")
