"""What a turn counts of a user is counted once each, however many turns run at a time."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from metier.agent.turn._user_data import TRIALS, count_trial
from metier.store import Store

if TYPE_CHECKING:
    from metier.agent.turn import TurnState
    from metier.skills import Skill


async def test_free_trials_that_begin_at_once_are_all_counted(tmp_path: Path) -> None:
    pricing = {"type": "paid", "trial_messages": 3}
    skill = cast("Skill", SimpleNamespace(id="tarot", showing=SimpleNamespace(pricing=pricing)))
    async with Store.open(f"sqlite:///{tmp_path / 'm.db'}") as store:
        resources = SimpleNamespace(store=store, settings=SimpleNamespace(premium_users=()))
        state = cast("TurnState", SimpleNamespace(resources=resources, request=SimpleNamespace(user="ann")))
        await asyncio.gather(*(count_trial(state, skill) for _ in range(5)))
        assert (await store.skill_data.get("ann", TRIALS)).data == {"tarot": 5}
