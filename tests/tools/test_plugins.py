"""Tools of installed packages come in by the entry-point group that the built-in tools use."""

import logging
import sys
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from metier.settings import Settings
from metier.tools import TOOLS_GROUP, Registry, Tool, ToolResult, ToolSpec, load_tools, tool, with_source
from metier.tools import _plugins as plugins
from metier.tools.builtin import BuiltinConfig, builtin_tools
from tests.tools.support import HERE, FakeTool


@tool
def weather(city: str) -> str:
    """Tell the weather."""
    return f"sunny in {city}"


@tool(name="read_file")
def another_reader(path: str) -> str:
    """Read a file in another way."""
    return path


def made_for(settings: Settings) -> list[Tool]:
    return [FakeTool(ToolSpec(f"uses_{settings.model}", "Say which model is used."))]


def broken(settings: Settings) -> list[Tool]:
    raise LookupError("no licence")


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Installed package `acme_tools`, with what this module defines."""
    module = ModuleType("acme_tools")
    module.__dict__.update(
        weather=weather, both=[weather, another_reader], made_for=made_for, broken=broken, number=[1]
    )
    monkeypatch.setitem(sys.modules, "acme_tools", module)
    return module


def install(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    own = EntryPoint("builtin", "metier.tools.builtin:builtin_tools_from", TOOLS_GROUP)
    others = [EntryPoint(name, value, TOOLS_GROUP) for name, value in values.items()]
    monkeypatch.setattr(plugins, "entry_points", lambda group: [*others, own] if group == TOOLS_GROUP else [])


def sources(tools: tuple[Tool, ...]) -> dict[str, str]:
    return {tool.spec.name: tool.spec.source for tool in tools}


def test_the_built_in_tools_are_an_installed_plugin() -> None:
    expected = {tool.spec.name: "builtin" for tool in builtin_tools(BuiltinConfig())}
    assert sources(load_tools(Settings())) == expected


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("value", "name"),
    [
        pytest.param("acme_tools:weather", "weather", id="one tool"),
        pytest.param("acme_tools:both", "weather", id="a list"),
        pytest.param("acme_tools:made_for", "uses_builtin", id="a function of the settings"),
    ],
)
def test_another_package_registers_tools_the_same_way(monkeypatch: pytest.MonkeyPatch, value: str, name: str) -> None:
    install(monkeypatch, acme=value)
    found = sources(load_tools(Settings()))
    assert found[name] == "acme"
    assert found["read_file"] == "builtin"  # a package cannot replace a built-in tool


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("acme_tools:broken", "LookupError: no licence"),
        ("acme_tools:nothing", "AttributeError"),
        ("acme_none:tools", "ModuleNotFoundError"),
        ("acme_tools:number", "gives int, which is no tool"),
    ],
)
def test_a_package_that_fails_is_logged_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str, reason: str
) -> None:
    install(monkeypatch, acme=value, zoo="acme_tools:weather")
    with caplog.at_level(logging.WARNING):
        found = sources(load_tools(Settings()))
    assert {"weather", "read_file"} <= found.keys()
    assert reason in caplog.text


async def test_a_tool_with_a_source_still_runs() -> None:
    class Plain:
        spec = ToolSpec("plain", "Say hello.")

        async def run(self, arguments: object, context: object) -> ToolResult:
            return ToolResult(data={"said": "hello"})

    for given in (Plain(), weather):
        sourced = with_source(given, "acme")
        assert sourced.spec.source == "acme"
        assert (await sourced.run({"city": "Bern"}, HERE)).ok
    assert [spec.source for spec in Registry([with_source(weather, "acme")]).specs()] == ["acme"]
