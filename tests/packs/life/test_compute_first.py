"""Charts are computed before anything else: other tools are closed at the gate until the chart is the present one."""

import re
from pathlib import Path

import pytest

from metier.agent import Runtime
from metier.json_values import JsonObject
from metier.pack import find_installed_packs
from metier.packs import life
from metier.settings import Settings
from metier.testing import FakeModel
from tests.e2e.support import Told, said

BORN: JsonObject = {"calendar": "solar", "date": "1987-03-29", "time": "05:47", "place": "成都", "sex": "male"}
ARGUMENTS: dict[str, JsonObject] = {
    "read_bazi_chart": {"message": "八字看事业"},
    "read_natal_chart": {"message": "星盘看事业"},
    "explain_life_term": {"query": "七杀"},
}


@pytest.mark.parametrize(
    ("skill", "compute", "words"),
    [("bazi", "compute_bazi", "帮我算个八字"), ("zodiac", "compute_zodiac", "帮我排个星盘")],
    ids=["bazi", "zodiac"],
)
async def test_every_other_tool_is_closed_until_the_chart_is_that_of_the_present_birth_info(
    tmp_path: Path, skill: str, compute: str, words: str
) -> None:
    model = FakeModel()
    settings = Settings(skills_dir=(_copy_without_steps(tmp_path, skill),), storage_dir=tmp_path, embedder="none")
    async with Runtime.open(settings, model=model, packs=find_installed_packs().select(["life"])) as runtime:
        before = ["collect_birth", compute]  # the form gives what the chart is computed from
        others = sorted({one.name for one in runtime.tools().specs()} - {*before})
        opened = ["explain_life_term", "read_bazi_chart" if skill == "bazi" else "read_natal_chart"]

        def call_all(names: list[str]) -> None:
            model.calls(*((name, ARGUMENTS.get(name, {})) for name in names))

        async def say() -> Told:
            return await said(runtime, words, skill=f"{skill}_by_model")

        async def expect_all_closed() -> None:
            call_all(others)  # so many refused calls end the turn
            assert _list_closed(await say()) == [(name, before) for name in others]

        await runtime.store.profiles.set("local", {"birth_info": BORN})
        assert len(others) >= 15
        await expect_all_closed()
        model.call(compute, message=words)
        call_all(opened)
        model.say("好")
        first = await say()
        assert (_list_outcomes(first), _list_closed(first)) == ([True] * 3, [])

        await runtime.store.profiles.merge("local", {"birth_info": {**BORN, "time": "21:10"}})
        await expect_all_closed()
        model.call(compute, message=words)
        # The same turn corrects the birth data once more: the chart that was just computed is stale again.
        model.call("collect_birth", message=words, answer={**BORN, "time": "11:10"})
        call_all(opened)
        model.call(compute, message=words)
        call_all(opened)
        model.say("好")
        second = await say()
        assert _list_closed(second) == [(name, before) for name in opened]
        assert _list_outcomes(second) == [True, True, False, False, True, True, True], second.all("tool.result")
        kept = await runtime.store.profiles.get("local")
        assert kept["birth_info"] == {**BORN, "time": "11:10"}


@pytest.mark.parametrize(
    ("skill", "words", "closing"),
    [
        ("bazi", "帮我算个八字", "不是预言"),
        ("zodiac", "帮我排个星盘", "不是预言"),
        ("bazi", "compute my bazi", "not a prediction"),
    ],
    ids=["bazi", "zodiac", "English"],
)
async def test_a_reading_that_rules_wrote_is_shown_to_its_end_with_a_model(
    tmp_path: Path, skill: str, words: str, closing: str
) -> None:
    packs, model = find_installed_packs().select(["life"]), FakeModel()
    texts: list[str] = []
    for folder in ("builtin", "model"):
        settings = Settings(skills_dir=(), storage_dir=tmp_path / folder, model="builtin")
        async with Runtime.open(settings, model=model if texts else None, packs=packs) as runtime:
            await runtime.store.profiles.set("local", {"birth_info": BORN})
            told = await said(runtime, words, skill=skill, replaced=True)
        texts.append(told.text)
        model.say(told.text)  # it repeats what the rules wrote
    assert closing in texts[0]
    assert texts[1] == texts[0]


def _list_closed(told: Told) -> list[tuple[object, object]]:
    return [(one["tool"], one["allowed"]) for one in told.all("tool.violation")]


def _list_outcomes(told: Told) -> list[object]:
    return [one["ok"] for one in told.all("tool.result")]


def _copy_without_steps(folder: Path, skill: str) -> Path:
    """The pack's skill without its fixed order of steps, so that the model chooses every call."""
    text = (Path(life.__file__).parent / "skills" / skill / "SKILL.md").read_text("utf-8")
    kept = re.sub(r"(?ms)^(?:sop|milestones):\n.*?(?=^\w|^---)", "", text)
    kept = re.sub(rf"(?m)^(name|id): {skill}$", rf"\1: {skill}_by_model", kept)
    path = folder / "skills" / f"{skill}_by_model" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(kept, "utf-8")
    return folder / "skills"
