import pytest

from metier.routing import Decision, Router, Thresholds, Verdict
from metier.routing._multiple_skills import ScoredDecision
from metier.routing._stay_with_skill import prefer_active
from metier.skills import Invocation, Skill
from tests.routing.support import BAZI, DESK, NETWORK, PDF, WORDS, both, catalog, skill


@both
@pytest.mark.parametrize("message", ["继续", "换成柱状图", "make it shorter", "好的", "再详细一点", "yes please"])
def test_a_follow_up_stays_with_the_skill_in_use(router: Router, message: str) -> None:
    decision = router.route(message, catalog=DESK, active="network_optimization")
    assert (decision.verdict, decision.route, decision.skill) == ("auto", "sticky", "network_optimization")
    assert decision.notes == ("the message goes on with 'network_optimization'",)


@both
@pytest.mark.parametrize(
    ("message", "chosen"), [("帮我算个八字", "bazi"), ("好的，做PPT", "pptx"), ("/research 储能", "research")]
)
def test_a_clear_other_request_leaves_the_skill_in_use(router: Router, message: str, chosen: str) -> None:
    assert router.route(message, catalog=DESK, active="network_optimization").skill == chosen


def judged(verdict: Verdict, first: str, right: float, rank: int) -> ScoredDecision:
    """A decision for another skill, and the skill in use at this rank of eight."""
    order = [first, *(f"skill-{at}" for at in range(1, 8))]
    order[rank:] = [] if rank > 7 else ["used", *order[rank + 1 :]]
    skills = () if verdict == "none" else (first,)
    return ScoredDecision(
        Decision(verdict, "search", "", skill=skills[0] if skills else None, skills=skills), tuple(order), right
    )


SHORT, LONG = "小数保留两位", "把这几年村镇快递网点的发展情况找些公开资料整理一遍"


@pytest.mark.parametrize(
    ("found", "message", "others", "chosen"),
    [
        pytest.param(judged("auto", "other", 0.9, 1), SHORT, False, "other", id="another is sure"),
        pytest.param(judged("suggest", "other", 0.75, 2), LONG, False, "used", id="likely, the one in use is near"),
        pytest.param(judged("suggest", "other", 0.75, 4), LONG, False, "other", id="likely, the one in use is far"),
        pytest.param(judged("suggest", "other", 0.75, 4), SHORT, False, "used", id="short, within reach"),
        pytest.param(judged("suggest", "other", 0.75, 9), SHORT, False, "other", id="short, out of reach, likely"),
        pytest.param(judged("suggest", "other", 0.6, 9), SHORT, False, "used", id="short, out of reach, unlikely"),
        pytest.param(judged("suggest", "other", 0.65, 1), SHORT, True, "other", id="a trigger of the other"),
        pytest.param(judged("none", "other", 0.3, 3), SHORT, False, "used", id="nobody, short, within reach"),
        pytest.param(judged("none", "other", 0.3, 7), SHORT, False, None, id="nobody, short, out of reach"),
        pytest.param(judged("none", "other", 0.3, 3), LONG, False, None, id="nobody, long"),
        pytest.param(judged("none", "other", 0.3, 3), SHORT, True, None, id="nobody, a trigger of another"),
        pytest.param(judged("none", "other", 0.3, 3), "only the last two columns", False, "used", id="English, short"),
        pytest.param(judged("none", "other", 0.3, 3), "x " * 30, False, None, id="English, long"),
    ],
)
def test_what_is_said_in_passing_goes_to_the_skill_in_use(
    found: ScoredDecision, message: str, others: bool, chosen: str | None
) -> None:
    decision = prefer_active(found, "used", message, is_follow_up=False, mentions_others=others)
    assert decision.skill == chosen
    assert (decision.route == "sticky") is (chosen == "used")
    assert bool(decision.why) is (chosen == "used")


def test_a_message_for_several_is_for_them_and_not_for_the_skill_in_use() -> None:
    several = Decision("suggest", "search", "", skill="a", skills=("a", "b"))
    assert (
        prefer_active(
            ScoredDecision(several, ("a", "used"), 0.5), "used", SHORT, is_follow_up=False, mentions_others=False
        )
        is several
    )


def test_a_near_call_stays_and_says_so() -> None:
    shy = Router(thresholds=Thresholds(auto=1.1, suggest=0.05, meant=0))
    few = catalog(BAZI, NETWORK, PDF)
    assert shy.route("看看我的命", catalog=few).skill == "bazi"
    decision = shy.route("看看我的命", catalog=few, active="network_optimization")
    assert (decision.verdict, decision.route, decision.skill) == ("auto", "sticky", "network_optimization")
    assert "'bazi' is not clearly better than 'network_optimization', which is in use" in decision.notes
    assert "no vectors: decided by words alone" in decision.notes


@both
@pytest.mark.parametrize(
    "message", ["对了，写周报的是谁", "by the way, who writes the weekly update"], ids=["对了", "by the way"]
)
def test_who_turns_to_something_else_says_so(router: Router, message: str) -> None:
    decision = router.route(message, catalog=DESK, active="network_optimization")
    assert decision.skill != "network_optimization"


@both
def test_small_talk_does_not_change_the_skill_in_use(router: Router) -> None:
    assert router.route("谢谢", catalog=DESK, active="bazi").verdict == "none"


@pytest.mark.parametrize(
    "one",
    [skill("x", enabled=False), skill("x", hosts=("et",)), skill("y")],
    ids=["switched off", "not for this host", "not there"],
)
def test_a_skill_that_cannot_be_used_any_more_is_not_gone_on_with(one: Skill) -> None:
    decision = WORDS.route("继续", catalog=catalog(one, BAZI), host="writer", active="x")
    assert (decision.verdict, decision.route) == ("none", "search")


def test_a_skill_that_a_person_started_by_name_is_gone_on_with() -> None:
    private = skill("x", invocation=Invocation(automatic=False))
    assert WORDS.route("继续", catalog=catalog(private, BAZI), active="x").skill == "x"
    assert WORDS.route("继续", catalog=catalog(private), active="x").skill == "x"


@both
@pytest.mark.parametrize("message", ["继续", "换成柱状图", "make it shorter", "然后呢"])
def test_a_follow_up_with_nothing_before_is_searched_like_any_message(router: Router, message: str) -> None:
    decision = router.route(message, catalog=DESK)
    assert (decision.route, decision.verdict) == ("search", "none")


@both
def test_a_word_too_short_to_tell_is_never_taken_for_a_skill(router: Router) -> None:
    decision = router.route("no", catalog=DESK)
    assert decision.route == "search"
    assert decision.verdict != "auto"


@both
def test_a_follow_up_without_a_skill_in_use_is_read_with_what_was_said_before(router: Router) -> None:
    decision = router.route("继续", catalog=DESK, history=("帮我算个八字", "好的", ""))
    assert (decision.verdict, decision.skill, decision.message) == ("suggest", "bazi", "继续")
    assert "the message goes on with an earlier one, which was read instead" in decision.notes
    assert router.route("继续", catalog=DESK, history=("好的", "你好")).verdict == "none"
    assert router.route("生成 PPT", catalog=DESK, history=("帮我算个八字",)).skill == "pptx"
