"""The console: what happened, why this skill, what was refused, what it cost; each page with its data as JSON."""

import asyncio

from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House, Talker
from tests.browser.visit import Visit
from tests.browser.words import sentence


async def _turn(visit: Visit) -> str:
    found = await visit.json(f"/api/conversations/{visit.conversation}/turns")
    return str(found["turns"][0]["id"])


async def test_the_timeline_of_a_turn_shows_every_step_with_its_time(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.gallery)
    await visit.done()
    await visit.page.get_by_role("link", name=visit.says("how")).click()
    await expect(visit.page.get_by_role("heading", name=visit.trade.gallery, level=2)).to_be_visible()
    fall = visit.page.get_by_role("region", name=visit.console("timeline"))
    await expect(fall.get_by_role("row").filter(has_text="sales_gallery").first).to_be_visible()
    await visit.shot("console", dark=True)
    await fall.get_by_role("button").filter(has_text="sales_gallery").first.click()
    await expect(visit.page.get_by_role("region", name=visit.console("raw")).first).to_contain_text('"tool.called"')
    kinds = visit.page.get_by_role("group", name=visit.console("kinds"))
    await kinds.get_by_role("button", name=visit.console("group_tool")).click()
    await expect(visit.page).to_have_url(
        f"{desk.address}/console/timeline/{visit.page.url.split('/')[-1].split('?')[0]}?kind=tool"
    )
    await visit.page.reload()
    await expect(kinds.get_by_role("button", name=visit.console("group_tool"))).to_have_attribute(
        "aria-pressed", "true"
    )


async def test_the_context_inspector_shows_what_the_model_saw(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.call("shelf_items").say("绿茶。")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.free)
    await visit.done()
    await visit.open(f"/console/context/{await _turn(visit)}")
    sections = visit.page.get_by_role("group", name=visit.console("sections"))
    await expect(sections.get_by_role("row").nth(1)).to_be_visible()
    await expect(visit.page.locator(".console-budget")).to_contain_text(visit.trade.free_title)
    calls = visit.page.get_by_role("group", name=visit.console("calls")).get_by_role("button")
    await expect(calls).to_have_count(2)
    await calls.nth(1).click()
    await expect(calls.nth(1)).to_have_attribute("aria-pressed", "true")
    assert "seq=" in visit.page.url
    await visit.shot("context")


async def test_the_catalogue_leads_to_a_skill_with_its_steps_findings_and_use(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language, "/console/skills")
    await visit.page.get_by_role("searchbox").fill(visit.trade.check_title)
    await expect(visit.page.locator(".console-skill")).to_have_count(1)
    await visit.page.get_by_role("link", name=visit.trade.check_title).click()
    await expect(visit.page.get_by_role("heading", name=visit.trade.check_title, level=2)).to_be_visible()
    steps = visit.page.locator("figure.graph")
    await expect(steps.locator("[data-node]")).to_have_count(4)  # three steps and what is checked after the first
    await steps.get_by_role("button", name=visit.picture("asList")).click()
    await expect(steps.get_by_role("listitem").first).to_be_visible()
    await expect(visit.page.locator(".console-facts").first).to_contain_text("shop_figures")
    await visit.page.get_by_role("link", name=visit.console("tryRoute")).click()
    await expect(visit.page.locator(".console-verdict")).to_contain_text(f"check-{language}")


async def test_the_playground_says_why_this_skill_and_what_if_it_were_not_there(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language, "/console/playground")
    await visit.page.get_by_label(visit.console("message")).fill(visit.trade.gallery)
    await visit.page.get_by_role("button", name=visit.console("ask"), exact=True).click()
    verdict = visit.page.locator(".console-verdict")
    await expect(verdict).to_contain_text(visit.console("verdict_auto"))
    await expect(verdict).to_contain_text(f"gallery-{language}")
    await expect(verdict.locator("mark").first).to_be_visible()
    first = visit.page.locator(".console-candidate").first
    await expect(first).to_contain_text(visit.console("feature_triggers"))
    await expect(first).to_contain_text(sentence("routing", "triggers", language))
    await expect(verdict).to_contain_text(sentence("routing", "words_alone", language))
    await expect(first.get_by_role("meter")).to_be_visible()
    await visit.shot("playground")
    without = visit.page.get_by_role("group", name=visit.console("without"))
    await without.get_by_role("button", name=visit.trade.gallery_title, exact=True).click()
    await expect(verdict).not_to_contain_text(f"gallery-{language}")
    assert f"without=gallery-{language}" in visit.page.url
    await visit.page.reload()
    await expect(verdict).not_to_contain_text(f"gallery-{language}")


async def test_the_inbox_explains_a_violation_and_leads_to_open_questions(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.call("write_report", shop="A").call("request_exception", tool="write_report", reason="报告要用")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.free)
    await expect(visit.page.locator("section.pause.exception")).to_be_visible()
    await visit.open("/console/violations")
    await visit.page.get_by_role("button", name=visit.console("explain")).first.click()
    explained = visit.page.locator(".console-explained")
    await expect(explained).to_contain_text(visit.console("verdictDeny"))
    await expect(explained).to_contain_text("shelf_items")
    await visit.shot("violations")
    await visit.page.get_by_role("button", name=visit.console("tabExceptions"), exact=True).click()
    await expect(visit.page.get_by_role("row").nth(1)).to_contain_text("报告要用")
    await visit.page.get_by_role("button", name=visit.console("tabPauses"), exact=True).click()
    await visit.page.get_by_role("link", name=visit.console("answerInChat")).first.click()
    await expect(visit.page.locator("section.pause.exception")).to_be_visible()


async def test_two_benchmark_runs_are_compared_and_what_got_worse_comes_first(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language, "/console/bench")
    rows = visit.page.get_by_role("table").get_by_role("row")
    await expect(rows.nth(1)).to_contain_text("turn p50")
    await expect(rows.nth(1)).to_contain_text(visit.console("verdictWorse"))
    await expect(rows.nth(1)).to_contain_text("+40%")
    await expect(rows.nth(2)).to_contain_text(visit.console("verdictBetter"))
    await visit.page.get_by_role("button", name=visit.console("swap")).click()
    await expect(rows.nth(1)).to_contain_text("recall")


async def _arrived(visit: Visit, event: str) -> None:
    """Telemetry is written in batches: ask until this conversation's event is there."""
    for _ in range(2000):
        found = await visit.json(f"/dev/telemetry/events?event={event}&session={visit.conversation}")
        if found["events"]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{event} never came")


async def test_telemetry_is_found_by_event(desk: House, visiting: Visiting, language: Language) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.gallery)
    await visit.done()
    await _arrived(visit, "chat.turn_done")
    await visit.open(f"/console/telemetry?session={visit.conversation}")
    names = visit.page.get_by_role("combobox", name=visit.console("eventName"), exact=True)
    await names.select_option("chat.turn_done")
    table = visit.page.get_by_role("group", name=visit.console("events"))
    await expect(table.get_by_role("rowheader")).to_have_text(["chat.turn_done"])
    await table.get_by_role("row").nth(1).get_by_role("button").last.click()
    await expect(visit.page.get_by_role("region", name=visit.console("raw"))).to_contain_text('"chat.turn_done"')
    await visit.shot("telemetry")


async def test_the_quick_jump_goes_anywhere_by_keyboard(desk: House, visiting: Visiting, language: Language) -> None:
    visit = await visiting(desk, language, "/console/timeline")
    await expect(visit.text(visit.console("loading"))).to_have_count(0)
    await expect(visit.page.get_by_role("link", name=".json")).to_be_visible()
    await visit.page.keyboard.press("Control+k")
    box = visit.page.get_by_role("combobox", name=visit.console("jumpHint"))
    await expect(box).to_be_focused()
    await visit.page.keyboard.type(visit.trade.check_title)
    first = visit.page.locator("#jump-list").get_by_role("option").first
    await expect(first).to_contain_text(visit.console("jumpSkill"))  # until the skills are loaded, a search is offered
    await expect(first).to_contain_text(visit.trade.check_title)
    await visit.page.keyboard.press("Enter")
    await expect(visit.page).to_have_url(f"{desk.address}/console/skills/check-{language}")
    await visit.page.keyboard.press("Control+k")
    await expect(box).to_be_focused()
    await visit.page.keyboard.press("Escape")
    await expect(visit.page.get_by_role("dialog")).to_have_count(0)


async def test_a_chat_and_a_turn_have_a_twin_in_json(desk: House, visiting: Visiting) -> None:
    visit = await visiting(desk, "en")
    await visit.say(visit.trade.gallery)
    await visit.done()
    turn = await _turn(visit)
    assert (await visit.json(f"/chat/{visit.conversation}.json"))["messages"]
    for page in ("timeline", "context"):
        assert (await visit.json(f"/console/{page}/{turn}.json"))["events"]
