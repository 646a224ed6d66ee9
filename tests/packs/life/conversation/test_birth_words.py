"""What somebody said of their own birth before is in the next form, and nothing else is."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from metier.packs.life.conversation._birth_tools import collect_birth
from metier.tools import ToolContext

SAID = "我1990年5月3日早上8点生于北京，看看八字"


def _known(tmp_path: Path, message: str, earlier: Sequence[str]) -> dict[str, object]:
    found = collect_birth(ToolContext(tmp_path, "c"), message, earlier=tuple(earlier))
    known = (found.data or {}).get("known")
    assert isinstance(known, dict)
    return dict(known)


@pytest.mark.parametrize("message", ["看看星座", "排个星盘", "my natal chart"])
def test_the_next_form_has_what_was_said_before(tmp_path: Path, message: str) -> None:
    known = _known(tmp_path, message, ["你好", SAID, "那星座呢"])
    assert (known["birth_info.date"], known["birth_info.place"]) == ("1990-05-03", "北京")


def test_the_newest_of_two_dates_counts_and_one_in_the_message_before_all(tmp_path: Path) -> None:
    assert _known(tmp_path, "看看星座", [SAID, "我是1991年6月1日生的"])["birth_info.date"] == "1991-06-01"
    assert _known(tmp_path, "我生于1992年7月2日，看星座", [SAID])["birth_info.date"] == "1992-07-02"


def test_the_date_of_another_person_is_not_taken(tmp_path: Path) -> None:
    assert "birth_info.date" not in _known(tmp_path, "看看我的星座", ["我妈1962年7月1日生于上海，看她的八字"])
    assert "birth_info.date" not in _known(tmp_path, "看看我妈的八字", [SAID])


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("我妈1960年3月5日早上7点生的", "帮我排八字"),
        ("我儿子的生日是2015年6月1日，时间上午9点，地点成都", "帮我看八字，女"),
        ("Tom was born on 5 March 1990", "draw my natal chart"),
        ("合同日期1992年2月2日", "帮我算八字"),
        ("公司成立于2010年5月4日", "帮我排八字"),
        ("我是1992年2月2日结婚的", "帮我排八字"),
        ("我1992年2月2日出生", "帮小王排八字"),
        ("小李1990年1月1日出生", "帮小王排八字"),
        ("我1992年2月2日出生，不对，是1993年2月2日", "排八字"),
        ("我是1990年5月3日出生", "帮我室友算八字"),
        ("我是1990年5月3日的飞机", "帮我算八字"),
        ("我1990年5月3日在北京买的房", "帮我算八字"),
        ("我2020年5月3日生了个娃", "帮我算八字"),
        ("Born 1990-05-03 my cat Tom", "do my bazi"),
        ("我的生日是1990年5月3日，不过那是身份证上的", "算八字"),
    ],
)
def test_no_other_persons_and_no_other_days_are_taken_for_ones_own_birth(
    tmp_path: Path, said: str, message: str
) -> None:
    assert "birth_info.date" not in _known(tmp_path, message, [said])


def test_what_was_taken_back_is_not_taken(tmp_path: Path) -> None:
    assert "birth_info.date" not in _known(tmp_path, "算八字", ["我生于1990年5月3日", "哦我记错了"])


STORED = {"date": "1990-05-17", "time": "08:00", "place": "北京", "calendar": "solar", "sex": "male"}


def _asks(tmp_path: Path, message: str) -> bool:
    context = ToolContext(tmp_path, "c", user_data={"profile": {"birth_info": STORED}})
    return (collect_birth(context, message).data or {})["needed"] is True


@pytest.mark.parametrize(
    "message",
    [
        "2月30日出生的八字",
        "1991年13月45日出生，北京，男，八字",
        "1990年2月30号生的，看看八字",
        "我是三月初四出生的，排个八字",
        "bazi of somebody born on 4 March",
        "I was born March 4th, read my chart",
        "born 30 February 1990, compute my bazi",
    ],
)
def test_a_day_of_birth_that_is_not_the_stored_one_or_none_at_all_is_asked_about(tmp_path: Path, message: str) -> None:
    assert _asks(tmp_path, message)


@pytest.mark.parametrize(
    "message",
    ["我的八字", "5月17日出生的八字", "五月十七日生的，看看八字", "born on 17 May, my bazi", "看看5月3日的运势"],
)
def test_the_stored_day_of_birth_and_other_days_need_no_question(tmp_path: Path, message: str) -> None:
    assert not _asks(tmp_path, message)
