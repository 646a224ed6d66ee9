import json
import math
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.routing import Decision, Glossary, Router, Thresholds
from metier.routing.ranking import SIGNALS, Odds, to_probability
from metier.skills import Catalog, Skill
from tests.routing.support import (
    BAZI,
    DESK,
    MINUTES,
    NETWORK,
    PDF,
    PPTX,
    RESEARCH,
    WEEKLY,
    WORDS,
    ConceptView,
    DownView,
    both,
    catalog,
    skill,
)

GLOSSARY = Glossary([("PRB", "物理资源块")])


def same(decision: Decision) -> dict[str, object]:
    return {**decision.to_json(), "elapsed_ms": 0}


# Which skill, or none


@both
@pytest.mark.parametrize(
    ("message", "chosen"),
    [
        pytest.param("生成 PPT", "pptx", id="trigger"),
        pytest.param("做个ＰＰＴ", "pptx", id="full width"),
        pytest.param("5G负荷高", "capacity_analysis", id="two scripts"),
        pytest.param("make slides for the board", "pptx", id="English"),
        pytest.param("the cell is congested", "capacity_analysis", id="near to an example"),
        pytest.param("帮我算个八字", "bazi", id="Chinese"),
        pytest.param("不要做PPT，写一份研究报告", "research", id="refused, then asked"),
        pytest.param("I don't want slides, write a report", "research", id="refused in English"),
        pytest.param("a report, not slides", "research", id="asked, then refused"),
        pytest.param("不要着急，帮我做PPT", "pptx", id="a refusal of something else"),
        pytest.param("no problem, make slides", "pptx", id="no refusal"),
        pytest.param("不是不要PPT", "pptx", id="a refusal refused"),
    ],
)
def test_a_clear_message_takes_its_skill(router: Router, message: str, chosen: str) -> None:
    decision = router.route(message, catalog=DESK)
    assert (decision.verdict, decision.skill, decision.skills) == ("auto", chosen, (chosen,))
    assert decision.message == message


@both
@pytest.mark.parametrize("message", ["你好", "hello", "谢谢", "今天天气怎么样", "什么是量子纠缠", "别做PPT了", "1+1=?"])
def test_a_message_for_no_skill_takes_none(router: Router, message: str) -> None:
    decision = router.route(message, catalog=DESK)
    assert (decision.verdict, decision.skill, decision.skills) == ("none", None, ())


def test_a_repeated_example_is_taken_and_the_reason_says_so() -> None:
    decision = WORDS.route("请把这份大纲变成幻灯片吧", catalog=DESK)
    assert (decision.verdict, decision.skill) == ("auto", "pptx")
    reasons = [one.text("zh") for one in decision.candidates[0].why]
    assert "消息与它的示例说的是同一件事：把这份大纲变成幻灯片" in reasons


def test_a_greeting_that_is_a_trigger_is_for_its_skill() -> None:
    greeter = skill("greeter", triggers=("hello",), examples=("hello", "hello there", "say hello"))
    assert WORDS.route("hello", catalog=catalog(greeter, PPTX, BAZI)).skill == "greeter"


def test_a_trade_word_without_spaces_is_found_by_itself_or_by_the_glossary() -> None:
    message = "物理资源块利用率低"
    spelled = catalog(skill("a", description="物理资源块的利用率", examples=("物理资源块利用率",)), PPTX, BAZI)
    assert WORDS.route(message, catalog=spelled).skill == "a"
    plain, wise = (Router(glossary=glossary).route(message, catalog=DESK) for glossary in (Glossary(), GLOSSARY))
    assert wise.skill == "capacity_analysis"
    assert wise.candidates[0].lexical > plain.candidates[0].lexical


@both
def test_a_refused_skill_is_shown_last_with_the_reason(router: Router) -> None:
    decision = router.route("不要做PPT，写一份研究报告", catalog=catalog(PPTX, RESEARCH))
    refused = decision.candidates[-1]
    assert (refused.skill, refused.score, refused.negated) == ("pptx", 0, ("ppt",))
    assert "the message denies ppt" in decision.notes


@both
def test_a_skill_refused_by_its_title_or_id_is_not_taken(router: Router) -> None:
    decision = router.route("不要用pptx，给我做个汇报", catalog=DESK)
    assert decision.skill != "pptx"
    assert "the message denies pptx" in decision.notes


@both
def test_a_skill_refused_by_one_name_and_asked_for_by_another_is_asked_for(router: Router) -> None:
    assert router.route("不要PPT，要幻灯片", catalog=DESK).skill == "pptx"


def test_when_every_skill_is_refused_none_is_taken() -> None:
    decision = WORDS.route("不要PPT，谁能告诉我明天几点开会", catalog=catalog(PPTX))
    assert (decision.verdict, decision.candidates) == ("none", ())


def test_a_message_keeps_its_case_on_the_way_to_the_embedder() -> None:
    view = ConceptView()
    Router(views=(view,)).route("给ＶｏＬＴＥ写 Report, it's late", catalog=DESK)
    assert view.embedded[0] == "给VoLTE写 Report, it's late"


# Verdicts and scores


@dataclass(frozen=True)
class FixedHeads:
    """Heads that are always as sure."""

    meant: float
    right: float
    among: float

    def __call__(self, signals: object) -> Odds:
        return Odds(*(math.log(chance / (1 - chance)) for chance in (self.meant, self.right, self.among)))

    def get_shift(self, index: object, languages: object) -> Odds:
        return Odds(0, 0, 0)


@pytest.mark.parametrize(
    ("meant", "right", "among", "verdict"),
    [
        pytest.param(0.9, 0.81, 0.9, "auto", id="the first is sure"),
        pytest.param(0.9, 0.79, 0.9, "suggest", id="the first is not sure"),
        pytest.param(0.9, 0.3, 0.61, "suggest", id="one of three is likely"),
        pytest.param(0.9, 0.3, 0.59, "none", id="one of three is not likely"),
        pytest.param(0.41, 0.3, 0.7, "suggest", id="any may be meant"),
        pytest.param(0.39, 0.9, 0.95, "none", id="none is meant"),
        pytest.param(0.54, 0.9, 0.95, "suggest", id="near, but perhaps none of these"),
        pytest.param(0.9, 0.7, 0.1, "suggest", id="the first is one of the first three"),
    ],
)
def test_the_three_heads_decide_together(meant: float, right: float, among: float, verdict: str) -> None:
    router = Router(heads={"lex": FixedHeads(meant, right, among)})  # type: ignore[dict-item]
    few = catalog(skill("a", description="alpha beta"), skill("b", description="gamma delta"))
    decision = router.route("alpha", catalog=few)
    assert (decision.verdict, decision.skill) == (verdict, None if verdict == "none" else "a")
    assert decision.meant == pytest.approx(meant)
    assert any(line.startswith(f"{int(100 * meant + 1e-9)}% that a skill is meant") for line in decision.explain())


@pytest.mark.parametrize(
    ("message", "active"),
    [("/pptx", None), ("你好", None), ("继续", "bazi"), ("", None)],
    ids=["named", "hi", "on", "empty"],
)
def test_what_was_not_searched_for_does_not_say_how_likely_any_skill_is_meant(message: str, active: str | None) -> None:
    assert WORDS.route(message, catalog=DESK, active=active).meant is None


@pytest.mark.parametrize(
    ("thresholds", "verdict"),
    [
        pytest.param(Thresholds(auto=0.1, suggest=0.1, meant=0), "auto", id="over auto"),
        pytest.param(Thresholds(auto=1.1, suggest=0.1, meant=0), "suggest", id="under auto"),
        pytest.param(Thresholds(auto=1.1, suggest=1.1, meant=0), "none", id="under suggest"),
        pytest.param(Thresholds(auto=0.1, suggest=0.1, meant=1.1), "none", id="nothing meant"),
    ],
)
def test_the_thresholds_decide(thresholds: Thresholds, verdict: str) -> None:
    assert Router(thresholds=thresholds).route("生成 PPT", catalog=DESK).verdict == verdict


@pytest.mark.parametrize("views", [(), (ConceptView(),)], ids=["words", "vectors"])
def test_a_close_call_is_never_taken_without_asking(views: tuple[ConceptView, ...]) -> None:
    easy = Router(views=views, thresholds=Thresholds(auto=0.05, suggest=0.01, meant=0))
    twins = [skill(name, title="幻灯片", triggers=("PPT",), examples=PPTX.examples) for name in ("one", "two")]
    decision = easy.route("把大纲变成PPT", catalog=catalog(*twins, BAZI))
    assert decision.verdict == "suggest"
    assert {candidate.skill for candidate in decision.candidates[:2]} == {"one", "two"}
    assert easy.route("把大纲变成PPT", catalog=catalog(twins[0], BAZI)).verdict == "auto"


def test_a_trigger_that_two_skills_share_does_not_decide() -> None:
    alone = WORDS.route("折线图", catalog=catalog(skill("a", triggers=("折线图",)), BAZI, PDF))
    shared = [skill(name, triggers=("折线图",), description=name * 3) for name in ("a", "b")]
    together = WORDS.route("折线图", catalog=catalog(*shared, BAZI, PDF))
    assert together.candidates[0].score < alone.candidates[0].score
    assert [candidate.trigger_hits for candidate in together.candidates[:2]] == [("折线图",), ("折线图",)]


def test_a_latin_trigger_within_another_word_is_no_hit() -> None:
    assert not any(found.trigger_hits for found in WORDS.route("build pdfium", catalog=DESK).candidates)


MESSAGES = st.one_of(
    st.text(max_size=40),
    st.text("做写周报会议纪要八字PTp df网络优化负荷不要，然后 slidereport", max_size=40),
    st.sampled_from([example for one in DESK for example in one.examples]),
)


@both
@given(message=MESSAGES)
def test_scores_are_probabilities_and_the_candidates_are_sorted(router: Router, message: str) -> None:
    decision = router.route(message, catalog=DESK)
    scores = [candidate.score for candidate in decision.candidates]
    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)
    if len(decision.skills) <= 1:
        assert len(scores) <= router.top_k
        assert decision.route == "explicit" or sum(scores) <= 1 + 1e-9
        assert decision.skill in (None, decision.candidates[0].skill if scores else None)
    assert (decision.skill is None) == (decision.verdict == "none")
    assert decision.skills == tuple(dict.fromkeys(decision.skills))


@both
@pytest.mark.parametrize("top_k", [0, 1, 3, 50])
def test_no_more_candidates_are_shown_than_asked_for(router: Router, top_k: int) -> None:
    decision = Router(views=router.views, top_k=top_k).route("生成 PPT", catalog=DESK)
    assert decision.skill == "pptx"
    assert len(decision.candidates) == min(top_k, len(DESK))


@both
@settings(max_examples=25, deadline=None)
@given(order=st.permutations(list(DESK)), message=MESSAGES)
def test_the_order_of_the_skills_does_not_matter(router: Router, order: list[Skill], message: str) -> None:
    shuffled = Catalog({one.id: one for one in order})
    assert same(router.route(message, catalog=shuffled)) == same(router.route(message, catalog=DESK))


@both
def test_the_same_message_gets_the_same_decision_from_a_new_router(router: Router) -> None:
    for message in ("生成 PPT", "今天天气怎么样", "写周报，然后整理会议纪要"):
        assert same(Router(views=router.views).route(message, catalog=DESK)) == same(
            router.route(message, catalog=DESK)
        )


@both
@pytest.mark.parametrize(
    ("priorities", "first"), [((0, 0), "aa"), ((0, 5), "bb"), ((5, 0), "aa")], ids=["by id", "by priority", "by both"]
)
def test_equal_skills_are_ordered_by_priority_and_then_by_id(
    router: Router, priorities: tuple[int, int], first: str
) -> None:
    # The ids have the same terms, so nothing but priority and id tells the two apart.
    twins = [
        skill(name, title="同", examples=("画一张折线图", "折线图"), priority=priority, tags=("aa", "bb"))
        for name, priority in zip(("aa", "bb"), priorities, strict=True)
    ]
    assert router.route("画折线图", catalog=catalog(*twins, BAZI)).candidates[0].skill == first


# Filters


def test_what_cannot_be_offered_is_not_chosen_and_is_told() -> None:
    office = skill("pptx", **{name: getattr(PPTX, name) for name in ("title", "triggers", "examples")}, hosts=("wpp",))
    decision = WORDS.route("生成 PPT", catalog=catalog(office, BAZI, PDF), host="writer")
    assert decision.skill != "pptx"
    assert decision.explain()[-1] == "not offered: pptx (it is for wpp, not for writer)"
    assert WORDS.route("生成 PPT", catalog=catalog(office, BAZI, PDF), host="wpp").skill == "pptx"


@pytest.mark.parametrize("skills", [(), (skill("off", enabled=False),)], ids=["no skills", "all switched off"])
def test_with_nothing_to_offer_the_answer_is_none(skills: tuple[Skill, ...]) -> None:
    decision = WORDS.route("生成 PPT", catalog=catalog(*skills))
    assert (decision.verdict, decision.notes) == ("none", ("no skill can be offered",))
    assert len(decision.filtered) == len(skills)


# Explaining


@both
@pytest.mark.parametrize(
    ("message", "active", "said"),
    [
        pytest.param("小区负荷高", None, ["capacity_analysis", "小区负荷高", "负荷"], id="words and triggers"),
        pytest.param("不要做PPT，写一份研究报告", None, ["research", "denies ppt", "研究报告"], id="denials"),
        pytest.param("不要写程序，写周报", None, ["weekly-report", "refuses something: “不要写程序”"], id="refusals"),
        pytest.param("/pptx x", None, ["the message names 'pptx'"], id="named"),
        pytest.param("继续", "bazi", ["the message goes on with 'bazi'"], id="going on"),
        pytest.param("写周报，然后整理会议纪要", None, ["weekly-report, meeting-minutes", "2 things"], id="several"),
        pytest.param("", None, ["the message has no words"], id="empty"),
        pytest.param("你好", None, ["asks for nothing"], id="small talk"),
    ],
)
def test_every_decision_explains_itself_and_is_json(
    router: Router, message: str, active: str | None, said: list[str]
) -> None:
    decision = router.route(message, catalog=DESK, active=active)
    whole = "\n".join(decision.explain())
    assert [part for part in said if part not in whole] == []
    assert json.loads(json.dumps(decision.to_json())) == decision.to_json()
    for candidate in decision.candidates:
        assert candidate.skill in whole
        assert all(reason.text() in whole for reason in candidate.why)


@both
def test_every_candidate_of_a_search_has_its_reasons(router: Router) -> None:
    decision = router.route("不要做PPT，写周报", catalog=catalog(PPTX, WEEKLY, NETWORK))
    features = {candidate.skill: {reason.feature for reason in candidate.why} for candidate in decision.candidates}
    always = {"words", "meaning"} if router.views else {"words"}
    assert features["weekly-report"] == always | {"triggers", "same_example"}
    assert features["pptx"] == always | {"negated"}
    assert features["network_optimization"] == always


def test_a_share_of_the_message_is_never_told_as_more_than_all_of_it() -> None:
    loud = skill("loud", examples=("ppt " * 30, "ppt ppt"))
    decision = WORDS.route("ppt", catalog=catalog(loud, BAZI, MINUTES))
    assert decision.candidates[0].lexical > 1
    assert decision.candidates[0].why[0].text() == "its words cover 100% of the message: ppt"


def test_an_index_can_be_built_before_the_first_message() -> None:
    view = ConceptView()
    router = Router(views=(view,))
    assert router.prepare(DESK) == ()
    assert (len(view.synced), len(view.embedded)) == (1, 1), "an encoder is loaded by its first text"
    assert router.prepare(DESK) == ()
    router.route("生成 PPT", catalog=DESK)
    assert len(view.synced) == 1


def test_an_index_without_vectors_says_so_before_the_first_message() -> None:
    (note,) = Router(views=(DownView(),)).prepare(DESK)
    assert "no vectors" in note


@pytest.mark.parametrize(
    ("message", "expected"),
    [("生成 PPT", True), ("/pptx 生成", False), ("/", False), ("😀", False), ("/nobody 生成 PPT", True)],
    ids=["a message", "a skill by name", "the list", "no words", "a name nobody has"],
)
def test_only_a_message_that_is_searched_for_needs_the_index(message: str, expected: bool) -> None:
    assert WORDS.needs_search(message, catalog=DESK) is expected
    assert (WORDS.route(message, catalog=DESK).route == "search") is expected


def test_closing_a_router_closes_the_views_that_can_be_closed() -> None:
    closed: list[str] = []

    class Closable(ConceptView):
        def close(self) -> None:
            closed.append(self.name)

    router = Router(views=(ConceptView(), Closable()))
    router.close()
    assert len(closed) == 1
    assert router.route("生成 PPT", catalog=DESK).skill == "pptx"


# Weighing


@both
def test_weighing_a_message_shows_what_a_decision_is_made_from(router: Router) -> None:
    weighed = router.score_message("小区负荷高", catalog=DESK)
    assert weighed is not None
    decision = router.route("小区负荷高", catalog=DESK)
    assert weighed.first == weighed.order[0] == decision.skill
    assert weighed.order[: router.top_k] == tuple(candidate.skill for candidate in decision.candidates)
    assert weighed.mode == ("use" if router.views else "lex")
    assert weighed.signals.shape == (len(SIGNALS),)


@pytest.mark.parametrize(
    ("message", "skills"),
    [
        pytest.param("", (PPTX,), id="no words"),
        pytest.param("！？", (PPTX,), id="only signs"),
        pytest.param("生成 PPT", (), id="no skills"),
        pytest.param("生成 PPT", (skill("off", enabled=False),), id="none offered"),
        pytest.param("不要PPT，谁能告诉我明天几点开会", (PPTX,), id="all refused"),
    ],
)
def test_a_message_that_meets_no_skill_weighs_nothing(message: str, skills: tuple[Skill, ...]) -> None:
    assert WORDS.score_message(message, catalog=catalog(*skills)) is None


def test_a_router_may_have_heads_of_its_own() -> None:
    sure, unsure = (Router(heads={"lex": FixedHeads(0.9, right, 0.95)}) for right in (0.9, 0.3))  # type: ignore[dict-item]
    assert sure.route("小区负荷高", catalog=DESK).verdict == "auto"
    assert unsure.route("小区负荷高", catalog=DESK).verdict == "suggest"


@both
def test_the_offset_of_the_catalog_says_which_is_right_and_not_whether_any_is_meant(router: Router) -> None:
    fixed = Router(views=router.views, heads=dict.fromkeys(("lex", "use"), FixedHeads(0.7, 0.5, 0.7)))  # type: ignore[arg-type]
    weighed = fixed.score_message("why is that cell so congested", catalog=DESK)
    assert weighed is not None
    assert weighed.offset > 0.1
    decision = fixed.route("why is that cell so congested", catalog=DESK)
    assert decision.candidates[0].score == pytest.approx(to_probability(weighed.offset))
    assert decision.meant == pytest.approx(0.7)


@pytest.mark.parametrize("message", ["no", "/etc/hosts 是什么"])
def test_what_says_little_is_not_found_by_its_words(message: str) -> None:
    noisy = skill("hosts", examples=("no host answers", "etc hosts 里是什么", "没有什么是通的"))
    decision = Router().route(message, catalog=catalog(noisy, PPTX))
    assert decision.verdict == "none"
    assert "the message says too little to be found by its words" in decision.notes
