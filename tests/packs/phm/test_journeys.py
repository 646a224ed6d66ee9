"""The PHM pack as a person meets it: its journeys hold, and what it offers leads somewhere."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from metier.bench import read_cases
from metier.pack import Pack, find_installed_packs
from metier.packs.phm.conversation import _tools
from metier.settings import Settings
from metier.testing.journeys import Journey, JourneyHost, crawl, list_examples, read_journeys, run_journeys


@pytest.fixture(scope="module")
def pack() -> Pack:
    return find_installed_packs().select(["phm"])[-1]


@pytest.fixture(scope="module", autouse=True)
def _quick_reports() -> Iterator[None]:
    """Reports without pictures: drawing them takes longer than all the rest."""

    def write(path: Path, *_: object) -> Path:
        path.write_text("<html></html>", "utf-8")
        return path

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tools, "write_report", write)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host(pack: Pack) -> AsyncIterator[JourneyHost]:
    async with JourneyHost.open(Settings(model="builtin"), [pack]) as host:
        yield host


def read_sample(pack: Pack) -> list[Journey]:
    """Every journey once: of those with variants the first."""
    assert pack.journeys is not None
    found = read_journeys(pack.journeys)
    kinds = [one.id.partition(": ")[0] for one in found]
    return [one for at, one in enumerate(found) if kinds.index(kinds[at]) == at]


def test_there_are_enough_journeys_and_cases(pack: Pack) -> None:
    assert len(read_sample(pack)) >= 8
    assert len(read_cases(pack)) >= 30


@pytest.mark.asyncio(loop_scope="module")
async def test_the_journeys_hold_on_the_builtin_model(host: JourneyHost, pack: Pack) -> None:
    results = await run_journeys(host, read_sample(pack))
    assert [one.describe() for one in results if not one.passed] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_examples_offer_leads_on(host: JourneyHost, pack: Pack) -> None:
    """A sample; `metier journeys crawl phm` follows everything, three steps deep."""
    report = await crawl(host, list_examples(pack, limit=1), depth=1)
    assert [one.describe() for one in report.findings] == []
