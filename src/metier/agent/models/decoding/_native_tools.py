"""A chat model with native tool calls, of which weak ones also arrive as text."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from metier.agent.adapters import spec_from_langchain
from metier.agent.models.decoding._decoder_schema import Dialect
from metier.agent.models.decoding._flow import RestoreArguments
from metier.agent.models.decoding._reading import ReadingModel, new_call_id, quoted_texts
from metier.agent.models.decoding._strict_tools import StrictTools, to_strict_tools
from metier.language import Language
from metier.tools import ReadingRules, TextProblem, TextReply


class NativeToolModel(ReadingModel):
    """Wraps a chat model with native tool calls and also reads calls that it writes as text.

    Only a tool that is offered now can be called this way, and never by a text that a user or a tool wrote. Reasoning,
    results that the model invents and marks of its family never reach the user. `strict` names the schemas of a
    provider that holds the model to the tools it is sent (OpenAI, Anthropic).
    """

    keeps_blocks: ClassVar[bool] = True

    strict: Dialect | None = None
    _strict: StrictTools | None = PrivateAttr(default=None)
    _bound: Runnable[LanguageModelInput, AIMessage] | None = PrivateAttr(default=None)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model with these tools, bound as its provider wants them."""
        bound = self.model_copy()
        bound._tools = () if tool_choice == "none" else tuple(spec_from_langchain(tool) for tool in tools)
        bound._strict = to_strict_tools(bound._tools, self.strict) if self.strict and bound._tools else None
        sent = bound._strict.tools if bound._strict else tools
        bound._bound = self.model.bind_tools(sent, tool_choice=tool_choice, **kwargs)
        return bound

    @property
    def _llm_type(self) -> str:
        return f"metier-native-{self.model._llm_type}"

    @property
    def _target(self) -> Runnable[LanguageModelInput, AIMessage]:
        return self._bound or self.model

    @property
    def _restore(self) -> RestoreArguments | None:
        return self._strict.restore if self._strict else None

    def _to_prompt(self, messages: Sequence[BaseMessage], language: Language) -> list[BaseMessage]:
        return list(messages)

    def _reading_rules(self, messages: Sequence[BaseMessage]) -> ReadingRules:
        return ReadingRules(
            tools={tool.name: tool for tool in self._tools},
            unknown="prose",
            several=True,
            quoted=quoted_texts(messages),
            call_id=new_call_id(),
        )

    def _find_problem(self, read: TextReply) -> TextProblem | None:
        """An empty reply is not a malformed call: whoever asked decides what to do about it."""
        return None if read.problem is None or read.problem.code == "empty_reply" else read.problem
