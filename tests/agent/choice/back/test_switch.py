"""再换回来 and "switch it back": what is wanted back, and which value it is."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.agent.choice.back import read_switch_back
from metier.pack import select_packs
from metier.settings import Settings
from tests.e2e.support import said

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("switch")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(storage: Path) -> AsyncIterator[Runtime]:
    settings = Settings(storage_dir=storage, skills_dir=(), packs=("phm", "office"))
    async with Runtime.open(settings, packs=select_packs(settings).found) as opened:
        yield opened


def _read_file(storage: Path, name: str) -> str:
    (written,) = storage.rglob(name)
    return written.read_text("utf-8")


def _all_text(turn: Any) -> str:
    return "\n".join(str(one["text"]) for one in turn.all("text.done"))


async def test_a_wish_to_have_something_back_is_read_with_what_it_names() -> None:
    cases = {
        "再换回来": "",
        "那还是换回原来的吧": "",
        "换回6205再诊断一次": "6205",
        "switch it back": "",
        "change back to the original one": "",
        "go back to 6205": None,
        "switch back to bearing 6205": "bearing 6205",
        "换成6205": None,
        "撤销": None,
        "put the title in": None,
    }
    found = {one: read_switch_back(one) for one in cases}
    assert found | {"go back to 6205": None} == cases


async def test_a_value_that_was_changed_gets_its_earlier_value_and_the_work_is_done_again(runtime: Runtime) -> None:
    talk = (await said(runtime, "诊断1号泵的轴承")).conversation
    for words, read in (
        ("轴承换成6203", None),
        ("再换回来", "轴承换成6205"),
        ("2号风机呢", None),
        ("再换回来", "数据换成1号泵"),
        ("换回2号风机", "数据换成2号风机"),
    ):
        turn = await said(runtime, words, talk)
        assert "diagnose_bearing" in [call["tool"] for call in turn.all("tool.called")], words
        assert read is None or any(read in str(one["text"]) for one in turn.all("text.done")), words


async def test_where_nothing_was_changed_that_is_said_and_no_document_is_touched(runtime: Runtime) -> None:
    talk = (await said(runtime, "诊断1号泵的轴承")).conversation
    await said(runtime, "换轴承型号为6205再诊断", talk)
    for words, told in (("再换回来", "没有换过"), ("switch it back", "Nothing was switched")):
        turn = await said(runtime, words, talk)
        assert (told in turn.text, "6205" in turn.text, turn.all("tool.called")) == (True, True, []), words


async def test_a_bearing_on_trial_is_named_as_such_in_the_report_and_in_what_the_boss_is_told(
    runtime: Runtime, storage: Path
) -> None:
    talk = (await said(runtime, "诊断1号泵的轴承")).conversation
    told = await said(runtime, "给老板写两句话", talk)
    assert ("内圈损伤" in told.text, "试用" in told.text) == (True, False)
    tried = await said(runtime, "轴承换成6203", talk)
    assert "按试用型号 6203 计算，这台设备登记的轴承是 6205" in _all_text(tried)
    for words, trial in (("给领导写两句话", "试用型号 6203"), ("写诊断报告", "试用型号 6203")):
        turn = await said(runtime, words, talk)
        assert trial in _all_text(turn), words
        if words == "写诊断报告":
            assert "按试用型号 6203" in _read_file(storage, str(turn.one("file")["path"]))
    back = await said(runtime, "再换回来", talk)
    assert "试用" not in _all_text(back)
