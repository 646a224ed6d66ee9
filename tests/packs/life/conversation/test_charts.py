"""Charts in a conversation on the built-in model: form, card, reading, follow-ups, another person, a correction."""

from collections.abc import AsyncIterator
from pathlib import Path

from metier.agent import Runtime, TurnRequest
from metier.json_values import JsonObject
from metier.pack import select_packs
from metier.settings import Settings
from metier.store import Event

OWN: JsonObject = {
    "birth_info.calendar": "solar",
    "birth_info.date": "1990-06-15",
    "birth_info.time": "14:30",
    "birth_info.place": "四川省成都市武侯区",
    "birth_info.sex": "male",
}


class _Talk:
    """A conversation that remembers the open question and what was said."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.conversation: str | None = None
        self.pause = ""
        self.text = ""
        self.events: list[Event] = []

    async def say(self, message: str) -> str:
        return await self._read(self.runtime.turn(TurnRequest(message, conversation=self.conversation)))

    async def fill(self, answer: JsonObject | None) -> str:
        return await self._read(self.runtime.answer(self.pause, answer))

    async def _read(self, events: AsyncIterator[Event]) -> str:
        self.pause = ""
        self.events = [event async for event in events]
        self.conversation = self.events[0].conversation
        self.text = "\n".join(str(one.data["text"]) for one in self.events if one.kind == "text.done")
        for one in self.events:
            if one.kind == "pause.opened":
                self.pause = str(one.data["pause"])
        return self.text


async def test_a_chart_is_asked_for_computed_read_and_followed_up_without_a_model(tmp_path: Path) -> None:
    settings = Settings(storage_dir=tmp_path, packs=("life",), model="builtin")
    packs = select_packs(settings, ["life"]).found
    async with Runtime.open(settings, packs=packs) as runtime:
        talk = _Talk(runtime)
        assert "出生" in await talk.say("帮我算个八字")

        told = await talk.fill({**OWN, "birth_info.date": "1990-02-30"})
        assert "没有1990-02-30这一天" in told
        assert await runtime.store.profiles.get("local") == {}

        told = await talk.fill(OWN)
        assert "庚午 壬午 辛亥 甲午" in told
        assert "若按钟表时间：时柱 乙未" in told
        assert "按「我的资料」里保存的出生信息排盘" in told
        assert "《滴天髓·天干》" in told
        images = [(one.data["path"], one.data["title"]) for one in talk.events if one.kind == "image"]
        assert images == [("bazi-chart.svg", "八字命盘")]
        assert not [one for one in talk.events if one.kind.startswith("model.")]

        for message, words in (
            ("那事业呢", "月令七杀"),
            ("我的大运", "癸未 1997"),
            ("明年呢", "2027年丁未"),
            ("钟表时间排盘", "庚午 壬午 辛亥 乙未"),
            ("真太阳时排盘", "庚午 壬午 辛亥 甲午"),
            ("不用真太阳时", "庚午 壬午 辛亥 乙未"),
            ("用真太阳时重新排一下", "庚午 壬午 辛亥 甲午"),
            ("把八字导出PDF", "bazi-report.pdf"),
            ("看看我的星盘", "太阳双子，月亮双鱼，上升处女"),
            ("我最近的行运", "2026-"),
            ("明年呢", "2027-"),
        ):
            assert words in await talk.say(message), message
        folder = tmp_path / "workspaces" / str(talk.conversation)
        assert (folder / "bazi-report.pdf").read_bytes()[:4] == b"%PDF"
        assert "<svg" in (folder / "bazi-report.html").read_text("utf-8")

        mine = await runtime.store.profiles.get("local")
        assert "妈妈" in await talk.say("帮我妈算个八字")
        mother: JsonObject = {**OWN, "birth_info.whose": "妈妈", "birth_info.place": "乌鲁木齐"}
        assert "哪一种" in await talk.fill({**mother, "birth_info.date": "1962-04-09"})
        told = await talk.fill({**mother, "birth_info.date": "1962-04-09", "birth_info.clock": "beijing"})
        assert "妈妈的命盘" in told
        assert "我的资料" not in told  # what was said of somebody else is not kept there
        assert await runtime.store.profiles.get("local") == mine

        assert talk.pause == ""
        await talk.say("我的出生时间填错了")
        before = await runtime.store.skill_data.get("local", "bazi")
        told = await talk.fill({**OWN, "birth_info.time": "16:30"})
        after = await runtime.store.skill_data.get("local", "bazi")
        assert "庚午 壬午 辛亥 乙未" in told
        assert after.data["_computed_from"] != before.data["_computed_from"]
        asked = TurnRequest("帮我算个八字。" * 1500, conversation=talk.conversation, skill="bazi")
        texts = [str(one.data.get("text", "")) async for one in runtime.turn(asked)]
        assert "超过 1000 个字" in str(texts)
        assert "maxLength" not in str(texts)


async def test_birth_data_that_were_kept_before_are_used_and_said_to_be(tmp_path: Path) -> None:
    settings = Settings(storage_dir=tmp_path, packs=("life",), model="builtin")
    async with Runtime.open(settings, packs=select_packs(settings, ["life"]).found) as runtime:
        first = _Talk(runtime)
        await first.say("帮我算个八字")
        await first.fill(OWN)
        told = {words: await _Talk(runtime).say(words) for words in ("帮我算个八字", "Compute my bazi", "看看我的星盘")}
    assert "按「我的资料」里保存的出生信息" in told["帮我算个八字"]
    assert "kept in “My data”" in told["Compute my bazi"]
    assert "按「我的资料」里保存的出生信息" in told["看看我的星盘"]


async def test_a_declined_form_may_be_asked_again_and_answered_in_a_sentence(tmp_path: Path) -> None:
    settings = Settings(storage_dir=tmp_path, packs=("life",), model="builtin")
    async with Runtime.open(settings, packs=select_packs(settings, ["life"]).found) as runtime:
        talk = _Talk(runtime)
        await talk.say("compute my natal chart")
        assert "sex" not in str(next(one.data for one in talk.events if one.kind == "pause.opened"))
        await talk.fill({name: value for name, value in OWN.items() if name != "birth_info.sex"})
        assert [one.data["title"] for one in talk.events if one.kind == "image"] == ["Natal chart"]
        await runtime.store.profiles.set("local", {})

        talk = _Talk(runtime)
        await talk.say("compute my bazi")
        told = await talk.fill(None)
        assert "cannot begin" in told
        assert "birth" in await talk.say("compute my bazi")
        told = await talk.say("born 1990-06-15 2:30 pm in Chengdu, male")
        assert "Geng-Wu Ren-Wu Xin-Hai Jia-Wu" in told


async def test_birth_data_that_differs_from_the_stored_is_asked_about(tmp_path: Path) -> None:
    settings = Settings(storage_dir=tmp_path, packs=("life",), model="builtin")
    async with Runtime.open(settings, packs=select_packs(settings, ["life"]).found) as runtime:
        stored: JsonObject = {
            "date": "1977-01-20",
            "time": "10:00",
            "place": "London",
            "calendar": "solar",
            "sex": "male",
        }
        await runtime.store.profiles.set("local", {"birth_info": stored})
        talk = _Talk(runtime)
        await talk.say("看看我2026年5月3日的流年八字")
        assert not talk.pause  # a day that is asked about
        assert "1977-01-20" in await talk.say("我89年5月3号早上八点多成都出生，男的，看看八字")
        form = str(next(one.data for one in talk.events if one.kind == "pause.opened"))
        assert all(value in form for value in ("1989-05-03", "chen", "成都"))
        corrected = {**OWN, "birth_info.date": "1989-05-03", "birth_info.time": "08:10"}
        assert "己巳" in await talk.fill(corrected)
        assert not talk.pause
        assert (await runtime.store.profiles.get("local", ["birth_info.date"])) == {"birth_info.date": "1989-05-03"}


async def test_a_form_that_was_filled_in_from_the_message_is_confirmed_or_mended_in_words(tmp_path: Path) -> None:
    settings = Settings(storage_dir=tmp_path, packs=("life",), model="builtin")
    packs = select_packs(settings, ["life"]).found
    async with Runtime.open(settings, packs=packs) as runtime:
        talk = _Talk(runtime)
        await talk.say("帮我算个八字，1990年3月7日早上8点半，成都，女")
        told = await talk.say("确认")
        assert "庚午 己卯 辛未" in told
        assert "1990年庚午" not in told

        other = _Talk(runtime)
        await other.say("我妈的八字，1960年3月7日早上8点半，成都，女")
        mended = await other.say("是1960年3月8日")
        assert "1960-03-08" in mended or "1960年3月8日" in mended
