import gc
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from io import StringIO

import pytest

from metier.cli.terminal import LoadingStatus, choose_language
from metier.store import Event, EventKind


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("language", "text"), [("zh", "正在加载"), ("en", "Loading")])
def test_a_person_at_a_terminal_sees_that_it_loads(language: str, text: str) -> None:
    terminal = Terminal()
    with LoadingStatus("zh" if language == "zh" else "en", stream=terminal, delay_s=3600) as loading:
        loading.show()
    assert text in terminal.getvalue()


def test_nothing_is_shown_after_it_was_stopped() -> None:
    terminal = Terminal()
    with LoadingStatus("en", stream=terminal, delay_s=3600) as loading:
        loading.stop()
        loading.show()
    assert terminal.getvalue() == ""


def test_no_timer_runs_where_nobody_looks() -> None:
    stream = StringIO()
    with LoadingStatus("en", stream=stream, delay_s=0) as loading:
        assert not loading._timer.is_alive()
    assert stream.getvalue() == ""


async def test_it_stops_at_the_first_event_that_is_printed() -> None:
    async def events() -> AsyncIterator[Event]:
        kinds: list[EventKind] = ["turn.started", "skill.routed", "text.done"]
        for seq, kind in enumerate(kinds, 1):
            yield Event("c", "t", seq, datetime(2026, 1, 1, tzinfo=UTC), kind, {})

    with LoadingStatus("en", stream=Terminal(), delay_s=3600) as loading:
        seen = [(event.kind, loading._stopped) async for event in loading.until_output(events())]
    assert seen == [("turn.started", False), ("skill.routed", False), ("text.done", True)]


@pytest.mark.parametrize(
    ("setting", "message", "system", "expected"),
    [
        ("en", "写周报", "zh_CN", "en"),
        ("auto", "写周报", "en_US", "zh"),
        ("auto", "write a report", "zh_CN", "en"),
        ("auto", "", "zh_CN", "zh"),
        ("auto", "", None, "en"),
    ],
)
def test_the_language_is_the_settings_the_messages_or_the_systems(
    setting: str, message: str, system: str | None, expected: str
) -> None:
    chosen = choose_language("en" if setting == "en" else "auto", message, lambda: system or "")
    assert chosen == expected


def test_no_garbage_is_looked_for_while_a_command_loads() -> None:
    with LoadingStatus("en", stream=StringIO()) as loading:
        assert not gc.isenabled()
        loading.stop()
        assert gc.isenabled()
    assert gc.isenabled()
