"""Figures of charts and readings: how distinct readings are, whether any contradict, and how long a chart takes."""

import random
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from metier.bench import Figure
from metier.packs.life.bazi import BaziChart, compute_bazi
from metier.packs.life.birth import BirthInfo, BirthMoment, check_birth
from metier.packs.life.readings import Sentence, find_contradictions, read_bazi, read_natal
from metier.packs.life.zodiac import NatalChart, compute_natal

_SUITE: Final = "life-charts"
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_TODAY: Final = date(2026, 1, 1)
_FIRST: Final = datetime(1930, 1, 1)
_PLACES: Final = ("成都", "北京", "哈尔滨", "广州", "昆明", "New York", "London", "Sydney", "Singapore")


def draw_births(count: int, seed: int) -> Iterator[BirthMoment]:
    """Random births from 1930 to 2020; times that a clock did not show once are drawn again."""
    chance = random.Random(seed)  # noqa: S311 - the same births on every run
    found = 0
    while found < count:
        at = _FIRST + timedelta(minutes=chance.randrange(90 * 365 * 24 * 60))
        place, sex = chance.choice(_PLACES), chance.choice(("male", "female"))
        info = {"date": f"{at:%Y-%m-%d}", "time": f"{at:%H:%M}", "place": place, "sex": sex}
        moment = check_birth(BirthInfo.from_json(info), _NOW)
        if isinstance(moment, BirthMoment):
            found += 1
            yield moment


def measure(data: Path | None) -> Iterator[Figure]:
    """Figures of `metier bench life-charts`."""
    del data
    found = measure_readings()
    count = int(found["charts"])
    for kind in ("bazi", "zodiac"):
        yield Figure(_SUITE, f"{kind} chart, median", found[f"{kind}_ms_p50"], 20, count, unit="CPU ms")
        share = 100 * found[f"distinct_{kind}"]
        yield Figure(_SUITE, f"distinct {kind} readings", share, 95, count, unit="%", more=True)
    yield Figure(_SUITE, "pairs of sentences that contradict", found["contradictions"], 1, count, unit="")


def measure_readings(count: int = 1000, seed: int = 21) -> dict[str, float]:
    """Share of distinct readings by the rules that fired, pairs that contradict, and the median CPU time of a chart."""
    bazi_rules, natal_rules = set(), set()
    contradictions = 0
    bazi_ms, natal_ms = [], []
    for moment in draw_births(count, seed):
        begin = time.process_time()
        bazi: BaziChart = compute_bazi(moment)
        middle = time.process_time()
        natal: NatalChart = compute_natal(moment)
        bazi_ms.append((middle - begin) * 1000)
        natal_ms.append((time.process_time() - middle) * 1000)
        readings = read_bazi(bazi, "zh", _TODAY), read_natal(natal, "zh")
        bazi_rules.add(_rules_of(readings[0]))
        natal_rules.add(_rules_of(readings[1]))
        contradictions += sum(len(find_contradictions(one)) for one in readings)
    return {
        "charts": count,
        "distinct_bazi": len(bazi_rules) / count,
        "distinct_zodiac": len(natal_rules) / count,
        "contradictions": contradictions,
        "bazi_ms_p50": sorted(bazi_ms)[count // 2],
        "zodiac_ms_p50": sorted(natal_ms)[count // 2],
    }


def _rules_of(sentences: tuple[Sentence, ...]) -> frozenset[str]:
    """A reading by what it says, without the names and numbers in it."""
    return frozenset(f"{one.rule} {sorted(one.facts.items())}" for one in sentences)
