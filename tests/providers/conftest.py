"""One runtime and one server per provider for all tests of a module: opening them takes longer than a turn."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from tests.providers.server import Ability
from tests.providers.support import Live, opened


class Lives:
    """Runtimes by provider, opened when they are asked for."""

    def __init__(self, stack: AsyncExitStack, folders: pytest.TempPathFactory) -> None:
        self._stack = stack
        self._folders = folders
        self._open: dict[str, Live] = {}

    async def get(self, provider: str, ability: Ability | None = None) -> Live:
        """A runtime with a real client of this provider, and nothing left of other tests."""
        if provider not in self._open:
            folder = self._folders.mktemp(provider)
            self._open[provider] = await self._stack.enter_async_context(opened(provider, folder))
        live = self._open[provider]
        live.reset(ability)
        return live


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def lives(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Lives]:
    async with AsyncExitStack() as stack:
        yield Lives(stack, tmp_path_factory)
