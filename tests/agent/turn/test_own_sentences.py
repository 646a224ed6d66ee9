"""Whose sentences pass a guard unchecked: those that tools of the guard's own pack wrote by rules, nobody else's."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from metier.agent.turn._tool_calls import _is_guards_own
from metier.tools import ToolSpec

_SPECS = {
    "read_chart": ToolSpec("read_chart", "", origin="pack", source="life"),
    "explain_term": ToolSpec("explain_term", "", origin="pack", source="life", retrieves="knowledge"),
    "fetch_page": ToolSpec("fetch_page", "", origin="pack", source="workspace"),
    "read_file": ToolSpec("read_file", "", origin="builtin", source="life"),
    "remote": ToolSpec("remote", "", origin="mcp", source="life"),
}


@pytest.mark.parametrize(("tool", "is_own"), [(name, name == "read_chart") for name in (*_SPECS, "unknown")])
def test_only_what_the_guards_own_pack_writes_by_rules_is_trusted(tool: str, is_own: bool) -> None:
    packs = (SimpleNamespace(id="life", guard="life:guard"), SimpleNamespace(id="workspace", guard=""))
    state = SimpleNamespace(get_spec=_SPECS.get, resources=SimpleNamespace(packs=packs))
    assert _is_guards_own(cast("Any", state), tool) is is_own
