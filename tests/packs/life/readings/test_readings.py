"""Readings: rules as data with sources, distinct, without contradictions, in one language, within limits."""

import re
from datetime import UTC, date, datetime
from itertools import combinations

from metier.packs.life._chart_figures import draw_births, measure_readings
from metier.packs.life.bazi import compute_bazi, name_year
from metier.packs.life.birth import BirthInfo, BirthMoment, check_birth
from metier.packs.life.readings import TOPICS, ReadingRule, describe_facts, load_rules, read_bazi, read_natal
from metier.packs.life.zodiac import BODIES, compute_natal

HAN = re.compile(r"[\u4e00-\u9fff]")
FORBIDDEN = re.compile(
    r"寿命|短命|早死|癌|得病|患病|怀孕|流产|股票|彩票|中奖|官司|诉讼|破产|注定|必然"
    r"|lifespan will|pregnan|stock|lotter|lawsuit|destined",
    re.IGNORECASE,
)


def _rules() -> tuple[ReadingRule, ...]:
    return (*load_rules("bazi"), *load_rules("zodiac"))


def test_every_rule_has_an_own_id_a_source_and_both_languages() -> None:
    rules = _rules()
    assert len({one.id for one in rules}) == len(rules) >= 250
    wrong = [
        one.id
        for one in rules
        if not (one.when and one.text.zh and one.source.zh and one.source.en)
        or HAN.search(one.text.en + one.source.en + (one.school.en if one.school else "") + one.id)
        or FORBIDDEN.search(one.text.zh + one.text.en)
    ]
    assert wrong == []


def test_disputed_matters_name_the_schools() -> None:
    disputed = ("bazi.strength.", "bazi.useful.", "bazi.month.")
    assert [one.id for one in _rules() if one.id.startswith(disputed) and one.school is None] == []


def test_no_source_is_older_than_the_bodies_it_is_cited_for() -> None:
    """A book with a year must be in the table here; what names no book says that it is modern practice."""
    found = {"uranus": 1781, "neptune": 1846, "pluto": 1930}
    years = {"Ptolemy": 150, "Lilly": 1647, "Rudhyar": 1936}
    wrong = []
    for rule in load_rules("zodiac"):
        is_aspect = rule.when.keys() & {"aspect", "transit"}
        is_of_all = rule.when.keys() & {"plenty", "missing"}  # counted over all bodies
        for pair in combinations(BODIES, 2) if is_aspect else [BODIES if is_of_all else _bodies_of(rule)]:
            source = rule.source_for(pair).en
            books = [year for name, year in years.items() if name in source]
            newest = max((found.get(one, 0) for one in pair), default=0)
            is_told = bool(books) or "modern astrological practice" in source
            wrong += [(rule.id, pair, source)] if not is_told or any(year < newest for year in books) else []
    assert wrong == []


def _bodies_of(rule: ReadingRule) -> tuple[str, ...]:
    named = {*rule.when, *(value for values in rule.when.values() for value in values)}
    return tuple(body for body in BODIES if any(body in one for one in named))


def test_psychology_of_signs_is_called_modern() -> None:
    of_signs = ("zodiac.sun.", "zodiac.moon.", "zodiac.rising.", "zodiac.mercury.", "zodiac.venus.", "zodiac.mars.")
    rules = [one for one in load_rules("zodiac") if one.id.startswith(of_signs)]
    assert len(rules) > 40
    assert [one.id for one in rules if "modern" not in one.source.en or "现代" not in one.source.zh] == []


# Chapters that the books really have, compared by hand; a rule may cite no other.
CHAPTERS = {
    "滴天髓": {"天干", "月令", "衰旺", "中和"},
    "穷通宝鉴": {"五行总论"},
    "子平真诠": {
        *("论十干得时不旺失时不弱", "论正官", "论财", "论印绶", "论偏官", "论伤官", "论建禄月劫"),
    },
    "子平真诠评注": {"论用神"},
    "渊海子平": {"论日为主", "论食神", "论倒食"},
    "三命通会": {
        *("论纳音取象", "论五行旺相休囚死并寄生十二宫", "论十干合", "论支元六合", "论支元三合", "论冲击"),
        *("论六害", "论三刑", "论空亡", "论大运", "论太岁", "总论岁运"),
    },
}
# What says nothing of a person's character or of what to do, and so needs no word of its reading.
BARE = ("bazi.strength.", "bazi.useful.", "bazi.season.holds", "bazi.season.fails", "bazi.melody.", "bazi.stems.")


def test_bazi_rules_cite_chapters_that_exist_and_call_the_rest_modern() -> None:
    wrong = []
    for rule in load_rules("bazi"):
        cited = re.findall(r"《([^·》]+)·?([^》]*)》", rule.source.zh)
        is_real = all(chapter in CHAPTERS.get(book, ()) for book, chapter in cited)
        is_told = rule.id.startswith(BARE) or ("今人通行" in rule.source.zh and "modern" in rule.source.en)
        wrong += [(rule.id, rule.source.zh)] if not is_real or not is_told else []
    assert wrong == []


def test_what_no_book_says_is_not_said_to_be_in_one() -> None:
    """五行缺, careers by ten god and support by count are of today; 书上 needs a book."""
    rules = load_rules("bazi")
    assert [one.id for one in rules if "书上" in one.text.zh + one.text.en and "《" not in one.source.zh] == []
    assert [
        one.id for one in rules if one.id.startswith(("bazi.element.", "bazi.career.")) and "《" in one.source.zh
    ] == []


def test_an_aspect_with_a_body_the_old_books_did_not_know_is_read_as_modern() -> None:
    read = [one for moment in draw_births(4, 5) for one in read_natal(compute_natal(moment), "en", "aspects")]
    new = [one for one in read if {"uranus", "neptune", "pluto"} & set(one.facts["aspect"])]
    assert new
    assert {"Lilly" in one.source for one in new} == {False}
    assert any("Lilly" in one.source for one in read)


def test_readings_are_distinct_and_never_contradict_themselves() -> None:
    found = measure_readings(120)  # `metier bench` measures 1,000
    assert found["distinct_bazi"] >= 0.95
    assert found["distinct_zodiac"] >= 0.95
    assert found["contradictions"] == 0


def test_sentences_carry_rule_facts_and_source_in_one_language() -> None:
    known = {one.id for one in _rules()}
    for moment in draw_births(10, 5):
        bazi, natal = compute_bazi(moment), compute_natal(moment)
        for language in ("zh", "en"):
            sentences = [*read_natal(natal, language)]
            for topic in TOPICS:
                sentences += read_bazi(bazi, language, date(2026, 7, 1), topic)
            assert all(one.rule in known and one.facts and one.source for one in sentences)
            assert not [one.text for one in sentences if "{" in one.text]
            told = [one.text + one.source + describe_facts(one.facts, language) for one in sentences]
            assert language == "zh" or not [one for one in told if HAN.search(one)]


def _read_year(born: str, year: int) -> set[str]:
    info = BirthInfo.from_json({"date": born, "time": "10:00", "place": "北京", "sex": "male"})
    moment = check_birth(info, datetime(2026, 11, 1, tzinfo=UTC))
    assert isinstance(moment, BirthMoment)
    return {one.rule for one in read_bazi(compute_bazi(moment), "zh", date(year, 7, 1), "year")}


def test_the_year_is_compared_with_the_birth_year_the_day_stem_and_every_branch() -> None:
    told = _read_year("1990-06-15", 2026)  # 庚午 壬午 辛亥: a horse in a year 丙午
    assert {"bazi.annual.birth.same", "bazi.annual.punishment", "bazi.annual.stem"} <= told
    assert "bazi.annual.branch.none" not in told
    assert "bazi.annual.birth.clash" in _read_year("1996-06-15", 2026)


def test_a_year_is_called_even_only_if_nothing_of_it_touches_the_chart() -> None:
    for moment in draw_births(30, 9):
        chart = compute_bazi(moment)
        rules = {one.rule for one in read_bazi(chart, "en", date(2026, 7, 1), "year")}
        others = {one for one in rules if one.startswith(("bazi.annual.b", "bazi.annual.p", "bazi.annual.stem"))}
        is_own = name_year(2026)[1] == chart.names["year"][1]
        assert ("bazi.annual.birth.same" in rules) is is_own
        assert "bazi.annual.branch.none" not in rules or not {
            one for one in others if "birth" in one or one in ("bazi.annual.punishment", "bazi.annual.stem")
        }
