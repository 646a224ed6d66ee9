"""Files are read here as they are by a server: in a process of its own."""

import pytest

from metier.documents import _read
from tests.office_files import run_reader


@pytest.fixture(autouse=True)
def _read_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_read, "_run_reader", run_reader)
