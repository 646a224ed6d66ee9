"""The telecom journeys in the page: three of them, and all eight in both languages with pictures (`make journeys`)."""

from collections.abc import Iterator

import pytest

from metier.pack import find_installed_packs
from metier.settings import Settings
from metier.testing.journeys import Journey, JourneyHost, read_journeys
from tests.browser.conftest import Visiting
from tests.browser.house import RestartableHouse
from tests.browser.journey_page import PageVisit, play
from tests.browser.visit import SHOTS

SAMPLE = ("change-of-mind", "wrong-form-input-en", "coming-back-tomorrow")


def read_pictured() -> list[Journey]:
    """Journeys with a picture, of those with variants the first; those that stop a run come before it was computed."""
    folder = find_installed_packs().select(["telecom"])[-1].journeys
    assert folder is not None
    pictured = [one for one in read_journeys(folder) if any(step.picture for step in one.steps)]
    one_each = list({one.id.partition(": ")[0]: one for one in reversed(pictured)}.values())[::-1]
    return sorted(one_each, key=lambda one: not any(step.stop_at for step in one.steps))


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableHouse]:
    made = RestartableHouse(tmp_path_factory.mktemp("journeys"))
    yield made
    made.close()


async def test_the_journeys_hold_in_the_page(server: RestartableHouse, visiting: Visiting) -> None:
    journeys = [one for one in read_pictured() if SHOTS or one.id in SAMPLE]
    assert len(journeys) == (16 if SHOTS else len(SAMPLE))
    host = JourneyHost(Settings(model="builtin"))
    wrong = []
    for journey in journeys:
        page = await visiting(server.house, journey.language, device_scale_factor=1)  # pages whose clock may be moved
        wrong += await play(PageVisit(host=host, page=page, restart=server.restart), journey)
    assert not wrong, "\n".join(wrong)


async def test_journeys_of_machine_health_hold_in_the_page(
    visiting: Visiting, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A question with choices, one answered in words, and a form."""
    folder = find_installed_packs().select(["phm"])[-1].journeys
    assert folder is not None
    wanted = ("vague-first-sentence", "unknown-bearing", "numbers-as-people-write-them")
    server, wrong = RestartableHouse(tmp_path_factory.mktemp("phm"), "phm"), []
    try:
        host = JourneyHost(Settings(model="builtin"))
        for journey in (one for one in read_journeys(folder) if one.id in wanted):
            page = await visiting(server.house, journey.language)
            wrong += await play(PageVisit(host=host, page=page, restart=server.restart), journey)
    finally:
        server.close()
    assert not wrong, "\n".join(wrong)
