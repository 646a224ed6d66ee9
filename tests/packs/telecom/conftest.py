"""One toolbox for the tests that only ask."""

from pathlib import Path

import pytest

from tests.packs.telecom.support import Toolbox, storage_with_small


@pytest.fixture(scope="session")
def box(tmp_path_factory: pytest.TempPathFactory) -> Toolbox:
    return Toolbox(storage_with_small(tmp_path_factory.mktemp("telecom") / "storage"))


@pytest.fixture
def own_box(tmp_path: Path) -> Toolbox:
    """A toolbox whose storage may be changed."""
    return Toolbox(storage_with_small(tmp_path / "storage"))
