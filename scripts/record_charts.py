"""Record what other libraries compute, so that the tests of the life pack can compare without depending on them.

    python scripts/record_charts.py sxtwl     # 3,000 day and hour pillars; needs sxtwl
    python scripts/record_charts.py skyfield  # 200 charts of the ten bodies; needs skyfield, skyfield-data (DE421)

The times are random but fixed by a seed. Skyfield is asked in UT1: its UTC before 1972 is 45 s off.
"""

import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "tests/packs/life"
BODIES = {
    "sun": "sun",
    "moon": "moon",
    "mercury": "mercury",
    "venus": "venus",
    "mars": "mars",
    "jupiter": "jupiter barycenter",
    "saturn": "saturn barycenter",
    "uranus": "uranus barycenter",
    "neptune": "neptune barycenter",
    "pluto": "pluto barycenter",
}


def draw_times(count: int, seed: int) -> list[datetime]:
    """Random minutes from 1901 to 2050."""
    chance = random.Random(seed)  # noqa: S311 - the same times on every run
    first = datetime(1901, 1, 1)
    minutes = int((datetime(2051, 1, 1) - first).total_seconds() // 60)
    return [first + timedelta(minutes=chance.randrange(minutes)) for _ in range(count)]


def record_sxtwl() -> None:
    """Numbers of the day and hour pillar in the cycle, the day changing at midnight."""
    import sxtwl

    lines = []
    for at in draw_times(3000, 21):
        day = sxtwl.fromSolar(at.year, at.month, at.day)
        pillars = day.getDayGZ(), day.getHourGZ(at.hour, True)
        lines.append(f"{at:%Y%m%d%H%M} " + " ".join(f"{one.tg}.{one.dz}" for one in pillars))
    (FOLDER / "bazi/sxtwl.txt").write_text("\n".join(lines) + "\n", "utf-8")


def record_skyfield() -> None:
    """Apparent geocentric longitudes on the true ecliptic of date, and the sidereal time in hours."""
    from skyfield.api import Loader
    from skyfield.framelib import ecliptic_frame
    from skyfield_data import get_skyfield_data_path

    load = Loader(get_skyfield_data_path())
    scale, kernel = load.timescale(builtin=True), load("de421.bsp")
    lines = ["time " + " ".join(BODIES) + " sidereal"]
    for at in draw_times(200, 22):
        time = scale.ut1(at.year, at.month, at.day, at.hour, at.minute)
        seen = [kernel["earth"].at(time).observe(kernel[name]).apparent() for name in BODIES.values()]
        longitudes = [one.frame_latlon(ecliptic_frame)[1].degrees for one in seen]
        lines.append(f"{at:%Y%m%d%H%M} " + " ".join(f"{one:.4f}" for one in (*longitudes, time.gast)))
    (FOLDER / "zodiac/skyfield.txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    {"sxtwl": record_sxtwl, "skyfield": record_skyfield}[sys.argv[1]]()
