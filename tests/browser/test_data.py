"""Tables and charts in an answer: sorted, paged, drawn, read as a table, saved."""

from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from metier.language import Language
from tests.browser.conftest import Visiting
from tests.browser.house import House
from tests.browser.shop import DAYS, KINDS, ROWS, SOLD, TITLES
from tests.browser.visit import Visit


async def test_a_table_is_sorted_paged_and_saved(
    desk: House, visiting: Visiting, language: Language, tmp_path: Path
) -> None:
    visit = await visiting(desk, language)
    await visit.say(visit.trade.check)
    form = visit.page.locator("section.pause form")
    await form.get_by_role("textbox").first.fill("=1+1")
    for number, text in enumerate(("a", "2026-01-01", "2026-01-31"), 1):
        await form.get_by_role("textbox").nth(number).fill(text)
    await form.locator("button.primary").click()
    table = visit.page.locator(".data-table")
    await expect(table).to_contain_text(visit.says("rows", count=ROWS))
    await expect(table.locator("tbody tr")).to_have_count(10)
    sold = table.get_by_role("columnheader").filter(has_text="Sold")
    await sold.get_by_role("button").click()
    await expect(sold).to_have_attribute("aria-sort", "ascending")
    await expect(table.locator("tbody tr").first.locator("td").nth(1)).to_have_text(str(min(SOLD)))
    await sold.get_by_role("button").click()
    await expect(table.locator("tbody tr").first.locator("td").nth(1)).to_have_text(str(max(SOLD)))
    await table.get_by_role("button", name=visit.says("next")).click()
    await table.get_by_role("button", name=visit.says("next")).click()
    await expect(table).to_contain_text("3 / 3")
    await expect(table.locator("tbody tr")).to_have_count(ROWS - 20)
    async with visit.page.expect_download() as waiting:
        await table.get_by_role("button", name="CSV").click()
    saved = tmp_path / "table.csv"
    await (await waiting.value).save_as(saved)
    lines = saved.read_text("utf-8-sig").splitlines()
    assert len(lines) == ROWS + 1
    assert lines[1].startswith(f"'=1+1 01,{SOLD[0]},")


async def _colours(chart: Locator) -> set[str]:
    """The colours of all that is drawn, as the browser writes them."""
    found: list[str] = await chart.locator(".chart-stage svg").evaluate(
        """(svg) => [...svg.querySelectorAll("path, circle, rect, polyline")].flatMap((shape) => {
          const look = getComputedStyle(shape);
          return [look.fill, look.stroke];
        })"""
    )
    return set(found)


@pytest.mark.parametrize(("language", "look"), [("zh", "dark"), ("en", "light")], ids=["zh-dark", "en-light"])
async def test_all_six_kinds_of_charts_are_drawn_and_can_be_read_as_a_table(
    desk: House, visiting: Visiting, language: Language, look: str, tmp_path: Path
) -> None:
    visit = await visiting(desk, language, color_scheme=look)
    await visit.say(visit.trade.gallery)
    charts = visit.page.locator("figure.chart")
    await expect(charts).to_have_count(6)
    await visit.done()
    for at, kind in enumerate(KINDS):
        await _look_at(visit, charts.nth(at), kind)
    await charts.nth(1).scroll_into_view_if_needed()
    await visit.shot("chart")
    async with visit.page.expect_download() as waiting:
        await charts.first.get_by_role("button", name="PNG").click()
    saved = tmp_path / "chart.png"
    await (await waiting.value).save_as(saved)
    assert saved.read_bytes().startswith(b"\x89PNG")


async def _look_at(visit: Visit, chart: Locator, kind: str) -> None:
    await expect(chart.locator(".chart-title")).to_have_text(TITLES[visit.language][KINDS.index(kind)])
    switch = chart.get_by_role("button", name=visit.picture("asTable"))
    if kind == "table":
        await expect(switch).to_have_attribute("aria-pressed", "true")
    else:
        await expect(chart.locator(".chart-over")).to_have_count(0)
        await expect(chart.locator(".chart-stage svg")).to_be_visible()
        swatches = await chart.locator(".chart-swatch").evaluate_all(
            "all => all.map(one => getComputedStyle(one).backgroundColor)"
        )
        drawn = await _colours(chart)
        assert set(swatches) <= drawn, kind
        assert len(drawn) > 2, f"{kind} is empty"
        await switch.click()
    await expect(chart.locator("tbody tr")).to_have_count(10)
    await expect(chart.locator("tbody tr").first).to_contain_text(DAYS[visit.language][0])
    if kind != "table":
        await switch.click()
        await expect(chart.locator("tbody")).to_have_count(0)
