"""One model call: counted, its tokens reported, and repeated when the reply is unusable."""

import time
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, HumanMessage

from metier.agent._event_middleware import ModelHandler, last_message, work_of
from metier.agent._limits import usage_event
from metier.agent._model_names import model_name
from metier.agent._output import MOST_OUTPUT_CHARS
from metier.agent._wording import say
from metier.agent._work import Work
from metier.store import EventDraft
from metier.tokens import count_tokens

MOST_REPAIRS: Final = 2


class ModelMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware around the model. An empty reply or an unreadable tool call is sent back, at most twice."""

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> ModelResponse[Any]:
        work = work_of(request.runtime)
        asked = request
        for attempt in range(MOST_REPAIRS + 1):
            began = time.perf_counter()
            response = await handler(asked)
            elapsed_s = time.perf_counter() - began
            message = last_message(response)
            _count(work, message, model_name(asked.model, message), elapsed_s)
            problem = _problem(message, work)
            if problem is None:
                return response
            if attempt < MOST_REPAIRS:
                asked = request.override(messages=[*request.messages, HumanMessage(problem, name="runtime")])
        await work.emit(EventDraft("error", {"code": "no_answer", "message": problem or "", "repairs": MOST_REPAIRS}))
        return ModelResponse(result=[AIMessage(say("empty_answer", work.language))])


def _count(work: Work, message: AIMessage, model: str, elapsed_s: float) -> None:
    """Queue one `usage` event per call. Without usage metadata tokens are estimated; the prompt was counted before."""
    if work.kit.builtin:
        return
    work.counts.model_calls += 1
    if work.plan is not None:
        work.plan.record = work.plan.record.model_called()
    used = message.usage_metadata
    if used is not None:
        inside, outside = used["input_tokens"], used["output_tokens"]
    else:
        written = message.text[:MOST_OUTPUT_CHARS] + "".join(str(call["args"]) for call in message.tool_calls)
        inside, outside = work.prompt_tokens, count_tokens(written)
    work.counts.input_tokens += inside
    work.counts.output_tokens += outside
    price = work.kit.price
    work.journal.later(
        usage_event(inside, outside, estimated=used is None, price=price, model=model, elapsed_s=elapsed_s)
    )


def _problem(message: AIMessage, work: Work) -> str | None:
    """What to tell the model about an unusable reply; None if the reply is usable."""
    if message.tool_calls:
        return None
    if message.invalid_tool_calls:
        why = str(message.invalid_tool_calls[0].get("error") or "no JSON")[:200]
        return say("note_broken_call", work.language, why=why)
    return None if message.text.strip() else say("note_empty", work.language)
