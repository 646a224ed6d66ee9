"""What the package imports is declared in pyproject.toml, and what is declared is used."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from tests.sources import SOURCE, find_nodes, list_modules

ROOT = Path(__file__).resolve().parents[2]
TOOL_EXTRAS = {"dev", "docs"}  # for work on the project itself
# Declared, but imported by nobody here.
USED_WITHOUT_IMPORT = {
    "opencc-python-reimplemented": "its table of characters is read as a file, without loading the package",
    "asyncpg": "SQLAlchemy loads it for a postgresql:// address",
    "dask": "its distributed part is imported, and comes in the same version",
    "langchain-google-genai": "LangChain loads it for a model google_genai:…",
    "tzdata": "time zones where the system has none",
}


def project() -> dict[str, object]:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert isinstance(read, dict)
    return read


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> dict[str, str]:
    """Requirement by distribution, of the package and its extras, without those for work on the project."""
    told = project()
    extras = told["optional-dependencies"]
    assert isinstance(extras, dict)
    assert isinstance(told["dependencies"], list)
    lines = [
        *told["dependencies"],
        *(line for name, listed in extras.items() if name not in TOOL_EXTRAS for line in listed),
    ]
    return {normalized(re.split(r"[\[<>=!~; ]", line, maxsplit=1)[0]): line for line in lines}


def imported() -> Iterator[tuple[str, str]]:
    """Top-level packages that the source imports, with the file."""
    for path in list_modules():
        names = [alias.name for node in find_nodes(path, ast.Import) for alias in node.names]
        names += [node.module for node in find_nodes(path, ast.ImportFrom) if node.module]
        yield from ((name.partition(".")[0], path.name) for name in names)


@cache
def find_owners() -> Mapping[str, list[str]]:
    """Distributions by the package that they install, from the first part of each path that they list.

    `packages_distributions` makes an object of each of a hundred thousand paths, in five seconds.
    """
    owners: dict[str, list[str]] = {}
    for one in distributions():
        listed = (one.read_text("RECORD") or one.read_text("top_level.txt") or "").splitlines()
        for package in {re.split("[/,.]", line, maxsplit=1)[0] for line in listed}:
            owners.setdefault(package, []).append(one.metadata["Name"])
    return owners


def test_every_import_is_declared() -> None:
    known, owners = declared(), find_owners()
    missing = {
        (package, file)
        for package, file in imported()
        if package not in sys.stdlib_module_names
        and package != "metier"
        and not any(normalized(owner) in known for owner in owners.get(package, ()))
    }
    assert missing == set()


def test_everything_declared_is_used() -> None:
    owners = find_owners()
    used = {normalized(owner) for package, _ in imported() for owner in owners.get(package, ())}
    idle = declared().keys() - used - USED_WITHOUT_IMPORT.keys() - {"metier"}
    assert idle == set()
    assert USED_WITHOUT_IMPORT.keys() <= declared().keys()
    assert USED_WITHOUT_IMPORT.keys() & used == set()


def test_the_next_major_version_of_the_agent_framework_is_not_taken_unseen() -> None:
    known = declared()
    assert all(known[name].endswith(",<2") for name in ("langchain", "langchain-core", "langgraph"))


def test_the_extra_all_brings_every_extra() -> None:
    extras = project()["optional-dependencies"]
    assert isinstance(extras, dict)
    (line,) = extras["all"]
    assert set(line.removeprefix("metier[").removesuffix("]").split(",")) == extras.keys() - {"all"} - TOOL_EXTRAS


def test_what_is_declared_for_use_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {normalized(line.partition("==")[0]) for line in lines if "==" in line}
    assert declared().keys() - {"metier"} <= pinned


def _list_imported_packs(folder: Path) -> set[str]:
    """Packs that the code or the manifest of a pack names, without itself."""
    paths = [path for path in list_modules() if path.is_relative_to(folder)]
    names = {node.module or "" for path in paths for node in find_nodes(path, ast.ImportFrom)}
    names |= {one.name for path in paths for node in find_nodes(path, ast.Import) for one in node.names}
    text = "\n".join([*names, (folder / "pack.toml").read_text("utf-8")])
    return set(re.findall(r"\bmetier\.packs\.(\w+)", text)) - {folder.name}


def test_a_pack_says_which_other_packs_it_imports() -> None:
    folders = sorted(path.parent for path in (SOURCE / "packs").glob("*/pack.toml"))
    manifests = {one.name: tomllib.loads((one / "pack.toml").read_text("utf-8")) for one in folders}
    named = {name: {*one.get("requires", []), *one.get("imports", [])} for name, one in manifests.items()}
    assert named == {one.name: _list_imported_packs(one) for one in folders}
    assert named["workspace"] == {"office"}
