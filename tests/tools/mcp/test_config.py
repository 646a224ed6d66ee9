"""What an operator may write about MCP servers, and what is refused with a reason."""

from pathlib import Path

import pytest

from metier.errors import InvalidSettings
from metier.json_values import JsonValue
from metier.tools.mcp import McpServerConfig, read_mcp_config


def test_a_command_and_an_address_are_read() -> None:
    local, remote = read_mcp_config(
        {
            "files": {"command": "mcp-files", "args": ["--root", "."], "env": {"HOME": "/srv"}, "cwd": "/srv"},
            "web": {"url": "https://example.invalid/mcp", "headers": {"Authorization": "Bearer x"}, "timeout_s": 5},
        }
    )
    assert local == McpServerConfig("files", "mcp-files", ("--root", "."), {"HOME": "/srv"}, Path("/srv"))
    assert (remote.url, remote.timeout_s) == ("https://example.invalid/mcp", 5.0)
    assert "Bearer" not in repr(remote)


WRONG: list[tuple[str, JsonValue, str]] = [
    ("a b", {"command": "x"}, "a name has"),
    ("工具", {"command": "x"}, "a name has"),
    ("x", "command", "must be a table"),
    ("x", {}, "needs a 'command' or a 'url'"),
    ("x", {"command": "a", "url": "http://b"}, "not both"),
    ("x", {"url": "file:///etc/passwd"}, "no http"),
    ("x", {"command": "a", "comand": "b"}, "unknown key 'comand'"),
    ("x", {"command": "A=b"}, "cannot have '='"),
    ("x", {"command": ["a"]}, "'command' must be a text"),
    ("x", {"command": "a", "args": "b"}, "'args' must be a list"),
    ("x", {"command": "a", "args": ["b\0"]}, "'args' must be a list"),
    ("x", {"command": "a", "env": ["b"]}, "'env' must be a table"),
    ("x", {"command": "a", "env": {"B": 1}}, "'env' has 'B'"),
    ("x", {"url": "http://b", "headers": {"A": "b\nC: d"}}, "'headers' has 'A'"),
    ("x", {"command": "a", "timeout_s": 0}, "'timeout_s' must be"),
    ("x", {"command": "a", "timeout_s": True}, "'timeout_s' must be"),
]


@pytest.mark.parametrize(("name", "given", "why"), WRONG, ids=[why for _, _, why in WRONG])
def test_a_mistake_is_named(name: str, given: JsonValue, why: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        read_mcp_config({name: given})
    assert why in caught.value.message


@pytest.mark.parametrize("other", ["a__b", "a_", "a__", "a___c"])
def test_two_servers_cannot_have_tools_of_one_name(other: str) -> None:
    """`a__b__c` would be the tool `b__c` of `a`, and the tool `c` of `a__b`."""
    for names in (("a", other), (other, "a")):
        with pytest.raises(InvalidSettings, match="could be taken for those of 'a'"):
            read_mcp_config({name: {"command": "x"} for name in names})
    assert len(read_mcp_config({name: {"command": "x"} for name in ("a", "ab", "b__a", "a-b", "b_c")})) == 5
