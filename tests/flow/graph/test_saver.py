"""The checkpoints of LangGraph in our store pass LangGraph's own conformance tests, on both databases."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate

from metier.flow.graph import StoreSaver
from metier.store import Store


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    is_sqlite = request.param == "sqlite"
    return f"sqlite:///{tmp_path / 'm.db'}" if is_sqlite else str(request.getfixturevalue("postgres_url"))


async def test_the_saver_conforms(url: str) -> None:
    async with Store.open(url) as store:
        conversation = await store.conversations.create("li")

        @checkpointer_test(name="StoreSaver")
        async def saver() -> AsyncIterator[StoreSaver]:
            for thread in {one.thread for one in await store.checkpoints.list(conversation.id)}:
                await store.checkpoints.delete(conversation.id, thread)
            yield StoreSaver(store, conversation.id)

        report = await validate(saver)
    failures = [text for one in report.results.values() for text in one.failures or []]
    assert failures == []
    assert report.passed_all_base()
