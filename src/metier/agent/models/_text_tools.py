"""Tool calls for a chat model without them: tools are described in the prompt, calls are parsed from the text."""

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from metier.agent.adapters import spec_from_langchain
from metier.agent.models._text_transcript import to_text_transcript
from metier.agent.models.decoding._reading import (
    ReadingModel,
    demanded_tool,
    find_missing_call,
    new_call_id,
    quoted_texts,
)
from metier.language import Language
from metier.tools import ReadingRules, TextProblem, TextReply


class TextToolModel(ReadingModel):
    """Wraps any chat model and gives it `bind_tools`, through the text tool protocol.

    `document` is the open document: it is filled in for tools that take `doc_text`.
    """

    document: str | None = None
    _must: str | None = PrivateAttr(default=None)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model with these tools in its prompt. `tool_choice` may be `auto`, `none`, `any` or a name."""
        bound = self.model_copy()
        bound._tools = () if tool_choice == "none" else tuple(spec_from_langchain(tool) for tool in tools)
        bound._must = demanded_tool(tool_choice)
        return bound.bind(**kwargs) if kwargs else bound

    @property
    def _llm_type(self) -> str:
        return f"metier-text-{self.model._llm_type}"

    def _to_prompt(self, messages: Sequence[BaseMessage], language: Language) -> list[BaseMessage]:
        return to_text_transcript(messages, self._tools, language=language, document=self.document, must=self._must)

    def _reading_rules(self, messages: Sequence[BaseMessage]) -> ReadingRules:
        # A name that the model was not offered is left to the gate: only there is it refused and recorded.
        return ReadingRules(
            tools={tool.name: tool for tool in self._tools},
            unknown="call" if self._tools else "prose",
            quoted=quoted_texts(messages),
            document=self.document,
            call_id=new_call_id(),
        )

    def _find_problem(self, read: TextReply) -> TextProblem | None:
        return find_missing_call(read, self._must, [tool.name for tool in self._tools]) if self._tools else None
