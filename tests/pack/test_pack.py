"""Packs: read, found among what is installed, ordered, chosen, and never a danger to each other."""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from metier.agent import Runtime, TurnRequest
from metier.cli import run
from metier.errors import InvalidPack, MissingExtra, PackNotFound
from metier.flow import load_pack_operators, load_pack_rules
from metier.pack import (
    PackContext,
    build_pack_glossary,
    find_installed_packs,
    find_pack_prompt,
    load_pack_claims,
    load_pack_tools,
    pack_skill_roots,
    read_pack,
    select_packs,
)
from metier.settings import Settings

_TOML = """
id = "{name}"
version = "1.0.0"
requires = [{requires}]
skills = "skills"
prompt = "prompt.md"
glossary = "glossary.toml"
tools = ["{module}:make", "{module}:greet"]
title = {{ zh = "园艺", en = "Gardening" }}
description = {{ zh = "照看花草", en = "Looks after plants" }}

[[examples]]
zh = "给月季浇水"
en = "water the roses"
"""
_CODE = '''
from metier.tools import function_tool, tool


def make(context):
    def water(plant: str) -> dict[str, str]:
        """Water a plant."""
        return {"plant": plant, "kept": str(context.storage)}

    return [function_tool(water, name=f"water_{__name__}")]


@tool(name=f"greet_{__name__}")
def greet() -> dict[str, str]:
    """Say hello."""
    return {"text": "hello"}
'''
_SKILL = """---
name: {name}-care
title: 浇花
description: 给花草浇水
triggers: [浇水, 浇花]
examples: [给月季浇水, 帮我浇花, water the roses]
allowed_tools: [water_{module}]
sop:
  - {{id: water, title: 浇水, call: water_{module}, with: {{plant: 月季}}}}
---

浇水。
"""

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a pack as pip would leave it: a package and its dist-info on the path."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    before = set(sys.modules)

    def installed(
        name: str, *, requires: str = "", files: Mapping[str, str] | None = None, code: str = _CODE, entry: str = ""
    ) -> Path:
        module = f"pack_{name}"
        folder = site / module
        (folder / "skills").mkdir(parents=True)
        written = {
            "pack.toml": _TOML.format(name=name, module=module, requires=requires),
            "__init__.py": code,
            "prompt.md": "你是园丁。{{ skill_content }}",
            "glossary.toml": 'groups = [["浇水", "灌溉"]]',
            f"skills/{name}-care.md": _SKILL.format(name=name, module=module),
        }
        for path, text in {**written, **(files or {})}.items():
            (folder / path).write_text(text, "utf-8")
        info = site / f"{module}-1.0.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[metier.packs]\n{entry or name} = {module}\n", "utf-8")
        return folder

    yield installed
    for added in set(sys.modules) - before:
        if added.startswith("pack_"):
            del sys.modules[added]


def _settings(tmp_path: Path, **more: object) -> Settings:
    given: dict[str, object] = {"skills_dir": (), "storage_dir": tmp_path / "storage", "embedder": "none", **more}
    return Settings(**given)  # type: ignore[arg-type]


def test_an_installed_pack_is_found_by_its_entry_point(install: Install) -> None:
    folder = install("garden")
    pack = find_installed_packs().select(["garden"])[0]
    assert (pack.folder, pack.version, pack.title.en) == (folder, "1.0.0", "Gardening")
    assert [one.zh for one in pack.examples] == ["给月季浇水"]
    assert "pack_garden" not in sys.modules  # nothing of it has run yet


def test_a_pack_makes_its_tools_with_a_folder_of_its_own(install: Install, tmp_path: Path) -> None:
    install("garden")
    pack = find_installed_packs().select(["garden"])[0]
    tools = pack.load_tools(PackContext(_settings(tmp_path), tmp_path / "mine"))
    assert [one.spec.name for one in tools] == ["water_pack_garden", "greet_pack_garden"]


def test_packs_come_after_those_they_require(install: Install) -> None:
    install("garden", requires='"tools-shed"')
    install("tools-shed".replace("-", "_"), entry="tools-shed", files={"pack.toml": _named("tools-shed")})
    found = [pack.id for pack in find_installed_packs().found]
    assert found.index("tools-shed") < found.index("garden")
    assert [pack.id for pack in find_installed_packs().select(["garden"])] == ["tools-shed", "garden"]


def test_a_pack_whose_code_is_imported_is_not_selected_with_the_one_that_imports_it(install: Install) -> None:
    install("garden", files={"pack.toml": _named("garden") + 'imports = ["shed"]'})
    install(
        "shed", files={"pack.toml": _named("shed") + 'extra = { install = "shed[x]", modules = ["no_such_module"] }'}
    )
    found = find_installed_packs()
    assert [pack.id for pack in found.select(["garden"])] == ["garden"]
    assert "garden" not in [one.pack for one in found.problems]


def _named(name: str) -> str:
    return f'id = "{name}"\nversion = "1"\ntitle = "棚"\ndescription = "放工具"\n'


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        pytest.param("id = ", "is no TOML", id="not TOML"),
        pytest.param('id = "A B"', "pack.toml: id is 'A B'", id="a bad id"),
        pytest.param('id = "garden"', "version is missing", id="no version"),
        pytest.param(_named("garden") + "[others]\n", "others is not a key", id="a key nobody knows"),
        pytest.param(_named("garden") + 'skils = "skills"', "skils is not a key", id="a typo"),
        pytest.param(_named("garden") + 'skills = "../.."', "skills leads out of the pack", id="a way out"),
        pytest.param(_named("garden") + 'knowledge = "none"', "knowledge is not there", id="a missing folder"),
        pytest.param(_named("garden") + 'tools = ["os.system"]', "tools is", id="no function"),
        pytest.param(_named("garden").replace('title = "棚"', "title = {zh = '棚'}"), "title is not said", id="half"),
        pytest.param(_named("shed"), "id is 'shed'", id="another name"),
        pytest.param(_named("garden") + 'requires = ["nobody"]', "requires nobody, which is not there", id="alone"),
        pytest.param(_named("garden") + 'imports = ["nobody"]', "imports nobody, which is not there", id="no code"),
        pytest.param("#" * 70_000, "more than 65536 bytes", id="too long"),
    ],
)
def test_a_broken_pack_is_a_problem_and_takes_no_other_down(install: Install, toml: str, said: str) -> None:
    install("garden", files={"pack.toml": toml})
    install("pond")
    packs = find_installed_packs()
    assert "pond" in [pack.id for pack in packs.found]
    assert [one.pack for one in packs.problems if said in one.message] == ["garden"]
    with pytest.raises(InvalidPack, match="cannot be used"):
        packs.select(["garden"])


def test_packs_that_wait_for_each_other_are_problems(install: Install) -> None:
    install("garden", requires='"pond"')
    install("pond", requires='"garden"')
    packs = find_installed_packs()
    waiting = [one.pack for one in packs.problems if "waits for it in turn" in one.message]
    assert waiting == ["garden", "pond"]


def test_an_entry_that_leads_nowhere_is_a_problem(install: Install, tmp_path: Path) -> None:
    install("garden")
    (tmp_path / "site/pack_garden-1.0.0.dist-info/entry_points.txt").write_text("[metier.packs]\nlost = no.such\n")
    assert [one.message for one in find_installed_packs().problems if one.pack == "lost"] == [
        "module 'no.such' cannot be found: No module named 'no'"
    ]


def test_an_unknown_pack_is_answered_with_the_list(install: Install, tmp_path: Path) -> None:
    install("garden")
    with pytest.raises(PackNotFound) as caught:
        select_packs(_settings(tmp_path), ["gardn"])
    assert "garden" in caught.value.hint


@pytest.mark.parametrize(
    ("given", "named", "everything", "expected"),
    [
        pytest.param((), (), False, False, id="nothing by default"),
        pytest.param((), (), True, True, id="all where all is the default"),
        pytest.param(("garden",), (), False, True, id="the settings name it"),
        pytest.param(("all",), (), False, True, id="the settings say all"),
        pytest.param((), ("garden",), False, True, id="the command names it"),
        pytest.param(("garden",), ("pond",), False, False, id="the command wins"),
    ],
)
def test_who_says_which_packs_are_used(
    install: Install, tmp_path: Path, given: tuple[str, ...], named: tuple[str, ...], everything: bool, expected: bool
) -> None:
    install("garden")
    install("pond")
    packs = select_packs(_settings(tmp_path, packs=given), named, all_by_default=everything)
    assert ("garden" in [pack.id for pack in packs.found]) is expected


@pytest.mark.parametrize(
    ("code", "said"),
    [
        pytest.param("raise RuntimeError('rain')", "RuntimeError: rain", id="raises when imported"),
        pytest.param("import no_such_library\nmake = greet = []", "needs the package 'no_such_library'", id="lacks"),
        pytest.param("make = greet = [1]", "gives int, which is no tool", id="not tools"),
        pytest.param("def make(context):\n    return context.rain", "AttributeError", id="raises when made"),
        pytest.param("greet = []", "has no attribute 'make'", id="not there"),
    ],
)
def test_tools_that_cannot_be_made_say_why_and_cost_only_themselves(
    install: Install, tmp_path: Path, caplog: pytest.LogCaptureFixture, code: str, said: str
) -> None:
    install("garden", code=code)
    install("pond")
    garden, pond = find_installed_packs().select(["garden", "pond"])
    with pytest.raises((InvalidPack, MissingExtra), match=said):
        garden.load_tools(PackContext(_settings(tmp_path), tmp_path))
    assert len(load_pack_tools([garden, pond], _settings(tmp_path))) == 2
    assert said in caplog.text


def test_a_tool_whose_name_is_taken_is_left_out(
    install: Install, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install("garden")
    packs = find_installed_packs().select(["garden"])
    tools = load_pack_tools(packs, _settings(tmp_path), ["greet_pack_garden"])
    assert [one.spec.name for one in tools] == ["water_pack_garden"]
    assert "is there already" in caplog.text


def test_a_glossary_without_groups_is_left_out(install: Install, caplog: pytest.LogCaptureFixture) -> None:
    install("garden", files={"glossary.toml": "groups = 5"})
    install("pond")
    assert build_pack_glossary(find_installed_packs().select(["garden", "pond"])).find_synonyms("明天浇水") == ("灌溉",)
    assert "no groups of words" in caplog.text


def test_a_prompt_is_used_when_one_pack_was_chosen(install: Install) -> None:
    folder = install("garden", requires='"pond"')
    install("pond")
    install("meadow")
    packs = find_installed_packs()
    assert find_pack_prompt(packs.select(["garden"])) == folder / "prompt.md"
    assert find_pack_prompt(packs.select(["garden", "meadow"])) is None
    assert find_pack_prompt(()) is None


def test_skills_of_a_pack_are_trusted(install: Install) -> None:
    folder = install("garden")
    assert [(one.path, one.trusted) for one in pack_skill_roots([read_pack(folder)])] == [(folder / "skills", True)]


_DEEP = """
operators = ["{module}:operators"]
flow = "{module}:flow"
commands = {{ garden-flow = "{module}:app", run = "{module}:app" }}
"""
_DEEP_CODE = (
    _CODE
    + """
import typer
from tests.flow.operators import operators as listed

app = typer.Typer()

@app.command()
def main(name: str) -> None:
    print("hello", name)

def operators(context):
    return [*listed(), listed()[0], "no operator"]

class Rules:
    roots = plan = act = reflect = report = print

def flow(context):
    return Rules()
"""
)


def test_a_pack_brings_operators_rules_and_a_command_that_is_listed_without_importing_it(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, examples = _TOML.format(name="garden", module="pack_garden", requires="").split("[[examples]]")
    toml = head + _DEEP.format(module="pack_garden") + "[[examples]]" + examples
    install("garden", files={"pack.toml": toml}, code=_DEEP_CODE)
    assert run(["--help"]) == 0
    assert "garden-flow    Gardening" in capsys.readouterr().out
    assert "pack_garden" not in sys.modules
    assert run(["garden-flow", "rose"]) == 0
    assert capsys.readouterr().out == "hello rose\n"
    packs = find_installed_packs().select(["garden"])
    assert [one.name for one in packs[0].commands] == ["garden-flow", "run"]
    assert run(["run", "--help"]) == 0  # a command of Metier is not replaced
    assert "--pack" in capsys.readouterr().out
    assert load_pack_operators(packs, _settings(tmp_path)).names[:3] == ("scale", "spectrum", "peak")
    assert list(load_pack_rules(packs, _settings(tmp_path))) == ["garden"]
    assert packs[0].to_json()["flow"] == "pack_garden:flow"


def test_a_command_that_cannot_be_loaded_says_so(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    head, examples = _TOML.format(name="garden", module="pack_garden", requires="").split("[[examples]]")
    install("garden", files={"pack.toml": f'{head}commands = {{ grow = "pack_garden:none" }}\n[[examples]]{examples}'})
    assert run(["grow"]) == 5
    assert "invalid_pack" in capsys.readouterr().err


async def test_a_turn_runs_on_what_a_pack_brings(install: Install, tmp_path: Path) -> None:
    install("garden")
    packs = find_installed_packs().select(["garden"])
    async with Runtime.open(_settings(tmp_path), packs=packs) as runtime:
        events = [event async for event in runtime.turn(TurnRequest("帮我灌溉一下，给月季浇水"))]
    results = [event.data for event in events if event.kind == "tool.result"]
    assert [one["tool"] for one in results] == ["water_pack_garden"]
    assert events[-1].kind == "turn.done"


@pytest.mark.parametrize(("overrides", "title"), [((), "浇花"), (("garden-care",), "我的")])
async def test_a_skill_of_the_user_takes_the_place_of_a_packs_only_if_the_operator_says_so(
    install: Install, tmp_path: Path, overrides: tuple[str, ...], title: str
) -> None:
    install("garden")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "garden-care.md").write_text(
        "---\nname: garden-care\ntitle: 我的\ndescription: 我自己的做法\n---\n\n慢慢来。\n", "utf-8"
    )
    packs = find_installed_packs().select(["garden"])
    settings = _settings(tmp_path, skills_dir=(mine,), skill_overrides=overrides)
    async with Runtime.open(settings, packs=packs) as runtime:
        assert runtime.catalog()["garden-care"].title == title


def _hide(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Let modules be as good as not installed."""
    for one in modules:
        monkeypatch.setitem(sys.modules, one, None)


def test_a_pack_whose_packages_are_missing_is_told_with_its_install_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _hide(monkeypatch, "scipy", "lxml")
    packs = find_installed_packs()
    assert {"life", "telecom", "workspace"} <= {one.id for one in packs.found}
    assert {"phm", "office"}.isdisjoint(one.id for one in packs.found)
    told = {one.pack: (one.code, one.hint) for one in packs.problems}
    assert told == {name: ("missing_extra", f"pip install 'metier[{name}]'") for name in ("office", "phm", "workspace")}
    assert run(["run", "--pack", "phm", "diagnose pump 1"]) == 6
    said = capsys.readouterr().err
    assert "missing_extra" in said
    assert "scipy" in said
    assert "pip install 'metier[phm]'" in said
    assert "Traceback" not in said


def test_the_doctor_says_which_packages_packs_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    from metier.cli.setup._doctor import _check_packs
    from metier.cli.terminal import translate_text

    _hide(monkeypatch, "scipy")
    check = _check_packs()
    assert (check.status, check.hint) == ("warning", "pip install 'metier[phm]'")
    assert translate_text(check.message, "zh") == "领域包 'phm' 需要的软件包没有安装：scipy"


def test_packages_of_a_pack_are_a_table_with_an_install_line(install: Install) -> None:
    head, examples = _TOML.format(name="garden", module="pack_garden", requires="").split("[[examples]]")
    for extra in (
        '"soil"',
        '{ install = "a; rm -rf", modules = ["soil"] }',
        '{ install = "soil" }',
        "{ modules = [] }",
    ):
        folder = install("garden", files={"pack.toml": f"{head}extra = {extra}\n[[examples]]{examples}"})
        (problem,) = [one for one in find_installed_packs().problems if one.pack == "garden"]
        assert (problem.code, "extra" in problem.message) == ("invalid_pack", True), extra
        shutil.rmtree(folder)
        shutil.rmtree(folder.with_name("pack_garden-1.0.0.dist-info"))


def test_a_claim_that_lacks_a_package_says_nothing(
    install: Install, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    head, examples = _TOML.format(name="garden", module="pack_garden", requires="").split("[[examples]]")
    code = "def claim(message, folder):\n    import soil_of_mars\n"
    toml = f'{head}claim = "pack_garden:claim"\n[[examples]]{examples}'
    install("garden", files={"pack.toml": toml}, code=code)
    (claim,) = load_pack_claims(find_installed_packs().select(["garden"]))
    assert claim("water the roses", tmp_path) == ""
    assert caplog.records == []
