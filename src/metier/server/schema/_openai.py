"""OpenAI's chat completions and models in the API."""

from typing import Literal

from pydantic import Field

from metier.events import JsonModel


class OpenaiMessage(JsonModel):
    """The assistant's answer."""

    role: Literal["assistant"]
    content: str
    refusal: None
    reasoning_content: str | None = Field(None, description="what the model thought before it answered")


class OpenaiChoice(JsonModel):
    """The only choice."""

    index: int
    message: OpenaiMessage
    finish_reason: Literal["stop", "length", "content_filter"]
    logprobs: None


class OpenaiUsage(JsonModel):
    """Tokens of the turn."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class OpenaiPlace(JsonModel):
    """Conversation and turn of a completion."""

    conversation: str | None
    turn: str | None


class OpenaiCompletion(JsonModel):
    """A chat completion."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    metier: OpenaiPlace
    choices: list[OpenaiChoice]
    usage: OpenaiUsage


class OpenaiModel(JsonModel):
    """A model: the agent, the agent with one of its skills, or with one of the configured language models."""

    id: str = Field(description="`metier`, `metier/<skill>`, or the name of a configured model")
    object: Literal["model"]
    created: int
    owned_by: str


class OpenaiModelList(JsonModel):
    """All models."""

    object: Literal["list"]
    data: list[OpenaiModel]
