import json
from dataclasses import replace

from metier.routing import Candidate, Decision, Filtered, Reason, RoutingNote, Thresholds

WHOLE = Decision(
    "suggest",
    "search",
    "做PPT",
    skill="pptx",
    skills=("pptx",),
    candidates=(
        Candidate(
            "pptx",
            0.71234,
            0.5,
            0.25,
            ("ppt",),
            ("slides",),
            (Reason("words", 0.5, ("ppt", "做")), Reason("meaning", 0.25, place=3, count=40)),
        ),
    ),
    filtered=(Filtered("pdf", "host", {"hosts": ("et", "wpp"), "host": "writer"}),),
    why=(RoutingNote.of("denies", word="slides"), RoutingNote.from_view("the view is slow")),
    vectors=True,
    meant=0.87654,
    limits=Thresholds().limits,
    elapsed_ms=1.23456,
)


def test_a_decision_is_json_and_comes_back_the_same() -> None:
    assert json.loads(json.dumps(WHOLE.to_json())) == {
        "verdict": "suggest",
        "skill": "pptx",
        "skills": ["pptx"],
        "requests": [],
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
                "why": [
                    {
                        "feature": "words",
                        "value": 0.5,
                        "words": ["ppt", "做"],
                        "text": "its words cover 50% of the message: ppt, 做",
                    },
                    {
                        "feature": "meaning",
                        "value": 0.25,
                        "words": [],
                        "place": 3,
                        "count": 40,
                        "text": "number 3 of 40 skills in meaning",
                    },
                ],
            }
        ],
        "filtered": [
            {
                "skill": "pdf",
                "code": "host",
                "values": {"hosts": ["et", "wpp"], "host": "writer"},
                "text": "it is for et, wpp, not for writer",
            }
        ],
        "notes": ["the message denies slides", "the view is slow"],
        "why": [{"code": "denies", "values": {"word": "slides"}}, {"code": "view", "values": {}}],
        "vectors": True,
        "meant": 0.8765,
        "elapsed_ms": 1.235,
    }


def test_a_decision_explains_itself_from_the_outcome_down() -> None:
    assert WHOLE.explain() == [
        "suggest: pptx (search, 1.2 ms)",
        "the message denies slides",
        "the view is slow",
        "87% that a skill is meant",
        "'pptx' is right with 71%; it is used without asking from 80% on",
        "71% pptx",
        "     its words cover 50% of the message: ppt, 做",
        "     number 3 of 40 skills in meaning",
        "not offered: pdf (it is for et, wpp, not for writer)",
    ]


def test_a_decision_explains_itself_in_chinese_too() -> None:
    assert WHOLE.explain("zh") == [
        "建议：pptx（检索，1.2 毫秒）",
        "消息里说了不要「slides」",
        "the view is slow",
        "有 87% 的可能需要某个技能",
        "「pptx」合适的可能为 71%；达到 80% 才不经询问直接使用",
        "71% pptx",
        "     技能的用词覆盖消息的 50%：ppt、做",
        "     语义接近度在 40 个技能中排第 3",
        "未参与：pdf（它用于 et、wpp，不用于 writer）",
    ]


def test_the_json_of_a_decision_differs_only_in_its_sentences() -> None:
    english, chinese = WHOLE.to_json(), WHOLE.to_json("zh")
    assert chinese["notes"] == ["消息里说了不要「slides」", "the view is slow"]
    sentences = {"notes", "candidates", "filtered"}
    assert {name for name in english if english[name] != chinese[name]} == sentences
    assert WHOLE.notes == ("the message denies slides", "the view is slow")


def test_none_is_explained_without_a_skill() -> None:
    assert Decision("none", "empty", "").explain() == ["none (empty, 0.0 ms)"]
    assert Decision("none", "empty", "").explain("zh") == ["不用技能（空消息，0.0 毫秒）"]


def test_none_says_which_limit_kept_the_skills_from_being_offered() -> None:
    none = replace(WHOLE, verdict="none", skill=None, skills=(), why=())
    unlikely = replace(none, meant=0.399)
    assert "39% that a skill is meant; below 40% none is offered" in unlikely.explain()
    assert "有 39% 的可能需要某个技能；低于 40% 不提供技能" in unlikely.explain("zh")
    spread = replace(none, candidates=(replace(WHOLE.candidates[0], score=0.25), Candidate("pdf", 0.2)))
    assert "45% that one of the first 2 is right; below 60% none is offered" in spread.explain()
    assert "前 2 个技能中有一个合适的可能为 45%；低于 60% 不提供技能" in spread.explain("zh")


def test_a_decision_without_a_search_does_not_say_how_likely_any_skill_is_meant() -> None:
    assert Decision("auto", "explicit", "", skill="pptx", skills=("pptx",)).to_json()["meant"] is None
