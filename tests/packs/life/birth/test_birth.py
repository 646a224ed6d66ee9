"""Birth data: what is told in the form, what is asked, and the moment that it means."""

from datetime import UTC, datetime
from pathlib import Path

from metier.json_values import JsonObject, JsonValue
from metier.packs.life import birth
from metier.packs.life.birth import (
    BirthInfo,
    BirthMoment,
    BirthProblem,
    build_form,
    check_birth,
    check_form,
    find_person,
    find_place,
    find_sex,
    is_same_place,
    read_birth_words,
)

NOW = datetime(2026, 11, 16, tzinfo=UTC)
PREFECTURES = Path(birth.__file__).with_name("prefectures.tsv")
OLD_NAMES = PREFECTURES.with_name("old_names.tsv")


def _check(**fields: JsonValue) -> BirthMoment | tuple[BirthProblem, ...]:
    return check_birth(BirthInfo.from_json({"place": "北京", "time": "12:00", **fields}), NOW)


def test_bad_birth_data_is_told_with_field_code_sentence_and_hint_in_both_languages() -> None:
    cases: list[tuple[dict[str, JsonValue], str, str]] = [
        ({"date": "1990-02-30"}, "date", "birth_no_such_day"),
        ({"date": ""}, "date", "birth_date_missing"),
        ({"date": "someday"}, "date", "birth_date_format"),
        ({"date": "1990-13-01"}, "date", "birth_date_format"),
        ({"date": "1990-06-01", "calendar": "lunar", "leap_month": True}, "leap_month", "birth_no_leap_month"),
        ({"date": "1990-05-30", "calendar": "lunar", "leap_month": True}, "date", "birth_no_such_day"),
        ({"date": "1986-05-04", "time": "02:30"}, "time", "birth_no_such_time"),
        ({"date": "1986-09-14", "time": "01:30"}, "repeated", "birth_time_twice"),
        ({"date": "1990-06-15", "time": "25:00"}, "time", "birth_time_format"),
        ({"date": "1990-06-15", "time": ""}, "time", "birth_time_missing"),
        ({"date": "2027-01-01"}, "date", "birth_future"),
        ({"date": "1899-12-31"}, "date", "birth_too_early"),
        ({"date": "1990-06-15", "place": "乌有乡"}, "place", "birth_place_unknown"),
        ({"date": "1990-06-15", "place": ""}, "place", "birth_place_missing"),
        ({"date": "1990-06-15", "place": "通州"}, "place", "birth_place_same_name"),
        ({"date": "1990-06-15", "place": "乌鲁木齐"}, "clock", "birth_clock_missing"),
        ({"date": "1990-06-15", "longitude": 200}, "longitude", "birth_longitude"),
    ]
    wrong: list[object] = []
    for fields, field, code in cases:
        found = _check(**fields)
        problem = found[0] if isinstance(found, tuple) else None
        if problem is None or (problem.field, problem.code) != (field, code):
            wrong.append((fields, found))
            continue
        texts = [problem.message("zh"), problem.hint("zh"), problem.message("en"), problem.hint("en")]
        wrong += [(fields, texts)] if not all(texts) or any("{" in one or "…" in one for one in texts) else []
    assert not wrong


def test_lunar_dates_with_leap_months_become_solar_dates() -> None:
    leap: dict[str, JsonValue] = {"calendar": "lunar", "leap_month": True}
    later = datetime(2034, 1, 1, tzinfo=UTC)
    days = [
        check_birth(BirthInfo.from_json({"date": day, "hour": "unknown", "place": "北京", **leap}), later)
        for day in ("1990-05-01", "2033-11-01")
    ]
    assert [str(one.day) for one in days if isinstance(one, BirthMoment)] == ["1990-06-23", "2033-12-22"]


def test_a_time_that_was_twice_means_what_was_chosen() -> None:
    instants = [_check(date="1986-09-14", time="01:30", repeated=which) for which in ("first", "second")]
    assert [f"{one.instant:%H:%M}" for one in instants if isinstance(one, BirthMoment)] == ["16:30", "17:30"]


def test_notes_say_what_was_assumed() -> None:
    cases: list[tuple[dict[str, JsonValue], set[str]]] = [
        ({"date": "1990-06-15", "place": "四川省成都市武侯区"}, {"place_part", "summer_time"}),
        ({"date": "1936-06-15"}, {"china_zones"}),
        ({"date": "1985-11-03", "place": "乌鲁木齐", "clock": "beijing"}, {"beijing_clock"}),
        ({"date": "1985-11-03", "place": "52.8297N 0.5147E"}, {"place_nearest"}),
        ({"date": "1985-11-03", "place": "长沙"}, {"place_others"}),
        ({"date": "1985-11-03", "time": "", "hour": "wu"}, {"double_hour"}),
        ({"date": "1985-11-03", "place": "成都 103.5E"}, set()),
    ]
    wrong = []
    for fields, codes in cases:
        found = _check(**fields)
        notes = found.notes if isinstance(found, BirthMoment) else ()
        if {one.code for one in notes} != codes or any("{" in one.text("zh") + one.text("en") for one in notes):
            wrong.append((fields, found))
    assert not wrong


def test_places_are_found_by_their_longest_known_part() -> None:
    cases = {
        "四川省成都市武侯区": ("四川成都", 104.067),
        "北京市朝阳区": ("北京", 116.397),
        "江苏通州": ("江苏通州", 121.074),
        "海南省海口市": ("海南海口", 110.347),
        "美国纽约": ("纽约 (New York City), NY, US", -74.006),
        "New York": ("纽约 (New York City), NY, US", -74.006),
        "Sydney, Australia": ("悉尼 (Sydney), AU", 151.207),
        "Ürümqi": ("新疆乌鲁木齐", 87.6),
        "成都 东经104.5": ("四川成都", 104.5),
    }
    found = {text: find_place(text).place for text in cases}
    assert {text: (one.label, one.longitude) for text, one in found.items() if one} == cases


def test_every_prefecture_of_china_is_known_with_and_without_its_province() -> None:
    rows = [line.split("\t")[:2] for line in PREFECTURES.read_text("utf-8").splitlines() if line[0] != "#"]
    assert len(rows) == 333
    rows.append(["山东", "莱芜"])  # the 334th until 2019
    assert [text for province, name in rows for text in (name, province + name) if not find_place(text).place] == []


def test_earlier_names_are_found_and_the_present_place_is_named() -> None:
    cases = {"徽州": "黄山", "四川省万县地区": "万州", "内蒙古昭乌达盟": "赤峰", "湖南零陵": "永州", "北平": "北京"}
    found = {text: find_place(text) for text in cases}
    assert {text: one.part for text, one in found.items() if one.place} == cases
    rows = [one.split("\t") for one in OLD_NAMES.read_text("utf-8").splitlines() if not one.startswith("#")]
    assert [old for old, new in rows if find_place(old).place is None] == []


def test_the_table_of_places_is_small() -> None:
    folder = PREFECTURES.parent
    assert sum((folder / name).stat().st_size for name in ("places.tsv", "prefectures.tsv")) <= 1_000_000


def test_the_part_of_the_day_decides_an_english_hour() -> None:
    times = {
        "8 in the morning": "08:00",
        "8:30 in the evening": "20:30",
        "half past seven in the evening": "19:30",
        "a quarter to six in the morning": "05:45",
        "eleven at night": "23:00",
        "two o'clock at night": "02:00",
        "12:30 in the afternoon": "12:30",
        "twelve at night": None,  # of the day before, or of the day after
        "12 in the morning": None,
    }
    assert {said: read_birth_words(f"born 3 May 1980 at {said} in Boston").get("time") for said in times} == times


def test_an_english_time_that_is_not_understood_is_left_to_the_form() -> None:
    unclear = (
        "7 30 in the evening",
        "7 05 in the evening",
        "19 45 in the evening",
        "ten to eight in the evening",
        "ten to 8 in the evening",
        "twenty past eight in the morning",
        "half eight in the morning",
        "seven thirty-five in the evening",
        "seven thirty five in the evening",
        "15 in the morning",
        "30 at night",
        "7:75 in the evening",
    )
    said = [f"born 3 May 1980 at {one} in London" for one in unclear]
    said += ["born in 1990 on June 15 in the morning in Paris", "born in 1990 on June 8 in the morning in Paris"]
    found = {one: read_birth_words(one).get("time") for one in said}
    assert {one: time for one, time in found.items() if time} == {}
    assert read_birth_words("born 3 May 1980 at 19 in the evening in London")["time"] == "19:00"


def test_birth_data_is_read_from_a_sentence() -> None:
    cases: dict[str, dict[str, JsonValue]] = {
        "1990年6月15日下午2点半，成都，男": {"date": "1990-06-15", "time": "14:30", "place": "成都", "sex": "male"},
        "农历1990年闰5月1日午时 北京": {"calendar": "lunar", "leap_month": "yes", "hour": "wu", "place": "北京"},
        "born 1990-06-15 2:30 pm in Chengdu, female": {"time": "14:30", "place": "Chengdu", "sex": "female"},
        "1990年6月15日，时间不知道，哈尔滨": {"hour": "unknown", "place": "哈尔滨"},
        "my birth chart please: 20 Jan 1977, 4:15 am, Sydney": {
            "date": "1977-01-20",
            "time": "04:15",
            "place": "Sydney",
        },
        "I was born in Berlin on June 3rd, 1988 at 12:20 a.m.": {
            "date": "1988-06-03",
            "time": "00:20",
            "place": "Berlin",
        },
        "woman, 15/06/1990, 2.30pm, from New York": {"date": "1990-06-15", "time": "14:30", "place": "New York"},
        "born on the 1st of July 1961 at noon": {"date": "1961-07-01", "time": "12:00"},
        "我85年3月2号夜里两点在武汉出生": {"date": "1985-03-02", "time": "02:00", "place": "武汉"},
        "一九九〇年六月十五日中午一点一刻，女，上海": {"date": "1990-06-15", "time": "13:15", "sex": "female"},
        "1976年八月廿三晚上十点四十，哈尔滨": {"date": "1976-08-23", "calendar": "lunar", "time": "22:40"},
        "2001年腊月初八 凌晨12点20分 西安": {"date": "2001-12-08", "calendar": "lunar", "time": "00:20"},
        "1990年农历闰五月初一，北京": {"date": "1990-05-01", "calendar": "lunar", "leap_month": "yes"},
    }
    found = {text: read_birth_words(text) for text in cases}
    assert {text: found[text] for text, fields in cases.items() if not fields.items() <= found[text].items()} == {}
    for text in ("I am Mary 12 1990", "we decided 20 2024", "summary 12, 2024"):
        assert "date" not in read_birth_words(text), text  # no month, only its letters
    assert "date" not in read_birth_words("05/06/1990 in London")  # the fifth of June, or the sixth of May
    assert "time" not in read_birth_words("1990年6月15日晚上12点")  # midnight before or after that day


def test_an_offered_place_finds_itself_in_both_languages() -> None:
    wrong = []
    for name in ("通州", "Springfield", "长宁", "San Jose", "Richmond"):
        problem = _check(date="1990-06-15", place=name)
        assert isinstance(problem, tuple), name
        for place in problem[0].options:
            wrong += [text for text in (place.label_in("zh"), place.label_in("en")) if find_place(text).place != place]
    assert wrong == []


def test_years_of_eras_full_width_digits_and_whose_sex_are_read_and_what_is_unclear_is_left_out() -> None:
    dates = {
        "民国70年3月3日生": "1981-03-03",
        "民国七十年三月三日": "1981-03-03",
        "民國元年1月5日": "1912-01-05",
        "昭和55年3月3日": "1980-03-03",
        "１９９０年６月１５日，成都": "1990-06-15",
        "八五年六月三日": "1985-06-03",
        **dict.fromkeys(
            ("八十五年六月三日", "十三年五月一日", "九八五年六月三日", "1990年2月30日", "1990年13月1日"), None
        ),
    }
    sexes = {
        "我是男的，女朋友1990年6月15日生": "male",
        "1990年6月15日，女，男朋友是88年的": "female",
        "born 1990-06-15 in Rome, I am a man and my wife is a woman": "male",
        "男的女的都可以": None,
    }
    assert {text: read_birth_words(text).get("date") for text in dates} == dates
    assert {text: read_birth_words(text).get("sex") for text in sexes} == sexes
    assert read_birth_words("born 1990-06-15 in Rome, I am a man")["place"] == "Rome"
    assert "date" in read_birth_words("1990年6月15日，" + "南" * 100_000)


def test_a_relation_that_implies_a_sex_fills_it_in() -> None:
    sexes = {"帮我妈算个八字": "female", "compute my father's bazi": "male", "我朋友的八字": "", "帮孩子排盘": ""}
    assert {text: find_sex(find_person(text) or "") for text in sexes} == sexes


def test_an_empty_form_chooses_no_time_and_a_missing_one_is_told() -> None:
    assert build_form("zh").known == {"calendar": "solar"}
    problems = check_form({"date": "1990-06-15", "place": "成都"})
    assert isinstance(problems, tuple)
    assert [one.code for one in problems] == ["birth_time_missing"]
    assert not isinstance(check_form({"date": "1990-06-15", "place": "成都", "hour": "unknown"}), tuple)


def test_places_are_compared_by_where_they_are_and_not_by_their_spelling() -> None:
    same = [
        ("Chengdu", "成都"),
        ("四川省成都市武侯区", "Chengdu"),
        ("北京", "Beijing"),
        ("Nowhereville", "nowhereville"),
    ]
    assert [pair for pair in same if not is_same_place(*pair)] == []
    assert not any(
        is_same_place(*pair) for pair in (("Chengdu", "重庆"), ("London", "Leeds"), ("Nowhereville", "成都"))
    )


def test_a_form_that_lacked_the_time_can_be_sent_again_as_it_is() -> None:
    given: JsonObject = {"date": "1990-06-15", "place": "成都"}
    problems = check_form(given)
    assert isinstance(problems, tuple)
    again = build_form("zh", given=given, problems=problems)
    assert not isinstance(check_form(again.known), tuple)
