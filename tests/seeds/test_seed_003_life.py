"""Seed 003, §2.3, §4.1, §4.2, §7: the life pack through HTTP, with the two phases, their budgets and their queries."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.json_values import JsonObject
from metier.pack import Pack, find_installed_packs, pack_skill_roots, select_packs
from metier.server import create_app
from metier.settings import Settings
from metier.skills import SkillLibrary
from metier.testing import FakeModel
from tests.e2e.support import said
from tests.seeds.test_seed_003_context import queries
from tests.server.support import Open, opened

# Seed §2.3: which profile fields and which skill data each skill needs.
TABLE = {
    "bazi": {"birth_info", "skill_data.bazi"},
    "zodiac": {"birth_info", "skill_data.zodiac"},
    "tarot": {"skill_data.tarot"},
    "career": {"life_context", "skill_data.career"},
    "lifecoach": {"life_context", "extracted"},
    "core": set[str](),
}
BIRTH: JsonObject = {
    "birth_info": {"calendar": "solar", "date": "1990-06-15", "time": "14:30", "place": "成都", "sex": "male"},
    "life_context": {"goal": {"goal": "每周跑步三次", "step": "换上跑鞋"}},
    "extracted": [{"text": "我想每周跑步三次"}],
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return find_installed_packs().select(["life"])[-1]


def _settings(folder: Path) -> Settings:
    return Settings(skills_dir=(), storage_dir=folder, embedder="none", rate_limit=0)


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[tuple[Open, FakeModel]]:
    model, settings = FakeModel(), _settings(tmp_path)
    app = create_app(settings, packs=select_packs(settings, ["life"]), model=model, bench_folder=tmp_path / "bench")
    async with opened(app) as server:
        yield server, model


def test_the_six_skills_declare_the_data_of_the_seed_s_table_and_three_scenarios_each(pack: Pack) -> None:
    catalog = SkillLibrary(pack_skill_roots([pack])).catalog()
    assert {name: set(catalog[name].profile_fields) for name in TABLE} == TABLE
    assert {name: len(catalog[name].rules) for name in TABLE if len(catalog[name].rules) < 3} == {}
    core = catalog["core"]
    reachable = (core.invocation.by_model, core.invocation.by_user, core.invocation.automatic)
    assert reachable == (False, False, False)
    for name in ("bazi", "zodiac"):
        assert (catalog[name].needs.birth_info, catalog[name].needs.compute) == (True, True)


async def test_a_skill_is_activated_in_the_turn_and_there_again_at_the_next_request(
    server: tuple[Open, FakeModel],
) -> None:
    """§4.1: use_skill reloads the context in the same turn. §4.2: the skill is stored with the conversation."""
    here, model = server
    model.call("use_skill", skill="tarot", scenario="single_card").say("好的。").say("继续。")
    told = await here.chat("我心里有点乱", skill_choice="model")
    activated = next(one["data"] for one in told if one["kind"] == "skill.activated")
    assert (activated["skill"], activated["scenario"]) == ("tarot", "single_card")
    result = next(one["data"] for one in told if one["kind"] == "tool.result" and one["data"]["tool"] == "use_skill")
    assert result["data"]["status"] == "activated"
    first, second = model.prompts[0].system, model.prompts[1].system
    assert "生命对话者" in first
    assert "塔罗解读者" not in first
    assert "生命对话者" not in second
    assert "draw_cards" in [one["data"].get("tool") for one in told]
    conversation = told[0]["conversation"]
    stored = (await here.client.get(f"/api/conversations/{conversation}")).json()
    assert stored["skill"] == "tarot"
    again = await here.chat("继续", conversation_id=conversation, skill_choice="model")
    assert "skill.activated" not in [one["kind"] for one in again]
    assert "塔罗解读者" in model.prompts[-1].system


async def test_each_skill_stays_within_the_budgets_and_reads_only_declared_data(pack: Pack, tmp_path: Path) -> None:
    found: dict[str, tuple[str, int]] = {}
    for name in (one for one in TABLE if one != "core"):
        model = FakeModel()
        for _ in range(6):
            model.say("好的。")
        async with Runtime.open(_settings(tmp_path / name), model=model, packs=[pack]) as runtime:
            await runtime.store.profiles.set("local", BIRTH)
            chosen = await said(runtime, "你好", skill_choice="model")
            with queries() as sent:
                worked = await said(runtime, "说说看", chosen.conversation, skill=name)
        for one in (*chosen.all("context.built"), *worked.all("context.built")):
            limit = 2000 if one["stage"] == "choose" else 6000
            if one["over_budget"] or int(str(one["tokens"])) > limit:
                found[name] = (str(one["stage"]), int(str(one["tokens"])))
        sizes = [int(str(one["tokens"])) for one in (*chosen.all("context.built"), *worked.all("context.built"))]
        assert sizes
        asked = [one for one in sent if one.startswith("SELECT") and ("skill_data" in one or "profiles" in one)]
        whole = [one for one in asked if "profiles" in one and "->" not in one]
        assert (len(asked) <= 8, whole) == (True, []), (name, asked)
    assert found == {}
