"""Loads models for a stage: with recorded replies, or at an endpoint whose replies are kept; and asks them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import SystemMessage

from metier.agent.adapters import to_langchain_messages
from metier.agent.models._chat_templates import find_chat_template
from metier.agent.models._load import ModelConfig, load_model
from metier.agent.models._tool_format import get_tool_format
from metier.agent.models._wrapping import iter_wrapped
from metier.agent.models.decoding import Capabilities, CapabilityStore, Endpoint, ToolMode, probe_endpoint
from metier.agent.models.recordings._kept import KeptReplies
from metier.agent.models.recordings._recorded import RecordedModel
from metier.agent.models.recordings._recorder import Recorder, record_client
from metier.agent.models.recordings._reply import RecordedReply
from metier.clock import utc_now
from metier.context import BuiltPrompt, ChatTemplate, ToolFormat
from metier.json_values import JsonObject, to_plain_json
from metier.language import Language

# Never asked: its capabilities are known beforehand, and the client is the recording.
_ADDRESS: Final = "http://127.0.0.1:9/v1"
_NAME: Final = "recorded"


@dataclass(frozen=True, slots=True)
class StageModel:
    """A model in one mode of calling tools, as the runtime wraps it.

    `recorded` holds the replies of a recording, `recorder` those that an endpoint gives now; the other one is empty.
    """

    model: BaseChatModel
    recorded: RecordedModel = field(default_factory=RecordedModel)
    recorder: Recorder = field(default_factory=Recorder)

    @property
    def template(self) -> ChatTemplate:
        """How this model counts a prompt."""
        return find_chat_template(self.model)

    def tool_format(self, language: Language) -> ToolFormat:
        """How tools are written for this model, to count them."""
        return get_tool_format(self.model, language)

    def ask(self, built: BuiltPrompt) -> "StageReply":
        """Send a prompt with its tools; the reply is read as in a turn."""
        tools: list[dict[str, Any]] = [dict(_plain(tool)) for tool in built.tools]
        bound = self.model.bind_tools(tools, tool_choice=built.demanded or None) if tools else self.model
        before = len(self.recorded.replies_given)
        system = [SystemMessage(built.system)] if built.system else []
        reply = bound.invoke([*system, *to_langchain_messages(built.messages)])
        calls = tuple((call["name"], call["args"]) for call in reply.tool_calls)
        used = reply.usage_metadata
        raw = (*self.recorded.replies_given[before:], *self.recorder.take())
        return StageReply(reply.text, calls, used["input_tokens"] if used else None, raw)


@dataclass(frozen=True, slots=True)
class StageReply:
    """Reply of a stage after decoding: text, complete calls, tokens of the prompt.

    `raw` is what the endpoint answered, all attempts in order.
    """

    text: str
    calls: tuple[tuple[str, JsonObject], ...] = ()
    input_tokens: int | None = None
    raw: tuple[RecordedReply, ...] = ()


def replay_model(mode: ToolMode, replies: Iterable[RecordedReply], name: str = _NAME) -> StageModel:
    """Model that gives these replies, with the same decoding, retries and checks as an endpoint's own client.

    `name` is the model that gave them: by it the tokens of prompts are counted.
    """
    recorded = RecordedModel().add(*replies)
    known = CapabilityStore()
    able = Capabilities("llamacpp", schema="response_format", asked_at=utc_now().isoformat())
    known.put(Endpoint("openai", name, _ADDRESS), able)
    config = ModelConfig(name, base_url=_ADDRESS, tools=mode, attempts=1)
    return StageModel(load_model(config, make=lambda *_, **__: recorded, capabilities=known), recorded=recorded)


def record_model(
    mode: ToolMode,
    config: ModelConfig,
    *,
    kept: KeptReplies | None = None,
    capabilities: CapabilityStore | None = None,
) -> StageModel:
    """Model at an endpoint with OpenAI's protocol, every reply recorded; what the endpoint can do is asked at once.

    Replies in `kept` are not asked for again, and new ones are added to them.
    """
    recorder, known = Recorder(), capabilities or CapabilityStore()
    model = load_model(replace(config, tools=mode), make=record_client(recorder), capabilities=known)
    if mode == "schema":
        endpoint = Endpoint("openai", config.name, config.base_url, config.api_key)
        *_, client = iter_wrapped(model)
        known.ask(endpoint, lambda: probe_endpoint(client, endpoint))
        recorder.take()
    recorder.kept = kept
    return StageModel(model, recorder=recorder)


def _plain(tool: JsonObject) -> dict[str, Any]:
    plain = to_plain_json(tool)
    return plain if isinstance(plain, dict) else {}
