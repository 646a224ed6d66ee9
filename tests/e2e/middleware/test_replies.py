"""A caller's middleware may change a reply, ask a person about it, or send it back to the model."""

from pathlib import Path
from typing import Any

from langchain.agents.middleware import AgentMiddleware, PIIMiddleware, hook_config
from langgraph.types import interrupt

from metier.testing import FakeModel
from tests.e2e.middleware.support import CHAT, SKILL, chat
from tests.e2e.support import answered, opened, said


async def test_a_reply_that_a_callers_middleware_changed_is_stored_as_changed(tmp_path: Path) -> None:
    guard = PIIMiddleware("email", strategy="redact", apply_to_output=True)
    model = FakeModel().say("write to ann@example.com")
    async with opened(tmp_path, model=model, middleware=[guard]) as runtime:
        turn = await said(runtime, SKILL, replaced=True)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert turn.text == history[-1].content == "write to [REDACTED_EMAIL]"


class ReviewReply(AgentMiddleware[Any, Any, Any]):
    """Asks a person about the final reply before anybody reads it."""

    async def aafter_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        interrupt({"question": f"send this? {state['messages'][-1].text}"})
        return None


async def test_a_reply_under_review_is_told_only_after_the_answer(tmp_path: Path) -> None:
    async with opened(tmp_path, model=chat().say("Refunded."), middleware=[ReviewReply()]) as runtime:
        first = await said(runtime, CHAT)
        last = await answered(runtime, first.pause, "yes")
        history = await runtime.store.messages.get_history(first.conversation)
    assert "Refunded." not in [one.get("text") for one in first.all("text.done")]
    assert last.text == "Refunded."
    assert [one.content for one in history if one.role == "assistant"].count("Refunded.") == 1


class AskAgain(AgentMiddleware[Any, Any, Any]):
    """Sends the first reply back to the model."""

    @hook_config(can_jump_to=["model"])
    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        last = state["messages"][-1]
        return {"jump_to": "model"} if last.text == "a draft" else None


async def test_a_reply_that_goes_back_to_the_model_is_not_told(tmp_path: Path) -> None:
    script = chat().say("a draft").say("the answer")
    async with opened(tmp_path, model=script, middleware=[AskAgain()]) as runtime:
        told = await said(runtime, CHAT, replaced=True)
        history = await runtime.store.messages.get_history(told.conversation)
    assert told.text == "the answer"
    assert "a draft" not in [one.content for one in history]
