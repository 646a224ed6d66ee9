"""Processes that the tests of the seeds kill."""

import asyncio
from pathlib import Path

from metier.faults import arm_faults
from metier.testing import FakeModel
from tests.e2e.support import Desk, opened, said


def run_two_tasks(folder: Path, skills: Path, message: str, point: str, choice: str = "both") -> None:
    """Do two tasks, and be killed at this point."""
    name, _, at = point.partition("@")

    async def work() -> None:
        model = FakeModel().say("第 1 题选 A。").say("决议。")
        if choice == "model":
            model = FakeModel().call("use_skill", skill="exam-answering").say("第 1 题选 A。")
            model = model.call("use_skill", skill="meeting-minutes").say("决议。")
        async with opened(folder, Desk(), model, skills_dir=(skills,), skill_choice=choice) as runtime:
            await said(runtime, message)

    with arm_faults(f"{name}=kill@{at or 1}"):
        asyncio.run(work())
