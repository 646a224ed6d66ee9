"""The telecom pack from the first example to maps before and after: tables, one fixed question, computed charts."""

from playwright.async_api import expect

from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.visit import SHOTS, Visit
from tests.browser.words import Language, sentence

ASKED = {"zh": "帮我分析一下朝阳区的弱覆盖问题", "en": "Analyse the weak coverage problem in Chaoyang district"}
SMALL = {"zh": "分析一下试验区的弱覆盖问题", "en": "Analyse weak coverage in Trial"}


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
    assert await picture.locator(".map-sector").count() == 9
    await visit.shot("telecom-map")
    await map.get_by_role("button", name=sentence("map", "asTable", visit.language), exact=True).click()
    await expect(map.locator("table")).to_have_count(2)


async def _pick(visit: Visit) -> None:
    await visit.composer.fill("/network_optimization")
    await visit.page.get_by_role("listbox").get_by_role("option").first.click()
    await expect(visit.page.locator(".picked")).to_be_visible()
