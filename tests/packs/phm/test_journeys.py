"""Journeys of the PHM pack with a model, and what a diagnosis does not load."""

import subprocess
import sys

from metier.pack import find_installed_packs
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import JourneyHost, run_journeys
from tests.packs.journeys import describe_failed, quick_tools, read_sample

MODEL_JOURNEYS = ("facts-stay", "change-of-mind", "report-asked-for")


async def test_journeys_hold_on_a_scripted_model() -> None:
    pack = find_installed_packs().select(["phm"])[-1]
    journeys = [one for one in read_sample(pack) if one.id in MODEL_JOURNEYS]
    model = FakeModel()
    for _ in range(20):
        model.say("好的，见上方的结果。")
    with quick_tools():
        async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
            results = await run_journeys(host, journeys)
    assert len(results) == len(MODEL_JOURNEYS)
    assert describe_failed(results) == []


def test_a_diagnosis_loads_no_drawing_and_no_filters() -> None:
    """They take longer to load than a diagnosis takes; they are for reports and gears."""
    script = (
        "import sys\n"
        "from metier.packs.phm._diagnose_file import diagnose_record\n"
        "from metier.packs.phm.conversation import build_tools\n"
        "from metier.packs.phm.samples import load_sample\n"
        "assert diagnose_record(load_sample('pump')).verdict == 'inner'\n"
        "print(*{'matplotlib', 'pygraphviz', 'scipy.signal', 'scipy.stats'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
