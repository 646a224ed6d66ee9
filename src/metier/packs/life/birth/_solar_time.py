"""Local mean and true solar time: longitude, and the equation of time from the Sun's hour angle."""

from datetime import UTC, datetime, timedelta
from typing import Final

_HOURS: Final = 24.0
_DEGREES_PER_HOUR: Final = 15.0


def find_mean_solar(instant: datetime, longitude: float) -> datetime:
    """Local mean solar time of an instant."""
    return instant.astimezone(UTC).replace(tzinfo=None) + timedelta(hours=longitude / _DEGREES_PER_HOUR)


def find_equation_of_time(instant: datetime) -> timedelta:
    """True minus mean solar time."""
    import astronomy

    utc = instant.astimezone(UTC)
    time = astronomy.Time.Make(utc.year, utc.month, utc.day, utc.hour, utc.minute, utc.second + utc.microsecond / 1e6)
    angle = astronomy.HourAngle(astronomy.Body.Sun, time, astronomy.Observer(0.0, 0.0, 0.0))
    clock = utc.hour + utc.minute / 60 + (utc.second + utc.microsecond / 1e6) / 3600
    hours = (angle + _HOURS / 2 - clock + _HOURS / 2) % _HOURS - _HOURS / 2
    return timedelta(hours=hours)


def find_instant(true_solar: datetime, longitude: float) -> datetime:
    """The instant at which a sundial shows this time."""
    mean = true_solar.replace(tzinfo=UTC) - timedelta(hours=longitude / _DEGREES_PER_HOUR)
    return mean - find_equation_of_time(mean)
