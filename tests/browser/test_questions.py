"""Questions to the reader: a form for what is missing, a fixed question, an approval."""

from playwright.async_api import Locator, expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.visit import Visit


def _form(visit: Visit) -> Locator:
    title = "查数据" if visit.language == "zh" else "Figures"
    return visit.page.locator("section.pause").filter(has=visit.page.get_by_role("heading", name=title))


def _labels(visit: Visit) -> tuple[str, str, str, str]:
    return (
        ("门店", "目标", "日期范围", "最多几项")
        if visit.language == "zh"
        else ("Shop", "Goals", "Period", "Items at most")
    )


async def _fill(visit: Visit) -> None:
    form = _form(visit)
    shop, goals, period, _ = _labels(visit)
    await form.get_by_label(shop, exact=True).fill(visit.trade.shop)
    rows = form.get_by_role("group", name=goals)
    if await rows.get_by_role("textbox").count() == 0:
        await rows.get_by_role("button", name=visit.says("addRow")).click()
    await rows.get_by_role("textbox").first.fill("A")
    dates = form.get_by_role("group", name=period)
    await dates.get_by_label(visit.says("from")).fill("2026-03-01")
    await dates.get_by_label(visit.says("to")).fill("2026-03-31")


async def test_a_form_asks_for_what_is_missing_and_checks_it_before_it_is_sent(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.check)
    form = _form(visit)
    shop, goals, period, top = _labels(visit)
    await expect(form).to_be_visible()
    await expect(form.get_by_label(top)).to_have_value("10")
    await form.get_by_role("button", name=visit.says("sendForm"), exact=True).click()
    summary = form.get_by_role("alert")
    await expect(summary).to_contain_text(visit.says("formProblems", count=4))
    await expect(form.get_by_label(shop, exact=True)).to_have_attribute("aria-invalid", "true")
    await _fill(visit)
    rows = form.get_by_role("group", name=goals)
    await rows.get_by_role("button", name=visit.says("addRow")).click()
    await rows.get_by_role("textbox").nth(1).fill("B")
    await form.get_by_role("group", name=period).get_by_label(visit.says("to")).fill("2026-02-01")
    await form.get_by_label(top).fill("99")
    await form.get_by_role("button", name=visit.says("sendForm"), exact=True).click()
    await expect(summary).to_contain_text(visit.says("formProblems", count=2))
    await expect(form).to_contain_text(visit.says("problem_high", limit=50))
    await expect(form).to_contain_text(visit.says("problem_order"))
    await visit.shot("form")
    await form.get_by_role("group", name=period).get_by_label(visit.says("to")).fill("2026-03-31")
    await form.get_by_label(top).fill("5")
    await form.get_by_role("button", name=visit.says("sendForm"), exact=True).click()
    await expect(form).to_have_count(0)
    call = visit.page.locator(".tool-card").filter(has_text="shop_figures")
    await call.locator("summary").click()
    for written in (visit.trade.shop, '"A"', '"B"', "2026-03-31", "5"):
        await expect(call.locator(".tool-body")).to_contain_text(written)


async def test_a_fixed_question_is_answered_with_a_button(desk: House, visiting: Visiting, language: Language) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.check)
    await _fill(visit)
    await _form(visit).get_by_role("button", name=visit.says("sendForm"), exact=True).click()
    await expect(visit.text(visit.trade.check_ask)).to_be_visible()
    await visit.page.get_by_role("button", name=visit.trade.check_yes, exact=True).click()
    await expect(visit.page.locator(".markdown").last).to_contain_text(visit.trade.check_done)
    await expect(visit.page.locator(".answer-said")).to_have_text(visit.trade.check_yes)
    await visit.done()
    plan = visit.page.get_by_role("region", name=visit.says("plan"), exact=True)
    await expect(plan).to_contain_text(visit.says("planDone", all=3))
    await expect(plan.locator(".step.done")).to_have_count(3)
    await expect(plan.locator(".milestones")).to_contain_text(visit.trade.milestone)
    await visit.shot("chat", dark=True)
    await visit.page.reload()
    await expect(plan.locator(".step.done")).to_have_count(3)
    await expect(visit.page.locator(".answer-said")).to_have_text(visit.trade.check_yes)


async def test_an_approval_can_be_edited_and_shows_what_was_changed(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.notice)
    card = visit.page.locator("section.pause.approval")
    await expect(card).to_contain_text(visit.trade.notice_text)
    await card.get_by_role("button", name=visit.says("edit"), exact=True).click()
    await expect(card).to_contain_text(visit.says("noChange"))
    await card.get_by_label("copies").fill("3")
    diff = card.get_by_role("list", name=visit.says("changes"))
    await expect(diff.locator("del")).to_have_text("1")
    await expect(diff.locator("ins")).to_have_text("3")
    await visit.shot("approval")
    await card.get_by_role("button", name=visit.says("approveEdited"), exact=True).click()
    await visit.done()
    await expect(visit.page.locator(".line .chip.good")).to_contain_text(visit.says("editedApproved"))
    turn = await visit.json(f"/api/conversations/{visit.conversation}/events.json")
    (result,) = [event["data"] for event in turn["events"] if event["kind"] == "tool.result"]
    assert result["data"]["copies"] == 3


async def test_an_approval_can_be_rejected_with_a_reason(desk: House, visiting: Visiting, language: Language) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.notice)
    card = visit.page.locator("section.pause.approval")
    await card.get_by_role("button", name=visit.says("reject"), exact=True).click()
    reason = "先别发" if language == "zh" else "not yet"
    await card.get_by_label(visit.says("rejectReason")).fill(reason)
    await card.get_by_role("button", name=visit.says("reject"), exact=True).click()
    await visit.done()
    line = visit.page.locator(".line").filter(has_text=visit.says("rejected"))
    await expect(line).to_contain_text(reason)
    await expect(visit.page.locator(".tool-card.done")).to_have_count(0)
