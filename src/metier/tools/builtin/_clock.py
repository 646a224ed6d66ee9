"""`get_current_time`: the time in a time zone, with the weekday in English and Chinese."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from metier.clock import local_now
from metier.json_values import JsonObject
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._spec import ToolSpec
from metier.tools.builtin._base import BuiltinTool, get_text, object_schema, text_schema

_DAYS_EN: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS_ZH: Final = ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日")
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_CITY_ZONES: Final = (
    ("北京", "Asia/Shanghai"),
    ("北京时间", "Asia/Shanghai"),
    ("中国", "Asia/Shanghai"),
    ("beijing", "Asia/Shanghai"),
    ("上海", "Asia/Shanghai"),
    ("香港", "Asia/Hong_Kong"),
    ("台北", "Asia/Taipei"),
    ("东京", "Asia/Tokyo"),
    ("伦敦", "Europe/London"),
    ("纽约", "America/New_York"),
)


def time_tool(clock: Callable[[], datetime] = local_now) -> BuiltinTool:
    """Build the tool; `clock` returns a time with a zone, which is the default zone."""
    spec = ToolSpec(
        "get_current_time",
        "The date, time and weekday now, in an IANA time zone or the machine's own.",
        object_schema({"timezone": text_schema("such as Asia/Shanghai, UTC or +08:00", longest=64)}),
        idempotent=True,
        timeout_s=5.0,
    )

    async def run(arguments: JsonObject, _context: ToolContext) -> ToolResult:
        asked = get_text(arguments, "timezone").strip()
        now = clock()
        there = now.astimezone(_parse_zone(asked)) if asked else now
        return ToolResult(
            {
                "date": there.date().isoformat(),
                "time": there.isoformat(timespec="seconds"),
                "timezone": str(there.tzinfo),
                "weekday": _DAYS_EN[there.weekday()],
                "weekday_zh": _DAYS_ZH[there.weekday()],
                "utc": there.astimezone(UTC).isoformat(timespec="seconds"),
            }
        )

    return BuiltinTool(spec, run)


def _parse_zone(asked: str) -> tzinfo:
    offset = _OFFSET.fullmatch(asked)
    if offset:
        hours, minutes = int(offset[2]), int(offset[3] or 0)
        if hours <= 14 and minutes < 60:
            return timezone((1 if offset[1] == "+" else -1) * timedelta(hours=hours, minutes=minutes))
    name = next((zone for spoken, zone in _CITY_ZONES if spoken == asked.lower()), asked)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        known = {zone.lower(): zone for zone in available_timezones()}
        if name.lower() in known:
            return ZoneInfo(known[name.lower()])
        raise ToolError(
            f"there is no time zone {asked!r}", code="unknown_timezone", hint=_suggest_zones(name.lower(), known)
        ) from error


def _suggest_zones(name: str, known: dict[str, str]) -> str:
    """Suggest zones whose city or full name is spelt similarly."""
    cities = {zone.rpartition("/")[2]: zone for zone in known.values()}
    cities = {city.lower(): zone for city, zone in cities.items()} | dict(_CITY_ZONES)
    city = name.rpartition("/")[2].replace(" ", "_")
    near = [cities[found] for found in get_close_matches(city, cities, n=2, cutoff=0.75)]
    near += [known[found] for found in get_close_matches(name, known, n=2, cutoff=0.75)]
    if not near:
        return "name one such as Asia/Shanghai or +08:00"
    return f"did you mean {' or '.join(dict.fromkeys(near))}?"
