"""“Undo it” takes the last change back; a question how, or whether, that can be done only gets the words for it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.agent.choice.back import find_undone, find_undone_in_question
from metier.settings import Settings
from metier.tools import function_tool
from tests.e2e.support import said, written

SKILL = """---
name: sign
title: {zh: 门牌, en: The sign}
description: 写门牌或撤回门牌
triggers: [写门牌, 撤回门牌]
allowed_tools: [write_sign, remove_sign]
sop:
  - {id: made, title: 写门牌, call: write_sign, when: "$.contains(message, '写')"}
  - {id: gone, title: 撤回门牌, call: remove_sign, when: "$.!contains(message, '写')"}
---

# 门牌
"""


def test_a_question_how_to_undo_is_no_order_to_undo() -> None:
    questions = {
        "how do I undo?": "",
        "how do i undo it": "",
        "How can I undo this?": "",
        "how to revert the change": "",
        "can I undo it?": "",
        "can it be undone?": "",
        "is it possible to undo": "",
        "is there a way to take it back?": "",
        "怎么撤销": "",
        "怎么撤销啊": "",
        "如何撤回刚才的改动": "",
        "能撤销吗": "",
        "how do I restore the backup": "backup",
    }
    assert {one: find_undone_in_question(one) for one in questions} == questions
    orders = ["undo it", "can you undo it", "put it back how it was", "能不能撤销", "可以撤销吗", "撤销刚才的改动"]
    assert [find_undone_in_question(one) for one in orders] == [None] * len(orders)
    assert [find_undone(one) for one in orders] == [""] * len(orders)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    folder = tmp_path_factory.mktemp("undo")
    made: list[str] = []

    def write_sign() -> dict[str, int]:
        """Write the sign."""
        made.append("sign")
        return {"signs": len(made)}

    def remove_sign() -> dict[str, int]:
        """Remove the sign."""
        made.clear()
        return {"signs": len(made)}

    tools = [function_tool(write_sign), function_tool(remove_sign, undoes="write_sign")]
    settings = Settings(skills_dir=(written(folder, sign=SKILL),), storage_dir=folder / "storage", embedder="none")
    async with Runtime.open(settings, tools=tools) as opened:
        yield opened


@pytest.mark.asyncio(loop_scope="module")
async def test_how_to_undo_is_told_after_a_change_and_nothing_is_taken_back(runtime: Runtime) -> None:
    talk = (await said(runtime, "写门牌")).conversation
    for words in ("how do I undo?", "怎么撤销", "can it be undone?"):
        asked = await said(runtime, words, talk)
        assert asked.all("tool.called") == asked.all("pause.opened") == [], words
        assert any(mark in asked.text for mark in ("还没有撤销", "Nothing was taken back")), asked.text
    done = await said(runtime, "撤销", talk)
    assert "remove_sign" in [one.get("tool") for one in done.all("tool.called")] or done.all("pause.opened")
