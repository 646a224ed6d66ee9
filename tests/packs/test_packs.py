"""The packs that come with Metier: installed, whole, and clean by the linter's word."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

import metier.skills.lint as linter
from metier.agent.adapters import localize_schema
from metier.bench import read_cases
from metier.context import BasePrompt
from metier.errors import InvalidPack
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.pack import (
    Pack,
    PackContext,
    build_pack_glossary,
    find_installed_packs,
    pack_skill_roots,
    read_pack,
)
from metier.plans import read_sop
from metier.routing import open_router
from metier.settings import Settings
from metier.skills import SkillLibrary
from metier.tools import CONTROL_TOOLS
from metier.tools.builtin import builtin_tools, config_from

PACKS = [pack for pack in find_installed_packs().found if pack.folder.parent.name == "packs"]


def _named(pack: Pack) -> str:
    return pack.id


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _tools(pack: Pack, storage: Path) -> set[str]:
    settings = Settings(skills_dir=(), storage_dir=storage)
    brought = {one.spec.name for one in pack.load_tools(PackContext(settings, storage))}
    return brought | {one.spec.name for one in builtin_tools(config_from(settings))} | set(CONTROL_TOOLS)


def test_the_telecom_pack_is_installed() -> None:
    assert "telecom" in [pack.id for pack in PACKS]


@pytest.mark.parametrize("pack", PACKS, ids=_named)
def test_a_pack_lints_without_a_finding(pack: Pack, tmp_path: Path) -> None:
    assert pack.skills is not None
    report = linter.lint(pack.skills, known_tools=_tools(pack, tmp_path), trusted=True)
    # A pack's skills say everything in two languages, which the six keys of the open standard cannot hold.
    found = [one for one in report.findings if not one.code.startswith("standard_")]
    assert [f"{one.path.name}: {one.message}" for one in found] == []


@pytest.mark.parametrize("pack", PACKS, ids=_named)
def test_every_tool_of_a_pack_and_its_arguments_are_named_for_people_in_each_language(
    pack: Pack, tmp_path: Path
) -> None:
    unnamed = []
    for tool in pack.load_tools(PackContext(Settings(skills_dir=(), storage_dir=tmp_path), tmp_path)):
        shown: dict[str, Any] = {tool.spec.name: tool.spec.parameters, **_mapping(tool.spec.parameters["properties"])}
        for name, schema in shown.items():
            told = [schema, *(one for one in schema.get("anyOf", ()) if one.get("type") != "null")]
            titles = [one["x-ui"]["title"] for one in told if "title" in one.get("x-ui", {})]
            if not titles or not {"zh", "en"} <= titles[0].keys():
                unnamed.append(f"{tool.spec.name}: {name}")
    assert unnamed == []


@pytest.mark.parametrize("pack", PACKS, ids=_named)
def test_every_sop_of_a_pack_is_a_plan_of_tools_that_exist(pack: Pack, tmp_path: Path) -> None:
    tools = _tools(pack, tmp_path)
    for skill in SkillLibrary(pack_skill_roots([pack])).catalog():
        reading = read_sop(skill)
        assert reading.problems == ()
        if skill.mode == "deep":
            continue
        assert reading.plan is not None
        assert {step.call for step in reading.plan.steps if step.call} <= tools


@pytest.mark.parametrize("pack", PACKS, ids=_named)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_pack_s_prompt_shows_the_skill_in_both_languages(pack: Pack, language: str) -> None:
    assert pack.prompt is not None
    base = BasePrompt(pack.prompt.read_text("utf-8"), values={"language": language})
    rendered = base.render("先测量，再动手。")
    assert (rendered.has_skill, rendered.note) == (True, "")
    assert base.render().note == ""


def test_a_pack_that_checks_no_files_says_so(tmp_path: Path) -> None:
    words = 'zh = "园艺"\nen = "Gardening"\n'
    (tmp_path / "pack.toml").write_text(
        f'id = "garden"\nversion = "1"\n[title]\n{words}[description]\n{words}', "utf-8"
    )
    with pytest.raises(InvalidPack, match="checks no files"):
        read_pack(tmp_path).check(tmp_path / "x.toml")


@pytest.mark.parametrize(
    ("check", "said"),
    [
        pytest.param('"nonsense"', "check is", id="no reference"),
        pytest.param('"nowhere.at_all:f"', None, id="a module nobody has"),
        pytest.param('"json:loads"', None, id="a function that raises"),
    ],
)
def test_a_check_that_cannot_be_run_is_the_pack_s_fault(tmp_path: Path, check: str, said: str | None) -> None:
    words = '{ zh = "园艺", en = "Gardening" }'
    (tmp_path / "pack.toml").write_text(
        f'id = "garden"\nversion = "1"\ncheck = {check}\ntitle = {words}\ndescription = {words}\n', "utf-8"
    )
    with pytest.raises(InvalidPack, match=said or "cannot be used"):
        read_pack(tmp_path).check(tmp_path / "x.toml")


@pytest.mark.parametrize("pack", PACKS, ids=_named)
def test_a_pack_has_three_examples_cases_and_synonyms(pack: Pack) -> None:
    assert len(pack.examples) >= 3
    assert pack.read_synonyms()
    assert read_cases(pack)


def test_every_example_goes_straight_to_a_skill_in_both_languages_alone_and_beside_all_packs(tmp_path: Path) -> None:
    asked = []
    for packs in (*([pack] for pack in PACKS), PACKS):
        catalog = SkillLibrary(pack_skill_roots(packs)).catalog()
        for embedder in ("none", "use-multilingual"):
            settings = Settings(embedder=embedder, storage_dir=tmp_path)
            router = open_router(settings, glossary=build_pack_glossary(packs))
            for example in (one for pack in packs for one in pack.examples):
                for text in (example.zh, example.en):
                    decision = router.route(text, catalog=catalog)
                    if decision.verdict != "auto":
                        asked.append((len(packs), embedder, text, decision.verdict))
    assert asked == []


def test_every_field_of_a_pack_s_questions_has_a_title_in_each_language() -> None:
    nameless, forms = [], 0
    for pack in PACKS:
        for skill in SkillLibrary(pack_skill_roots([pack])).catalog():
            for step in skill.sop:
                answer = _mapping(_mapping(step).get("answer"))
                forms += "properties" in answer
                for language in get_args(Language):
                    shown = _mapping(localize_schema(answer, language).get("properties"))
                    titles = {name: str(_mapping(one).get("title", "")) for name, one in shown.items()}
                    nameless += [
                        (skill.id, name, language)
                        for name, title in titles.items()
                        if not title or (language == "zh") != bool(re.search("[\u4e00-\u9fff]", title))
                    ]
    assert nameless == []
    assert forms > 0
