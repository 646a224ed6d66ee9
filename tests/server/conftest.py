"""A running application for the tests that need nothing special of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.support import Open, app_in, opened


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Open]:
    async with opened(app_in(tmp_path)) as running:
        yield running
