"""Figures of the pack, `metier bench life`: fairness of draws, and time to the first event of a turn."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from metier.bench import Figure

_SUITE: Final = "life"
_DRAWS: Final = 100_000
_TURNS: Final = 40
_MESSAGES: Final = ("帮我算个八字", "用塔罗抽一张牌", "什么是七杀", "帮我做个职业兴趣测试")


def measure(data: Path | None) -> Iterator[Figure]:
    """Measure what can be measured without data of others; `data` is not used."""
    del data
    from metier.packs.life.tarot import measure_draws

    fair = measure_draws(_DRAWS)
    yield Figure(_SUITE, "least p of a position, chi-square", fair.card_p, 0.001, fair.draws, unit="p", more=True)
    yield Figure(_SUITE, "least p of reversals, chi-square", fair.reversal_p, 0.001, fair.draws, unit="p", more=True)
    waits = asyncio.run(_time_first_events())
    yield Figure(_SUITE, "first event of a turn, p50", median(waits), 50, len(waits))


async def _time_first_events() -> list[float]:
    """Milliseconds from a message to its first event, without a model; the first turn of each message warms up."""
    from metier.agent import Runtime, TurnRequest
    from metier.pack import find_installed_packs
    from metier.settings import Settings

    waits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(skills_dir=(), storage_dir=Path(folder), model="builtin")
        async with Runtime.open(settings, packs=find_installed_packs().select(["life"])) as runtime:
            for number in range(_TURNS + len(_MESSAGES)):
                begin, first = perf_counter(), 0.0
                async for _ in runtime.turn(TurnRequest(_MESSAGES[number % len(_MESSAGES)], user=f"bench{number}")):
                    first = first or (perf_counter() - begin) * 1000
                if number >= len(_MESSAGES):
                    waits.append(first)
    return waits
