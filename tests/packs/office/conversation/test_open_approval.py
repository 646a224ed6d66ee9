"""Talk beside an open approval of a document: questions are answered, rows are chosen, and nothing is written by it."""

from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from metier.agent import Runtime, digest_question
from metier.attachments import add_attachment
from metier.errors import ApprovalChanged, ConversationBusy
from metier.json_values import JsonValue
from metier.pack import select_packs
from metier.settings import Settings
from metier.workspaces import WorkspaceQuota, workspace_folder
from tests.e2e.support import answered, said

pytestmark = pytest.mark.asyncio(loop_scope="module")

_QUESTIONS = {
    "为什么有问题？": "定金为合同价款的30%",
    "哪几处": "第 8 段",
    "第六行呢": "青山科技有限公司",
    "which rows?": "8 rows",
    "why is that a problem?": "The reasons are written in Chinese",
    "下次付款什么时候？": "结果里没有找到",
    "这份合同谁签的？": "结果里没有找到",
    "日柱是什么意思": "结果里没有找到",
    "什么是定金": "来源",
    "按你说的改，不过别动金额": "没有听懂",
    "按你说的": "看不出",
    "第二条不对": "",
    "这不对": "哪里不对",
    "先别急": "",
    "嗯…好的…": "",
    "好的？": "",
    "可以改吗": "",
    "按我说的改": "",
    "这样改行不行": "",
    "好像可以": "没有听懂",
    "写入前先告诉领导": "",
    "写入一半": "",
    "ok but why?": "",
    "go ahead as proposed?": "",
    "as you suggested, I asked a lawyer": "cannot tell",
    "I'm not sure about the second one": "did not understand",
    "I don't like the third": "did not understand",
    "第三条不太好": "没有听懂",
    "嗯": "批准 8 行中的 8 行",
    "hm": "",
    "第三处呢": "回答「好的」批准全部 8 行",
    "按你说的改" * 200: "",
}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("talk")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(storage: Path) -> AsyncIterator[Runtime]:
    settings = Settings(storage_dir=storage, skills_dir=(), packs=("office", "life"))
    async with Runtime.open(settings, packs=select_packs(settings).found) as opened:
        yield opened


async def _open(runtime: Runtime, storage: Path, message: str, sample: str) -> str:
    """A conversation in which the sample is attached and the writing of its changes waits for approval."""
    talk = await _attach(runtime, storage, sample)
    assert (await said(runtime, message, talk)).one("pause.opened")["purpose"] == "approve"
    return talk


async def _attach(runtime: Runtime, storage: Path, sample: str) -> str:
    """A conversation in which the sample is attached."""
    talk = (await runtime.store.conversations.create("local")).id
    content = (resources.files("metier.packs.office") / "samples" / sample).read_bytes()
    folder = workspace_folder(storage, talk)
    add_attachment(folder, sample, content, max_bytes=1 << 24, quota=WorkspaceQuota(max_files=200))
    return talk


async def _list_chosen(runtime: Runtime, talk: str) -> Any:
    (pause,) = await runtime.store.pauses.list_open(talk)
    return pause.payload.get("chosen_rows")


async def test_questions_doubts_and_complaints_are_answered_and_the_approval_stays_open(
    runtime: Runtime, storage: Path
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    (pause,) = await runtime.store.pauses.list_open(talk)
    for words, told in _QUESTIONS.items():
        turn = await said(runtime, words, talk)
        assert told in turn.text, (words, turn.text)
        assert [one.id for one in await runtime.store.pauses.list_open(talk)] == [pause.id], words
        assert not {one["tool"] for one in turn.all("tool.called")} & {"write_document", "propose_changes"}, words


async def test_rows_are_chosen_by_their_place_and_a_plain_yes_writes_these_only(
    runtime: Runtime, storage: Path
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    doubt = await said(runtime, "只改第二条", talk)  # the second row stands in clause 3
    assert await _list_chosen(runtime, talk) is None
    assert [one["value"] for one in doubt.one("suggestions")["suggestions"]][:2] == ["只要第2行", "只要第1行"]  # type: ignore[index, union-attr, call-overload]
    for words, chosen in {
        "只要第1行": ["a1"],
        "the first and the third": ["a1", "a3"],
        "fix only the second one": ["a2"],
        "只改第10段": ["a2", "a3"],
        "除了第6行都改": ["a1", "a2", "a3", "a4", "a5", "a7", "a8"],
        "只改第二十行": ["a1", "a2", "a3", "a4", "a5", "a7", "a8"],
        "按你说的改": ["a1", "a2", "a3", "a4", "a5", "a7", "a8"],  # as proposed, or as chosen since?
    }.items():
        await said(runtime, words, talk)
        assert await _list_chosen(runtime, talk) == chosen, words
    done = await said(runtime, "好的", talk)
    assert "7 处改动" in done.text


async def test_a_no_that_goes_on_with_rows_is_a_choice_and_a_clause_without_a_change_is_no_row(
    runtime: Runtime, storage: Path
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    for words, chosen in {
        "不，只改第二处": ["a2"],
        "no, only the third one": ["a3"],
        "只改第一条": ["a3"],  # nothing is proposed in clause 1: the first row stands in clause 2
        "不对，要第1行": ["a1"],
    }.items():
        turn = await said(runtime, words, talk)
        assert await _list_chosen(runtime, talk) == chosen, (words, turn.text)
    doubt = await said(runtime, "不，只改第一条", talk)
    assert "没有提议" in doubt.text
    assert doubt.one("suggestions")["suggestions"][0]["value"] == "只要第1行"  # type: ignore[index, call-overload]
    assert doubt.one("pause.changed")["in_doubt"] is True
    asked = await said(runtime, "yes to all", talk)
    assert not asked.all("tool.called")
    assert len(await runtime.store.pauses.list_open(talk)) == 1


async def test_a_decision_about_what_was_shown_before_a_doubt_is_refused_and_one_about_the_doubt_counts(
    runtime: Runtime, storage: Path
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    (pause,) = await runtime.store.pauses.list_open(talk)
    before = digest_question(pause.payload)
    changed = (await said(runtime, "前两处同意，后面的不同意", talk)).one("pause.changed")
    assert changed["in_doubt"] is True
    with pytest.raises(ApprovalChanged):
        await answered(runtime, pause.id, {"decision": "approve"}, shown=before)
    done = await answered(runtime, pause.id, {"decision": "approve"}, shown=changed["shown"])
    assert [one["tool"] for one in done.all("tool.called")] == ["write_document"]


@pytest.mark.parametrize("given", ["好的", {"decision": "approve"}], ids=["words", "button"])
async def test_an_approval_waits_for_a_message_that_is_being_read(
    runtime: Runtime, storage: Path, given: JsonValue
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    (pause,) = await runtime.store.pauses.list_open(talk)
    lease = await runtime.store.turns.start(talk, "another process", 60)
    with pytest.raises(ConversationBusy):
        await (said(runtime, given, talk) if isinstance(given, str) else answered(runtime, pause.id, given))
    await runtime.store.turns.finish(lease.id, lease.fence, "done")
    assert [one.id for one in await runtime.store.pauses.list_open(talk)] == [pause.id]


@pytest.mark.parametrize("words", ["按你说的改", "go ahead as proposed", "嗯嗯", "嗯，好"])
async def test_as_proposed_approves_what_was_shown(runtime: Runtime, storage: Path, words: str) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    done = await said(runtime, words, talk)
    assert [one["tool"] for one in done.all("tool.called")] == ["write_document"]


@pytest.mark.parametrize("words", ["按你说的改", "好的", "全部都改"])
async def test_a_yes_while_it_is_open_which_row_was_meant_is_asked_about_once(
    runtime: Runtime, storage: Path, words: str
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    await said(runtime, "只改第二条", talk)  # the second row, or what stands in clause 2
    doubt = await said(runtime, words, talk)
    assert not doubt.all("tool.called")
    assert len(await runtime.store.pauses.list_open(talk)) == 1
    done = await said(runtime, "好的", talk)
    assert [one["tool"] for one in done.all("tool.called")] == ["write_document"]


@pytest.mark.parametrize(
    ("limit", "yes"),
    [
        ("前两处同意，后面的不同意", "好的"),
        ("好吧，我再看看", "好的"),
        ("yes, tomorrow", "yes"),
        ("第二处可以不改吗", "可以"),
        ("第二处不要改，其他的照你说的改", "好的"),
        ("只改重要的", "好的"),
        ("前两处同意，后面的不同意，可以吗", "好的"),
        ("定金的先别写行吗？", "好的"),
        ("能等领导签字吗", "好的"),
        ("should we not touch the deposit?", "yes"),
        ("能不能把定金的留到明天", "好的"),
        ("yes to the deposit", "yes"),
        ("同意定金那些", "好的"),
    ],
)
async def test_a_yes_after_a_limit_or_a_doubt_that_no_rule_reads_is_asked_about_once(
    runtime: Runtime, storage: Path, limit: str, yes: str
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    await said(runtime, limit, talk)
    doubt = await said(runtime, yes, talk)
    assert not doubt.all("tool.called"), doubt.text
    assert len(await runtime.store.pauses.list_open(talk)) == 1


async def test_a_question_never_runs_the_minutes_again_that_wait_for_approval(runtime: Runtime, storage: Path) -> None:
    talk = await _open(runtime, storage, "write the meeting minutes", "sample-transcript.en.docx")
    for words, told in {
        "when is the next meeting?": "no answer to that",
        "how long did the meeting take?": "no answer to that",
        "who is responsible for the budget?": "Mark Hill",
        "what does Tom have to do?": "2 of 5",
        "what are the decisions?": "goes live on 20 March",
        "下次会议什么时候？": "",
    }.items():
        turn = await said(runtime, words, talk)
        assert told in turn.text, (words, turn.text)
        assert not {one["tool"] for one in turn.all("tool.called")} & {"find_document", "propose_changes"}, words
        assert len(await runtime.store.pauses.list_open(talk)) == 1
    again = await said(runtime, "write the minutes again", talk)
    assert "propose_changes" in [one["tool"] for one in again.all("tool.called")]


async def test_what_was_changed_is_told_from_the_rows_that_were_approved(runtime: Runtime, storage: Path) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    waiting = await said(runtime, "改了哪些地方", talk)
    assert "还没有" in waiting.text
    await said(runtime, "只要第2行", talk)
    await said(runtime, "好的", talk)
    for words, told in (("改了哪些地方", "改动了 1 处"), ("what did you change?", "changed 1 row")):
        turn = await said(runtime, words, talk)
        assert told in turn.text, turn.text
        assert not turn.text.rstrip().endswith((":", "："))
        shown = turn.one("table")
        assert len(shown["rows"]) == 1  # type: ignore[arg-type]
        assert [one["key"] for one in shown["columns"]] == ["place", "what", "before", "after"]  # type: ignore[union-attr, index, call-overload]
        assert {one["type"] for one in shown["columns"]} == {"text"}  # type: ignore[union-attr, index, call-overload]
        assert "批准前" not in str(shown["title"])
        assert "approval" not in str(shown["title"])
        assert not turn.all("tool.called")


async def test_all_writes_of_a_conversation_are_told_and_the_last_one_alone_if_it_is_asked_for(
    runtime: Runtime, storage: Path
) -> None:
    talk = await _open(runtime, storage, "审查这份合同", "sample-contract.docx")
    await said(runtime, "好的", talk)
    await said(runtime, "把“青山”改成“绿水”", talk)
    await said(runtime, "好的", talk)
    whole = await said(runtime, "改了哪些地方", talk)
    assert "改动了 2 次" in whole.text
    first, second = whole.all("table")
    assert (str(first["title"])[:2], str(second["title"])[:2]) == ("1.", "2.")
    assert "绿水" in str(second["rows"])
    assert "绿水" not in str(first["rows"])
    last = await said(runtime, "刚才改了什么？", talk)
    assert "绿水" in str(last.one("table")["rows"])


async def test_a_wrong_total_is_calculated_anew_and_no_question_asks_for_a_yes_that_nothing_takes(
    runtime: Runtime, storage: Path
) -> None:
    for words in ("重新计算合计", "替换第9行的合计", "recalculate the total"):
        talk = await _open(runtime, storage, words, "sample-ledger.zh.xlsx")
        (pause,) = await runtime.store.pauses.list_open(talk)
        assert "SUM(E2:E8)" in str(pause.payload["calls"]), words
    done = await said(runtime, "要", talk)
    assert [one["tool"] for one in done.all("tool.called")] == ["write_document"]
    talk = await _attach(runtime, storage, "sample-ledger.zh.xlsx")
    told = await said(runtime, "合计算错了", talk)
    assert "请说「重新计算合计」" in told.text
