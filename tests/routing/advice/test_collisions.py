"""Collisions of two skills, and trigger evals for a skill that has none."""

from metier.routing import Router, find_collisions, generate_evals
from metier.routing.advice import suggest_improvement
from tests.routing.support import DESK, ConceptView, catalog, skill

_NOTES = skill(
    "meeting-notes",
    title="会议记录",
    description="把会议记录整理成文字，列出待办。Writes down what a meeting decided.",
    triggers=("会议纪要",),
    examples=("整理会议纪要", "把会议里说的整理出来", "list what the meeting decided"),
)


def test_two_skills_that_take_each_others_messages_are_named_with_the_reason() -> None:
    router = Router(views=(ConceptView(),))
    all_skills = catalog(*DESK, _NOTES)
    found = find_collisions(router, all_skills)
    pair = found[0]
    assert (pair.first, pair.second) == ("meeting-minutes", "meeting-notes")
    assert {"same_trigger", "same_example", "same_words", "no_boundary"} <= {one.code for one in pair.reasons}
    assert "会议" in " ".join(pair.explain("zh"))
    assert "both have the triggers 会议纪要" in pair.explain("en")
    told = pair.to_json("en")
    assert told["messages"]
    asked_for = find_collisions(router, all_skills, skills=["meeting-notes"])
    assert asked_for[0].first == "meeting-minutes"
    assert {one.skill for one in asked_for[0].rivalries} == {one.skill for one in pair.rivalries}
    assert find_collisions(router, all_skills, skills=["bazi"]) == ()
    assert find_collisions(router, catalog()) == ()


def test_evals_ask_for_a_skill_and_for_its_neighbours() -> None:
    router = Router(views=(ConceptView(),))
    made = generate_evals(router, DESK, _NOTES, count=9)
    assert made.file == "evals/eval_queries.json"
    assert [one.should_trigger for one in made.queries] == [True] * 6 + [False] * 3
    assert len({one.query for one in made.queries}) == 9
    assert any(one.query in DESK["meeting-minutes"].examples for one in made.queries if not one.should_trigger)
    assert generate_evals(router, catalog(), skill("x")).queries == ()


def test_an_improvement_is_tried_before_it_is_proposed() -> None:
    router = Router(views=(ConceptView(),))
    bare = skill("bookkeeping", title="Bookkeeping", description="Books invoices. Checks receipts, sorts bills.")
    all_skills = catalog(*DESK, bare)
    found = suggest_improvement(router, all_skills, bare)
    assert found.after >= found.before
    assert len(found.examples) <= 5
    assert {"few_examples", "one_language"} <= {one.code for one in found.notes}
    assert found.explain("zh")[0] == "bookkeeping："
    assert found.to_json("en")["own_evals"] is False
    colliding = catalog(*DESK, _NOTES)
    pairs = find_collisions(router, colliding)
    mended = suggest_improvement(router, colliding, _NOTES, collisions=pairs)
    assert mended.after >= mended.before
    assert "collides" in {one.code for one in mended.notes}
    assert suggest_improvement(router, catalog(), skill("x")).examples == ()
