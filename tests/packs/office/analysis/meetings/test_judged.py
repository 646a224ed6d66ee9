"""Whole meetings: what is settled in plain statements is a decision, and what only may be one is to be confirmed."""

from datetime import date

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis.meetings import MinutesDraft, propose_minutes, read_minutes
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings.roles import LIKELY, _judged, judge_lines

CHINESE = (
    "店长：人齐了，先说夏装",
    "小余：库里还压着三百件",
    "店长：卖不动的原因是什么",
    "小余：颜色太深，客人说显老",
    "阿木：要不打个五折清掉",
    "店长：五折亏本，公司上个月就规定最低七折了",
    "小余：那七折再送双袜子",
    "店长：行，就按七折，从周六开始",
    "阿木：好嘞",
    "店长：小余你把牌子换一下，周五晚上弄好",
    "小余：没问题",
    "阿木：橱窗呢，还摆那两个模特吗",
    "店长：不摆了，换成架子",
    "阿木：架子我明天去仓库拿",
    "店长：年底要是换大店面再说吧",
    "小余：哈哈，做梦呢",
)
ENGLISH = (
    "Joan: morning all, quick one today",
    "Pete: the coach firm wants six hundred for the outing",
    "Joan: that's a hundred more than last year",
    "Lil: maybe we could go by train instead",
    "Pete: trains don't take the wheelchairs",
    "Joan: okay, coach it is, the one with the lift",
    "Lil: fine",
    "Joan: Pete, can you book it before the weekend",
    "Pete: yes I'll ring them this afternoon",
    "Lil: and lunch?",
    "Joan: we'll bring sandwiches, no pub this time",
    "Pete: the council decided last month to close the car park",
    "Joan: should we ask the church about parking?",
    "Lil: I don't know, let's leave that till we hear from the vicar",
    "Pete: right, home",
)


def read(*lines: str) -> MinutesDraft:
    pieces = tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1))
    return read_minutes(Reading("talk.docx", "docx", pieces), date(2026, 6, 1))


def test_what_is_settled_in_plain_words_is_listed_and_news_and_proposals_are_not() -> None:
    decided = [one.line for talk in (CHINESE, ENGLISH) for one in read(*talk).decisions]
    assert {CHINESE[7], CHINESE[12], ENGLISH[5]} <= set(decided)
    assert not {CHINESE[4], CHINESE[5], CHINESE[14], ENGLISH[3], ENGLISH[11], ENGLISH[13]} & set(decided)


def test_who_is_told_and_who_takes_work_have_it_once() -> None:
    assert [one.who for one in read(*CHINESE).promises] == ["小余", "阿木"]
    assert {one.who for one in read(*ENGLISH).promises} == {"Pete"}


def test_a_line_is_decided_or_taken_or_to_be_confirmed() -> None:
    for talk in (CHINESE, ENGLISH):
        draft = read(*talk)
        listed = [*(one.address for one in draft.decisions), *(one.address for one in draft.promises)]
        assert not set(listed) & {one.address for one in draft.likely}


def test_what_is_to_be_confirmed_stands_in_the_minutes_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_judged, "LIKELY", -6.0)
    (line, *_) = (one.line for one in read(*CHINESE).likely)
    pieces = tuple(TextPiece(f"p{number}", one) for number, one in enumerate(CHINESE, 1))
    proposal = propose_minutes(Reading("talk.docx", "docx", pieces), language="zh")
    assert "待确认" in proposal.summary
    assert "待确认" in str(proposal.actions)
    assert line in str(proposal.actions)
    assert "待确认" in str(proposal.tables)


def test_a_few_lines_are_left_to_the_rules() -> None:
    (one,) = judge_lines([Utterance("李娜", "那就按八万算", "p1", "李娜：那就按八万算")])
    assert (one.decides, one.does) == (0.0, LIKELY)
    assert [one.line for one in read(*CHINESE[:3], "店长：那就不换了").decisions] == ["店长：那就不换了"]
