"""Follow-ups about a part of what was drawn or computed, by place and by name, in both languages."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.pack import PackQuestion, find_installed_packs
from metier.packs.life.conversation import answer_follow_up
from metier.packs.life.conversation._follow_ups import is_another_draw, write_fact
from metier.packs.life.conversation._named_parts import ChartPart, read_part
from metier.packs.life.tarot import Commitment, draw_from
from metier.settings import Settings
from tests.e2e.support import answered, said
from tests.packs.life.test_turns import OWN

in_one_loop = pytest.mark.asyncio(loop_scope="module")
# Three cards of a fixed seed, whichever they are.
DRAW = draw_from(Commitment("abc", "00" * 16, "three"), "2026-01-01T00:00:00")
NAMES = [one.card.name for one in DRAW.cards]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    settings = Settings(skills_dir=(), storage_dir=tmp_path_factory.mktemp("life"), model="builtin")
    async with Runtime.open(settings, packs=find_installed_packs().select(["life", "office"])) as opened:
        yield opened


def _ask(words: str, skill: str = "tarot", **facts: str) -> str | None:
    language = "zh" if any("\u4e00" <= one <= "\u9fff" for one in words) else "en"
    question = PackQuestion(words, skill, language, None, facts or {"draw": write_fact(DRAW)})  # type: ignore[arg-type]  # no folder is read
    answer = answer_follow_up(question)
    return None if answer is None else "order" if answer.is_order else answer.text


@pytest.mark.parametrize(
    ("words", "place"),
    [
        *(
            ("第二张是什么意思？", 2),
            ("第2张牌怎么看", 2),
            ("最后一张呢", 3),
            ("那第一张说什么", 1),
            ("阻力是什么意思", 2),
            ("处境呢", 1),
        ),
        *(("方向那张怎么解释", 3), (f"{NAMES[1].zh}是什么意思", 2), (f"解释一下{NAMES[0].zh}", 1)),
        *(("what does the second one mean?", 2), ("and the last?", 3), ("what about the first card", 1)),
        *(("tell me more about the situation", 1), ("explain card 2", 2), (f"what does {NAMES[2].en} mean?", 3)),
    ],
)
def test_a_card_of_the_draw_is_read_by_its_place_its_position_and_its_name(words: str, place: int) -> None:
    told = _ask(words)
    assert told is not None
    assert told.startswith(f"**{place}. ")
    assert told.count("**") == 2


@pytest.mark.parametrize(
    "words", ["第五张呢", "what does the fourth card say?", "这张牌是什么意思", "what does this card mean"]
)
def test_a_card_that_is_not_there_or_not_named_is_asked_about_with_those_there_are(words: str) -> None:
    told = _ask(words)
    assert told is not None
    assert "1. " in told
    assert "3. " in told
    assert "**" not in told


@pytest.mark.parametrize(
    "words",
    [
        "换一张",
        "再抽一次",
        "再来一张",
        "重新抽",
        "另外抽一张",
        "another one",
        "draw again",
        "one more card",
        "a new reading",
    ],
)
def test_another_draw_is_an_order_for_the_steps_of_tarot(words: str) -> None:
    assert is_another_draw(words)
    assert (_ask(words), _ask(words, "life_terms")) == ("order", "order")


@pytest.mark.parametrize(
    "words",
    [
        *(
            "第二次开会是什么时候",
            "第二张合同写了什么",
            "把第二张换成高塔",
            "换一份合同",
            "抽一张",
            "再见",
            "这不对",
            "我不信",
            "第二天呢",
        ),
        *(
            "what is the capital of France?",
            "the second time we met",
            "another contract",
            "is that true?",
            "one more question",
        ),
    ],
)
def test_other_messages_are_not_about_the_draw(words: str) -> None:
    assert _ask(words) is None
    assert not is_another_draw(words)


def test_without_a_draw_nothing_is_answered() -> None:
    assert _ask("第二张是什么意思", draw="") is None
    assert _ask("第二张是什么意思", draw="tarot three noseed x") is None


@pytest.mark.parametrize(
    ("words", "skill", "part"),
    [
        ("日柱是什么意思", "bazi", ChartPart("pillar", "day")),
        ("月柱呢", "bazi", ChartPart("pillar", "month")),
        ("第二柱是什么意思", "bazi", ChartPart("pillar", number=2)),
        ("第三步大运怎么样", "bazi", ChartPart("luck", number=3)),
        ("what does the month pillar mean?", "bazi", ChartPart("pillar", "month")),
        ("and the third luck period?", "bazi", ChartPart("luck", number=3)),
        ("第七宫呢", "zodiac", ChartPart("house", number=7)),
        ("what about the tenth house", "zodiac", ChartPart("house", number=10)),
        ("金星是什么意思", "zodiac", ChartPart("body", "venus")),
        ("and the moon?", "zodiac", ChartPart("body", "moon")),
        ("what does the second one mean?", "zodiac", ChartPart("place", number=2)),
        ("第三个是什么意思", "zodiac", ChartPart("place", number=3)),
    ],
)
def test_parts_of_a_chart_are_named_or_counted(words: str, skill: str, part: ChartPart) -> None:
    assert read_part(words, "bazi" if skill == "bazi" else "zodiac") == part
    assert _ask(words, skill) == "order"


@pytest.mark.parametrize(
    "words", ["我第二个孩子怎么样", "明年怎么样", "第二天我要出差", "火星上有水吗", "the second world war", "事业呢"]
)
def test_other_questions_are_not_about_a_part_of_the_chart(words: str) -> None:
    assert (read_part(words, "bazi"), read_part(words, "zodiac")) == (None, None)


@in_one_loop
async def test_a_reading_goes_on_by_place_and_by_name_and_another_draw_keeps_its_spread(runtime: Runtime) -> None:
    first = await said(runtime, "抽三张牌看看工作")
    talk = first.conversation
    second = await said(runtime, "第二张是什么意思？", talk)
    assert second.text.startswith("**2. 阻力")
    assert second.text.split("**")[1] in first.text
    again = await said(runtime, "再抽一次", talk)
    assert "牌阵：三张牌" in str(again.all("text.done"))
    assert (await said(runtime, "what does the second one mean?", talk)).text.startswith("**2. What stands in the way")
    await said(runtime, "逆位是什么意思", talk)  # looked up by another skill
    one = await said(runtime, "换一张", talk)
    assert "牌阵：单张牌" in str(one.all("text.done"))


@in_one_loop
async def test_a_part_of_the_chart_is_computed_and_not_taken_from_the_row_of_that_number(runtime: Runtime) -> None:
    bazi = await said(runtime, "帮我算个八字")
    await answered(runtime, bazi.pause, OWN)
    talk = (await said(runtime, "帮我排个星盘")).conversation
    assert (await said(runtime, "第二宫呢", talk)).text.startswith("**第2宫**")
    assert "House 10" in (await said(runtime, "what about the tenth house", talk)).text
    assert (await said(runtime, "月亮呢", talk)).text.startswith("**月亮**")
    assert (await said(runtime, "日柱是什么意思", bazi.conversation)).text.startswith("**日柱 丁丑**")
    assert "27 岁" in (await said(runtime, "第三个大运是什么", bazi.conversation)).text
