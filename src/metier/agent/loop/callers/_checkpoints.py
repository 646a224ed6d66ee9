"""Latest checkpoint of a run that middleware of the caller interrupted, kept so that it can be stored with a pause.

Metier's own pauses need none: they are rebuilt from messages and events. LangGraph's `interrupt` can only be answered
in the node that raised it, with the state that its middleware had.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from metier.errors import InvalidInput, UsageError
from metier.json_values import JsonObject, JsonValue

_FORMAT: Final = "msgpack"
_MAX_BYTES: Final = 4 * 1024 * 1024


@dataclass(slots=True)
class _Latest:
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    writes: dict[tuple[str, int], tuple[str, str, Any]] = field(default_factory=dict)


class RunCheckpoints(BaseCheckpointSaver[int]):
    """Keeps the latest checkpoint of each running conversation in memory; `dump` and `load` move it to a pause."""

    def __init__(self) -> None:
        # The default serializer imports and calls whatever a stored row names; this one knows LangChain's own types.
        super().__init__(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self._latest: dict[str, _Latest] = {}

    def dump(self, conversation: str) -> JsonObject:
        """Return the latest checkpoint in a form that the store keeps."""
        kept = self._latest[conversation]
        writes = [[task, index, *write] for (task, index), write in kept.writes.items()]
        format_name, data = self.serde.dumps_typed([kept.checkpoint, kept.metadata, writes])
        if format_name != _FORMAT or len(data) > _MAX_BYTES:
            problem = f"the interrupted run cannot be stored: {len(data)} bytes as {format_name}"
            raise UsageError(problem, hint=f"keep the state of the middleware below {_MAX_BYTES} bytes of plain data")
        return {"format": format_name, "data": b64encode(data).decode("ascii")}

    def load(self, conversation: str, stored: JsonObject) -> None:
        """Make what `dump` returned the latest checkpoint; raises `InvalidInput` if it cannot be read."""
        try:
            data = b64decode(str(stored["data"]), validate=True)
            if stored["format"] != _FORMAT:
                raise ValueError(f"format {stored['format']!r}")
            checkpoint, metadata, writes = self.serde.loads_typed((_FORMAT, data))
        except (KeyError, ValueError, TypeError, NotImplementedError) as error:  # the last: an unknown format
            raise InvalidInput("the stored run cannot be read", hint="send the message again") from error
        kept = {(task, index): (owner, channel, value) for task, index, owner, channel, value in writes}
        self._latest[conversation] = _Latest(checkpoint, metadata, kept)

    def forget(self, conversation: str) -> None:
        """Drop the checkpoint of a run that has ended."""
        self._latest.pop(conversation, None)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        conversation = _conversation(config)
        kept = self._latest.get(conversation)
        if kept is None:
            return None
        where = _config(conversation, kept.checkpoint["id"])
        return CheckpointTuple(where, kept.checkpoint, kept.metadata, None, list(kept.writes.values()))

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        conversation = _conversation(config)
        kept = self._latest.get(conversation)
        if kept is None or kept.checkpoint["id"] != checkpoint["id"]:
            self._latest[conversation] = _Latest(checkpoint, metadata)
        return _config(conversation, checkpoint["id"])

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        kept = self._latest.get(_conversation(config))
        if kept is None or kept.checkpoint["id"] != _configurable(config).get("checkpoint_id"):
            return
        for at, (channel, value) in enumerate(writes):
            kept.writes[task_id, WRITES_IDX_MAP.get(channel, at)] = (task_id, channel, value)


def _configurable(config: RunnableConfig) -> Mapping[str, JsonValue]:
    return config.get("configurable", {})


def _conversation(config: RunnableConfig) -> str:
    return str(_configurable(config)["thread_id"])


def _config(conversation: str, checkpoint: str) -> RunnableConfig:
    return {"configurable": {"thread_id": conversation, "checkpoint_ns": "", "checkpoint_id": checkpoint}}
