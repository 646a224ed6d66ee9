"""The PHM pack as a person meets it: its journeys hold, and what it offers leads somewhere."""

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from metier.bench import read_cases
from metier.pack import Pack, find_installed_packs
from metier.packs.phm.conversation import _tools
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import Journey, JourneyHost, crawl, list_examples, read_journeys, run_journeys

MODEL_JOURNEYS = ("facts-stay", "change-of-mind", "report-asked-for")


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
async def test_journeys_hold_on_a_scripted_model(pack: Pack) -> None:
    journeys = [one for one in read_sample(pack) if one.id in MODEL_JOURNEYS]
    model = FakeModel()
    for _ in range(20):
        model.say("好的，见上方的结果。")
    async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
        results = await run_journeys(host, journeys)
    assert len(results) == len(MODEL_JOURNEYS)
    assert [one.describe() for one in results if not one.passed] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_examples_offer_leads_on(host: JourneyHost, pack: Pack) -> None:
    """A sample; `metier journeys crawl phm` follows everything, three steps deep."""
    report = await crawl(host, list_examples(pack, limit=1), depth=1)
    assert report.not_followed == 0
    assert report.steps >= 6
    assert [one.describe() for one in report.findings] == []


def test_a_diagnosis_loads_no_drawing_and_no_filters() -> None:
    """They take longer to load than a diagnosis takes; they are for reports and gears."""
    script = (
        "import sys\n"
        "from metier.packs.phm._diagnose_file import diagnose_record\n"
        "from metier.packs.phm.conversation import build_tools\n"
        "from metier.packs.phm.samples import load_sample\n"
        "assert diagnose_record(load_sample('pump')).verdict == 'inner'\n"
        "print(*{'matplotlib', 'pygraphviz', 'scipy.signal', 'scipy.stats'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
