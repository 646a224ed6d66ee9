"""The telecom pack from the first example to maps before and after: tables, one fixed question, computed charts."""

import pytest
from playwright.async_api import expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.visit import SHOTS, Visit
from tests.browser.words import sentence

ASKED = {"zh": "帮我分析一下朝阳区的弱覆盖问题", "en": "Analyse the weak coverage problem in Chaoyang district"}
APPLY = {"zh": "下发参数", "en": "apply the parameters"}
SMALL = {"zh": "分析一下试验区的弱覆盖问题", "en": "Analyse weak coverage in Trial"}


@pytest.mark.parametrize("language", ["zh", "en"] if SHOTS else ["zh"])
async def test_a_coverage_problem_goes_from_a_message_to_maps_before_and_after(
    desk: House, visiting: Visiting, language: Language
) -> None:
    visit = await visiting(desk, language)
    await _pick(visit)
    await visit.say((ASKED if SHOTS else SMALL)[language])
    question = visit.page.locator("section.pause.question")
    await expect(question.get_by_role("button").first).to_be_visible(timeout=60_000)
    assert await visit.page.locator(".data-table").count() >= 3
    await visit.shot("telecom-question")
    await question.locator(".choice").first.click()
    await visit.done(60_000)
    await expect(visit.page.locator("figure.chart:not(.map)")).to_have_count(4)
    await _look_at_map(visit)
    maps = visit.page.locator(".chart-map")
    await expect(maps).to_have_count(2)
    for at, name in enumerate(("telecom-before", "telecom-after")):
        await expect(maps.nth(at).locator("svg")).to_be_visible()
        await maps.nth(at).evaluate("map => map.scrollIntoView({block: 'center'})")
        await visit.shot(name, dark=at == 1)
    await _apply_all_but_one(visit)


async def _apply_all_but_one(visit: Visit) -> None:
    """The approval shows every change; one of several that is not ticked is not written, as the receipt says."""
    await visit.say(APPLY[visit.language])
    card = visit.page.locator("section.pause.approval")
    rows = card.locator(".preview tbody tr")
    await expect(rows.first).to_be_visible()
    shown = await rows.count()
    await card.locator(".preview").scroll_into_view_if_needed()
    await visit.shot("telecom-approval")
    if shown > 1:
        await rows.first.get_by_role("checkbox").uncheck()
    await card.get_by_role("button", name=visit.says("approve"), exact=False).first.click()
    await visit.done(60_000)
    events = (await visit.json(f"/api/conversations/{visit.conversation}/events.json?limit=1000"))["events"]
    (approval,) = [one["data"] for one in events if one["kind"] == "pause.opened" and one["data"]["kind"] == "approval"]
    changes = approval["calls"][0]["preview"]["rows"]
    assert shown == min(24, len(changes))
    receipt = [one["data"] for one in events if one["kind"] == "table"][-1]
    assert receipt["total"] == len(changes) - (shown > 1)


async def _look_at_map(visit: Visit) -> None:
    """Before, after and the difference are on one map; arrow keys read its squares, a table says the same."""
    map = visit.page.locator("figure.map")
    await expect(map).to_have_count(1)
    for stage in ("before", "after", "difference"):
        await map.get_by_role("button", name=sentence("map", stage, visit.language), exact=True).click()
    picture = map.locator("svg.map-picture")
    await picture.focus()
    await picture.press("ArrowUp")
    await expect(map.locator(".map-reading")).to_contain_text("dB")
    assert await picture.locator(".map-sector").count() == (96 if SHOTS else 9)
    await visit.shot("telecom-map")
    await map.get_by_role("button", name=sentence("map", "asTable", visit.language), exact=True).click()
    await expect(map.locator("table")).to_have_count(2)


async def _pick(visit: Visit) -> None:
    await visit.composer.fill("/network_optimization")
    await visit.page.get_by_role("listbox").get_by_role("option").first.click()
    await expect(visit.page.locator(".picked")).to_be_visible()
