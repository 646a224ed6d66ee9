"""The golden natal charts, houses, unknown times, and the comparison with JPL DE421."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from metier.packs.life.birth import BirthInfo, BirthMoment, check_birth
from metier.packs.life.zodiac import BODIES, NatalChart, compute_natal, find_longitudes, find_transits

NOW = datetime(2026, 11, 16, tzinfo=UTC)


def _compute(**fields: object) -> NatalChart:
    moment = check_birth(BirthInfo.from_json(fields), NOW)  # type: ignore[arg-type]
    assert isinstance(moment, BirthMoment), moment
    return compute_natal(moment)


def test_the_golden_natal_charts_hold() -> None:
    norfolk = _compute(date="1961-07-01", time="19:45", place="52.8297N 0.5147E")
    sydney = _compute(date="1977-01-20", time="04:15", place="Sydney 33.868S 151.207E")
    found = [
        norfolk.get("sun").longitude,
        norfolk.get("moon").longitude,
        norfolk.ascendant,
        norfolk.midheaven,
        norfolk.houses[1],
        sydney.get("sun").longitude,
        sydney.get("moon").longitude,
        sydney.ascendant,
    ]
    assert found == pytest.approx([99.66, 325.04, 258.42, 203.07, 299.83, 299.53, 301.21, 275.30], abs=0.02)


def test_the_sun_enters_aries_between_two_births_in_shanghai() -> None:
    signs = [_compute(date="2024-03-20", time=time, place="上海").get("sun").sign for time in ("11:00", "11:15")]
    assert signs == ["pisces", "aries"]


def test_placidus_cusps_go_round_and_polar_births_get_whole_signs() -> None:
    for place in ("Sydney", "成都", "London", "Singapore", "Quito"):
        houses = _compute(date="1990-06-15", time="14:30", place=place).houses
        widths = [(houses[(number + 1) % 12] - houses[number]) % 360 for number in range(12)]
        assert sum(widths) == pytest.approx(360)
        assert min(widths) > 5
    polar = _compute(date="1990-06-15", time="14:30", place="Tromsø")
    assert (polar.system, polar.is_polar) == ("whole_sign", True)
    assert all(cusp % 30 == 0 for cusp in polar.houses)


def test_without_a_time_there_are_no_houses_and_both_moon_signs_if_it_changes() -> None:
    changing = _compute(date="1990-06-15", hour="unknown", place="成都")
    days = [_compute(date=f"1990-06-{day:02d}", hour="unknown", place="成都") for day in range(1, 31)]
    assert (changing.ascendant, changing.houses, changing.get("sun").house) == (None, (), 0)
    with_two = [one for one in days if len(one.signs_of("moon")) == 2]
    assert 10 <= len(with_two) <= 16
    assert all(one.to_json()["both_signs"] for one in with_two)


def test_ten_minutes_that_change_the_rising_sign_are_said() -> None:
    times = [f"{hour:02d}:{minute:02d}" for hour in (8, 9) for minute in range(0, 60, 10)]
    charts = [_compute(date="1990-06-15", time=one, place="成都") for one in times]
    said = [one for one in charts if any(note.startswith("ascendant") for note in one.alternatives)]
    assert 1 <= len(said) < len(charts)


def test_transits_are_close_aspects_of_another_day() -> None:
    chart = _compute(date="1990-06-15", time="14:30", place="成都")
    found = find_transits(chart, datetime(2026, 11, 16, tzinfo=UTC))
    assert found
    assert all(one.orb <= 1.5 and one.first != "moon" for one in found)


def test_positions_agree_with_de421_on_200_random_charts() -> None:
    heads, *lines = Path(__file__).with_name("skyfield.txt").read_text("utf-8").splitlines()
    assert heads.split()[1:-1] == list(BODIES)
    worst = dict.fromkeys(BODIES, 0.0)
    for line in lines:
        at, *wanted, _sidereal = line.split()
        found = find_longitudes(datetime.strptime(at, "%Y%m%d%H%M").replace(tzinfo=UTC))
        for body, value in zip(BODIES, wanted, strict=True):
            apart = abs((found[body][0] - float(value) + 180) % 360 - 180)
            worst[body] = max(worst[body], apart)
    assert len(lines) == 200
    assert max(worst.values()) < 0.02, worst
