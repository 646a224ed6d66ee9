import json

from metier.routing import Candidate, Decision, Filtered, Reason

WHOLE = Decision(
    "suggest",
    "search",
    "做PPT",
    "pptx",
    ("pptx",),
    (
        Candidate(
            "pptx",
            0.71234,
            0.5,
            0.25,
            ("ppt",),
            ("slides",),
            (Reason("words", 0.5, "its words carry 50% of the message"),),
        ),
    ),
    (Filtered("pdf", "host", "it is for et, not for writer"),),
    ("a note",),
    vectors=True,
    meant=0.87654,
    elapsed_ms=1.23456,
)


def test_a_decision_is_json_and_comes_back_the_same() -> None:
    assert json.loads(json.dumps(WHOLE.to_json())) == {
        "verdict": "suggest",
        "skill": "pptx",
        "skills": ["pptx"],
        "route": "search",
        "message": "做PPT",
        "candidates": [
            {
                "skill": "pptx",
                "score": 0.7123,
                "lexical": 0.5,
                "vector": 0.25,
                "trigger_hits": ["ppt"],
                "negated": ["slides"],
                "why": [{"feature": "words", "value": 0.5, "text": "its words carry 50% of the message"}],
            }
        ],
        "filtered": [{"skill": "pdf", "code": "host", "text": "it is for et, not for writer"}],
        "notes": ["a note"],
        "vectors": True,
        "meant": 0.8765,
        "elapsed_ms": 1.235,
    }


def test_a_decision_explains_itself_from_the_outcome_down() -> None:
    assert WHOLE.explain() == [
        "suggest: pptx (search, 1.2 ms)",
        "a note",
        "0.88 any skill is meant",
        "0.71 pptx",
        "     its words carry 50% of the message",
        "not offered: pdf (it is for et, not for writer)",
    ]


def test_none_is_explained_without_a_skill() -> None:
    assert Decision("none", "empty", "").explain() == ["none (empty, 0.0 ms)"]


def test_a_decision_without_a_search_does_not_say_how_likely_any_skill_is_meant() -> None:
    assert Decision("auto", "explicit", "", "pptx", ("pptx",)).to_json()["meant"] is None
