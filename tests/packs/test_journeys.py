"""Every pack as a person meets it: its journeys hold, and what it offers leads somewhere."""

from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple

import pytest
import pytest_asyncio

from metier.bench import read_cases
from metier.pack import Pack, find_installed_packs
from metier.settings import Settings
from metier.testing.journeys import JourneyHost, crawl, list_examples, run_journeys
from tests.packs.journeys import describe_failed, quick_tools, read_sample


class Least(NamedTuple):
    """How much there is of a pack: journeys in each language or in both, cases of its bench, steps of the crawl."""

    journeys: int = 8
    each: int = 0
    cases: int = 0
    steps: int = 1


PACKS: Mapping[str, Least] = {
    "life": Least(cases=30),
    "office": Least(),
    "phm": Least(cases=30, steps=6),
    "telecom": Least(each=8, steps=9),
    "workspace": Least(),
}


@pytest.fixture(scope="module", params=PACKS)
def pack(request: pytest.FixtureRequest) -> Pack:
    return find_installed_packs().select([request.param])[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host(pack: Pack) -> AsyncIterator[JourneyHost]:
    # Without a browser the sample shop is answered all the same; tests/tools/browser has the real one.
    with quick_tools():
        async with JourneyHost.open(Settings(model="builtin", browser="off"), [pack]) as host:
            yield host


def test_every_pack_is_here() -> None:
    assert {one.id for one in find_installed_packs().found} == PACKS.keys()


def test_there_are_enough_journeys_and_cases(pack: Pack) -> None:
    least, sample = PACKS[pack.id], read_sample(pack)
    languages = [one.language for one in sample]
    assert len(sample) >= least.journeys
    assert min(languages.count("zh"), languages.count("en")) >= least.each
    assert not least.cases or len(read_cases(pack)) >= least.cases


@pytest.mark.asyncio(loop_scope="module")
async def test_the_journeys_hold_on_the_builtin_model(host: JourneyHost, pack: Pack) -> None:
    assert describe_failed(await run_journeys(host, read_sample(pack))) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_examples_offer_leads_on(host: JourneyHost, pack: Pack) -> None:
    """A sample; `metier journeys crawl NAME` follows everything, three steps deep."""
    is_deep = pack.id == "telecom"
    first_and_last = list_examples(pack, limit=2)[::3]  # in Chinese and in English
    report = await crawl(host, first_and_last if is_deep else list_examples(pack, limit=1), depth=2 if is_deep else 1)
    assert report.steps >= PACKS[pack.id].steps
    assert report.not_followed == 0
    assert [one.describe() for one in report.findings] == []
