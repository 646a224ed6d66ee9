"""What the tests of journeys share: a sample of a pack's journeys, and tools without the work that nobody looks at."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metier.pack import Pack
from metier.packs.phm.conversation import _tools
from metier.packs.telecom.twin.tuning import _search
from metier.testing.journeys import Journey, JourneyResult, read_journeys


def read_sample(pack: Pack) -> list[Journey]:
    """Every journey once: of those with variants the first."""
    assert pack.journeys is not None
    return list({one.id.partition(": ")[0]: one for one in reversed(read_journeys(pack.journeys))}.values())[::-1]


def describe_failed(results: Iterable[JourneyResult]) -> list[str]:
    return [one.describe() for one in results if not one.passed]


@contextmanager
def quick_tools() -> Iterator[None]:
    """A search of few cells, where a full one takes ten seconds; reports without pictures, which take as long to draw.

    What is recommended and drawn does not matter to a journey.
    """

    def write(path: Path, *_: object) -> Path:
        path.write_text("<html></html>", "utf-8")
        return path

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_search, "_MAX_CELLS", 2)
        patch.setattr(_search, "_PASSES", 1)
        patch.setattr(_tools, "write_report", write)
        yield
