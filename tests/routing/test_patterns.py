"""Messages that a router gets wrong when one kind of evidence drowns another, each with what the explanation says."""

from dataclasses import replace

import pytest

from metier.routing import Decision, Router
from metier.skills import Catalog, Skill
from tests.routing.support import DESK, PPTX, catalog, skill

SHEET = skill(
    "spreadsheets",
    title="表格处理",
    description="处理 Excel 表格：透视、公式、去重、图表。Works on spreadsheets: pivot tables, formulas, duplicates.",
    triggers=("excel", "透视表", "spreadsheet"),
    examples=("把这张表做成透视表", "删除重复的行", "add a formula to column C"),
)
INVOICE = skill(
    "invoice-check", description="Check invoices for wrong amounts, missing tax numbers and duplicate payments."
)
LINEAR = skill("linear", description="Create and update issues, projects and cycles in Linear, the issue tracker.")
TRAVEL = skill("travel-plan", description="Plan trips: flights, hotels, routes and a budget for each day.")
SLIDES = skill(
    "slide-maker",
    description='Makes slides. Use when the user says "pitch deck" or "investor slides". Do not use for spreadsheets.',
)
SMALL = catalog(SHEET, INVOICE, LINEAR, TRAVEL, SLIDES, PPTX)
FILLER = (
    "The office was quiet this morning and most people came in late because of the rain. Somebody had left a window "
    "open in the corridor, so the plants were wet. We talked about the weekend and the new bakery near the station. "
)


@pytest.fixture(scope="module")
def router() -> Router:
    return Router()


def explain(router: Router, message: str, skills: Catalog = SMALL, *, active: str | None = None, **more: str) -> str:
    return "\n".join(router.route(message, catalog=skills, active=active, **more).explain("en"))


def first(decision: Decision) -> str:
    return decision.candidates[0].skill


def test_exact_words_count_in_a_long_message_and_the_sentence_is_shown(router: Router) -> None:
    # Patterns (a) and (c).
    asked = "Please check the invoices for missing tax numbers."
    for message in (FILLER * 3 + asked, f"{asked} {FILLER * 3}", FILLER + asked + " " + FILLER * 2):
        decision = router.route(message, catalog=SMALL)
        assert first(decision) == "invoice-check", message
        assert any(f"“{asked.rstrip('.')}" in line for line in decision.explain("en")), decision.explain("en")
        assert any("要求在第" in line for line in decision.explain("zh"))


def test_examples_never_make_a_skill_lose_against_skills_without(router: Router) -> None:
    # Pattern (b).
    message = "check these invoices for duplicate payments"
    before = router.route(message, catalog=SMALL).candidates[0]
    for count in range(1, 6):
        said = ("is the tax number right", "look at the bills", "audit the payments", "wrong totals", "who paid twice")
        more = catalog(replace(INVOICE, examples=said[:count], digest=str(count)), SHEET, LINEAR, TRAVEL, SLIDES, PPTX)
        found = router.route(message, catalog=more).candidates[0]
        assert found.skill == before.skill, count


def test_typos_and_traditional_characters_are_read(router: Router) -> None:
    # Patterns (d) and (e).
    slips = router.route("chekc the invocies for dupliacte payments", catalog=SMALL)
    assert first(slips) == "invoice-check"
    assert "'invocies' is read as 'invoices'" in slips.explain("en")
    traditional, simplified = (
        router.route(text, catalog=SMALL)
        for text in ("把這張表做成透視表，刪除重複的行", "把这张表做成透视表，删除重复的行")
    )
    assert traditional.candidates == simplified.candidates
    assert first(router.route("ｅｘｃｅｌ　表格去重", catalog=SMALL)) == "spreadsheets"


def test_a_part_that_is_not_wanted_is_no_refusal_of_the_whole(router: Router) -> None:
    # Pattern (f).
    for message in ("PPT里的动画不要了，其他都保留", "不要PPT里的动画", "no animations in the slides, keep the rest"):
        decision = router.route(message, catalog=catalog(SHEET, INVOICE, LINEAR, TRAVEL, PPTX))
        assert first(decision) == "pptx", message
        assert not decision.candidates[0].negated, message
    nameless = router.route("PPT里的动画不要了，其他都保留", catalog=catalog(SHEET, INVOICE, LINEAR))
    assert not any("refuses" in line for line in nameless.explain("en"))
    refused = router.route("PPT不要了，帮我把表格去重", catalog=SMALL)
    assert refused.skill != "pptx"


def test_a_question_about_something_else_leaves_the_skill_in_use(router: Router) -> None:
    # Pattern (g).
    told = explain(router, "今天股市怎么样", active="spreadsheets")
    assert told.startswith("none")
    assert "something else than 'spreadsheets'" in told
    goes_on = router.route(
        "华东区为什么这么低", catalog=SMALL, active="spreadsheets", answer="华东区销售额 120 万，最低。"
    )
    assert goes_on.skill == "spreadsheets"
    assert any("takes up words of the last answer" in line for line in goes_on.explain("en"))


@pytest.mark.parametrize("name", ["zz-11_kx.csv", "B007_1.npz", "fy26q1v2.xlsx", "aa.b.c-0925.docx"])
@pytest.mark.parametrize(
    "message",
    [
        "Look for duplicate payments in {} today",
        "Which hotels and flights does {} have",
        "把 {} 里重复的行删除",
        "plot {} somehow",
    ],
)
def test_a_file_s_name_makes_no_message_less_sure(router: Router, message: str, name: str) -> None:
    verdicts = ("none", "suggest", "auto")
    with_name = router.route(message.format(name), catalog=SMALL)
    without = router.route(message.format(""), catalog=SMALL)
    assert verdicts.index(with_name.verdict) >= verdicts.index(without.verdict)
    if with_name.verdict != "auto":
        assert with_name.candidates[0].score >= without.candidates[0].score
    if with_name.candidates[0].score == without.candidates[0].score:
        assert any(f"'{name}' is read as '…'" in line for line in with_name.explain("en"))


def test_what_is_quoted_is_not_what_is_asked_for(router: Router) -> None:
    edit = skill("copy-edit", description="Edit and shorten existing text: headlines, product descriptions, letters.")
    line = "'Plan trips with flights, hotels and a budget for each day. Check your invoices now!'"
    decision = router.route(f"Please shorten this text: {line}", catalog=catalog(edit, TRAVEL, INVOICE, SHEET))
    assert first(decision) == "copy-edit"
    assert any("in quotation marks" in one for one in decision.explain("en"))
    assert any("引号里的内容" in one for one in decision.explain("zh"))
    # A message that is nothing but a quotation asks for what it says.
    alone = router.route("'Check the invoices for missing tax numbers'", catalog=SMALL)
    assert first(alone) == "invoice-check"


@pytest.mark.parametrize(
    "message",
    [
        "what does the linear B script say about bronze age palaces",
        "linear regression of the two columns",
        "what is linear algebra good for",
        "the movie script of Casablanca",
    ],
)
def test_a_name_in_another_sense_is_not_taken(router: Router, message: str) -> None:
    # Pattern (h).
    script = skill("script", description="Write shell scripts for recurring jobs on a server.")
    decision = router.route(message, catalog=Catalog.from_skills([*SMALL, script]))
    assert decision.verdict != "auto"
    assert any("words cover" in line for line in decision.explain("en"))


@pytest.mark.parametrize(
    "message", ["open linear", "update the issues in linear", "在 linear 里建一个任务，登录按钮坏了"]
)
def test_a_name_in_its_own_sense_is_taken(router: Router, message: str) -> None:
    assert router.route(message, catalog=SMALL).verdict == "auto"


def test_priority_decides_between_skills_of_a_group_that_fit_equally(router: Router) -> None:
    # Pattern (i).
    # The names would put the special one first: equal skills go by name.
    general = skill("z-report", title="写报告", description="写报告，整理材料", group="writing", priority=90)
    special = skill("a-board", title="写报告", description="写报告，整理材料", group="writing", priority=10)
    decision = router.route("写报告，整理材料", catalog=catalog(general, special, SHEET, LINEAR))
    assert [one.skill for one in decision.candidates[:2]] == ["z-report", "a-board"]
    assert any("its priority is higher" in line for line in decision.explain("en"))


def test_a_description_states_what_a_skill_is_for_and_what_not(router: Router) -> None:
    quoted = router.route("I need a pitch deck", catalog=SMALL)
    told = "\n".join(quoted.explain("en"))
    assert "phrases that its description quotes: pitch deck" in told
    excluded = explain(router, "turn these spreadsheets into something nicer for the investor meeting")
    assert "says it is not for this: spreadsheets" in excluded
    fire = skill("fire", title="消防巡检", description="巡检灭火器和烟感。别用它写应急预案或排班表。")
    said = explain(router, "消防巡检的应急预案", catalog(fire, *SMALL))
    assert "says it is not for this: 应急预案" in said


def test_an_unrelated_skill_never_changes_the_order_of_the_others(router: Router) -> None:
    stranger = skill("zzz", title="цветы", description="полив орхидей")
    for message in ("check invoices", "plan a trip with flights", "透视表去重", "update the issues in linear"):
        before = [one.skill for one in router.route(message, catalog=SMALL).candidates]
        after = [one.skill for one in router.route(message, catalog=Catalog.from_skills([*SMALL, stranger])).candidates]
        assert [one for one in after if one != "zzz"][: len(before) - 1] == before[: len(before) - 1], message


def test_a_trigger_or_an_example_of_its_own_never_lowers_a_skill(router: Router) -> None:
    def rank(message: str, catalog: Catalog) -> list[str]:
        return [each.skill for each in replace(router, top_k=20).route(message, catalog=catalog).candidates]

    def place(one: Skill, message: str) -> int:
        rest = [other for other in DESK if other.id != one.id]
        found = rank(message, Catalog.from_skills([*rest, one]))
        return found.index(one.id) if one.id in found else len(found)

    for message in ("整理上周的会议", "帮我看看数据", "make something nice", "写点东西给客户"):
        first = rank(message, DESK)
        for one in DESK:
            before = first.index(one.id) if one.id in first else len(first)
            told = replace(one, examples=(*one.examples, message), digest=f"{one.digest}+")
            named = replace(one, triggers=(*one.triggers, message[:4]), digest=f"{one.digest}*")
            assert place(told, message) <= before, (message, one.id)
            assert place(named, message) <= before, (message, one.id)
