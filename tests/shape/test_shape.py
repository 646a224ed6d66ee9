"""What keeps the code in shape: small files, one door per room, no hidden state, no blanket excepts.

One test per rule; each lists every offender, so a failure names all of them at once.
"""

import ast
import importlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import SOURCE, find_functions, find_nodes, list_modules, parse_module

ROOT = Path(__file__).resolve().parents[2]
MODULES = [path for path in list_modules() if "versions" not in path.parts]
ROOMS = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
SUB_ROOMS = sorted(path.parent for path in SOURCE.glob("*/*/__init__.py") if path.parts[-3] != "packs")
# Sub-rooms that other rooms and users may import; all others are private to their room.
PUBLIC_SUB_ROOMS = {
    "cli.terminal",
    "routing.advice",
    "routing.fitting",
    "server.http",
    "skills.lint",
    "testing.journeys",
    "tools.browser",
    "tools.builtin",
    "tools.mcp",
    "tools.sandbox",
}
MAX_FILES = 20
MAX_LINES = 400
MAX_FUNCTION_LINES = 60
# The edges of the program, where a failure becomes an answer.
MAY_CATCH_EVERYTHING = {
    "agent/lifecycle/_driver.py",
    "background.py",
    "cli/_main.py",
    "compiled/_keep.py",
    "flow/engines/_dask.py",
    "flow/engines/_processes.py",
    "flow/engines/_threads.py",
    "routing/vectors/_embedders.py",
    "telemetry/_lane.py",
    "tools/python/_inside.py",
    "tools/run/_executor.py",
    "tools/sandbox/_runner.py",
}
# Constructors and tables that are long because they are lists.
LONG_FUNCTIONS = {"skills/read/_build.py:build_skill"}

_TIME_FUNCTIONS = {
    *(("datetime", name) for name in ("now", "today", "utcnow")),
    ("date", "today"),
    *(("time", name) for name in ("time", "time_ns")),
    *(("uuid", name) for name in ("uuid1", "uuid4")),
}
_CATCHING = (ast.Call, ast.ExceptHandler)
_MUTABLE = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


def _named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def _function_lines() -> dict[str, int]:
    return {
        f"{_named(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in MODULES
        for node in find_functions(path)
    }


def test_there_are_modules_to_look_at() -> None:
    assert len(MODULES) > 200
    assert len(ROOMS) > 10


def test_a_module_is_small() -> None:
    lines = {_named(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}


def test_a_module_says_what_it_is() -> None:
    assert [_named(path) for path in MODULES if not ast.get_docstring(parse_module(path))] == []


def test_a_function_is_small_and_the_list_of_exceptions_only_shrinks() -> None:
    long = {name for name, lines in _function_lines().items() if lines > MAX_FUNCTION_LINES}
    assert long == LONG_FUNCTIONS


def test_nobody_but_the_edges_catches_everything() -> None:
    blanket = {_named(path) for path in MODULES for node in find_nodes(path, *_CATCHING) if _catches_everything(node)}
    assert blanket == MAY_CATCH_EVERYTHING


@pytest.mark.parametrize(
    ("code", "is_blanket"),
    [
        ("try: a()\nexcept Exception: b()", True),
        ("try: a()\nexcept (OSError, BaseException): b()", True),
        ("try: a()\nexcept: b()", True),
        ("with contextlib.suppress(Exception): a()", True),
        ("try: a()\nexcept Exception:\n  b()\n  raise", False),
        ("try: a()\nexcept (OSError, ValueError): b()", False),
        ("with contextlib.suppress(OSError): a()", False),
    ],
)
def test_every_way_to_catch_everything_is_seen(code: str, is_blanket: bool) -> None:
    assert any(map(_catches_everything, ast.walk(ast.parse(code)))) == is_blanket


def _catches_everything(node: ast.AST) -> bool:
    """A handler that ends with `raise` only looks at the error and passes it on; `suppress` never does."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).endswith("suppress") and any(map(_is_any_error, node.args))
    if not isinstance(node, ast.ExceptHandler) or (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None):
        return False
    types = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(type_ is None or _is_any_error(type_) for type_ in types)


def _is_any_error(node: ast.expr) -> bool:
    return ast.unparse(node) in ("Exception", "BaseException")


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        _named(path) for path in MODULES for node in find_nodes(path, ast.Attribute) if _reads_the_environment(node)
    }
    assert readers - {"settings.py"} == set()


def _reads_the_environment(node: ast.AST) -> bool:
    is_named = isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    return is_named and ast.unparse(node).startswith("os.")


def test_only_the_clock_tells_the_time_and_makes_random_ids() -> None:
    """Everybody else takes a clock, or one of `metier.clock`: tests and the bench set the time there."""
    readers = {
        _named(path)
        for path in MODULES
        for node in find_nodes(path, ast.Attribute, ast.ImportFrom)
        if _tells_the_time(node)
    }
    assert readers - {"clock.py"} == set()


@pytest.mark.parametrize(
    ("code", "is_one"),
    [
        ("datetime.now(UTC)", True),
        ("dt.datetime.utcnow()", True),
        ("clock = datetime.now", True),
        ("date.today()", True),
        ("time.time()", True),
        ("from time import time", True),
        ("from uuid import UUID, uuid4", True),
        ("uuid.uuid4()", True),
        ("time.monotonic()", False),
        ("self.now()", False),
        ("from uuid import UUID", False),
    ],
)
def test_every_way_to_tell_the_time_is_seen(code: str, is_one: bool) -> None:
    assert any(map(_tells_the_time, ast.walk(ast.parse(code)))) == is_one


def _tells_the_time(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any((node.module, one.name) in _TIME_FUNCTIONS for one in node.names)
    if not isinstance(node, ast.Attribute):
        return False
    return (ast.unparse(node.value).rpartition(".")[2], node.attr) in _TIME_FUNCTIONS


def test_a_module_holds_no_mutable_state() -> None:
    """A module-level list, set or dictionary must be annotated as something that cannot be changed."""
    assert [f"{_named(path)}: {name}" for path in MODULES for name in _mutable_names(parse_module(path))] == []
    assert [_named(path) for path in MODULES if any(find_nodes(path, ast.Global))] == []


def _mutable_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _MUTABLE):
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
            if name != "__all__" and not annotation.startswith(("Mapping[", "JsonObject")):
                yield name


def test_a_room_has_one_door() -> None:
    doors = {room.name: importlib.import_module(f"metier.{room.name}") for room in ROOMS}
    lists = {name: door.__all__ for name, door in doors.items()}
    order = {name: sorted(names, key=_in_a_door) for name, names in lists.items()}
    assert lists == order
    assert [f"{at}.{name}" for at, names in lists.items() for name in names if not hasattr(doors[at], name)] == []
    assert [_named(path) for room in ROOMS for path in room.glob("*.py") if not path.name.startswith("_")] == []


def _in_a_door(name: str) -> tuple[bool, bool, str]:
    return not name.isupper(), not name[0].isupper(), name


def test_a_room_has_a_design_page_and_tests() -> None:
    assert [room.name for room in ROOMS if not (ROOT / "docs" / "design" / f"{room.name}.md").is_file()] == []
    assert [room.name for room in ROOMS if not list((ROOT / "tests" / room.name).rglob("test_*.py"))] == []


def test_a_sub_room_has_one_door_too() -> None:
    doors = {_named(room): importlib.import_module(f"metier.{_named(room).replace('/', '.')}") for room in SUB_ROOMS}
    lists = {name: getattr(door, "__all__", []) for name, door in doors.items()}
    assert {name: sorted(names, key=_in_a_door) for name, names in lists.items()} == lists
    assert [f"{at}.{name}" for at, names in lists.items() for name in names if not hasattr(doors[at], name)] == []


def test_a_folder_holds_at_most_twenty_files() -> None:
    sizes = Counter(path.parent for path in MODULES)
    assert {_named(folder): size for folder, size in sizes.items() if size > MAX_FILES} == {}


def _imported_modules(path: Path) -> Iterator[str]:
    yield from (node.module or "" for node in find_nodes(path, ast.ImportFrom))
    yield from (alias.name for node in find_nodes(path, ast.Import) for alias in node.names)


def test_the_page_of_the_architecture_names_the_public_sub_rooms() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rule = page.partition("Sub-packages are private")[2].partition("\n- ")[0]
    assert set(re.findall(r"`metier\.([\w.]+)`", rule)) == PUBLIC_SUB_ROOMS


def test_a_room_is_entered_by_its_door() -> None:
    """Another room imports `metier.tools` or a public sub-room, never a private file or sub-room."""
    found = [
        f"{_named(path)}: {module} is private to its room"
        for path in MODULES
        for module in _imported_modules(path)
        if _is_private_elsewhere(module, _named(path).split("/")[0])
    ]
    assert found == []


def _is_private_elsewhere(module: str, own: str) -> bool:
    parts = module.split(".")
    outside = parts[0] == "metier" and len(parts) > 2 and parts[1] != own
    return outside and ".".join(parts[1:]) not in PUBLIC_SUB_ROOMS


def test_a_sub_room_is_entered_by_its_door() -> None:
    """Inside a room, files of another sub-room are reached through its `__init__`."""
    found = [
        f"{_named(path)}: {module} is private to its sub-room"
        for path in MODULES
        for module in _imported_modules(path)
        if _is_private_to_a_sibling(module.split("."), _named(path).split("/"))
    ]
    assert found == []


def _is_private_to_a_sibling(parts: list[str], here: list[str]) -> bool:
    same_room = parts[0] == "metier" and len(parts) > 3 and parts[1] == here[0] and parts[1] != "packs"
    return same_room and (len(here) < 3 or parts[2] != here[1])


def test_only_the_language_module_asks_which_language_it_is() -> None:
    found = [
        f"{_named(path)}:{node.lineno}"
        for path in MODULES
        for node in find_nodes(path, ast.Compare)
        if any(_is_language(side) for side in (node.left, *node.comparators))
    ]
    assert [place for place in found if not place.startswith("language.py:")] == []


def _is_language(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ("en", "zh")


def test_the_version_has_a_line_in_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_contributing_fits_on_a_page() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines()) <= 60


def test_the_constraints_pin_versions_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert all("==" in line and "://" not in line and not line.startswith("-") for line in lines)


def test_the_server_reads_skills_only_as_a_caller_sees_them() -> None:
    """`catalog_for(caller)` and `catalog_of(user)` narrow; two modules need the whole catalog."""
    may_read_all = {"server/_app.py", "server/http/_context.py"}
    whole = [
        f"{_named(path)}: {ast.unparse(node)}"
        for path in MODULES
        if _named(path).startswith("server/") and _named(path) not in may_read_all
        for node in find_nodes(path, ast.Call, ast.Attribute)
        if _reads_whole_catalog(node)
    ]
    assert whole == []


def _reads_whole_catalog(node: ast.AST) -> bool:
    """Whether it is `….runtime.catalog`, `….library.catalog` or `….runtime.tools()` without a catalog."""
    if isinstance(node, ast.Call):
        is_tools = isinstance(node.func, ast.Attribute) and node.func.attr == "tools" and not node.args
        return is_tools and ast.unparse(node.func.value).endswith("runtime")  # type: ignore[attr-defined]
    named = isinstance(node, ast.Attribute) and node.attr == "catalog"
    return named and ast.unparse(node.value).endswith(("runtime", "library"))  # type: ignore[attr-defined]


def test_the_product_says_ni_to_a_person_and_reads_both_ways_of_address() -> None:
    places = [
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "web" / "src" / "words").glob("*.ts"),
        *ROOT.rglob("src/**/*.zh.json"),
    ]
    lines = (f"{path.name}: {line.strip()}" for path in places for line in path.read_text("utf-8").splitlines())
    assert [one for one in lines if "您" in one and "你" not in one] == []


def test_fields_and_tools_are_named_for_people_by_show_as_and_add_titles() -> None:
    written = [
        f"{_named(path)}:{node.lineno}"
        for path in MODULES
        if _named(path) != "tools/_form_hints.py"
        for node in find_nodes(path, ast.keyword)
        if node.arg in ("json_schema_extra", "parameters") and _has_hints(node.value)
    ]
    assert written == []


def _has_hints(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Constant) and one.value == "x-ui" for one in ast.walk(node))
