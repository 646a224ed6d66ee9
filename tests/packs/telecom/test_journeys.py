"""Journeys of the telecom pack with a model: the same must and must not as without one."""

from collections.abc import Iterator

import pytest

from metier.agent import load_model
from metier.pack import Pack, find_installed_packs
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import JourneyHost, run_journeys
from tests.packs.journeys import describe_failed, quick_tools, read_sample
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import ModelServer, Reply
from tests.providers.support import config_of

MODEL_JOURNEYS = ("change-of-mind", "wrong-form-input", "apply-and-undo")


@pytest.fixture
def pack() -> Iterator[Pack]:
    with quick_tools():
        yield find_installed_packs().select(["telecom"])[-1]


async def test_journeys_hold_on_a_scripted_model(pack: Pack) -> None:
    journeys = [one for one in read_sample(pack) if one.id in MODEL_JOURNEYS]
    model = FakeModel()
    for _ in range(20):
        model.say("好的，见上方的结果。")
    async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
        results = await run_journeys(host, journeys)
    assert len(results) == len(MODEL_JOURNEYS)
    assert describe_failed(results) == []


async def test_journeys_hold_with_a_real_client_of_a_model(pack: Pack) -> None:
    """The server's model has nothing of its own to say."""
    journeys = [one for one in read_sample(pack) if one.id in ("change-of-mind", "another-request", "another-place-en")]
    with ModelServer(OpenAIApi()) as server:
        server.reply(*[Reply(text=("好的，", "见上方的结果。"))] * 40)
        model = load_model(config_of(server))
        async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
            results = await run_journeys(host, journeys)
        assert server.asked
    assert len(results) == 3
    assert describe_failed(results) == []
