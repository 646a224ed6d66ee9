"""Memory has vectors in `storage/memory_vector_store/` beside its words (seed 004 §2)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metier.json_values import JsonObject
from metier.settings import Settings
from metier.tools import ToolCall, ToolContext
from metier.tools.builtin import builtin_tools_from

FACTS = ("用户对花生过敏", "季度评审会定在周五下午", "The customer prefers dark roast coffee")


async def call(
    folder: Path, conversation: str = "c1", embedder: str = "use-multilingual", **arguments: Any
) -> JsonObject:
    tools = {one.spec.name: one for one in builtin_tools_from(Settings(storage_dir=folder, embedder=embedder))}
    context = ToolContext(folder / "work", conversation, "t1")
    result = await tools["memory"].run(ToolCall("1", "memory", arguments).arguments, context)
    assert result.ok
    assert isinstance(result.data, Mapping)
    return result.data


async def test_a_memory_is_found_by_meaning_and_by_no_other_owner_and_is_gone_when_forgotten(tmp_path: Path) -> None:
    for fact in FACTS:
        await call(tmp_path, action="remember", text=fact)
    found: Any = await call(tmp_path, action="recall", query="顾客喜欢什么咖啡")
    assert found["memories"][0]["text"] == FACTS[2]
    assert "matched" not in found["memories"][0]  # no word in common
    assert found["memories"][0]["similarity"] > 0.4
    assert (tmp_path / "memory_vector_store" / "vectors.sqlite3").is_file()
    assert await call(tmp_path, "c2", action="recall", query="顾客喜欢什么咖啡") == {"memories": []}

    await call(tmp_path, action="forget", id=found["memories"][0]["id"])
    after: Any = await call(tmp_path, action="recall", query="顾客喜欢什么咖啡")
    assert FACTS[2] not in [one["text"] for one in after["memories"]]


async def test_without_an_embedder_words_alone_decide(tmp_path: Path) -> None:
    await call(tmp_path, embedder="none", action="remember", text=FACTS[1])
    found: Any = await call(tmp_path, embedder="none", action="recall", query="评审会什么时候")
    assert found["memories"][0]["text"] == FACTS[1]
    broken: Any = await call(tmp_path, embedder="no.such:embedder", action="recall", query="评审会什么时候")
    assert broken["memories"][0]["text"] == FACTS[1]
    assert not (tmp_path / "memory_vector_store").exists()
