from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from metier.clock import local_now
from metier.tools.builtin._clock import time_tool
from tests.tools.builtin.support import code_of, data_of, run

NOW = datetime(2026, 3, 1, 20, 30, 15, 999, tzinfo=UTC)
TOOL = time_tool(lambda: NOW)

ZONES = {
    "none asked for": (None, "2026-03-01T20:30:15+00:00", "Sunday", "星期日"),
    "a zone": ("Asia/Shanghai", "2026-03-02T04:30:15+08:00", "Monday", "星期一"),
    "any case": ("asia/shanghai", "2026-03-02T04:30:15+08:00", "Monday", "星期一"),
    "as people say it": ("北京时间", "2026-03-02T04:30:15+08:00", "Monday", "星期一"),
    "summer time": ("America/New_York", "2026-03-01T15:30:15-05:00", "Sunday", "星期日"),
    "an offset": ("+05:30", "2026-03-02T02:00:15+05:30", "Monday", "星期一"),
    "an offset from UTC": ("UTC-3", "2026-03-01T17:30:15-03:00", "Sunday", "星期日"),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("zone", "time", "day", "day_zh"), ZONES.values(), ids=ZONES)
async def test_the_time_is_told(zone: str | None, time: str, day: str, day_zh: str, workspace: Path) -> None:
    told = data_of(await run(TOOL, workspace, **({"timezone": zone} if zone else {})))
    assert (told["time"], told["weekday"], told["weekday_zh"]) == (time, day, day_zh)
    assert told["date"] == time[:10]
    assert told["utc"] == "2026-03-01T20:30:15+00:00"


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    "zone", ["Mars/Olympus", "../../etc/passwd", "/etc/localtime", "+99:00", "火星", "\x00", "Asia"]
)
async def test_a_zone_that_does_not_exist_is_an_answer(zone: str, workspace: Path) -> None:
    assert code_of(await run(TOOL, workspace, timezone=zone)) == "unknown_timezone"


@pytest.mark.parametrize(
    ("wrong", "right"), [("Asia/Shangai", "Asia/Shanghai"), ("paris", "Europe/Paris"), ("Asia/Bejing", "Asia/Shanghai")]
)
async def test_a_misspelt_zone_names_the_near_ones(wrong: str, right: str, workspace: Path) -> None:
    result = await run(TOOL, workspace, timezone=wrong)
    assert result.failure is not None
    assert right in result.failure.hint


async def test_the_clock_s_own_zone_is_used_when_none_is_asked_for(workspace: Path) -> None:
    there = time_tool(lambda: NOW.astimezone(timezone(timedelta(hours=9), "there")))
    assert data_of(await run(there, workspace))["timezone"] == "there"


def test_the_machine_s_clock_has_a_zone() -> None:
    assert local_now().tzinfo is not None
