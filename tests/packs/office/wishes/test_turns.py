"""Whole turns without a language model, beside an attached file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from metier.agent import Runtime, TurnRequest
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.settings import Settings
from metier.store import Event
from metier.workspaces import WorkspaceQuota, workspace_folder
from tests.packs.office.wishes.samples import make_sample


class Talk:
    """Conversations with one attached file each."""

    def __init__(self, runtime: Runtime, folder: Path) -> None:
        self._runtime = runtime
        self._folder = folder

    async def start(self, *files: str) -> str:
        made = await self._runtime.store.conversations.create("local")
        for file in files:
            (self._folder / "files").mkdir(exist_ok=True)
            content = make_sample(file, self._folder / "files")
            workspace = workspace_folder(self._folder, made.id)
            add_attachment(workspace, file, content, max_bytes=1 << 24, quota=WorkspaceQuota())
        return made.id

    async def say(self, conversation: str, message: str) -> list[Event]:
        return [one async for one in self._runtime.turn(TurnRequest(message, conversation=conversation))]


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none")
    async with Runtime.open(settings, packs=select_packs(settings, ["office"]).found) as runtime:
        yield Talk(runtime, tmp_path)


def _find(events: list[Event], kind: str) -> Event | None:
    return next((one for one in events if one.kind == kind), None)


def _text(events: list[Event]) -> str:
    return "\n".join(str(one.data["text"]) for one in events if one.kind == "text.done")


async def test_why_a_skill_was_taken_names_the_file_and_its_kind(talk: Talk) -> None:
    events = await talk.say(await talk.start("transcript.docx"), "what did we decide?")
    activated = _find(events, "skill.activated")
    assert activated is not None
    assert activated.data["skill"] == "meeting-minutes"
    assert "“transcript.docx” is attached, by its words a transcript (Anna, Ben, Cara)" in str(activated.data["why"])
    asked = _find(events, "pause.opened")
    assert asked is not None
    assert asked.data["purpose"] == "approve"  # nothing is written unasked


async def test_a_question_is_answered_with_passages_that_say_that_they_are_quoted(talk: Talk) -> None:
    chat = await talk.start("contract.docx")
    said = _text(await talk.say(chat, "what does contract.docx say about the deposit?"))
    assert "looked up and not interpreted" in said
    assert "1. The deposit is 30% of the price." in said
    assert "Disputes" not in said
    absent = _text(await talk.say(chat, "what does contract.docx say about warranty?"))
    assert "No passage of “contract.docx” holds the words of the question (“warranty”)." in absent


async def test_a_question_for_a_value_is_answered_from_the_document_and_one_for_a_term_is_not(talk: Talk) -> None:
    chat = await talk.start("采购合同.docx")
    assert "第一条 定金为合同总价的30%。" in _text(await talk.say(chat, "定金是多少"))
    assert "第一条" not in _text(await talk.say(chat, "定金是什么"))


async def test_a_file_that_is_named_is_no_question_about_the_result_on_screen(talk: Talk) -> None:
    chat = await talk.start("预算.xlsx")
    await talk.say(chat, "预算.xlsx有什么问题")
    await talk.say(chat, "不用")
    activated = _find(await talk.say(chat, "把预算.xlsx画成柱状图"), "skill.activated")
    assert activated is not None
    assert activated.data["skill"] == "et-visualizer"


async def test_a_place_is_quoted_by_its_number_and_a_heading_with_what_stands_below(talk: Talk) -> None:
    slide = _text(await talk.say(await talk.start("launch.pptx"), "what is slide 3 about?"))
    assert "“Start in June”" in slide
    assert "Growth 12%" not in slide
    chapter = _text(await talk.say(await talk.start("招标文件.docx"), "技术要求有哪些"))
    assert "★2.2 质保期不少于三年。" in chapter


async def test_a_summary_says_that_it_is_extracted(talk: Talk) -> None:
    said = _text(await talk.say(await talk.start("launch.pptx"), "summarise launch.pptx"))
    assert "Extracted from “launch.pptx”, not written" in said
    assert "- **Market**: Growth 12%" in said


async def test_what_needs_a_language_model_is_told_in_a_sentence_and_nothing_is_done(talk: Talk) -> None:
    for message, said in (
        ("translate contract.docx into Chinese", "A translation needs a language model"),
        ("润色一下", "改写和润色需要语言模型"),
    ):
        events = await talk.say(await talk.start("contract.docx"), message)
        assert _text(events).startswith(said)
        assert _find(events, "skill.activated") is None
    table = _text(await talk.say(await talk.start("budget.xlsx"), "translate it into German"))
    assert "check for errors" in table


async def test_another_file_than_the_attached_one_is_asked_for(talk: Talk) -> None:
    events = await talk.say(await talk.start("contract.docx"), "review offer.docx")
    assert "There is no such file here. Attached: “contract.docx”." in _text(events)
    assert _find(events, "skill.activated") is None


async def test_the_one_skill_for_the_one_file_is_taken_and_with_two_files_it_is_a_yes_or_no(talk: Talk) -> None:
    message = "有隐藏行和异常值的话告诉我"
    events = await talk.say(await talk.start("budget.xlsx"), message)
    activated = _find(events, "skill.activated")
    assert activated is not None
    assert "the only attached file" in str(activated.data["why"])
    chat = await talk.start("budget.xlsx", "预算.xlsx")
    asked = _find(await talk.say(chat, message), "pause.opened")
    assert asked is not None
    assert asked.data["text"] == "要做「表格核查」吗？"
    activated = _find(await talk.say(chat, "好的"), "skill.activated")
    assert activated is not None
    assert activated.data["skill"] == "finance-audit"
    chat = await talk.start("budget.xlsx", "预算.xlsx")
    await talk.say(chat, message)
    assert _find(await talk.say(chat, "不用"), "skill.activated") is None


async def test_a_question_for_the_meaning_of_a_thing_takes_no_skill_because_of_the_file(talk: Talk) -> None:
    events = await talk.say(await talk.start("预算.xlsx"), "隐藏行和异常值是什么意思")
    activated = _find(events, "skill.activated")
    assert activated is None or "the only attached file" not in str(activated.data["why"])
