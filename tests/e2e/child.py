"""A process that dies in the middle of a turn: it says where it is, and then waits to be killed.

python -m tests.e2e.child FOLDER WHERE URL, where WHERE is `tool`, `idempotent` or `model`.
"""

import asyncio
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metier.agent import Runtime
from metier.testing import FakeModel
from metier.tools import Tool, function_tool
from tests.e2e.support import Desk, said, settings_in

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class Stuck(FakeModel):
    """Fills in the region, and is then never heard of again."""

    def _next_reply(self, messages: Any) -> Any:
        if not self.replies_left:
            wait()
        return super()._next_reply(messages)


def wait() -> None:
    sys.stdout.write("here\n")
    sys.stdout.flush()
    threading.Event().wait()


def find_order(number: int) -> dict[str, Any]:
    """Find an order."""
    wait()
    return {"number": number}


async def main(folder: Path, where: str, url: str) -> None:
    tools: list[Tool] = [tool for tool in Desk().tools() if tool.spec.name != "find_order"]
    tools.append(function_tool(find_order, idempotent=where == "idempotent"))
    model: BaseChatModel | None = None
    message, skill = "refund order 4711", "shop-order"
    if where == "model":
        model = Stuck().call("match_scene", region="东城").call("find_terms", query="x")
        message, skill = "帮我分析一下东城的弱覆盖问题", "weak-coverage"
    more = {"database_url": url} if url else {}
    async with Runtime.open(settings_in(folder, **more), model=model, tools=tools) as runtime:
        turn = await said(runtime, message, skill=skill)
        if where == "model":
            await said(runtime, "那 RSRP 呢？", turn.conversation)
        else:
            await said(runtime, "4711", turn.conversation)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:4]))
