"""The life pack on a phone: birth form, bazi card, natal wheel and tarot spread, with nothing wider than the screen."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image, ImageStat
from playwright.async_api import expect

from metier.pack import Packs, find_installed_packs
from metier.server import create_app
from metier.settings import Settings
from tests.browser.conftest import Visiting
from tests.browser.house import House, Listener
from tests.browser.visit import Visit
from tests.browser.words import sentence

PHONE = {"width": 390, "height": 844}
DARK_GROUND, LIGHT_INK = 80, 200  # mean and most of a picture that can be read in the dark, of 255


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


async def test_a_chart_follows_the_theme_of_the_page(server: House, visiting: Visiting) -> None:
    visit = await visiting(server, "zh", viewport=PHONE, has_touch=True)
    await visit.page.get_by_role("button", name=sentence("app", "menu", "zh")).tap()
    await visit.page.get_by_label(sentence("app", "theme", "zh")).select_option("dark")
    await visit.page.keyboard.press("Escape")
    await visit.say("看看我的星盘，1990年6月15日14点30分，成都")
    form = visit.page.locator("section.pause form button.primary")
    picture = visit.page.locator('img[alt="本命星盘"]').last
    await expect(form.or_(picture).first).to_be_visible()
    if await form.count():
        await form.click()
    await _expect_picture(visit, "本命星盘")
    drawn = Image.open(BytesIO(await picture.screenshot())).convert("L")
    assert ImageStat.Stat(drawn).mean[0] < DARK_GROUND
    assert drawn.getextrema()[1] > LIGHT_INK  # type: ignore[operator]
