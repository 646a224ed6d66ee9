"""What is kept of the router's decision: enough to explain it later, and never much."""

import json

import pytest

from metier.agent.adapters import decision_to_json
from metier.events import find_event_problems
from metier.language import Language
from metier.routing import Candidate, Decision, Reason, RoutingNote


def test_every_candidate_says_why() -> None:
    why = (Reason("words", 1.59421), Reason("triggers", 1.0, ("弱覆盖",)))
    best = Candidate("coverage", 0.99751, 1.5942, None, ("弱覆盖",), ("干扰",), why)
    told = decision_to_json(
        Decision("auto", "search", "弱覆盖", skill="coverage", skills=("coverage",), candidates=(best,), meant=0.99631),
        "en",
    )
    assert find_event_problems("skill.routed", told) == ()
    assert told["meant"] == 0.9963
    assert told["candidates"] == [
        {
            "skill": "coverage",
            "score": 0.9975,
            "lexical": 1.5942,
            "vector": None,
            "trigger_hits": ["弱覆盖"],
            "negated": ["干扰"],
            "why": [
                {"feature": "words", "value": 1.5942, "text": "its words cover 100% of the message"},
                {
                    "feature": "triggers",
                    "value": 1.0,
                    "words": ["弱覆盖"],
                    "text": "the message has its triggers: 弱覆盖",
                },
            ],
        }
    ]


@pytest.mark.parametrize(
    ("language", "note", "reason"),
    [
        ("en", "the message denies ppt", "nearest of 40 skills in meaning"),
        ("zh", "消息里说了不要「ppt」", "在 40 个技能中语义最接近"),
    ],
)
def test_the_sentences_are_in_the_language_of_the_turn_and_the_codes_in_none(
    language: Language, note: str, reason: str
) -> None:
    best = Candidate("coverage", 0.9, why=(Reason("meaning", 0.25, place=1, count=40),))
    why = (RoutingNote.of("denies", word="ppt"), RoutingNote.from_view("the view is slow"))
    told = decision_to_json(
        Decision("auto", "search", "", skill="coverage", skills=("coverage",), candidates=(best,), why=why), language
    )
    assert find_event_problems("skill.routed", told) == ()
    assert told["notes"] == [note, "the view is slow"]
    assert told["why"] == [{"code": "denies", "values": {"word": "ppt"}}, {"code": "view", "values": {}}]
    assert told["candidates"][0]["why"][0]["text"] == reason  # type: ignore[index,call-overload]


def test_a_decision_with_much_to_say_stays_small_and_keeps_the_best() -> None:
    why = tuple(Reason(f"feature-{number}", 0.123456, ("弱覆盖区域" * 200,) * 50) for number in range(12))
    many = tuple(
        Candidate(f"skill-{number}", 0.5, 1, 1, ("词" * 500,) * 50, ("词" * 500,), why) for number in range(40)
    )
    notes = tuple(map(RoutingNote.from_view, ("说明" * 500,) * 9))
    told = decision_to_json(
        Decision("suggest", "search", "m", skill="skill-0", skills=("skill-0",), candidates=many, why=notes), "zh"
    )
    assert len(told["notes"]) == len(told["why"]) == 4  # type: ignore[arg-type]
    assert len(json.dumps(told, ensure_ascii=False).encode()) < 5000
    candidates = told["candidates"]
    assert isinstance(candidates, list)
    assert [one["skill"] for one in candidates] == ["skill-0"]
    assert [one["feature"] for one in candidates[0]["why"]] == [f"feature-{number}" for number in range(8)]


def test_the_sentences_of_the_best_stay_longest() -> None:
    why = tuple(Reason("words", 0.5) for _ in range(8))
    five = tuple(Candidate(f"skill-{number}", 0.5, why=why) for number in range(5))
    told = decision_to_json(
        Decision("suggest", "search", "m", skill="skill-0", skills=("skill-0",), candidates=five), "en"
    )
    candidates = told["candidates"]
    assert isinstance(candidates, list)
    assert ["text" in one["why"][0] for one in candidates] == [True, True, False, False, False]
    assert len(json.dumps(told, ensure_ascii=False).encode()) < 4096
