"""The workspace pack as a person meets it: its journeys hold, and what it offers leads somewhere."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from metier.pack import Pack, find_installed_packs
from metier.settings import Settings
from metier.testing.journeys import Journey, JourneyHost, crawl, list_examples, read_journeys, run_journeys


@pytest.fixture(scope="module")
def pack() -> Pack:
    return find_installed_packs().select(["workspace"])[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host(pack: Pack) -> AsyncIterator[JourneyHost]:
    # Without a browser the sample shop is answered all the same; tests/tools/browser has the real one.
    async with JourneyHost.open(Settings(model="builtin", browser="off"), [pack]) as host:
        yield host


def read_sample(pack: Pack) -> list[Journey]:
    """Every journey once: of those with variants the first."""
    assert pack.journeys is not None
    found = read_journeys(pack.journeys)
    kinds = [one.id.partition(": ")[0] for one in found]
    return [one for at, one in enumerate(found) if kinds.index(kinds[at]) == at]


def test_there_are_enough_journeys(pack: Pack) -> None:
    assert len(read_sample(pack)) >= 8


@pytest.mark.asyncio(loop_scope="module")
async def test_the_journeys_hold_on_the_builtin_model(host: JourneyHost, pack: Pack) -> None:
    results = await run_journeys(host, read_sample(pack))
    assert [one.describe() for one in results if not one.passed] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_examples_offer_leads_on(host: JourneyHost, pack: Pack) -> None:
    """A sample; `metier journeys crawl workspace` follows everything, three steps deep."""
    report = await crawl(host, list_examples(pack, limit=1), depth=1)
    assert [one.describe() for one in report.findings] == []
