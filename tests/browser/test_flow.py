"""A deep run in the page: rounds with a new plan, the graph with thumbnails, values and a plot on a click."""

from pathlib import Path

from playwright.async_api import expect

from metier.pack import Packs
from metier.server import create_app
from metier.settings import Settings
from tests.browser.conftest import Visiting
from tests.browser.house import House, Listener
from tests.flow.deep_pack import write_pack


async def test_a_deep_run_shows_its_rounds_and_the_values_of_a_node(visiting: Visiting, tmp_path: Path) -> None:
    settings = Settings(skills_dir=(), storage_dir=tmp_path / "storage", embedder="none", sandbox="off", rate_limit=0)
    listener = Listener(create_app(settings, packs=Packs(found=(write_pack(tmp_path / "pack"),))))
    try:
        visit = await visiting(House(f"http://127.0.0.1:{listener.port}", tmp_path), "en")
        await visit.say("/find-peak find the peak")
        await visit.done(60_000)
        flow = visit.page.locator("figure.flow")
        await expect(flow.locator(".flow-rounds > li")).to_have_count(2)
        await expect(flow.locator(".flow-rounds .chip").first).to_have_text("Plan again")
        await expect(flow.locator(".flow-card")).to_have_count(14)
        await flow.locator('[data-node="d3"]').click()
        await expect(flow.locator(".flow-plot")).to_be_visible()
        await expect(flow.locator(".flow-details")).to_contain_text("made of d2")
        await visit.shot("flow")
        await flow.get_by_role("button", name="Round 2").click()
        await expect(flow.locator(".flow-card")).to_have_count(7)
        await expect(visit.page.locator("main")).to_contain_text("the largest line is at 8 Hz")
    finally:
        listener.close()
