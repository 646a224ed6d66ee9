"""The switch between language models: shown where there is a choice, kept with the conversation."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Locator, expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House, Talker, running
from tests.browser.visit import Visit

PHONE = {"viewport": {"width": 390, "height": 700}}


@pytest.fixture(scope="module")
def strong() -> Talker:
    return Talker()


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory, strong: Talker) -> Iterator[House]:
    """A server with a default model and one called strong."""
    with running(tmp_path_factory.mktemp("several"), Talker(), others={"strong": strong}) as house:
        yield house


def _switch(visit: Visit) -> Locator:
    return visit.page.get_by_role("combobox", name=visit.says("model"), exact=True)


async def _say(visit: Visit, turns: int) -> str:
    """Send a message; returns the foot of its turn."""
    await visit.say(visit.trade.chat)
    await expect(visit.page.locator(".turn-foot")).to_have_count(turns)
    return str(await visit.page.locator(".turn-foot").last.inner_text())


async def test_a_choice_made_before_the_first_message_stays_with_the_conversation(
    several: House, strong: Talker, visiting: Visiting, language: Language
) -> None:
    assert several.model is not None
    visit = await visiting(several, language)
    await expect(_switch(visit).locator("option").first).to_have_text(visit.says("modelDefault", name="given"))
    await _switch(visit).select_option("strong")
    strong.say("first")
    assert f"strong ({visit.says('modelBy_request')})" in await _say(visit, 1)
    strong.say("second")
    assert f"strong ({visit.says('modelBy_conversation')})" in await _say(visit, 2)
    assert (await visit.json(f"/api/conversations/{visit.conversation}"))["model"] == "strong"
    await visit.page.reload()
    await expect(_switch(visit)).to_have_value("strong")
    used = visit.says("modelUsed", name="strong", why=visit.says("modelBy_conversation"))
    await expect(visit.page.locator("#model-why")).to_have_text(used)
    await _switch(visit).select_option("")
    several.model.say("third")
    assert f"given ({visit.says('modelBy_default')})" in await _say(visit, 3)
    assert (await visit.json(f"/api/conversations/{visit.conversation}"))["model"] is None
    assert await visit.scan() == []


async def test_every_conversation_has_its_own(several: House, strong: Talker, visiting: Visiting) -> None:
    visit = await visiting(several, "en")
    await _switch(visit).select_option("strong")
    strong.say("hello")
    await _say(visit, 1)
    await visit.page.get_by_role("link", name=visit.says("newChat")).first.click()
    await expect(_switch(visit)).to_have_value("")
    await visit.page.go_back()
    await expect(_switch(visit)).to_have_value("strong")


@pytest.mark.both_languages
async def test_the_switch_fits_on_a_phone(
    several: House, strong: Talker, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(several, language, **PHONE)
    await _switch(visit).select_option("strong")
    strong.say("hello")
    await _say(visit, 1)
    await expect(_switch(visit)).to_be_in_viewport()
    assert await visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box, send = await _switch(visit).bounding_box(), await visit.page.locator(".send").bounding_box()
    assert box is not None
    assert send is not None
    assert box["x"] + box["width"] <= send["x"]
    assert send["x"] + send["width"] <= PHONE["viewport"]["width"]


async def test_without_a_choice_there_is_no_switch(talk: House, visiting: Visiting) -> None:
    visit = await visiting(talk, "en")
    await expect(visit.composer).to_be_visible()
    assert len((await visit.json("/api/models"))["models"]) == 1
    await expect(_switch(visit)).to_have_count(0)
