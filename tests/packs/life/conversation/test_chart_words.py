"""What a message about a chart asks for."""

from datetime import date

from metier.packs.life.conversation._chart_words import read_request

TODAY = date(2026, 11, 18)


def test_a_date_of_birth_in_a_message_is_no_year_that_is_asked_about() -> None:
    born = [
        "帮我算个八字，1990年3月7日早上8点半，成都，女",
        "1990年农历五月初一的八字",
        "1985-11-03 12:00 乌鲁木齐 八字",
        "bazi, born 15 June 1990 at 8:30 in Chengdu",
        "chart for June 15, 1990",
    ]
    assert [(read_request(text, TODAY).topic, read_request(text, TODAY).year) for text in born] == [("", None)] * 5


def test_a_year_that_is_asked_about_is_read_also_beside_a_date_of_birth() -> None:
    asked = {"我1990年3月7日出生，看看2025年": 2025, "2026年运势怎么样": 2026, "明年事业": 2027, "1990年的流年": 1990}
    assert {text: read_request(text, TODAY).year for text in asked} == asked


def test_a_year_alone_after_a_reading_is_a_year_that_is_asked_about() -> None:
    asked = {"And 2027?": 2027, "what about 2030": 2030, "那2028呢": 2028, "2027？": 2027}
    assert {text: read_request(text, TODAY).year for text in asked} == asked
    assert {read_request(text, TODAY).topic for text in asked} == {"year"}
