"""Fallback model that works without an LLM: it reports what the plan found and declines everything else."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import LanguageModelInput
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable

from metier.agent.adapters import render_sentence
from metier.agent.models._builtin_report import render_plan_report, render_stop_report
from metier.json_values import JsonObject
from metier.language import Language, language_of

NAME = "builtin"


class BuiltinModel(BaseChatModel):
    """Chat model without an LLM. The runtime's notes tell it what to report; it declines everything else."""

    @property
    def _llm_type(self) -> str:
        return f"metier-{NAME}"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model unchanged: it never calls tools, only plans do."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(_write_answer(messages)))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._generate(messages)


def _write_answer(messages: Sequence[BaseMessage]) -> str:
    note = messages[-1].additional_kwargs.get("metier") if messages else None
    asked = next((one.text for one in reversed(messages) if isinstance(one, HumanMessage) and one.name is None), "")
    told = note if isinstance(note, Mapping) else {}
    language: Language = told.get("language") or language_of(asked)
    purpose = told.get("purpose")
    if purpose in ("report", "act"):
        return render_plan_report(told, told.get("the_skill"), language)
    if purpose == "stopped":
        return render_stop_report(told, language)
    return _declined_text(told, language)


def _declined_text(told: Mapping[str, Any], language: Language) -> str:
    if title := told.get("title"):
        return render_sentence("no_steps", language, title=title)
    return f"{render_sentence('no_model', language)}\n\n{render_skill_list(told.get('skills', ()), language)}"


def render_skill_list(skills: Sequence[JsonObject], language: Language) -> str:
    """Skills that a user can name, one line each."""
    if not skills:
        return render_sentence("no_skills", language)
    lines = [f"- /{one['id']} {one['title']}: {str(one['description'])[:120]}".rstrip(": ") for one in skills]
    return render_sentence("skills", language, skills="\n".join(lines))
