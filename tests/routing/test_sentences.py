"""Every sentence of the router in both languages."""

import re
from typing import get_args

import pytest

from metier.routing import SENTENCES, Candidate, Decision, Reason, Route, Router, RoutingNote, Verdict
from metier.routing._decision import FilterCode
from metier.skills import Catalog, Invocation
from tests.routing.support import DESK, ConceptView, DownView, catalog, skill

HOLE = re.compile(r"\{\w+\}")
HAN = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_leaves_the_same_places_open_in_both_languages(code: str) -> None:
    english, chinese = SENTENCES[code]
    assert sorted(HOLE.findall(english)) == sorted(HOLE.findall(chinese))
    assert not HAN.search(english)
    assert HAN.search(chinese) or english == chinese


@pytest.mark.parametrize("code", get_args(FilterCode))
def test_every_filter_has_its_sentence(code: str) -> None:
    assert code in SENTENCES


@pytest.mark.parametrize("word", [*get_args(Verdict), *get_args(Route)])
def test_every_verdict_and_way_has_a_chinese_word(word: str) -> None:
    assert RoutingNote(word).text() == word
    assert HAN.search(RoutingNote(word).text("zh"))


def _everything_said(decision: Decision) -> list[str]:
    codes = [note.code for note in decision.why]
    return [*codes, *(one.feature for candidate in decision.candidates for one in candidate.why)]


OFF = catalog(skill("off", enabled=False), skill("hidden", invocation=Invocation(by_user=False)))
CASES = {
    "no words": ("🙂", DESK, None),
    "small talk": ("你好", DESK, None),
    "search": ("生成 PPT", DESK, None),
    "denied": ("不要做PPT，写一份研究报告", DESK, None),
    "only denied": ("不要PPT", DESK, None),
    "several": ("先做一个PPT，然后写一份研究报告", DESK, None),
    "follow-up": ("继续", DESK, "pptx"),
    "near call": ("帮我排一下八字", DESK, "network_optimization"),
    "named": ("/pptx 季度总结", DESK, None),
    "named and switched off": ("/off", OFF, None),
    "named and not by name": ("/hidden", OFF, None),
    "unknown name": ("/pttx 季度总结", DESK, None),
    "unknown name, none near": ("/zzzzzzzz", DESK, None),
    "list": ("/", DESK, None),
    "nobody there": ("生成 PPT", Catalog.from_skills(()), None),
    "too little": ("no, /etc/hosts 是什么", DESK, None),
}


ROUTERS = {
    "words": Router(),
    "vectors": Router(views=(ConceptView(),)),
    "down": Router(views=(DownView(),)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("router", ROUTERS.values(), ids=ROUTERS)
def test_whatever_is_decided_is_said_in_both_languages(case: str, router: Router) -> None:
    message, known, active = CASES[case]
    decision = router.route(message, catalog=known, active=active)
    assert set(_everything_said(decision)) <= SENTENCES.keys()
    english, chinese = decision.explain(), decision.explain("zh")
    assert len(english) == len(chinese)
    assert "…" not in "".join([*english, *chinese]).replace(message, "")
    assert HAN.search(chinese[0])
    for note in decision.why:
        assert HAN.search(note.text("zh")) or note.code == "listed"


def test_a_note_inside_a_note_speaks_the_same_language() -> None:
    decision = Router().route("/off", catalog=OFF)
    assert decision.notes == ("the message names 'off', but it is switched off",)
    assert decision.to_json("zh")["notes"] == ["消息点名了「off」，但它已停用"]
    assert decision.to_json()["why"] == [
        {"code": "named_but", "values": {"skill": "off", "why": {"code": "disabled", "values": {}}}}
    ]


@pytest.mark.parametrize(
    ("reason", "english", "chinese"),
    [
        (Reason("words", 1.6, ("ppt",)), "its words cover 100% of the message: ppt", "技能的用词覆盖消息的 100%：ppt"),
        (Reason("words", 0.0), "its words cover 0% of the message", "技能的用词覆盖消息的 0%"),
        (
            Reason("meaning", 0.3, place=2, count=9),
            "number 2 of 9 skills in meaning",
            "语义接近度在 9 个技能中排第 2",
        ),
        (Reason("meaning", 0.3, place=1, count=9), "nearest of 9 skills in meaning", "在 9 个技能中语义最接近"),
        (Reason("triggers", 1, ("a", "b")), "the message has its triggers: a, b", "消息里有它的触发词：a、b"),
        (Reason("negated", -1, ("ppt",)), "the message denies it: ppt", "消息里否定了它：ppt"),
        (Reason("shoe size", 43), "shoe size", "shoe size"),
    ],
    ids=lambda one: one.feature if isinstance(one, Reason) else "",
)
def test_a_reason_says_its_words(reason: Reason, english: str, chinese: str) -> None:
    assert (reason.text(), reason.text("zh")) == (english, chinese)


def test_a_value_with_braces_is_only_a_value() -> None:
    note = RoutingNote.of("denies", word="{skill} {0}")
    assert (note.text(), note.text("zh")) == ("the message denies {skill} {0}", "消息里说了不要「{skill} {0}」")


def test_a_value_that_is_missing_leaves_a_gap_and_breaks_nothing() -> None:
    assert RoutingNote("denies").text() == "the message denies …"


def test_notes_are_the_same_when_code_and_values_are() -> None:
    said = (
        RoutingNote.of("denies", word="ppt"),
        RoutingNote.of("denies", word="pdf"),
        RoutingNote.of("denies", word="ppt"),
    )
    assert list(dict.fromkeys(said)) == [*said[:2]]
    assert hash(Decision("none", "search", "", candidates=(Candidate("a", 0.1),), why=said))


def test_half_a_character_in_a_name_that_nobody_has_does_no_harm() -> None:
    decision = Router().route("/x\udc80y", catalog=DESK)
    assert decision.notes[0].encode() == b"no skill is called 'xy'"
