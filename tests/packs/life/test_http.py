"""Birth form and tier over HTTP: a wrong answer is told in the form and stores nothing; a request sets no tier."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from metier.pack import Packs, find_installed_packs
from metier.server import create_app
from tests.server.support import Open, events_of, opened, settings_in

GOOD = {"calendar": "solar", "date": "1990-06-15", "time": "14:30", "place": "成都", "sex": "male"}
WRONG = {
    "1990-02-30": {"date": "1990-02-30"},
    "没有闰6月": {"calendar": "lunar", "leap_month": "yes", "date": "1990-06-01"},
    "02:30不存在": {"date": "1986-05-04", "time": "02:30", "place": "北京"},
    "出现过两次": {"date": "1986-09-14", "time": "01:30", "place": "北京"},
    "还没有到": {"date": "2190-01-01"},
    "早于1900年": {"date": "1899-12-31"},
    "地点表里没有": {"place": "乌有之乡甲乙丙"},
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Open]:
    folder = tmp_path_factory.mktemp("life")
    packs = Packs(find_installed_packs().select(["life"]))
    settings = settings_in(folder, model="builtin", premium_users=("vip",))
    app = create_app(settings, packs=packs, bench_folder=folder / "bench")
    async with opened(app) as found:
        yield found


@pytest.mark.asyncio(loop_scope="module")
async def test_wrong_birth_data_is_told_in_the_form_and_not_stored(server: Open) -> None:
    passed = []
    for words, wrong in WRONG.items():
        asked = await server.chat("帮我算个八字")
        pause = next(one["data"]["pause"] for one in asked if one["kind"] == "pause.opened")
        answer = {f"birth_info.{key}": value for key, value in {**GOOD, **wrong}.items()}
        told = await server.client.post(f"/api/pauses/{pause}", json={"answer": answer})
        last = events_of(told.text)[-1]
        kept = (await server.client.get("/api/profile")).json()
        if last["kind"] != "pause.opened" or words not in str(last["data"]) or kept["profile"]:
            passed.append((words, last, kept))
    assert passed == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_request_sets_neither_tier_nor_trials(server: Open) -> None:
    await server.here.store.skill_data.merge("local", "_trials", {"tarot": 3})
    draw = {"message": "抽一张塔罗牌给我今天的提示"}
    for more in ({"tier": "premium"}, {"premium": True}, {"trials": 0}):
        assert (await server.client.post("/api/chat", json={**draw, **more})).status_code == 400
    changes = {"changes": {"skill_data._trials.tarot": 0}}
    assert (await server.client.patch("/api/profile", json=changes)).status_code == 403
    assert "用完" in (await server.client.post("/api/chat", json=draw)).text


@pytest.mark.asyncio(loop_scope="module")
async def test_birth_data_that_cannot_be_is_refused_in_the_profile_and_changes_nothing(server: Open) -> None:
    async def correct(**changes: object) -> tuple[int, str]:
        told = await server.client.patch("/api/profile", json={"changes": changes})
        return told.status_code, told.text

    whole = {"date": "1990-06-15", "time": "14:30", "place": "成都"}
    assert (await correct(birth_info=whole))[0] == 200
    wrong = {"birth_info.date": "1990-02-30", "birth_info.place": "乌有之乡甲乙丙", "birth_info.time": "25:61"}
    told = {path: await correct(**{path: value}) for path, value in wrong.items()}
    assert {path: status for path, (status, _) in told.items()} == dict.fromkeys(wrong, 403)
    assert "1990-02-30" in told["birth_info.date"][1]
    odd: tuple[object, ...] = (
        "x",
        [],
        True,
        {"date": "1990-02-30"},
        {"birth_date": "1990-02-30"},
        {"date": 1990},
        {"latitude": 999},
    )
    assert [(await correct(birth_info=one))[0] in (400, 403) for one in odd] == [True] * len(odd)
    assert (await server.client.get("/api/profile")).json()["profile"]["birth_info"] == whole
    assert (await correct(**{"birth_info.date": "1991-06-15"}))[0] == 200
    assert (await correct(**{"birth_info.time": None}))[0] == 200  # what is missing is asked for later
    await server.client.delete("/api/profile")
