"""Names that a newcomer can guess: unique classes, verbs for functions, no metaphors."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from tests.sources import SOURCE, list_modules, parse_nodes

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


def _list_nodes() -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    """Modules by name, each with all its nodes."""
    for path in list_modules():
        if "versions" not in path.parts:
            yield path.relative_to(SOURCE).as_posix(), parse_nodes(path)


def test_a_class_name_means_one_thing() -> None:
    where = defaultdict(list)
    for name, nodes in _list_nodes():
        if name.startswith(PUBLISHED):
            continue
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                where[node.name].append(name)
    assert {name: places for name, places in where.items() if len(places) > 1} == {}


def test_a_function_is_not_named_by_a_participle() -> None:
    bare = [
        f"{name}:{node.lineno} {node.name}"
        for name, nodes in _list_nodes()
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and PARTICIPLE.fullmatch(node.name)
        and not PROPERTIES & {ast.unparse(decorator) for decorator in node.decorator_list}
    ]
    assert bare == []


def test_a_type_is_not_a_metaphor() -> None:
    riddles = [
        f"{name}: {node.name}"
        for name, nodes in _list_nodes()
        for node in nodes
        if isinstance(node, ast.ClassDef) and METAPHORS.fullmatch(node.name.lstrip("_"))
    ]
    assert riddles == []


def test_a_value_is_not_a_metaphor() -> None:
    riddles = {
        f"{name}: {called}"
        for name, nodes in _list_nodes()
        for node in nodes
        for called in [getattr(node, "id", "") or getattr(node, "arg", "") or getattr(node, "attr", "")]
        if METAPHOR_NAMES.fullmatch(called or "")
    }
    assert riddles == set()


def test_a_limit_is_called_max() -> None:
    most = [
        f"{name}: {node.id}"
        for name, nodes in _list_nodes()
        for node in nodes
        if isinstance(node, ast.Name) and re.match(r"_?(MOST|most)_", node.id)
    ]
    assert most == []
