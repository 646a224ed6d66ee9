"""The telecom pack as a person meets it: its journeys hold, and what it offers leads somewhere."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from metier.agent import load_model
from metier.pack import Pack, find_installed_packs
from metier.packs.telecom.twin.tuning import _search
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import Journey, JourneyHost, crawl, list_examples, read_journeys, run_journeys
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import ModelServer, Reply
from tests.providers.support import config_of

MODEL_JOURNEYS = ("change-of-mind", "wrong-form-input", "apply-and-undo")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return find_installed_packs().select(["telecom"])[-1]


@pytest.fixture(scope="module", autouse=True)
def _short_searches() -> "pytest.MonkeyPatch":
    """A search of few cells: what is recommended does not matter here, and a full one takes ten seconds."""
    patch = pytest.MonkeyPatch()
    patch.setattr(_search, "_MAX_CELLS", 2)
    patch.setattr(_search, "_PASSES", 1)
    return patch


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host(pack: Pack, _short_searches: pytest.MonkeyPatch) -> AsyncIterator[JourneyHost]:
    async with JourneyHost.open(Settings(model="builtin"), [pack]) as host:
        yield host
    _short_searches.undo()


def read_sample(pack: Pack) -> list[Journey]:
    """Every journey once: of those with variants the last."""
    assert pack.journeys is not None
    return list({one.id.partition(": ")[0]: one for one in read_journeys(pack.journeys)}.values())


def test_there_are_enough_journeys(pack: Pack) -> None:
    languages = [one.language for one in read_sample(pack)]
    assert languages.count("zh") >= 8
    assert languages.count("en") >= 8


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
async def test_journeys_hold_with_a_real_client_of_a_model(pack: Pack) -> None:
    """The same must and must not as without a model; the server's model has nothing of its own to say."""
    journeys = [one for one in read_sample(pack) if one.id in (*MODEL_JOURNEYS, "another-request", "another-place-en")]
    with ModelServer(OpenAIApi()) as server:
        server.reply(*[Reply(text=("好的，", "见上方的结果。"))] * 40)
        model = load_model(config_of(server))
        async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
            results = await run_journeys(host, journeys)
        assert server.asked
    assert len(results) == len(MODEL_JOURNEYS) + 2
    assert [one.describe() for one in results if not one.passed] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_examples_offer_leads_on(host: JourneyHost, pack: Pack) -> None:
    """A sample; `metier journeys crawl telecom` follows everything, three steps deep."""
    chinese, _, _, english = list_examples(pack, limit=2)
    report = await crawl(host, [chinese, english], depth=2)
    assert report.not_followed == 0
    assert report.steps > 8
    assert [one.describe() for one in report.findings] == []
