"""A process that dies in the middle of a turn: it says where it is, and then waits to be killed.

`where` is `tool`, `idempotent`, `model` or `task`: in the second call of a sub-agent.
"""

import asyncio
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr

from metier.agent import Runtime
from metier.testing import FakeModel
from metier.tools import Tool, function_tool
from tests.e2e.support import RESEARCH_SKILLS, Desk, said, settings_in, written

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class Stuck(FakeModel):
    """Fills in the region, and is then never heard of again."""

    _says: Connection = PrivateAttr()

    def _next_reply(self, messages: Any, options: Any) -> Any:
        if not self.replies_left:
            wait(self._says)
        return super()._next_reply(messages, options)


def wait(says: Connection) -> None:
    says.send("here")
    threading.Event().wait()


def run_until_killed(folder: Path, where: str, url: str, says: Connection) -> None:
    """Run a turn up to the place where it is to be killed."""
    asyncio.run(_run(folder, where, url, says))


async def _run(folder: Path, where: str, url: str, says: Connection) -> None:
    if where == "task":
        await _run_task(folder, says)
        return

    def find_order(number: int) -> dict[str, Any]:
        """Find an order."""
        wait(says)
        return {"number": number}

    tools: list[Tool] = [tool for tool in Desk().tools() if tool.spec.name != "find_order"]
    tools.append(function_tool(find_order, idempotent=where == "idempotent"))
    model: BaseChatModel | None = None
    message, skill = "refund order 4711", "shop-order"
    if where == "model":
        stuck = Stuck().call("match_scene", region="东城").call("find_terms", query="x")
        stuck._says, model = says, stuck
        message, skill = "帮我分析一下东城的弱覆盖问题", "weak-coverage"
    more = {"database_url": url} if url else {}
    async with Runtime.open(settings_in(folder, **more), model=model, tools=tools) as runtime:
        turn = await said(runtime, message, skill=skill)
        if where == "model":
            await said(runtime, "那 RSRP 呢？", turn.conversation)
        else:
            await said(runtime, "4711", turn.conversation)


async def _run_task(folder: Path, says: Connection) -> None:
    def find_terms(query: str) -> dict[str, Any]:
        """Find terms."""
        if query == "the last":
            wait(says)
        return {"names": [query]}

    desk = Desk()
    desk.instead["find_terms"] = find_terms
    model = FakeModel().call("task", description="查一下 RSRP", skill="reader")
    model.call("find_terms", query="the first").call("find_terms", query="the last")
    settings = settings_in(folder, skills_dir=(written(folder, **RESEARCH_SKILLS),))
    async with Runtime.open(settings, model=model, tools=desk.tools()) as runtime:
        await said(runtime, "做一个专题研究")
