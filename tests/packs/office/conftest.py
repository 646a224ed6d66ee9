"""A runtime of the office pack is opened once per file of tests: each conversation has a folder of its own."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.packs.office.turns import OfficeTurns, open_turns


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def turns(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OfficeTurns]:
    """For tests that are marked to run in the loop of their module."""
    async with open_turns(tmp_path_factory.mktemp("storage")) as opened:
        yield opened
