"""Beside a question which data are meant: wishes are kept, own files are waited for, and the sample is not taken."""

from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.settings import Settings
from metier.store import Pause
from metier.workspaces import WorkspaceQuota, workspace_folder
from tests.e2e.support import Told, said

pytestmark = pytest.mark.asyncio(loop_scope="module")
LEDGER = "sample-ledger.zh.xlsx"


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("talk")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(storage: Path) -> AsyncIterator[Runtime]:
    settings = Settings(storage_dir=storage, skills_dir=(), packs=("office", "workspace"))
    async with Runtime.open(settings, packs=select_packs(settings).found) as opened:
        yield opened


def _attach(storage: Path, talk: str) -> None:
    content = (resources.files("metier.packs.office") / "samples" / LEDGER).read_bytes()
    folder = workspace_folder(storage, talk)
    add_attachment(folder, LEDGER, content, max_bytes=1 << 24, quota=WorkspaceQuota(max_files=200))


async def _find_open(runtime: Runtime, talk: str) -> Pause:
    (pause,) = await runtime.store.pauses.list_open(talk)
    return pause


def _tools(turn: Told) -> list[object]:
    return [one["tool"] for one in turn.all("tool.called")]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("不用示例，我自己传", "附件按钮"),
        ("我要用自己的文件", "metier run --document"),
        ("怎么上传文件", "附件按钮"),
        ("no sample, I'll upload my own", "command line"),
        ("how do I attach a file?", "command line"),
        ("传好了", "还没有看到"),
        ("uploaded", "还没有看到"),
        ("台账", "「用示例台账」"),
        ("给我讲个笑话", "不是对当前问题的回答"),
        ("今天天气怎么样", ""),
    ],
)
async def test_a_question_for_a_file_stays_open_and_says_how_to_attach_one(
    runtime: Runtime, words: str, told: str
) -> None:
    talk = (await said(runtime, "画个图")).conversation
    asked = await _find_open(runtime, talk)
    turn = await said(runtime, words, talk)
    assert told in turn.text
    assert (await _find_open(runtime, talk)).id == asked.id
    assert _tools(turn) == []


@pytest.mark.parametrize("words", ["传好了", "文件发给你了", LEDGER, "就用sample-ledger.zh", "I've attached it"])
async def test_a_file_that_has_come_is_what_the_request_goes_on_with(
    runtime: Runtime, storage: Path, words: str
) -> None:
    talk = (await said(runtime, "画个图")).conversation
    _attach(storage, talk)
    turn = await said(runtime, words, talk)
    assert LEDGER in str(turn.all("text.done"))
    assert (await _find_open(runtime, talk)).payload["purpose"] == "approve"


async def test_wishes_how_to_show_the_data_are_kept_with_the_request_until_there_are_some(runtime: Runtime) -> None:
    talk = (await said(runtime, "帮我分析一份数据")).conversation
    await said(runtime, "数据分析", talk)
    by_month = await said(runtime, "按月看", talk)
    assert "「帮我分析一份数据，按月看」" in str(by_month.all("text.done"))
    pie = await said(runtime, "画个饼图", talk)
    assert "再说一次「画个饼图」" in str(pie.all("text.done"))
    done = await said(runtime, "示例销售数据", talk)
    assert "销售额按月的走势（合计）" in [one["title"] for one in done.all("table")]


async def test_an_unrelated_request_is_no_detail_of_what_was_asked_about(runtime: Runtime) -> None:
    talk = (await said(runtime, "分析数据")).conversation
    asked = await _find_open(runtime, talk)
    for words in ("给我讲个笑话", "今天天气怎么样？", "帮我订一张去上海的机票"):
        await said(runtime, words, talk)
        assert (await _find_open(runtime, talk)).id == asked.id, words
    other = await said(runtime, "审查合同", talk)
    assert "「分析数据」先放下" in str(other.all("text.done"))
    assert "哪份合同" in str((await _find_open(runtime, talk)).payload["text"])
    back = await said(runtime, "回到刚才的问题", talk)
    assert "没有放在一边的问题" in back.text
    assert "哪份合同" in back.text


async def test_a_detail_is_joined_and_only_one_question_stays_open(runtime: Runtime) -> None:
    talk = (await said(runtime, "分析数据")).conversation
    turn = await said(runtime, "三列的那种", talk)
    assert (await _find_open(runtime, talk)).payload["message"] == "分析数据，三列的那种"
    assert turn.one("skill.routed")["read_as"] == "分析数据，三列的那种"
