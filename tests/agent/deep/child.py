"""Deep turns of a process that dies in one of them."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from metier.agent import Runtime, TurnRequest
from metier.pack import read_pack
from metier.settings import Settings
from tests.flow.operators import COMPUTED


class Ran(NamedTuple):
    """A deep turn that ended: computed operators, number of plans, kind of the last event."""

    computed: list[str]
    planned: int
    end: str


def run_turn(storage: Path, folder: Path, *, resume: bool) -> Ran:
    """Run a deep turn of the pack in this folder, or go on with the one that was interrupted."""
    return asyncio.run(_run(storage, folder, resume=resume))


async def _run(storage: Path, folder: Path, *, resume: bool) -> Ran:
    settings = Settings(skills_dir=(), storage_dir=storage, embedder="none", lease_s=0.2)
    async with Runtime.open(settings, packs=[read_pack(folder)]) as runtime:
        if resume:
            await asyncio.sleep(0.4)  # longer than the lease of the process that died
            turns = await runtime.resume_interrupted(go_on=False)
            events = [one async for one in runtime.resume(turns[0].id)]
        else:
            events = [one async for one in runtime.turn(TurnRequest("find the peak", skill="find-peak"))]
        return Ran(list(COMPUTED), [one.kind for one in events].count("flow.planned"), events[-1].kind)
