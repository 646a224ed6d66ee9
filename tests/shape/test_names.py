"""Names that a newcomer can guess: unique classes, verbs for functions, no metaphors."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.sources import SOURCE, Node, find_functions, find_nodes, list_modules

# A participle alone says that something happened, not what the function does.
PARTICIPLE = re.compile(
    r"_*(told|said|shown|made|taken|asked|heard|kept|given|found|seen|done|gone|meant|spoken|written|drawn|held|sent|"
    r"answered|called|counted|judged|looked_at|mended|opened|passed|stopped|stored|turned|used|wanted)"
)
# Pydantic models of events and answers have the name of what they publish.
PUBLISHED = ("events/", "server/schema/")
METAPHORS = re.compile(r"(Shelf|House|Desk|Kit|Told|Said|Heard|Seen|Judged)")
# A house of a horoscope is one.
METAPHOR_NAMES = re.compile(r"_*(shelf|shelves|desk|desks|kit|stand_in)")
# Fields of a result that read as an adjective: `case.passed`.
PROPERTIES = frozenset({"property", "cached_property"})


def _list_nodes(kind: type[Node]) -> Iterator[tuple[str, Node]]:
    """Nodes of a kind, each with the name of its module."""
    for path in _list_modules():
        name = path.relative_to(SOURCE).as_posix()
        yield from ((name, node) for node in find_nodes(path, kind))


def _list_modules() -> list[Path]:
    return [path for path in list_modules() if "versions" not in path.parts]


def test_a_class_name_means_one_thing() -> None:
    where = defaultdict(list)
    for name, node in _list_nodes(ast.ClassDef):
        if not name.startswith(PUBLISHED):
            where[node.name].append(name)
    assert {name: places for name, places in where.items() if len(places) > 1} == {}


def test_a_function_is_not_named_by_a_participle() -> None:
    bare = [
        f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}"
        for path in _list_modules()
        for node in find_functions(path)
        if PARTICIPLE.fullmatch(node.name)
        and not PROPERTIES & {ast.unparse(decorator) for decorator in node.decorator_list}
    ]
    assert bare == []


def test_a_type_is_not_a_metaphor() -> None:
    riddles = [
        f"{name}: {node.name}" for name, node in _list_nodes(ast.ClassDef) if METAPHORS.fullmatch(node.name.lstrip("_"))
    ]
    assert riddles == []


def test_a_value_is_not_a_metaphor() -> None:
    names = {(node.id, place) for place, node in _list_nodes(ast.Name)}
    names |= {(node.arg, place) for place, node in _list_nodes(ast.arg)}
    names |= {(node.arg or "", place) for place, node in _list_nodes(ast.keyword)}
    names |= {(node.attr, place) for place, node in _list_nodes(ast.Attribute)}
    assert [f"{place}: {name}" for name, place in names if METAPHOR_NAMES.fullmatch(name)] == []


def test_a_limit_is_called_max() -> None:
    most = [f"{name}: {node.id}" for name, node in _list_nodes(ast.Name) if re.match(r"_?(MOST|most)_", node.id)]
    assert most == []
