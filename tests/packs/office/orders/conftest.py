"""Files that orders are about, written once for all tests."""

from pathlib import Path

import pytest

from metier.packs.office.analysis import Reading
from tests.packs.office.orders.everyday import make_everyday
from tests.packs.office.orders.samples import make_samples
from tests.packs.office.orders.written import read_file


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_samples(tmp_path_factory.mktemp("orders"))


@pytest.fixture(scope="session")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_everyday(tmp_path_factory.mktemp("everyday"))


@pytest.fixture(scope="session")
def readings(samples: dict[str, Path]) -> dict[str, Reading]:
    return {name: read_file(path) for name, path in samples.items()}
