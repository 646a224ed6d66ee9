"""The golden charts, and the comparison with another library."""

from datetime import UTC, date, datetime
from pathlib import Path

from metier.packs.life.bazi import STEMS, BaziChart, BaziOptions, compute_bazi, find_day, find_hour
from metier.packs.life.birth import BirthInfo, BirthMoment, check_birth

NOW = datetime(2026, 11, 16, tzinfo=UTC)
CLOCK, LATE = BaziOptions("clock"), BaziOptions(day_start="late_evening")


def _compute(options: BaziOptions | None = None, **fields: object) -> BaziChart:
    moment = check_birth(BirthInfo.from_json(fields), NOW)  # type: ignore[arg-type]
    assert isinstance(moment, BirthMoment), moment
    return compute_bazi(moment, options)


def _pillars(chart: BaziChart) -> str:
    return " ".join(one.pillar for one in chart.pillars)


def test_the_golden_charts_hold() -> None:
    chengdu = {"date": "1990-06-15", "time": "14:30", "place": "成都 104.067E"}
    harbin = {"date": "1976-10-06", "time": "22:40", "place": "哈尔滨 126.65E"}
    urumqi = {"date": "1985-11-03", "time": "12:00", "place": "Ürümqi 87.600E"}
    cases: list[tuple[BaziOptions | None, dict[str, str], str]] = [
        (CLOCK, {"date": "2024-02-04", "time": "16:26", "place": "Beijing"}, "癸卯 乙丑 戊戌 庚申"),
        (CLOCK, {"date": "2024-02-04", "time": "16:28", "place": "Beijing"}, "甲辰 丙寅 戊戌 庚申"),
        (None, {"date": "2024-02-04", "time": "05:00", "place": "New York"}, "甲辰 丙寅 戊戌 甲寅"),
        (None, chengdu, "庚午 壬午 辛亥 甲午"),
        (None, {"date": "1990-05-05", "time": "23:30", "place": "Beijing"}, "庚午 庚辰 庚午 丁亥"),
        (None, harbin, "丙辰 丁酉 辛卯 庚子"),
        (LATE, harbin, "丙辰 丁酉 壬辰 庚子"),
        (None, {**urumqi, "clock": "beijing"}, "乙丑 丙戌 丙午 癸巳"),
        (None, {**urumqi, "clock": "xinjiang"}, "乙丑 丙戌 丙午 甲午"),
    ]
    found = [_pillars(_compute(options, **fields)) for options, fields, _ in cases]
    assert found == [pillars for _, _, pillars in cases]


def test_true_solar_time_is_right_to_the_second() -> None:
    chengdu = _compute(date="1990-06-15", time="14:30", place="成都 104.067E").moment
    harbin = _compute(date="1976-10-06", time="22:40", place="哈尔滨 126.65E").moment
    assert [f"{one.true:%H:%M:%S}" for one in (chengdu, harbin)] == ["12:25:56", "23:18:34"]


def test_luck_periods_begin_on_the_golden_dates_and_without_a_sex_both_ways_are_shown() -> None:
    chart = _compute(date="1990-06-15", time="14:30", place="成都 104.067E")
    golden = {"male": ("癸未", date(1997, 11, 2)), "female": ("辛巳", date(1993, 7, 19))}
    found: dict[str, tuple[str, date]] = {one.sex: (one.periods[0].pillar, one.begins) for one in chart.luck}
    assert {sex: pillar for sex, (pillar, _) in found.items()} == {sex: pillar for sex, (pillar, _) in golden.items()}
    assert all(abs((found[sex][1] - day).days) <= 1 for sex, (_, day) in golden.items())
    assert [one.sex for one in _compute(date="1990-06-15", time="14:30", place="成都", sex="female").luck] == ["female"]


def test_a_choice_or_ten_minutes_that_would_change_a_pillar_is_said() -> None:
    cases = [
        ({"date": "1976-10-06", "time": "22:40", "place": "哈尔滨"}, "day_start_late_evening", {"day": "壬辰"}),
        ({"date": "1990-06-15", "time": "14:30", "place": "成都"}, "solar_time_clock", {"hour": "乙未"}),
        ({"date": "2024-02-04", "time": "05:00", "place": "New York"}, "10_minutes_later", {"hour": "乙卯"}),
        (
            {"date": "2024-02-04", "time": "16:28", "place": "北京"},
            "10_minutes_earlier",
            {"year": "癸卯", "month": "乙丑"},
        ),
    ]
    wrong = []
    for fields, code, pillars in cases:
        said = {one.code: dict(one.pillars) for one in _compute(None, **fields).alternatives}
        wrong += [(fields, said)] if said.get(code) != pillars else []
    assert not wrong
    assert _compute(date="1990-05-05", time="23:30", place="北京").alternatives == ()


def test_without_a_time_there_are_three_pillars_and_a_span_for_the_luck_periods() -> None:
    chart = _compute(date="1990-06-15", hour="unknown", place="成都", sex="male")
    assert _pillars(chart) == "庚午 壬午 辛亥"
    assert 60 < (chart.luck[0].latest - chart.luck[0].begins).days < 180
    term_day = _compute(date="2024-02-04", hour="unknown", place="北京", sex="male")
    assert {one.code: dict(one.pillars) for one in term_day.alternatives}["later_that_day"] == {
        "year": "甲辰",
        "month": "丙寅",
    }
    assert term_day.luck == ()


def test_a_double_hour_is_taken_as_it_is() -> None:
    noon = _compute(date="1990-06-15", hour="wu", place="成都", sex="male")
    late = _compute(date="1990-06-15", hour="zi_late", place="成都", sex="male")
    assert (_pillars(noon), _pillars(late)) == ("庚午 壬午 辛亥 甲午", "庚午 壬午 辛亥 庚子")


def test_hidden_stems_ten_gods_melody_and_void_are_those_of_the_books() -> None:
    day = _compute(date="1990-06-15", time="14:30", place="成都").pillars
    assert [(one.god, one.melody, one.void, one.stage) for one in day] == [
        ("劫财", "路旁土", "戌亥", "病"),
        ("伤官", "杨柳木", "申酉", "病"),
        ("", "钗钏金", "寅卯", "沐浴"),
        ("正财", "沙中金", "辰巳", "病"),
    ]
    assert day[2].hidden == (("壬", "伤官"), ("甲", "正财"))


def test_day_and_hour_agree_with_sxtwl_on_3000_random_times() -> None:
    wrong = []
    for line in Path(__file__).with_name("sxtwl.txt").read_text("utf-8").splitlines():
        at, *pillars = line.split()
        moment = datetime.strptime(at, "%Y%m%d%H%M")
        wanted = [
            f"{STEMS[int(one.split('.')[0])]}{'子丑寅卯辰巳午未申酉戌亥'[int(one.split('.')[1])]}" for one in pillars
        ]
        found = [find_day(moment, "midnight"), find_hour(moment)]
        wrong += [(at, wanted, found)] if wanted != found else []
    assert not wrong
