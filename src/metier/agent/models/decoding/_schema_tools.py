"""Tool calls for a chat model whose endpoint holds replies to a JSON Schema: only what is allowed now can be said."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from metier.agent.adapters import spec_from_langchain
from metier.agent.models._text_transcript import to_schema_transcript
from metier.agent.models.decoding._constraints import SchemaMethod, constrain
from metier.agent.models.decoding._decoder_schema import Dialect
from metier.agent.models.decoding._flow import TextStream
from metier.agent.models.decoding._reading import (
    ReadingModel,
    demanded_tool,
    find_missing_call,
    new_call_id,
    quoted_texts,
)
from metier.agent.models.decoding._stage_schema import StageSchema, compile_stage
from metier.agent.models.decoding._stage_stream import StageStream
from metier.language import Language
from metier.tools import ReadingRules, ReplyStream, TextProblem, TextReply

MAX_PARALLEL_CALLS: Final = 8


class SchemaToolModel(ReadingModel):
    """Wraps a chat model whose endpoint can constrain output, and gives it `bind_tools`.

    `bind_tools` compiles the schema of exactly what may be said: a call of one of the tools, or an answer unless
    `tool_choice` demands a call. A call of any other tool cannot be decoded. The text of an answer is streamed as it is
    decoded; a call is made only if its JSON is complete. The tool's own schema still checks the arguments.
    """

    method: SchemaMethod = "response_format"
    dialect: Dialect = "strict"
    _must: str | None = PrivateAttr(default=None)
    _stage: StageSchema | None = PrivateAttr(default=None)
    _several: bool = PrivateAttr(default=False)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        parallel_tool_calls: bool = False,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return the model held to these tools. `tool_choice` may be `auto`, `none`, `any` or a name."""
        bound = self.model_copy()
        bound._tools = () if tool_choice == "none" else tuple(spec_from_langchain(tool) for tool in tools)
        bound._must = demanded_tool(tool_choice)
        bound._several = parallel_tool_calls
        bound._stage = None
        if bound._tools:
            most = MAX_PARALLEL_CALLS if parallel_tool_calls else 1
            bound._stage = compile_stage(bound._tools, must=bound._must, max_calls=most, dialect=self.dialect)
        return bound.bind(**kwargs) if kwargs else bound

    @property
    def _llm_type(self) -> str:
        return f"metier-schema-{self.model._llm_type}"

    @property
    def _target(self) -> Runnable[LanguageModelInput, AIMessage]:
        if self._stage is None:
            return self.model
        return self.model.bind(**constrain(self.model, self.method, self._stage.schema))

    def _to_prompt(self, messages: Sequence[BaseMessage], language: Language) -> list[BaseMessage]:
        return to_schema_transcript(messages, self._tools, language=language, must=self._must, several=self._several)

    def _reading_rules(self, messages: Sequence[BaseMessage]) -> ReadingRules:
        return ReadingRules(
            tools={tool.name: tool for tool in self._tools},
            unknown="prose",
            several=self._several,
            quoted=quoted_texts(messages),
            call_id=new_call_id(),
        )

    def _new_stream(self, rules: ReadingRules, thinking: bool) -> TextStream:
        if self._stage is None:
            return ReplyStream(rules, thinking=thinking)
        return StageStream(self._stage, rules, thinking=thinking)

    def _find_problem(self, read: TextReply) -> TextProblem | None:
        return None if self._stage is None else find_missing_call(read, self._must, self._stage.tools)
