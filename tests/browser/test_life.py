"""The life pack on a phone: birth form, bazi card, natal wheel and tarot spread, with nothing wider than the screen."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from metier.pack import Packs, find_installed_packs
from metier.server import create_app
from metier.settings import Settings
from tests.browser.conftest import Visiting
from tests.browser.house import House, Listener
from tests.browser.visit import Visit

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("life")
    settings = Settings(
        skills_dir=(), storage_dir=folder, embedder="none", sandbox="off", rate_limit=0, model="builtin"
    )
    listener = Listener(create_app(settings, packs=Packs(found=find_installed_packs().select(["life"]))))
    yield House(f"http://127.0.0.1:{listener.port}", folder, None, listener)
    listener.close()


async def test_form_card_wheel_and_spread_fit_a_phone(server: House, visiting: Visiting) -> None:
    visit = await visiting(server, "zh", viewport=PHONE, has_touch=True)
    await visit.say("帮我算个八字")
    form = visit.page.locator("section.pause form")
    await form.get_by_label("出生日期").fill("1990-06-15")
    await form.get_by_label("出生时间").fill("14:30")
    await form.get_by_label("出生地点").fill("成都")
    await form.locator("button.primary").click()
    await _expect_picture(visit, "八字命盘")
    await visit.say("看看我的星盘")
    await _expect_picture(visit, "本命星盘")
    await visit.say("用塔罗抽三张牌看看我的工作")
    await _expect_picture(visit, "牌阵：三张牌")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert await visit.page.evaluate(wide) <= 0


async def _expect_picture(visit: Visit, caption: str) -> None:
    """A picture with this caption is loaded and no wider than the screen."""
    picture = visit.page.locator(f'img[alt="{caption}"]').last
    await expect(picture).to_be_visible()
    await picture.evaluate("(image) => image.decode()")
    box = await picture.bounding_box()
    assert box is not None
    assert (box["x"] >= 0, box["x"] + box["width"] <= PHONE["width"], box["width"] > 100) == (True, True, True)
