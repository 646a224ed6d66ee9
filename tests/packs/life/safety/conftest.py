"""The life pack, and a runtime with it that the tests of a module share."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.pack import Pack, find_installed_packs
from metier.settings import Settings


@pytest.fixture(scope="module")
def pack() -> Pack:
    return find_installed_packs().select(["life"])[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    settings = Settings(skills_dir=(), storage_dir=tmp_path_factory.mktemp("life"), embedder="none", model="builtin")
    async with Runtime.open(settings, packs=[pack]) as runtime:
        yield runtime
