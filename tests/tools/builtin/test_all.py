from pathlib import Path

import jmespath
import pytest
from jsonschema import Draft202012Validator

from metier.settings import load_settings
from metier.tools import Registry, Tool
from metier.tools.builtin import BuiltinConfig, builtin_tools, config_from
from tests.tools.builtin.support import code_of, names_in, run

TOOLS = {tool.spec.name: tool for tool in builtin_tools(BuiltinConfig())}

EFFECTS = {
    "read_file": {"reads"},
    "write_file": {"writes"},
    "list_dir": {"reads"},
    "search_files": {"reads"},
    "run_in_terminal": {"executes", "writes"},
    "run_python": {"executes", "writes"},
    "fetch_web_content": {"network"},
    "web_search": {"reads"},
    "memory": {"reads", "writes"},
    "get_current_time": set(),
}


def test_every_tool_is_there_and_says_what_it_does_to_the_world() -> None:
    assert {name: set(tool.spec.effects) for name, tool in TOOLS.items()} == EFFECTS


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_spec_is_short_closed_and_valid(tool: Tool) -> None:
    spec = tool.spec
    assert len(spec.description) <= 120
    assert "\n" not in spec.description
    assert spec.origin == "builtin"
    Draft202012Validator.check_schema(spec.parameters)
    assert spec.parameters["additionalProperties"] is False


def test_the_registry_takes_them_all() -> None:
    assert {spec.name for spec in Registry(TOOLS.values()).specs()} == set(EFFECTS)


BAD = {
    "a path that is a number": ("read_file", {"path": 1}),
    "no path": ("read_file", {}),
    "an unknown argument": ("read_file", {"path": "a", "encoding": "x"}),
    "a line before the first": ("read_file", {"path": "a", "offset": 0}),
    "an unknown mode": ("write_file", {"path": "a", "content": "", "mode": "replace"}),
    "too deep a listing": ("list_dir", {"depth": 4}),
    "a search for nothing": ("search_files", {"path": "a"}),
    "remembering nothing": ("memory", {"action": "remember"}),
    "forgetting nothing": ("memory", {"action": "forget"}),
    "an unknown action": ("memory", {"action": "erase"}),
    "no URL": ("fetch_web_content", {}),
    "a query of nothing": ("web_search", {"query": ""}),
}


@pytest.mark.parametrize(("name", "arguments"), BAD.values(), ids=BAD)
def test_a_schema_refuses(name: str, arguments: dict[str, object]) -> None:
    assert not Draft202012Validator(TOOLS[name].spec.parameters).is_valid(arguments)


APPROVALS = [
    ({"action": "forget", "query": "x"}, True),
    ({"action": "forget", "id": 1}, False),
    ({"action": "recall"}, False),
]


@pytest.mark.parametrize(("arguments", "asks"), APPROVALS)
def test_forgetting_by_words_asks_a_person_first(arguments: dict[str, object], asks: bool) -> None:
    approval = TOOLS["memory"].spec.approval
    assert approval.when == "expression"
    assert jmespath.search(approval.expression, arguments) is asks


def test_the_settings_reach_the_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "WEB_SEARCH": "tavily",
        "WEB_SEARCH_KEY": "s3cret",
        "WEB_SEARCH_URL": "http://search.example",
        "FETCH_ALLOW_PRIVATE": "true",
        "WORKSPACE_MAX_BYTES": "2097152",
        "STORAGE_DIR": "kept",
    }.items():
        monkeypatch.setenv(f"METIER_{name}", value)
    config = config_from(load_settings())
    assert (config.search, config.search_key, config.search_url) == ("tavily", "s3cret", "http://search.example")
    assert (config.fetch.allow_private, config.quota.max_bytes, config.storage) == (True, 2_097_152, Path("kept"))
    assert "s3cret" not in repr(config) + repr(load_settings())
    tools = {tool.spec.name: tool.spec for tool in builtin_tools(config)}
    assert tools["web_search"].effects == {"network"}


async def test_the_defaults_work_on_a_fresh_machine(workspace: Path) -> None:
    tools = {tool.spec.name: tool for tool in builtin_tools(config_from(load_settings()))}
    assert (await run(tools["get_current_time"], workspace)).ok
    assert (await run(tools["memory"], workspace, action="remember", text="茶")).ok
    assert "memory.sqlite3" in names_in(Path("storage"))
    assert code_of(await run(tools["web_search"], workspace, query="茶")) == "search_not_configured"
    assert code_of(await run(tools["fetch_web_content"], workspace, url="http://127.0.0.1/")) == "address_refused"
