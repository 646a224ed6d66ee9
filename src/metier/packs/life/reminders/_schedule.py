"""Which reminders are due: in the user's zone, outside quiet hours, once an occurrence, with a cooldown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from metier.json_values import JsonObject, JsonValue

DEFAULT_ZONE: Final = "Asia/Shanghai"
DEFAULT_QUIET: Final = ("22:30", "08:00")
_COOLDOWN_H: Final = 20.0
_LATE_H: Final = 14.0  # an occurrence that fell into quiet hours is still sent when they end


@dataclass(frozen=True, slots=True)
class Reminder:
    """A daily reminder: its words, the local time, and when it was sent last."""

    id: str
    text: str
    at: time
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReminderBook:
    """Reminders of a user with zone, quiet hours and cooldown. `paused`: none is sent until the user resumes them."""

    zone: ZoneInfo
    quiet: tuple[time, time]
    cooldown: timedelta
    reminders: tuple[Reminder, ...] = ()
    paused: bool = False

    def find_due(self, now: datetime) -> tuple[Reminder, ...]:
        """Reminders to send now, which must have an offset; none in quiet hours or while paused."""
        local = now.astimezone(self.zone)
        if self.paused or is_quiet(local.time(), self.quiet):
            return ()
        return tuple(one for one in self.reminders if self._is_due(one, local))

    def _is_due(self, one: Reminder, local: datetime) -> bool:
        planned = datetime.combine(local.date(), one.at, self.zone)
        if planned > local:
            planned -= timedelta(days=1)
        if local - planned > timedelta(hours=_LATE_H):
            return False
        return one.last is None or (one.last < planned and local - one.last >= self.cooldown)


def is_quiet(at: time, quiet: tuple[time, time]) -> bool:
    """Whether a local time lies in the quiet hours, which may reach over midnight."""
    start, end = quiet
    if start == end:
        return False
    return start <= at < end if start < end else at >= start or at < end


def read_book(kept: JsonValue) -> ReminderBook:
    """Reminders as they are kept in the profile; what cannot be read gets the default."""
    data = kept if isinstance(kept, Mapping) else MappingProxyType({})
    quiet = data.get("quiet")
    hours = quiet if isinstance(quiet, list | tuple) and len(quiet) == 2 else DEFAULT_QUIET
    items = data.get("items")
    listed = items.items() if isinstance(items, Mapping) else ()
    found = (_read_reminder(name, one) for name, one in listed if isinstance(one, Mapping))
    cooldown = data.get("cooldown_h")
    return ReminderBook(
        _read_zone(data.get("zone")),
        (_read_time(hours[0], time(22, 30)), _read_time(hours[1], time(8))),
        timedelta(hours=float(cooldown) if isinstance(cooldown, int | float) else _COOLDOWN_H),
        tuple(one for one in found if one is not None),
        bool(data.get("paused")),
    )


def _read_reminder(name: str, one: JsonObject) -> Reminder | None:
    text, at = one.get("text"), one.get("at")
    if not isinstance(text, str) or not isinstance(at, str):
        return None
    last = one.get("last")
    try:
        sent = datetime.fromisoformat(last) if isinstance(last, str) else None
        return Reminder(name, text, time.fromisoformat(at), sent)
    except ValueError:
        return None


def _read_zone(value: JsonValue) -> ZoneInfo:
    try:
        return ZoneInfo(value if isinstance(value, str) and value else DEFAULT_ZONE)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(DEFAULT_ZONE)


def _read_time(value: JsonValue, otherwise: time) -> time:
    try:
        return time.fromisoformat(str(value))
    except ValueError:
        return otherwise
