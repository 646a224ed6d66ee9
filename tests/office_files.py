"""Small Office files are read in the test process: to start the process that reads one takes 0.1 s, to read it 5 ms.

That process is for hostile files. It is started for large files and whatever this cannot read, and always in
`tests/documents` and `tests/attachments`.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from metier.documents import _read

run_reader = _read._run_reader
_MAX_UNPACKED_BYTES = 4 * 1024 * 1024
_MAX_KEPT = 200


@pytest.fixture(scope="session")
def _office_files_read_here() -> Iterator[None]:
    """A file is read once per test process; those of the packs are attached by many tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_read, "_run_reader", _read_here(run_reader))
        yield


def _read_here(run: Callable[[str, bytes, int], dict[str, Any]]) -> Callable[[str, bytes, int], dict[str, Any]]:
    @lru_cache(_MAX_KEPT)
    def read(ending: str, content: bytes, max_chars: int) -> dict[str, Any]:
        if ending == "pdf" or not _is_small(content):
            return run(ending, content, max_chars)
        try:
            from metier.documents._office_reader import read_office  # not on every system: it limits itself

            return {"lines": read_office(ending, content, max_chars)}
        except Exception:  # noqa: BLE001 - the process of its own says what is wrong
            return run(ending, content, max_chars)

    return read


def _is_small(content: bytes) -> bool:
    try:
        with ZipFile(BytesIO(content)) as archive:
            return sum(one.file_size for one in archive.infolist()) <= _MAX_UNPACKED_BYTES
    except Exception:  # noqa: BLE001 - a damaged file is for the process of its own
        return False
