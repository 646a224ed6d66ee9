"""Journeys and the crawler on a small pack: what holds, what fails, and in which words."""

from collections.abc import AsyncIterator
from pathlib import Path

import docx
import pytest
import pytest_asyncio

from metier.errors import InvalidInput
from metier.pack import Pack, read_pack
from metier.settings import Settings
from metier.testing import FakeModel
from metier.testing.journeys import (
    Action,
    JourneyHost,
    Visit,
    crawl,
    find_offers,
    list_examples,
    read_journeys,
    run_journeys,
)

PACK = """
id = "clock"
version = "1"
title = { zh = "时钟", en = "Clock" }
description = { zh = "看时间。", en = "Tells the time." }
skills = "skills"
journeys = "journeys"
[[examples]]
zh = "现在几点了"
en = "what is the time"
"""
TIME = """---
name: tell_time
title: 报时
description: 查询现在的时间。Tells the current time.
triggers: [几点, the time]
examples: [现在几点了, what is the time]
next: [chat_only]
allowed_tools: [get_current_time]
sop:
  - id: sure
    title: {zh: 确认, en: Confirm}
    ask: {zh: 要看时间吗？, en: Shall I look?}
    choices:
      - {text: {zh: 要, en: "Yes"}, value: true}
      - {text: {zh: 不要, en: "No"}, value: false}
  - id: now
    title: {zh: 看时间, en: Look}
    when: $.sure
    call: get_current_time
    with: {}
metadata:
  report: |
    时间已查到。说「现在几点了」可以再查。
---
报时。
"""
CHAT = """---
name: chat_only
title: 闲聊
description: 随便聊聊。Small talk.
triggers: [闲聊]
---
聊天。
"""
READ = """---
name: read_file_name
title: 读文件
description: 说出附件的名字和内容。Names the attached file.
triggers: [附件叫什么, 附件名]
allowed_tools: [get_current_time]
sop:
  - id: now
    title: {zh: 看时间, en: Look}
    when: $.document.text
    call: get_current_time
    with: {}
metadata:
  report: |
    附件：{$.document.name}，内容：{$.document.text}
---
读文件。
"""
HOLD = """
journeys:
  - id: asked-and-told
    variants: [要, 好的]
    steps:
      - say: 现在几点了
        expect: {skill: tell_time, asks: 要看时间吗, choices: [不要], not_called: get_current_time}
      - say: "{variant}"
        expect: {called: get_current_time, says: 时间已查到, asks: false, offers: 继续}
  - id: stopped-and-tomorrow
    steps:
      - say: 现在几点了
      - tomorrow: true
        expect: {asks: 要看时间吗}
      - choose: 2
        expect: {not_called: get_current_time}
  - id: attached-file
    steps:
      - attach: {周报.txt: 本周完成三项}
      - say: 附件叫什么
        expect: {skill: read_file_name, called: get_current_time, says: [周报.txt, 本周完成三项]}
  - id: attached-word-file
    variants: [附件叫什么]
    steps:
      - attach: {周报.docx: {file: samples/report.docx}}
      - say: "{variant}"
        expect: {skill: read_file_name, says: [周报.docx, 本周完成四项]}
  - id: wrong
    steps:
      - say: 现在几点了
        expect: {skill: other, called: nothing_here, says: 不会说的话, charts: line}
      - choose: 也许
      - fill: {x: 1}
        expect: {error: invalid_input}
"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("clock")
    for name, text in {
        "pack.toml": PACK,
        "skills/tell_time.md": TIME,
        "skills/chat_only.md": CHAT,
        "skills/read_file_name.md": READ,
        "journeys/a.yaml": HOLD,
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    document = docx.Document()
    document.add_paragraph("本周完成四项")
    (folder / "journeys" / "samples").mkdir()
    document.save(str(folder / "journeys" / "samples" / "report.docx"))
    return read_pack(folder)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host(pack: Pack) -> AsyncIterator[JourneyHost]:
    async with JourneyHost.open(Settings(model="builtin"), [pack]) as host:
        yield host


@pytest.mark.asyncio(loop_scope="module")
async def test_a_journey_holds_or_says_which_step_failed_and_why(host: JourneyHost, pack: Pack) -> None:
    assert pack.journeys is not None
    said: list[str] = []
    results = await run_journeys(host, read_journeys(pack.journeys), say=said.append)
    assert [(one.journey, one.passed) for one in results] == [
        ("asked-and-told: 要", True),
        ("asked-and-told: 好的", True),
        ("stopped-and-tomorrow", True),
        ("attached-file", True),
        ("attached-word-file: 附件叫什么", True),
        ("wrong", False),
    ]
    whole = said[-1]
    for words in (
        "step 1, say '现在几点了'",
        "the skill is tell_time, not other",
        "nothing_here was not called",
        "does not say '不会说的话'",
        "no chart 'line'",
        "step 2, choose '也许'",
        "options: 要, 不要",
    ):
        assert words in whole
    assert "step 3" not in whole


@pytest.mark.asyncio(loop_scope="module")
async def test_the_crawler_follows_what_is_offered_and_names_the_way_to_a_dead_end(
    host: JourneyHost, pack: Pack
) -> None:
    examples = [one for one in list_examples(pack) if one.text == "现在几点了"]
    report = await crawl(host, examples, depth=2)
    ways = {one.path: one.dead_end.kind for one in report.findings}
    assert ways[("现在几点了", "要", "继续：闲聊")] == "needs_model"
    assert set(ways.values()) == {"needs_model"}
    assert report.not_followed == 0
    short = await crawl(host, examples, depth=2, max_steps=2)
    assert short.steps == 2
    assert short.not_followed > 0
    assert "left out" in short.describe()


@pytest.mark.asyncio(loop_scope="module")
async def test_offers_are_options_suggestions_and_words_to_say(host: JourneyHost) -> None:
    visit = Visit(host)
    await visit.do(Action(say="现在几点了"))
    assert [(one.source, one.text) for one in find_offers(visit)] == [("option", "要"), ("option", "不要")]
    await visit.do(Action(choose="要"))
    assert ("quoted", "现在几点了") in [(one.source, one.text) for one in find_offers(visit)]


async def test_the_same_journeys_run_on_a_scripted_model(pack: Pack) -> None:
    assert pack.journeys is not None
    model = FakeModel().say("It is late.").say("Asked.")
    journeys = [one for one in read_journeys(pack.journeys) if one.id.endswith(": 要")]
    async with JourneyHost.open(Settings(model="builtin"), [pack], model=model) as host:
        results = await run_journeys(host, journeys)
    assert [one.describe() for one in results if not one.passed] == []


def test_a_journey_file_that_is_wrong_names_the_place(tmp_path: Path) -> None:
    cases = {
        "journeys:\n  - id: a\n    steps:\n      - {say: x, choose: y}\n": "one of say",
        "journeys:\n  - id: a\n    steps:\n      - {say: x, expect: {sayz: y}}\n": "journeys.0.steps.0.expect.sayz",
        "journeys: [": "cannot be read",
        "journeys:\n  - {id: a, steps: [{say: x}]}\n  - {id: a, steps: [{say: x}]}\n": "two journeys are called 'a'",
    }
    wrong = []
    for text, words in cases.items():
        (tmp_path / "one.yaml").write_text(text, "utf-8")
        with pytest.raises(InvalidInput) as caught:
            read_journeys(tmp_path)
        if words not in caught.value.message:
            wrong.append((words, caught.value.message))
    assert wrong == []
