"""Calls in the marks of model families, which weak endpoints pass on as text instead of as tool calls.

| family | form |
|---|---|
| Hermes, Qwen | `<tool_call>{"name":…,"arguments":{…}}</tool_call>` |
| Qwen Coder, Llama | `<function=name>{…}</function>`, `<function=name><parameter=key>value</parameter></function>` |
| Mistral | `[TOOL_CALLS][{…}]`, `[TOOL_CALLS]name[ARGS]{…}`, `[TOOL_CALLS]name{…}` |
| our text protocol | `TOOL_CALL: {…}`, `TOOL_CALL: name {…}`, `TOOL_CALL: name({…})`, `TOOL_CALL: name(key="value")` |
| Llama | `<|python_tag|>{"name":…,"parameters":{…}}`, `<|python_tag|>name.call(key="value")` |
| DeepSeek | `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, then fenced JSON; `…begin｜>name<｜tool▁sep｜>{…}` |
| DeepSeek, others | `<invoke name="…"><parameter name="…">value</parameter></invoke>` |
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue, copy_json
from metier.patterns import compile_later
from metier.tools._spec import ToolSpec
from metier.tools.text_protocol._call_shapes import list_calls, parse_text_values
from metier.tools.text_protocol._marks import MARKS
from metier.tools.text_protocol._objects import ParsedObject, ReadingBudget, json_problem, parse_object
from metier.tools.text_protocol._problems import TextProblem

_NAME: Final = r"[\w.:/-]{1,120}"
_SPACE: Final = compile_later(r"\s*")
_SEPARATOR: Final = compile_later(r"[\s;,]*")
_FENCE: Final = compile_later(r"\s*```[\w-]{0,20}\s*")
_CLOSING: Final = compile_later(
    r"\s*(?:```\s*)?(?:</(?:tool_calls?|function_calls?|function)>|</?｜DSML｜(?:function_calls|tool_calls)>"
    r"|<[｜|]tool[▁_]calls?[▁_](?:section[▁_])?end[｜|]>)"
)
_MISTRAL_NAME: Final = compile_later(rf"\s*({_NAME})\s*(?:\[CALL_ID\][\w-]{{0,40}})?(?:\[ARGS\])?\s*(?=\{{)")
_DEEPSEEK_NAME: Final = compile_later(
    r"\s*(?:<[｜|]tool[▁_]call[▁_]begin[｜|]>)?\s*"
    rf"(?:function\s*<[｜|]tool[▁_]sep[｜|]>)?\s*({_NAME})\s*(?:<[｜|]tool[▁_]\w{{1,20}}[｜|]>)?"
)
_FUNCTION: Final = compile_later(
    rf'<function=["\']?({_NAME})["\']?\s*>|<(?:｜DSML｜)?invoke name="([^"\n]{{1,120}})"[^>\n]{{0,200}}>'
)
_FUNCTION_END: Final = compile_later(r"\s*</(?:function|(?:｜DSML｜)?invoke)>")
_PARAMETER: Final = compile_later(
    r'\s*<(?:parameter=([^>\n]{1,120})|(?:｜DSML｜)?parameter name="([^"\n]{1,120})"[^>\n]{0,200})>'
)
_PARAMETER_END: Final = compile_later(r"</(?:｜DSML｜)?parameter>")
_NUMBERED: Final = compile_later(r"^functions?\.|:\d+$")  # Kimi: `functions.search:0`
_CALLED_NAME: Final = compile_later(rf"\s*({_NAME})\s*\(\s*(?=\{{)")
_MARKED_NAME: Final = compile_later(rf"\s*`?({_NAME})`?(?:\(\))?([ \t]*(?=\n|\Z))?")
_PAREN_END: Final = compile_later(r"\s*\)")
_PYTHON_CALL: Final = compile_later(rf"\s*({_NAME})\(")
_MAX_PYTHON_CHARS: Final = 4000


@dataclass(slots=True)
class TaggedCalls:
    """Calls written in one family's marks: where they end, and the object of each, or why they cannot be read."""

    end: int
    values: list[JsonObject] = field(default_factory=list)
    problem: TextProblem | None = None


def read_tagged(
    text: str, mark: re.Match[str], tools: Mapping[str, ToolSpec], budget: ReadingBudget
) -> TaggedCalls | None:
    """Read the calls that follow a family's mark; None if it is only mentioned."""
    start, name = mark.end(), mark.group("tag")
    if name.startswith(("<function=", "<invoke", "<｜DSML｜invoke")):
        return _close(text, _read_functions(text, mark.start(), tools, budget))
    if name.endswith((":", "：", "*")):
        return _read_marked(text, start, tools, budget)
    if name == "[TOOL_CALLS]":
        return _read_named(text, start, _MISTRAL_NAME, budget) or _read_objects(text, start, budget)
    if name == "<|python_tag|>":
        return _read_objects(text, start, budget) or _read_python(text, start)
    if name.startswith(("<｜tool", "<|tool")):
        return _close(text, _read_named(text, start, _DEEPSEEK_NAME, budget) or _read_objects(text, start, budget))
    inside = _skip(text, start)
    if MARKS.match(text, inside) and not _FUNCTION.match(text, inside):
        return TaggedCalls(start)  # a wrapper around the marks that follow
    return _close(text, _read_functions(text, inside, tools, budget) or _read_objects(text, start, budget))


def _read_objects(text: str, start: int, budget: ReadingBudget) -> TaggedCalls | None:
    """Objects or lists of objects, one after the other, perhaps in a fence."""
    fence = _FENCE.match(text, start)
    at = _skip(text, fence.end() if fence else start)
    found = TaggedCalls(at)
    while at < len(text) and text[at] in "{[" and not MARKS.match(text, at):
        one = _parse_meant(text, at, budget)
        if one.problem is not None:
            found.problem, found.end = one.problem, len(text)
            return found
        found.values += _list_objects(one.value)
        found.end, at = one.end, _skip(text, one.end, _SEPARATOR)
    return found if found.values else None


def _read_named(text: str, start: int, pattern: re.Pattern[str], budget: ReadingBudget) -> TaggedCalls | None:
    """`name` and the object of its arguments, repeated."""
    found = TaggedCalls(start)
    while (name := pattern.match(text, found.end)) is not None:
        fence = _FENCE.match(text, name.end())
        at = _skip(text, fence.end() if fence else name.end())
        if text[at : at + 1] != "{":
            break
        one = _parse_meant(text, at, budget)
        if one.problem is not None:
            return TaggedCalls(len(text), found.values, one.problem)
        found.values.append({"name": _NUMBERED.sub("", name.group(1)), "arguments": one.value})
        found.end = one.end
        _close(text, found)
    return found if found.values else None


def _read_marked(text: str, start: int, tools: Mapping[str, ToolSpec], budget: ReadingBudget) -> TaggedCalls | None:
    """What follows the mark of our text protocol: an object, a name with its arguments, or a name alone."""
    found = (
        _read_named(text, start, _MISTRAL_NAME, budget)
        or _read_named(text, start, _CALLED_NAME, budget)
        or _read_objects(text, start, budget)
        or _read_python(text, start)
    )
    if found is not None:
        found.end = _skip(text, found.end, _PAREN_END)
        return found
    name = _MARKED_NAME.match(text, start)
    if name is not None and name.group(2) is not None:
        return TaggedCalls(name.end(), [{"name": name.group(1), "arguments": {}}])
    if name is not None and (name.group(1) in tools or "_" in name.group(1)):  # with words for arguments
        return TaggedCalls(len(text), problem=TextProblem("wrong_shape"))
    at = _skip(text, start)
    is_half = at == len(text) or text[at] in "{[("
    return TaggedCalls(len(text), problem=json_problem(True, "")) if is_half else None


def _read_functions(text: str, start: int, tools: Mapping[str, ToolSpec], budget: ReadingBudget) -> TaggedCalls | None:
    """`<function=name>` or `<invoke name="…">` with JSON or with one element for each parameter, repeated."""
    found = TaggedCalls(start)
    while (opening := _FUNCTION.match(text, _skip(text, found.end))) is not None:
        name = opening.group(1) or opening.group(2)
        at = _skip(text, opening.end())
        if text[at : at + 1] == "{":
            one = _parse_meant(text, at, budget)
            arguments, found.end, found.problem = one.value, one.end, one.problem
        else:
            values, found.end, found.problem = _read_parameters(text, opening.end(), budget)
            arguments = parse_text_values(values, tools.get(name))
        ending = _FUNCTION_END.match(text, found.end)
        if found.problem is not None or (ending is None and not arguments):
            found.problem, found.end = found.problem or json_problem(True, ""), len(text)
            return found
        found.values.append({"name": name, "arguments": arguments})
        found.end = ending.end() if ending else found.end
    return found if found.values else None


def _read_parameters(text: str, start: int, budget: ReadingBudget) -> tuple[dict[str, str], int, TextProblem | None]:
    values: dict[str, str] = {}
    at = start
    while (opening := _PARAMETER.match(text, at)) is not None:
        closing = _PARAMETER_END.search(text, opening.end())
        if closing is None:
            budget.waste(len(text) - opening.end())
            return values, len(text), json_problem(True, "")
        values[(opening.group(1) or opening.group(2)).strip("\"' ")] = text[opening.end() : closing.start()].strip("\n")
        at = closing.end()
    return values, at, None


def _read_python(text: str, start: int) -> TaggedCalls | None:
    """`name.call(key="value")`, with literals only."""
    name = _PYTHON_CALL.match(text, start)
    if name is None:
        return None
    source = text[name.start(1) : name.start(1) + _MAX_PYTHON_CHARS].strip()
    try:
        tree = ast.parse(source, mode="eval").body
        if not isinstance(tree, ast.Call) or tree.args:
            return None
        arguments = {str(one.arg): copy_json(ast.literal_eval(one.value)) for one in tree.keywords if one.arg}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return TaggedCalls(len(text), problem=json_problem(False, "it is no call with literal arguments"))
    return TaggedCalls(len(text), [{"name": name.group(1).removesuffix(".call"), "arguments": arguments}])


def _close(text: str, found: TaggedCalls | None) -> TaggedCalls | None:
    """Include the closing marks that follow."""
    while found is not None and (closing := _CLOSING.match(text, found.end)) is not None:
        found.end = closing.end()
    return found


def _parse_meant(text: str, at: int, budget: ReadingBudget) -> ParsedObject:
    found = parse_object(text, at, budget, meant=True)
    return found or ParsedObject(at, len(text), None, json_problem(False, "it is no JSON"))


def _list_objects(value: JsonValue) -> list[JsonObject]:
    items = value if isinstance(value, list) else [value]
    return [one for item in items if isinstance(item, Mapping) for one in list_calls(item)]


def _skip(text: str, at: int, pattern: re.Pattern[str] = _SPACE) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
