"""Zones from the pinned tzdata package, never the system's, and local times that do not exist or exist twice."""

from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Final, Literal
from zoneinfo import ZoneInfo

BEIJING: Final = timedelta(hours=8)
Occurrence = Literal["once", "never", "twice"]


@cache
def load_zone(name: str) -> ZoneInfo:
    """Zone with its history, read from the tzdata package so that every machine computes the same."""
    path = files("tzdata").joinpath("zoneinfo", *name.split("/"))
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


def count_occurrences(local: datetime, zone: ZoneInfo) -> Occurrence:
    """How often a clock of the zone showed this time: a change to summer time skips an hour, the end repeats one."""
    first, second = (_to_utc(local, zone, fold) for fold in (0, 1))
    if first.astimezone(zone).replace(tzinfo=None, fold=0) != local:
        return "never"
    return "once" if first == second else "twice"


def to_instant(local: datetime, zone: ZoneInfo, *, is_second: bool = False) -> datetime:
    """The instant of a local time, the second one if it exists twice."""
    return _to_utc(local, zone, int(is_second))


def measure_dst(instant: datetime, zone: ZoneInfo) -> timedelta:
    """Summer time in force at an instant, zero without."""
    return instant.astimezone(zone).dst() or timedelta()


def to_standard(instant: datetime, zone: ZoneInfo) -> datetime:
    """Clock time of the zone without summer time."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0) - measure_dst(instant, zone)


def _to_utc(local: datetime, zone: ZoneInfo, fold: int) -> datetime:
    return local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
