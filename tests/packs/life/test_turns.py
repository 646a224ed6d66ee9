"""Turns of the life pack: what they read from the database, and that birth data reaches no trace, log or telemetry."""

import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from metier.agent import Runtime
from metier.json_values import JsonObject
from metier.pack import find_installed_packs
from metier.settings import Settings
from metier.telemetry import open_telemetry, telemetry_path
from metier.testing import FakeModel
from tests.e2e.support import answered, said
from tests.telemetry.support import receiver

OWN: JsonObject = {
    "birth_info.calendar": "solar",
    "birth_info.date": "1987-03-29",
    "birth_info.time": "05:47",
    "birth_info.place": "四川省成都市武侯区",
    "birth_info.sex": "male",
}
PRIVATE = ("1987-03", "1987年", "03-29", "05:47", "武侯", "成都", "104.07", "丁卯")
MAX_READS = 8


@contextmanager
def reads() -> Iterator[list[str]]:
    """Statements outside of write transactions that are sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if threading.current_thread().name.startswith("metier-reader"):
            sent.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def test_after_a_crisis_a_message_that_no_skill_fits_is_answered_warmly_and_not_with_a_list(
    tmp_path: Path,
) -> None:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none", model="builtin")
    async with Runtime.open(settings, packs=find_installed_packs().select(["life"])) as runtime:
        before = await said(runtime, "不知道怎么办")
        assert "塔罗" in before.text
        crisis = await said(runtime, "我不想活了")
        after = [
            await said(runtime, words, crisis.conversation) for words in ("不知道怎么办", "I do not know what to do")
        ]
        asked = await said(runtime, "抽一张塔罗牌看看我的工作")
    texts = ["".join(str(one["text"]) for one in turn.all("text.done")) for turn in after]
    assert [("12356" in text, "塔罗解读" in text) for text in texts] == [(True, False)] * 2
    assert "skill.activated" in asked.kinds


async def test_a_turn_of_every_life_skill_reads_at_most_eight_times(tmp_path: Path) -> None:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none", model="builtin")
    counts: dict[str, tuple[int, int]] = {}
    async with Runtime.open(settings, packs=find_installed_packs().select(["life"])) as runtime:
        asked = await said(runtime, "帮我算个八字")
        with reads() as sent:
            await answered(runtime, asked.pause, OWN)
        counts["form"] = (len(sent), MAX_READS)
        places = {
            "那事业呢": asked.conversation,
            "帮我算个八字": asked.conversation,
            "帮我排个星盘": None,
            "抽一张塔罗牌看看我的工作": None,
            "帮我做个职业兴趣测试": None,
            "我想每天跑步，帮我定个计划": None,
            "什么是七杀": None,
            "你好": None,
        }
        for message, conversation in places.items():
            with reads() as sent:
                await said(runtime, message, conversation)
            counts[message] = (len(sent), MAX_READS)
    assert {name: count for name, count in counts.items() if count[0] > count[1]} == {}
    assert counts["form"][0] > 0  # the reads were seen


async def test_birth_data_is_in_no_trace_log_or_telemetry(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    packs = find_installed_packs().select(["life"])
    for name in ("builtin", "scripted"):
        # A model that repeats what it was told, in its text and in the arguments of a call.
        model = (
            FakeModel()
            .call("compute_bazi", language="zh")
            .say("1987年3月29日05:47，成都武侯：丁卯。")
            .say("1987-03-29")
        )
        with receiver() as found:
            settings = Settings(
                skills_dir=(), storage_dir=tmp_path / name, embedder="none", model="builtin", otlp_endpoint=found.url
            )
            with open_telemetry(settings) as telemetry:
                async with Runtime.open(
                    settings,
                    packs=packs,
                    observers=telemetry.observers,
                    model=model if name == "scripted" else None,
                ) as runtime:
                    asked = await said(runtime, "帮我算个八字")
                    told = await answered(runtime, asked.pause, OWN)
                    await said(
                        runtime, "我1987年03-29的05:47出生在成都武侯，事业怎么样", asked.conversation, replaced=True
                    )
                    assert any("丁卯" in str(one["text"]) for one in told.all("text.done"))
                assert telemetry.flush(60)
            traces = [str(ExportTraceServiceRequest.FromString(body)) for _, _, body in found.bodies]
        files = [one.read_bytes() for one in telemetry_path(settings).parent.iterdir()]
        assert any("execute_tool compute_bazi" in one for one in traces)
        kept = {"traces": "\n".join(traces).encode("utf-8"), "telemetry": b"".join(files), "log": caplog.text.encode()}
        leaks = [(place, word) for place, text in kept.items() for word in PRIVATE if _holds(text, word)]
        assert leaks == [], name


def _holds(text: bytes, word: str) -> bool:
    """Whether the word is in the text, also as its JSON or protobuf text writes it, and not inside a longer number."""
    escaped = "".join(f"\\{byte:03o}" for byte in word.encode("utf-8"))
    forms = (word.encode("utf-8"), ascii(word)[1:-1].encode(), escaped.encode())
    return any(re.search(rb"(?<![\d:])" + re.escape(one) + rb"(?![\d:])", text) for one in forms)
