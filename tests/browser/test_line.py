"""The line to the server is cut, the page is loaded anew, the server starts again: nothing twice, nothing lost."""

from pathlib import Path

from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import HOLD, House, Listener, Relay, Talker, application

CUT = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED_ENCODING")


async def test_loading_the_page_anew_in_the_middle_of_an_answer_goes_on_with_it(
    talk: House, model: Talker, visiting: Visiting
) -> None:
    model.say("first line\n", HOLD, "\nsecond line\n", HOLD, "\nthird line")
    visit = await visiting(talk, "zh")
    await visit.say(visit.trade.chat)
    answer = visit.page.locator(".markdown")
    await expect(answer).to_have_text("first line")
    await visit.page.reload()
    await expect(answer).to_have_text("first line")
    model.go_on()
    await expect(answer.locator("p")).to_have_text(["first line", "second line"])
    model.go_on()
    await expect(answer.locator("p")).to_have_text(["first line", "second line", "third line"])
    await visit.done()
    await expect(visit.page.locator(".turn")).to_have_count(1)
    await expect(visit.page.locator(".said")).to_have_text(visit.trade.chat)


async def test_a_network_that_goes_and_comes_back_leaves_nothing_out_and_doubles_nothing(
    talk: House, model: Talker, visiting: Visiting, language: Language
) -> None:
    model.say("first line\n", HOLD, "\nsecond line\n", HOLD, "\nthird line")
    wire = Relay(talk)
    await wire.mend()
    visit = await visiting(House(f"http://127.0.0.1:{wire.port}", talk.folder), language)
    visit.forgive(*CUT)
    await visit.say(visit.trade.chat)
    answer = visit.page.locator(".markdown")
    await expect(answer).to_have_text("first line")
    await wire.cut()
    await expect(visit.text(visit.says("reconnecting"))).to_be_visible()
    model.go_on()
    await wire.mend()
    await expect(answer.locator("p")).to_have_text(["first line", "second line"])
    await expect(visit.text(visit.says("reconnecting"))).to_have_count(0)
    model.go_on()
    await expect(answer.locator("p")).to_have_text(["first line", "second line", "third line"])
    await visit.done()
    await expect(visit.page.locator(".said")).to_have_text(visit.trade.chat)
    await visit.page.context.close()
    await wire.cut()


async def test_a_server_that_starts_again_on_the_same_port_is_found_again(visiting: Visiting, tmp_path: Path) -> None:
    listener = first = Listener(application(tmp_path))
    try:
        visit = await visiting(House(f"http://127.0.0.1:{first.port}", tmp_path), "en")
        visit.forgive(*CUT)
        await visit.say(visit.trade.notice)
        card = visit.page.locator("section.pause.approval")
        await expect(card).to_be_visible()
        first.close()
        await expect(visit.text(visit.says("reconnecting"))).to_be_visible()
        listener = Listener(application(tmp_path), first.port)
        await expect(visit.text(visit.says("reconnecting"))).to_have_count(0)
        await card.get_by_role("button", name=visit.says("approve"), exact=True).click()
        await visit.done()
        await expect(visit.page.locator(".tool-card.done")).to_have_count(1)
        await expect(visit.page.locator(".said")).to_have_count(1)
    finally:
        listener.close()
