"""One runtime and one server per provider for all tests of a module: opening them takes longer than a turn."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.providers.support import APIS, Live, opened


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=sorted(APIS), name="_live")
async def _live_of_module(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Live]:
    async with opened(request.param, tmp_path_factory.mktemp(request.param)) as live:
        yield live


@pytest.fixture
def live(_live: Live) -> Live:
    """A runtime with a real client of each provider, and nothing left of other tests."""
    _live.reset()
    return _live
