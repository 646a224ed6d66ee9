"""A tool that is not allowed: it does not run, the line says why, and a person may allow it once."""

from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House, Talker


async def test_a_refused_tool_is_explained_and_can_be_allowed_once(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.call("write_report", shop="A").call("request_exception", tool="write_report", reason="报告要用")
    model.call("write_report", shop="A").say("写好了。")
    visit = await visiting(talk, language)
    await visit.say(visit.trade.free)
    line = visit.page.locator("details.violation")
    await expect(line.locator("summary")).to_contain_text(visit.says("refused", tool="write_report"))
    await expect(line.locator("summary")).to_contain_text(visit.says("layer_skill"))
    await line.locator("summary").click()
    await expect(line.get_by_role("list", name=visit.says("allowedNow"))).to_contain_text("shelf_items")
    card = visit.page.locator("section.pause.exception")
    await expect(card).to_contain_text("报告要用")
    await expect(card).to_contain_text(visit.says("exceptionScope"))
    await visit.shot("exception")
    await card.get_by_label(visit.says("note")).fill("ok")
    await card.get_by_role("button", name=visit.says("grant"), exact=True).click()
    await expect(visit.page.locator(".markdown").last).to_have_text("写好了。")
    await expect(visit.page.locator(".line").filter(has_text=visit.says("exceptionGranted"))).to_contain_text("ok")
    await expect(visit.page.locator(".tool-card.done")).to_contain_text("write_report")
    await line.get_by_role("link", name=visit.says("inbox")).click()
    rows = visit.page.get_by_role("row").filter(has_text="write_report")
    await expect(rows.first).to_contain_text(
        visit.console("code_forbidden_by_skill", tool="write_report", skill=f"shelf-{language}")
    )


async def test_a_refused_exception_stays_refused(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.call("write_report", shop="A").call("request_exception", tool="write_report", reason="报告要用").say(
        "那就算了。"
    )
    visit = await visiting(talk, language)
    await visit.say(visit.trade.free)
    card = visit.page.locator("section.pause.exception")
    await card.get_by_role("button", name=visit.says("reject"), exact=True).click()
    await expect(visit.page.locator(".line").filter(has_text=visit.says("exceptionDenied"))).to_be_visible()
    await visit.done()
    await expect(visit.page.locator(".tool-card.done")).to_have_count(0)
