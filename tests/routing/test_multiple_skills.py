from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from metier.routing import Candidate, Decision, Router, Thresholds, Verdict
from metier.routing._multiple_skills import ScoredDecision, choose_skills, judge_parts
from metier.routing.ranking import Floats
from metier.routing.text import RequestPart
from tests.routing.support import DESK, PDF, PPTX, WORDS, ConceptView, both


@both
@pytest.mark.parametrize(
    ("message", "chosen"),
    [
        pytest.param("写周报，然后整理会议纪要", ("weekly-report", "meeting-minutes"), id="in this order"),
        pytest.param("整理会议纪要，然后写周报", ("meeting-minutes", "weekly-report"), id="in that order"),
        pytest.param("write the minutes and then make slides", ("meeting-minutes", "pptx"), id="English"),
        pytest.param("整理会议纪要；不要做PPT；算个八字", ("meeting-minutes", "bazi"), id="one refused"),
        pytest.param("先算个八字，再做个PPT", ("bazi", "pptx"), id="先…再…"),
        pytest.param("写周报，并做成幻灯片", ("weekly-report", "pptx"), id="并"),
        pytest.param("整理会议纪要，做个PPT", ("meeting-minutes", "pptx"), id="a comma"),
        pytest.param("算个八字。写周报。", ("bazi", "weekly-report"), id="two sentences"),
        pytest.param("出周报和PPT", ("weekly-report", "pptx"), id="one verb, two objects"),
        pytest.param("both slides and meeting minutes", ("pptx", "meeting-minutes"), id="both … and"),
        pytest.param("List the action items. Also make slides.", ("meeting-minutes", "pptx"), id="Also"),
    ],
)
def test_a_message_for_several_skills_takes_them_in_order(
    router: Router, message: str, chosen: tuple[str, ...]
) -> None:
    decision = router.route(message, catalog=DESK)
    assert (decision.skills, decision.skill, decision.message) == (chosen, chosen[0], message)
    assert {candidate.skill for candidate in decision.candidates} == set(chosen)
    assert "the message asks for 2 things" in decision.notes
    for asked in chosen:
        assert any(note.startswith("“") and note.endswith(f"asks for '{asked}'") for note in decision.notes)


@both
@pytest.mark.parametrize(
    ("message", "chosen"),
    [
        pytest.param("整理会议纪要，然后列出会议决议", "meeting-minutes", id="the same skill twice"),
        pytest.param("整理会议纪要，然后发给大家", "meeting-minutes", id="the rest is for nobody"),
        pytest.param("先打开窗户，然后写周报", "weekly-report", id="the first is for nobody"),
    ],
)
def test_one_thing_in_two_steps_stays_one(router: Router, message: str, chosen: str) -> None:
    assert router.route(message, catalog=DESK).skills in ((chosen,), ())


def test_two_of_a_group_are_taken_if_both_are_certain() -> None:
    assert PPTX.group == PDF.group
    decision = WORDS.route("把大纲变成幻灯片，然后合并这两个PDF，最后写周报", catalog=DESK)
    assert decision.skills == ("pptx", "pdf", "weekly-report")


def test_one_unsure_part_makes_the_whole_a_suggestion() -> None:
    parts = {part: WORDS.route(part, catalog=DESK).candidates[0].score for part in ("写周报", "从那个PDF取数")}
    low, high = sorted(parts.values())
    assert low < high
    between = Router(thresholds=Thresholds(auto=(low + high) / 2, suggest=0.05, meant=0))
    decision = between.route("写周报，然后从那个PDF取数", catalog=DESK)
    assert (decision.verdict, decision.skills) == ("suggest", ("weekly-report", "pdf"))


def judged(
    skill: str, right: float, *others: str, verdict: Verdict | None = None, called: bool = False, words: float = 0.3
) -> ScoredDecision:
    said = verdict or ("auto" if right >= 0.8 else "suggest")
    skills = () if said == "none" else (skill,)
    decision = Decision(
        said,
        "search",
        "",
        skill=skill if skills else None,
        skills=skills,
        candidates=(Candidate(skill, right, words),),
        vectors=True,
        meant=right,
    )
    return ScoredDecision(decision, (skill, *others), right, called)


WHOLE = judged("a", 0.7, "b", "c", "d", "e")
LONG = "the longest of them"
GROUPS = {"a": "", "b": "", "c": "", "d": "files", "e": "files", "strange": ""}


def part(text: str, *, marked: bool = True) -> RequestPart:
    return RequestPart(text, marked, is_request=True)


@pytest.mark.parametrize(
    ("parts", "chosen"),
    [
        pytest.param([judged("a", 0.9), judged("b", 0.9)], ("a", "b"), id="both sure"),
        pytest.param([judged("b", 0.9), judged("a", 0.9)], ("b", "a"), id="in the order asked"),
        pytest.param([judged("a", 0.9), judged("b", 0.46)], ("a", "b"), id="one sure, one likely"),
        pytest.param([judged("a", 0.9), judged("b", 0.44)], ("a",), id="one sure, one unlikely"),
        pytest.param([judged("a", 0.9), judged("b", 0.36, called=True)], ("a", "b"), id="called by a trigger"),
        pytest.param(
            [judged("a", 0.9), judged("b", 0.7, "a", words=0.1)], ("a",), id="nothing of its own speaks for one"
        ),
        pytest.param([judged("a", 0.79), judged("b", 0.6, "a")], ("a",), id="neither sure"),
        pytest.param([judged("a", 0.9), judged("strange", 0.6, "a")], ("a",), id="not in the whole, likely"),
        pytest.param([judged("a", 0.7), judged("b", 0.5)], ("a", "b"), id="likely, with nothing in common"),
        pytest.param([judged("a", 0.6), judged("b", 0.5)], ("a",), id="nothing in common, but none likely"),
        pytest.param([judged("a", 0.9), judged("strange", 0.7)], ("a", "strange"), id="not in the whole, more"),
        pytest.param([judged("a", 0.9), judged("b", 0.9, verdict="none")], ("a",), id="one is for nobody"),
        pytest.param([judged("a", 0.9), judged("a", 0.9)], ("a",), id="the same twice"),
        pytest.param([judged("d", 0.9), judged("e", 0.6), judged("b", 0.9)], ("d", "b"), id="one of a group"),
        pytest.param([judged("d", 0.9), judged("e", 0.7), judged("b", 0.9)], ("d", "e", "b"), id="two of a group"),
    ],
)
def test_the_parts_are_believed_as_far_as_they_are_likely(parts: list[ScoredDecision], chosen: tuple[str, ...]) -> None:
    decision = choose_skills(WHOLE, [(part(f"part {at}"), one) for at, one in enumerate(parts)], GROUPS)
    assert decision.skills == chosen


@pytest.mark.parametrize(
    ("second", "asked"),
    [
        pytest.param(judged("b", 0.2), ["a", "b"], id="a skill that is not sure"),
        pytest.param(judged("b", 0.1, verdict="none"), ["a", ""], id="no skill: told, not dropped"),
        pytest.param(judged("b", 0.2, "a"), [], id="the first one's skill may do both"),
    ],
)
def test_what_is_said_to_be_another_matter_is_a_request_of_its_own(second: ScoredDecision, asked: list[str]) -> None:
    order = part("check the weak cells")._replace(is_own_order=True, is_aside=True)
    aside = part("write a letter")._replace(is_own_order=True, is_aside=True)
    parts = judge_parts(WHOLE, (order, aside), lambda one: judged("a", 0.5) if one == order else second)
    assert [one.skill for one in choose_skills(WHOLE, parts, GROUPS).requests] == asked


def test_a_part_that_only_a_comma_sets_apart_has_to_be_likelier() -> None:
    sure, likely = judged("a", 0.9), judged("b", 0.48)
    by_word = [(part("x"), sure), (part("y"), likely)]
    by_comma = [(part("x"), sure), (part("y", marked=False), likely)]
    assert choose_skills(WHOLE, by_word, GROUPS).skills == ("a", "b")
    assert choose_skills(WHOLE, by_comma, GROUPS).skills == ("a",)


def _likely(skill: str, right: float, among: float, *others: str, words: float = 0.5) -> ScoredDecision:
    return replace(judged(skill, right, *others, words=words), among=among)


@pytest.mark.parametrize(
    ("second", "chosen"),
    [
        pytest.param(_likely("strange", 0.3, 0.75, "y"), ("d", "strange"), id="a skill of its own"),
        pytest.param(_likely("strange", 0.3, 0.6, "y"), ("a",), id="no skill is near"),
        pytest.param(_likely("strange", 0.3, 0.75, "x"), ("a",), id="one skill is near for both"),
        pytest.param(_likely("strange", 0.3, 0.75, "y", words=0.1), ("a",), id="few of its words"),
    ],
)
def test_two_orders_that_a_word_tells_apart_are_two_tasks_if_each_has_a_likely_skill(
    second: ScoredDecision, chosen: tuple[str, ...]
) -> None:
    first = _likely("d", 0.5, 0.75, "x")
    found = choose_skills(WHOLE, [(part("one"), first), (part("two"), second)], GROUPS)
    assert (found.skills, found.verdict) == (chosen, "suggest")
    by_comma = [(part("one"), first), (part("two", marked=False), second)]
    assert choose_skills(WHOLE, by_comma, GROUPS).skills == ("a",)


def test_what_is_done_with_the_thing_in_front_is_a_step_if_one_skill_is_near_for_both() -> None:
    first, second = judged("a", 0.9, "x"), judged("b", 0.7, "y", "x")
    plot = part("plot it", marked=False)._replace(reuses=True)
    assert choose_skills(WHOLE, [(part("one"), first), (plot, second)], GROUPS).skills == ("a",)
    for other in (plot._replace(reuses=False), plot._replace(marked=True)):
        assert choose_skills(WHOLE, [(part("one"), first), (other, second)], GROUPS).skills == ("a", "b")
    assert choose_skills(WHOLE, [(part("one"), first), (plot, judged("b", 0.7, "y"))], GROUPS).skills == ("a", "b")


def test_several_say_which_part_asks_for_which_and_how_sure_that_is() -> None:
    decision = choose_skills(WHOLE, [(part("写周报"), judged("a", 0.7)), (part("做PPT"), judged("b", 0.9))], GROUPS)
    assert (decision.verdict, decision.skill, decision.meant) == ("suggest", "a", 0.9)
    assert decision.notes == ("the message asks for 2 things", "“写周报” asks for 'a'", "“做PPT” asks for 'b'")
    assert [candidate.skill for candidate in decision.candidates] == ["b", "a"]


@pytest.mark.parametrize(
    ("whole", "skills"),
    [
        pytest.param(judged("a", 0.9, "b", "c"), ("b",), id="asked for beyond doubt"),
        pytest.param(judged("a", 0.9, "c", "d", "b"), ("a",), id="far from the whole"),
        pytest.param(judged("a", 0.3, "b", verdict="none"), ("b",), id="the whole is for nobody"),
    ],
)
def test_what_is_asked_for_wins_over_what_it_is_about(whole: ScoredDecision, skills: tuple[str, ...]) -> None:
    decision = choose_skills(whole, [(part("整理成待办"), judged("b", 0.9))], GROUPS)
    assert decision.skills == skills
    assert ("“整理成待办” asks for 'b'" in decision.notes) is (skills == ("b",))
    assert decision.verdict == ("suggest" if skills == ("b",) else "auto")


@pytest.mark.parametrize(
    ("whole", "may"),
    [
        pytest.param(
            ScoredDecision(WHOLE.decision, ("a",), 0.99, has_trigger=True, triggered_count=1),
            False,
            id="one, beyond doubt",
        ),
        pytest.param(
            ScoredDecision(WHOLE.decision, ("a",), 0.99, has_trigger=True, triggered_count=2),
            True,
            id="but two are called",
        ),
        pytest.param(ScoredDecision(WHOLE.decision, ("a",), 0.97), True, id="some doubt"),
        pytest.param(ScoredDecision(WHOLE.decision), False, id="nothing was found"),
    ],
)
def test_a_message_beyond_doubt_is_not_taken_apart(whole: ScoredDecision, *, may: bool) -> None:
    assert whole.may_be_several is may


@pytest.mark.parametrize(
    ("whole", "likely", "looked_at"),
    [
        pytest.param(WHOLE, {"bb": 0.2}, ["bb"], id="the short one ends it"),
        pytest.param(
            WHOLE, {"bb": 0.2, "a long one": 0.9, "c": 0.9}, ["c", "bb", "a long one", LONG], id="two are left"
        ),
        pytest.param(WHOLE, {"bb": 0.6}, ["bb", LONG], id="both may be meant"),
        pytest.param(judged("a", 0.3, verdict="none"), {"bb": 0.2}, ["bb", LONG], id="none so far"),
    ],
)
def test_parts_are_judged_as_long_as_two_may_be_meant(
    whole: ScoredDecision, likely: dict[str, float], looked_at: list[str]
) -> None:
    looked: list[str] = []

    def judge(one: RequestPart) -> ScoredDecision:
        looked.append(one.text)
        right = likely.get(one.text, 0.9)
        return judged("b", right, verdict="none" if right < 0.4 else None)

    said = [LONG, *likely]
    found = judge_parts(whole, [part(text) for text in said], judge)
    assert looked == looked_at
    assert [one.text for one, _ in found] == [text for text in said if text in looked]


def test_parts_are_judged_by_the_first_view() -> None:
    first, second = ConceptView(), ConceptView(name="second")
    Router(views=(first, second)).route("写周报，然后整理会议纪要", catalog=DESK)
    assert len(first.embedded) == 3
    assert len(second.embedded) == 1


def test_several_are_found_without_room_for_candidates() -> None:
    decision = Router(top_k=0).route("写周报，然后整理会议纪要", catalog=DESK)
    assert (decision.skills, decision.candidates) == (("weekly-report", "meeting-minutes"), ())


def test_every_part_is_embedded_once_and_what_they_are_about_is_not() -> None:
    view = ConceptView()
    router = Router(views=(view,))
    router.route("写周报，然后整理会议纪要", catalog=DESK)
    assert view.embedded == ["写周报,然后整理会议纪要", "写周报", "整理会议纪要"]
    view.embedded.clear()
    router.route("会上大家说的PPT的意见，整理成纪要", catalog=DESK)
    assert view.embedded == ["会上大家说的PPT的意见,整理成纪要", "整理成纪要"]


def test_sentences_and_parts_are_embedded_together_and_decided_as_one_by_one() -> None:
    class Batched(ConceptView):
        def embed_all(self, messages: Sequence[str]) -> Mapping[str, Floats]:
            batches.append(list(messages))
            return dict(zip(messages, self.vectors(messages), strict=True))

    batches: list[list[str]] = []
    one_by_one, together = ConceptView(), Batched()
    pasted = "今天早上下雨，大家到得都比较晚。" * 8
    for message in ("先写一份周报，然后生成PPT", f"{pasted}请帮我生成PPT。", f"请帮我生成PPT。{pasted}"):
        batches.clear()
        found = Router(views=(together,)).route(message, catalog=DESK)
        expected = Router(views=(one_by_one,)).route(message, catalog=DESK)
        assert (found.verdict, found.skills, found.why) == (expected.verdict, expected.skills, expected.why)
        assert batches, message
        assert not {text for batch in batches for text in batch} & set(together.embedded), "nothing is embedded twice"
