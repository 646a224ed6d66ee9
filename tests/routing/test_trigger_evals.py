"""Trigger evals: the file inside a skill, the counts over a route function, and the gate for a build."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from metier.errors import InvalidInput, InvalidSkill, UsageError
from metier.routing import Decision, EvalReport, SkillEval, Verdict, build_eval_case, evaluate
from metier.routing._trigger_evals import EVALS_FILE, Confusion, Counts, EvalQuery, load_queries
from metier.skills import Layout, Skill, SkillLibrary, Source

SHIPPED = Path(__file__).resolve().parents[2] / "src/metier/bench/models/skills"


def skill_in(folder: Path, skill_id: str = "pptx", content: object = None, *, layout: Layout = "agent-skill") -> Skill:
    """A skill in a folder of its own; with content, its eval queries (text and bytes as they are, else as JSON)."""
    own = folder / skill_id
    path = own / EVALS_FILE
    path.parent.mkdir(parents=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return Skill(skill_id, skill_id, "", Source(own / "SKILL.md", own, layout), "")


def queries(*should: str, but_not: tuple[str, ...] = ()) -> list[dict[str, object]]:
    meant = [{"query": text, "should_trigger": True} for text in should]
    return [*meant, *({"query": text, "should_trigger": False} for text in but_not)]


def won_by(*skills: str, verdict: Verdict = "auto") -> Decision:
    return Decision(verdict, "search", "", skill=skills[0] if skills else None, skills=skills)


NOBODY = Decision("none", "search", "")


class Script:
    """A route function that answers from a table; what is not in it goes to nobody."""

    def __init__(self, answers: Mapping[str, Decision]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, message: str) -> Decision:
        self.asked.append(message)
        return self.answers.get(message, NOBODY)


def only(report: EvalReport) -> SkillEval:
    (one,) = report.skills
    return one


# The file -------------------------------------------------------------------------------------------------------------


def test_queries_are_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=queries("做几页片子", "make slides", but_not=("你好",)))

    assert load_queries(skill) == (
        EvalQuery("做几页片子", should_trigger=True, index=0),
        EvalQuery("make slides", should_trigger=True, index=1),
        EvalQuery("你好", should_trigger=False, index=2),
    )


def test_a_skill_without_the_file_has_no_queries(tmp_path: Path) -> None:
    assert load_queries(skill_in(tmp_path)) == ()


def test_a_flat_skill_does_not_take_the_queries_of_the_folder_it_shares(tmp_path: Path) -> None:
    assert load_queries(skill_in(tmp_path, content=queries("make slides"), layout="flat")) == ()


def test_a_flat_skill_has_its_queries_under_its_own_name(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, layout="flat")
    (skill.source.folder / "evals" / "pptx.json").write_text(json.dumps(queries("make slides")), "utf-8")

    assert [one.query for one in load_queries(skill)] == ["make slides"]


def test_keys_of_other_tools_are_left_alone(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=[{"query": "make slides", "should_trigger": True, "note": "terse"}])

    assert load_queries(skill) == (EvalQuery("make slides", should_trigger=True),)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=b"\xef\xbb\xbf" + json.dumps(queries("make slides")).encode())

    assert len(load_queries(skill)) == 1


_BAD_FILES = {
    "an object": ({"query": "a", "should_trigger": True}, "must hold a list, not an object"),
    "null": ("null", "must hold a list, not null"),
    "a text": ('"a"', "must hold a list, not a text"),
    "no queries": ([], "holds no queries"),
    "no JSON": ("[\n{]", "line 2, is not JSON"),
    "an empty file": ("", "line 1, is not JSON"),
    "NaN": ('[{"query": "a", "should_trigger": true, "weight": NaN}]', "NaN is not JSON"),
    "a key twice": ('[{"query": "a", "query": "b", "should_trigger": true}]', "a key is written twice"),
    "bottomless": ("[" * 200_000, "is not JSON that can be used"),
    "not UTF-8": (b"[\xff]", "is not UTF-8 text"),
}


@pytest.mark.parametrize(("content", "said"), _BAD_FILES.values(), ids=_BAD_FILES)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(InvalidSkill) as caught:
        load_queries(skill_in(tmp_path, content=content))

    assert str(tmp_path / "pptx" / EVALS_FILE) in caught.value.message
    assert said in caught.value.message
    assert caught.value.hint


_GOOD = {"query": "make slides", "should_trigger": True}
_BAD_ITEMS = {
    "a text": ("make slides", "must be an object, not a text"),
    "a list": ([], "must be an object, not a list"),
    "no query": ({"should_trigger": True}, "has no 'query'"),
    "no verdict": ({"query": "a"}, "has no 'should_trigger'"),
    "a number as query": ({"query": 1, "should_trigger": True}, "has a number as 'query'"),
    "null as query": ({"query": None, "should_trigger": True}, "has null as 'query'"),
    "a quoted verdict": ({"query": "a", "should_trigger": "true"}, "has a text as 'should_trigger'"),
    "1 as verdict": ({"query": "a", "should_trigger": 1}, "has a number as 'should_trigger'"),
    "an empty query": ({"query": "", "should_trigger": True}, "is empty"),
    "a blank query": ({"query": " \n\u3000", "should_trigger": True}, "is empty"),
    "the same again": (_GOOD, "repeats query 0: 'make slides'"),
    "the same but for case, blanks and verdict": (
        {"query": " Make  SLIDES", "should_trigger": False},
        "repeats query 0",
    ),
}


@pytest.mark.parametrize(("item", "said"), _BAD_ITEMS.values(), ids=_BAD_ITEMS)
def test_a_bad_query_is_named_by_file_and_index(tmp_path: Path, item: object, said: str) -> None:
    with pytest.raises(InvalidSkill) as caught:
        load_queries(skill_in(tmp_path, content=[_GOOD, item]))

    assert f"{str(tmp_path / 'pptx' / EVALS_FILE)!r}, query 1, {said}" in caught.value.message
    assert caught.value.hint


def test_half_of_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSkill, match="query 0, holds half of a character"):
        load_queries(skill_in(tmp_path, content=r'[{"query": "a\ud83d", "should_trigger": true}]'))


def test_a_folder_in_the_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    skill = skill_in(tmp_path)
    (skill.source.folder / EVALS_FILE).mkdir()

    with pytest.raises(InvalidSkill, match="cannot be read"):
        load_queries(skill)


@pytest.mark.parametrize("skill_id", ["research", "pptx", "bearing-diagnosis"])
def test_the_shipped_queries_are_in_both_languages_and_have_near_misses(skill_id: str) -> None:
    found = load_queries(SkillLibrary.from_folders(SHIPPED).catalog()[skill_id])

    for should in (True, False):
        texts = [one.query for one in found if one.should_trigger is should]
        assert len(texts) >= 5
        assert {text.isascii() for text in texts} == {True, False}


# The counts -----------------------------------------------------------------------------------------------------------

_OUTCOMES = {
    "chosen": (won_by("pptx"), True),
    "offered": (won_by("pptx", verdict="suggest"), True),
    "one of several": (won_by("research", "pptx"), True),
    "named only as the one skill": (Decision("auto", "explicit", "", skill="pptx"), True),
    "another": (won_by("pdf"), False),
    "nobody": (NOBODY, False),
    "named, but the verdict is none": (won_by("pptx", verdict="none"), False),
    "a list of skills": (Decision("auto", "list", ""), False),
}


@pytest.mark.parametrize(("decision", "triggered"), _OUTCOMES.values(), ids=_OUTCOMES)
def test_a_query_triggers_a_skill_that_is_chosen_or_offered(
    tmp_path: Path, decision: Decision, *, triggered: bool
) -> None:
    skill = skill_in(tmp_path, content=queries("meant", but_not=("not meant",)))

    counts = only(evaluate(Script({"meant": decision, "not meant": decision}), [skill])).counts

    assert counts == (Counts(tp=1, fp=1) if triggered else Counts(fn=1, tn=1))


def test_missed_queries_say_who_won_them_the_most_frequent_first(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=queries("a", "b", "c", "d", "e", "f", "g"))
    answers = {
        "a": won_by("pptx"),
        "c": won_by("research"),
        "d": won_by("pdf"),
        "e": won_by("pdf"),
        "f": won_by("code", "pdf"),
    }

    one = only(evaluate(Script(answers), [skill]))

    assert one.counts == Counts(tp=1, fn=6)
    assert one.confusions == (
        Confusion("pdf", ("d", "e")),
        Confusion(None, ("b", "g")),
        Confusion("code", ("f",)),
        Confusion("research", ("c",)),
    )


def test_messages_taken_by_mistake_are_listed(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=queries("a", but_not=("near", "far")))

    one = only(evaluate(Script({"a": won_by("pptx"), "near": won_by("pptx")}), [skill]))

    assert (one.counts, one.false_alarms) == (Counts(tp=1, fp=1, tn=1), ("near",))


def test_it_does_not_matter_who_wins_a_query_that_is_not_the_skills_own(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=queries("a", but_not=("other",)))

    one = only(evaluate(Script({"a": won_by("pptx"), "other": won_by("pdf")}), [skill]))

    assert (one.counts, one.confusions) == (Counts(tp=1, tn=1), ())


def test_every_query_is_routed_once_and_as_it_is_written(tmp_path: Path) -> None:
    route = Script({})

    evaluate(route, [skill_in(tmp_path, content=queries(" 做几页  片子 ", but_not=("你好",)))])

    assert route.asked == [" 做几页  片子 ", "你好"]


def test_the_totals_are_the_sum_and_skills_without_queries_are_named(tmp_path: Path) -> None:
    skills = [
        skill_in(tmp_path, "pptx", queries("a", "b", but_not=("c",))),
        skill_in(tmp_path, "bazi"),
        skill_in(tmp_path, "pdf", queries("d", but_not=("a",))),
    ]
    answers = {"a": won_by("pptx", "pdf"), "b": NOBODY, "d": won_by("pdf")}

    report = evaluate(Script(answers), skills)

    assert [one.skill for one in report.skills] == ["pptx", "pdf"]
    assert report.unmeasured == ("bazi",)
    assert report.totals == Counts(tp=2, fp=1, fn=1, tn=1)


def test_an_error_of_the_route_function_is_not_swallowed(tmp_path: Path) -> None:
    def broken(message: str) -> Decision:
        raise UsageError(message)

    with pytest.raises(UsageError, match="make slides"):
        evaluate(broken, [skill_in(tmp_path, content=queries("make slides"))])


_RATIOS = {
    "all right": (Counts(tp=3, tn=2), 1.0, 1.0, 1.0),
    "half right": (Counts(tp=1, fp=1, fn=1, tn=1), 0.5, 0.5, 0.5),
    "uneven": (Counts(tp=3, fp=1, fn=3), 0.75, 0.5, 0.6),
    "took none": (Counts(fn=2, tn=2), None, 0.0, 0.0),
    "none is its own, took one": (Counts(fp=1, tn=1), 0.0, None, 0.0),
    "none is its own, took none": (Counts(tn=4), None, None, None),
    "nothing at all": (Counts(), None, None, None),
}


@pytest.mark.parametrize(("counts", "precision", "recall", "f1"), _RATIOS.values(), ids=_RATIOS)
def test_a_ratio_over_nothing_is_undefined(
    counts: Counts, precision: float | None, recall: float | None, f1: float | None
) -> None:
    assert (counts.precision, counts.recall, counts.f1) == (precision, recall, f1)


# The gate and the report ----------------------------------------------------------------------------------------------


def report_of(*counts: Counts) -> EvalReport:
    return EvalReport(tuple(SkillEval(f"skill-{number}", one) for number, one in enumerate(counts)))


_HALF = Counts(tp=1, fp=1, fn=1)
_GATES = {
    "above": (report_of(_HALF), 0.4, True),
    "exactly": (report_of(_HALF), 0.5, True),
    "below": (report_of(_HALF), 0.51, False),
    "one of two below, though the total is above": (report_of(Counts(tp=90), _HALF), 0.9, False),
    "undefined is not below": (report_of(Counts(tn=3), Counts(tp=1)), 1.0, True),
    "took none of its own": (report_of(Counts(fn=3)), 0.1, False),
    "nothing measured": (EvalReport(unmeasured=("bazi",)), 0.0, False),
}


@pytest.mark.parametrize(("report", "min_f1", "passes"), _GATES.values(), ids=_GATES)
def test_the_gate_is_for_every_skill(report: EvalReport, min_f1: float, *, passes: bool) -> None:
    assert report.passes(min_f1) is passes


@pytest.mark.parametrize("min_f1", [-0.1, 1.1, 80.0, float("nan")])
def test_a_gate_that_is_not_an_f1_is_refused(min_f1: float) -> None:
    with pytest.raises(UsageError, match="cannot be an F1"):
        report_of(_HALF).passes(min_f1)


def test_the_report_is_plain_json(tmp_path: Path) -> None:
    skills = [skill_in(tmp_path, "pptx", queries("a", "b", "c", but_not=("d",))), skill_in(tmp_path, "bazi")]
    answers = {"a": won_by("pptx"), "b": won_by("pptx"), "c": won_by("pdf"), "d": won_by("pptx")}

    found = json.loads(json.dumps(evaluate(Script(answers), skills).to_json()))

    counts = {"tp": 2, "fp": 1, "fn": 1, "tn": 0, "precision": 0.6667, "recall": 0.6667, "f1": 0.6667}
    confusions = [{"winner": "pdf", "times": 1, "messages": ["c"]}]
    assert found == {
        "skills": [{"skill": "pptx", **counts, "confusions": confusions, "false_alarms": ["d"]}],
        "totals": counts,
        "unmeasured": ["bazi"],
    }


def test_an_undefined_ratio_is_null_in_the_report() -> None:
    totals = report_of(Counts(tn=1)).totals.to_json()

    assert totals == {"tp": 0, "fp": 0, "fn": 0, "tn": 1, "precision": None, "recall": None, "f1": None}


def test_a_case_of_a_message_leaves_out_the_command_that_named_the_skill(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, content=queries("写一份周报"))
    for message in ("/pptx 做十页介绍", "／PPTX：做十页介绍", "使用 pptx 做十页介绍", " 做十页介绍 "):
        made = build_eval_case(skill, message, should_trigger=True)
        assert [one.query for one in made.queries] == ["写一份周报", "做十页介绍"], message
    with pytest.raises(InvalidInput):
        build_eval_case(skill, "/pptx", should_trigger=True)
