"""A LangChain agent under a gate, with a scripted model: no key, no network.

The model tries to delete a file. The tool is there, the model even names it; it does not run.

    python examples/langchain_gate.py
"""

import asyncio
import sys

from langchain.agents import create_agent
from langchain_core.tools import tool

from metier.langchain import GateMiddleware, ViolationLog
from metier.testing import FakeModel


@tool
def web_search(query: str) -> str:
    """Search the web."""
    return f"three pages about {query}"


@tool
def delete_file(path: str) -> str:
    """Delete a file for good."""
    raise AssertionError(f"{path} is gone")


async def main() -> None:
    model = (
        FakeModel().call("delete_file", path="report.docx").call("web_search", query="5G").say("Here is what I found.")
    )
    log = ViolationLog()
    gate = GateMiddleware(allowed=["web_search"], ledger=log)
    agent = create_agent(model, [web_search, delete_file], middleware=[gate])

    result = await agent.ainvoke({"messages": [{"role": "user", "content": "Tidy up and look for 5G."}]})
    for message in result["messages"]:
        sys.stdout.write(f"{message.type:>5}: {message.text or [call['name'] for call in message.tool_calls]}\n")
    for refused in log.violations:
        sys.stdout.write(f"refused: {refused.tool} by the {refused.layer} layer, {refused.code}\n")


if __name__ == "__main__":
    asyncio.run(main())
