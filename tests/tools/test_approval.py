import pytest

from metier.errors import InvalidTool
from metier.json_values import JsonObject, JsonValue
from metier.tools import ALWAYS, NEVER, Approval, parse_approval
from metier.tools._approval import needs_approval


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (None, NEVER),
        (False, NEVER),
        ("never", NEVER),
        (True, ALWAYS),
        ("always", ALWAYS),
        ({"when": "amount > `10`"}, Approval("expression", "amount > `10`")),
        ("when amount > `10`", Approval("expression", "amount > `10`")),
        ({"when": "always"}, ALWAYS),
        ({"when": "never"}, NEVER),
    ],
    ids=str,
)
def test_an_approval_is_written_in_few_ways(written: JsonValue, read: Approval) -> None:
    assert parse_approval(written) == read


@pytest.mark.parametrize(
    "written",
    [
        *(1, [], {}, {"if": "a"}, {"when": 1}, {"when": ""}, {"when": "a >"}, {"when": "a", "else": "b"}),
        *("alway", "yes", "required", "on ", "必须"),  # as an expression, a lone word would never ask
    ],
    ids=str,
)
def test_anything_else_is_refused(written: JsonValue) -> None:
    with pytest.raises(InvalidTool, match="approval"):
        parse_approval(written)


@pytest.mark.parametrize(
    ("expression", "arguments", "asked"),
    [
        ("amount > `1000`", {"amount": 1001}, True),
        ("amount > `1000`", {"amount": 1000}, False),
        ("to != '财务部'", {"to": "客户"}, True),
        ("contains(path, '..')", {"path": "../etc"}, True),
        ("contains(path, '..')", {"path": 7}, True),
        ("items[?price > `9`]", {"items": [{"price": 10}]}, True),
        ("items[?price > `9`]", {"items": []}, False),
        ("force", {}, False),
    ],
)
def test_an_expression_is_asked_of_the_arguments(expression: str, arguments: JsonObject, asked: bool) -> None:
    assert needs_approval(Approval("expression", expression), arguments) is asked
