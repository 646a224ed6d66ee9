"""Checkpoints of LangGraph in Metier's store, under a conversation and the lease of its turn."""

import json
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from metier.store import Store, StoredCheckpoint


class StoreSaver(BaseCheckpointSaver[str]):
    """`BaseCheckpointSaver` over the store. Records belong to a conversation and are deleted with it.

    With the lease of a turn, a process that lost it can write nothing. Only plain data and LangChain's own types are
    read back: a stored row cannot name code to run.
    """

    def __init__(self, store: Store, conversation: str, *, turn: str | None = None, fence: int | None = None) -> None:
        super().__init__(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self._store = store
        self._conversation = conversation
        self._turn = turn
        self._fence = fence

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        thread, namespace = _place(config)
        wanted = get_checkpoint_id(config) or await self._store.checkpoints.get_latest(
            self._conversation, thread, namespace
        )
        if wanted is None:
            return None
        records = await self._store.checkpoints.list(self._conversation, thread, namespace, wanted)
        return next((self._to_tuple(one, records) for one in records if one.is_state), None)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        asked: Mapping[str, Any] = {} if config is None else config.get("configurable", {})
        records = await self._store.checkpoints.list(
            self._conversation, asked.get("thread_id"), asked.get("checkpoint_ns"), asked.get("checkpoint_id")
        )
        latest = get_checkpoint_id(before) if before else None
        given = 0
        for one in records:
            if not one.is_state or (latest is not None and one.checkpoint >= latest):
                continue
            found = self._to_tuple(one, records)
            if filter and any(found.metadata.get(key) != value for key, value in filter.items()):
                continue
            if limit is not None and given >= limit:
                return
            given += 1
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        thread, namespace = _place(config)
        parent = get_checkpoint_id(config)
        kind, data = self.serde.dumps_typed(checkpoint)
        details = json.dumps(self._dump(get_checkpoint_metadata(config, metadata)))
        record = StoredCheckpoint(
            thread, namespace, checkpoint["id"], parent=parent, format=kind, content=_encode(data), details=details
        )
        await self._put([record], replace=True)
        return _config(thread, namespace, checkpoint["id"])

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        thread, namespace = _place(config)
        records = []
        for at, (channel, value) in enumerate(writes):
            kind, data = self.serde.dumps_typed(value)
            records.append(
                StoredCheckpoint(
                    thread,
                    namespace,
                    str(config["configurable"]["checkpoint_id"]),
                    task=task_id,
                    place=WRITES_IDX_MAP.get(channel, at),
                    channel=channel,
                    format=kind,
                    content=_encode(data),
                    details=task_path,
                )
            )
        # An ordinary write that is there already came from the same task; a special one replaces the last.
        await self._put([one for one in records if one.place < 0], replace=True)
        await self._put([one for one in records if one.place >= 0], replace=False)

    async def adelete_thread(self, thread_id: str) -> None:
        await self._store.checkpoints.delete(self._conversation, thread_id)

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Versions are numbers as texts of one length, so that they sort."""
        return f"{int(current or 0) + 1:032d}"

    async def _put(self, records: Sequence[StoredCheckpoint], *, replace: bool) -> None:
        await self._store.checkpoints.put(
            self._conversation, records, turn=self._turn, fence=self._fence, replace=replace
        )

    def _dump(self, value: Any) -> list[str]:
        kind, data = self.serde.dumps_typed(value)
        return [kind, _encode(data)]

    def _load(self, kind: str, content: str) -> Any:
        return self.serde.loads_typed((kind, b64decode(content)))

    def _to_tuple(self, state: StoredCheckpoint, records: Sequence[StoredCheckpoint]) -> CheckpointTuple:
        kind, content = json.loads(state.details)
        writes = [
            (one.task, one.channel, self._load(one.format, one.content))
            for one in records
            if not one.is_state and _key(one) == _key(state)
        ]
        parent = None if state.parent is None else _config(state.thread, state.namespace, state.parent)
        return CheckpointTuple(
            _config(state.thread, state.namespace, state.checkpoint),
            self._load(state.format, state.content),
            self._load(kind, content),
            parent,
            writes,
        )


def _key(one: StoredCheckpoint) -> tuple[str, str, str]:
    return one.thread, one.namespace, one.checkpoint


def _encode(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _place(config: RunnableConfig) -> tuple[str, str]:
    asked = config.get("configurable", {})
    return str(asked["thread_id"]), str(asked.get("checkpoint_ns", ""))


def _config(thread: str, namespace: str, checkpoint: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint}}
