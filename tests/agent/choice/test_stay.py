"""Which questions stay with the skill in use, and which go to the skill that the router found."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from metier.agent.choice._stay import stay_for_detail
from metier.language import BilingualText
from metier.routing import Candidate, Decision
from metier.routing._decision import SkillRequest
from metier.skills import Skill
from tests.context.support import assistant, skill

if TYPE_CHECKING:
    from metier.agent.turn import TurnState

OPTIMIZE = skill("optimize", "看 RSRP。", title="网络优化", triggers=("弱覆盖", "优化"))
COVER = skill("cover", title="覆盖专项", triggers=("弱覆盖", "RSRP"))
MINUTES = skill("minutes", title="会议纪要", triggers=("纪要",))
STEPS = skill("optimize", title="网络优化", triggers=("弱覆盖",), sop=({"id": "a", "call": "x"},))
ASKED = "那 RSRP 呢？"
SPECIFIC = "第二个小区的 RSRP 是多少？"


def _decide(
    message: str, found: Skill = COVER, *, active: Skill | None = OPTIMIZE, model: bool = False, **said: object
) -> str | None:
    hits = cast("tuple[str, ...]", said.get("hits", ()))
    earlier = [assistant(str(said["earlier"]))] if "earlier" in said else []
    state = SimpleNamespace(
        skill=SimpleNamespace(active=active),
        resources=SimpleNamespace(packs=()),
        uses_builtin_model=lambda _stage: not model,
        request=SimpleNamespace(
            message=message, catalog={one.id: one for one in (OPTIMIZE, COVER, MINUTES)}, earlier_messages=earlier
        ),
    )
    candidates = (Candidate(found.id, 0.9, trigger_hits=hits),)
    requests = tuple(SkillRequest(one, one) for one in cast("tuple[str, ...]", said.get("requests", ())))
    decision = Decision("auto", "search", message, skill=found.id, candidates=candidates, requests=requests)
    made = stay_for_detail(cast("TurnState", state), decision)
    assert (made.route == "sticky") == (made.skill != found.id)
    return made.skill


@pytest.mark.parametrize("message", [ASKED, SPECIFIC])
def test_a_question_about_details_stays_although_a_neighbour_has_its_word(message: str) -> None:
    assert _decide(message, hits=("RSRP",)) == "optimize"


def test_an_order_goes_to_the_skill_that_was_found() -> None:
    assert _decide("做一次覆盖专项分析") == "cover"


def test_a_question_that_calls_the_other_skill_by_its_name_goes_there() -> None:
    assert _decide("那覆盖专项呢？", hits=("覆盖专项",)) == "cover"


def test_a_question_for_a_skill_that_has_nothing_in_common_goes_there_unless_its_words_are_in_the_answer() -> None:
    assert _decide("那纪要呢？", MINUTES, hits=("纪要",)) == "minutes"
    narrow = skill("minutes", title="会议", triggers=("要点",))
    assert _decide("那要点呢？", narrow, hits=("要点",)) == "minutes"
    assert _decide("那要点呢？", narrow, hits=("要点",), earlier="要点如下：…") == "optimize"


def test_a_skill_with_steps_keeps_a_question_only_if_a_model_can_answer_it() -> None:
    assert _decide(SPECIFIC, active=STEPS) == "cover"
    assert _decide(SPECIFIC, active=STEPS, model=True) == "optimize"


def test_with_a_model_a_question_for_one_row_stays_whatever_skill_has_its_words() -> None:
    assert _decide(SPECIFIC, MINUTES) == "minutes"
    assert _decide(SPECIFIC, MINUTES, model=True) == "optimize"


def test_without_a_skill_in_use_and_with_two_tasks_nothing_stays() -> None:
    assert _decide(ASKED, active=None) == "cover"
    assert _decide(ASKED, requests=("cover", "minutes")) == "cover"


def _follow(message: str, found: Skill, active: Skill | None = None, home: str = "") -> tuple[str, str | None]:
    state = SimpleNamespace(
        skill=SimpleNamespace(active=active),
        uses_builtin_model=lambda _stage: False,
        resources=SimpleNamespace(packs=(SimpleNamespace(examples=(BilingualText(home, home),)),) if home else ()),
        request=SimpleNamespace(message=message, catalog={found.id: found}, earlier_messages=()),
    )
    made = stay_for_detail(cast("TurnState", state), Decision("suggest", "search", message, skill=found.id))
    return made.verdict, made.skill


def test_words_that_a_skill_suggests_are_never_asked_back() -> None:
    following = {"next_messages": {"zh": ["写诊断报告"], "en": ["Write the diagnosis report"]}}
    bearing = skill("bearing", examples=("诊断1号泵的轴承",), metadata=following)
    for said in ("写诊断报告", "写诊断报告。", "write the diagnosis report", "诊断1号泵的轴承"):
        assert _follow(said, bearing, active=bearing) == _follow(said, bearing) == ("auto", "bearing"), said
    assert _follow("写报告", bearing) == ("suggest", "bearing")


def test_an_example_of_the_first_page_goes_to_its_skill_from_any_other() -> None:
    assert _follow(SPECIFIC, COVER, active=OPTIMIZE) == ("auto", "optimize")
    assert _follow(SPECIFIC, COVER, active=OPTIMIZE, home=SPECIFIC) == ("auto", "cover")


@pytest.mark.parametrize(("message", "stays"), [("现在有哪些参数在用", True), ("现在几点", False)])
def test_what_the_skill_in_use_offers_stays_with_it_if_no_skill_is_found(message: str, stays: bool) -> None:
    active = skill("apply", sop=({"id": "a", "call": "x"},), examples=("现在有哪些参数在用",))
    state = SimpleNamespace(
        skill=SimpleNamespace(active=active),
        resources=SimpleNamespace(packs=()),
        uses_builtin_model=lambda _stage: True,
        request=SimpleNamespace(message=message, catalog={"apply": active}, earlier_messages=[]),
    )
    made = stay_for_detail(cast("TurnState", state), Decision("none", "search", message))
    assert (made.verdict, made.skill) == (("auto", "apply") if stays else ("none", None))


def test_a_question_stays_with_the_steps_that_answer_follow_ups_if_it_is_most_likely_theirs() -> None:
    chart = skill("bazi", title="八字", sop=({"id": "a", "call": "x"},), metadata={"follow_ups": "steps"})
    state = SimpleNamespace(
        skill=SimpleNamespace(active=chart),
        resources=SimpleNamespace(packs=()),
        uses_builtin_model=lambda _stage: True,
        request=SimpleNamespace(message="2026年运势怎么样", catalog={chart.id: chart, "minutes": MINUTES}),
    )
    likely = Decision("suggest", "search", "2026年运势怎么样", skill="bazi", candidates=(Candidate("bazi", 0.5),))
    made = stay_for_detail(cast("TurnState", state), likely)
    assert (made.verdict, made.route, made.skill) == ("auto", "sticky", "bazi")
    other = Decision("suggest", "search", "整理纪要", skill="minutes", candidates=(Candidate("minutes", 0.5),))
    assert stay_for_detail(cast("TurnState", state), other) == other
