"""Runs one deep turn in a process of its own: `child.py STORAGE PACK [resume]`."""

import asyncio
import sys
from pathlib import Path

from metier.agent import Runtime, TurnRequest
from metier.pack import read_pack
from metier.settings import Settings
from tests.flow.operators import COMPUTED


async def main(storage: str, folder: str, *, resume: bool) -> None:
    settings = Settings(skills_dir=(), storage_dir=Path(storage), embedder="none", lease_s=0.2)
    async with Runtime.open(settings, packs=[read_pack(Path(folder))]) as runtime:
        if resume:
            await asyncio.sleep(0.4)  # longer than the lease of the process that died
            turns = await runtime.resume_interrupted(go_on=False)
            events = [one async for one in runtime.resume(turns[0].id)]
        else:
            events = [one async for one in runtime.turn(TurnRequest("find the peak", skill="find-peak"))]
        planned = [one.kind for one in events].count("flow.planned")
        sys.stdout.write(f"{','.join(COMPUTED)} {planned} {events[-1].kind}")


asyncio.run(main(sys.argv[1], sys.argv[2], resume=len(sys.argv) > 3))
