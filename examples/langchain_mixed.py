"""A LangChain agent with LangChain's middleware and Metier's side by side, with a scripted model: no key, no network.

LangChain keeps the todo list, clears old results from the prompt and asks a person before a mail is sent. Metier brings
the skills, and the gate that decides about every call when it is about to run.

    python examples/langchain_mixed.py
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import (
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    HumanInTheLoopMiddleware,
    TodoListMiddleware,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from metier.langchain import GateMiddleware, SkillMiddleware, count_message_tokens
from metier.testing import FakeModel

SKILLS = Path(__file__).parent / "skills"
THREAD: Any = {"configurable": {"thread_id": "monday"}}
QUESTION: Any = {"messages": [{"role": "user", "content": "Write the weekly report and mail it to Li."}]}
APPROVE: Any = Command(resume={"decisions": [{"type": "approve"}]})


@tool
def read_notes(day: str) -> str:
    """Read the notes of a day."""
    return f"{day}: " + "coverage measured, nothing unusual. " * 60


@tool
def send_mail(to: str, text: str) -> str:
    """Send a mail."""
    return f"sent to {to}"


@tool
def delete_file(path: str) -> str:
    """Delete a file for good."""
    raise AssertionError(f"{path} is gone")


def build_agent(model: BaseChatModel) -> Any:
    """An ordinary LangChain agent: skills and gate are two more entries in its list of middleware."""
    old_results = ClearToolUsesEdit(trigger=800, keep=1, exclude_tools=["use_skill"])
    return create_agent(
        model,
        [read_notes, send_mail, delete_file],
        system_prompt="You write reports.",
        middleware=[
            SkillMiddleware(SKILLS),
            TodoListMiddleware(),
            ContextEditingMiddleware(edits=[old_results], token_counter=count_message_tokens),
            HumanInTheLoopMiddleware({"send_mail": True}),
            GateMiddleware(allowed=["read_*", "send_mail"]),
        ],
        checkpointer=InMemorySaver(),
    )


def script() -> FakeModel:
    """What the model will say."""
    model = FakeModel().call("use_skill", skill="weekly-report")
    model.call("write_todos", todos=[{"content": "write the report", "status": "in_progress"}])
    for day in ("Monday", "Tuesday", "Wednesday"):
        model.call("read_notes", day=day)
    model.call("delete_file", path="notes.txt")
    return model.call("send_mail", to="Li", text="All quiet this week.").say("The report is with Li.")


async def main() -> None:
    agent = build_agent(script())
    paused = await agent.ainvoke(QUESTION, THREAD)
    (question,) = paused["__interrupt__"]
    sys.stdout.write(f"a person is asked: {question.value['action_requests'][0]['name']}\n")
    result = await agent.ainvoke(APPROVE, THREAD)
    for message in result["messages"]:
        text = message.text or [call["name"] for call in message.tool_calls]
        sys.stdout.write(f"{message.type:>6}: {str(text)[:100]}\n")
    sys.stdout.write(f"skill: {result['active_skill']}; todos: {[one['content'] for one in result['todos']]}\n")
    for refused in result["violations"]:
        sys.stdout.write(f"refused: {refused['tool']}, {refused['code']}\n")


if __name__ == "__main__":
    asyncio.run(main())
