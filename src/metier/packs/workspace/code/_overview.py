"""Overview of a project: languages, entry points, tests, dependencies and sizes, read from its files alone."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonInvalid, load_json

_ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Python": "py pyi",
        "JavaScript": "js mjs jsx",
        "TypeScript": "ts tsx",
        "Java": "java",
        "Kotlin": "kt",
        "Go": "go",
        "Rust": "rs",
        "C": "c h",
        "C++": "cpp cc hpp",
        "C#": "cs",
        "Ruby": "rb",
        "PHP": "php",
        "Swift": "swift",
        "Shell": "sh",
        "SQL": "sql",
        "HTML": "html",
        "CSS": "css scss",
        "Vue": "vue",
        "R": "r",
        "Jupyter": "ipynb",
        "Markdown": "md",
        "reStructuredText": "rst",
        "TOML": "toml",
        "YAML": "yaml yml",
        "JSON": "json",
        "XML": "xml",
        "CSV": "csv",
        "Text": "txt",
    }
)
_LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}
)
_NO_CODE: Final = frozenset({"Markdown", "reStructuredText", "TOML", "YAML", "JSON", "XML", "CSV", "Text"})
_CODE: Final = frozenset(_ENDINGS) - _NO_CODE
_TEST_FILE: Final = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")
_TEST_FOLDER: Final = re.compile(r"(?:^|/)(?:tests?|__tests__|spec)/")
_OTHER_TEST: Final = re.compile(r"(?:_test\.go|\.(?:test|spec)\.[jt]sx?|Test\.java|_spec\.rb)$")
_TEST_FUNCTION: Final = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+test\w*", re.MULTILINE)
_MAIN: Final = re.compile(r"""^if[ \t]+__name__[ \t]*==[ \t]*["']__main__["']""", re.MULTILINE)
_MAIN_NAMES: Final = frozenset(
    {"__main__.py", "manage.py", "main.go", "main.rs", "index.js", "server.js", "Dockerfile", "Makefile"}
)
_RUNNERS: Final = (
    ("package.json", "npm test"),
    ("go.mod", "go test"),
    ("Cargo.toml", "cargo test"),
    ("pom.xml", "mvn test"),
)
_MAX_ENTRIES: Final = 20


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """Files and lines of one language."""

    name: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Where a program starts: the file, and the command or the reason."""

    path: str
    command: str


@dataclass(frozen=True, slots=True)
class Overview:
    """What a project consists of."""

    files: int
    lines: int
    size_bytes: int
    languages: tuple[LanguageShare, ...]
    entry_points: tuple[EntryPoint, ...]
    test_files: tuple[str, ...]
    test_count: int
    dependencies: tuple[str, ...]
    largest: tuple[tuple[str, int], ...]


def is_test_file(path: str) -> bool:
    """Whether a path is a test, what tests share, or their data."""
    return bool(_TEST_FILE.search(path) or _TEST_FOLDER.search(path) or _OTHER_TEST.search(path)) or path.endswith(
        "conftest.py"
    )


def is_python_test(path: str) -> bool:
    """Whether pytest collects this file by its name."""
    return bool(_TEST_FILE.search(path))


def find_other_runner(texts: Mapping[str, str]) -> str:
    """The usual test command of a project that is not Python; empty if there is none."""
    return next((command for name, command in _RUNNERS if name in texts), "")


def describe(texts: Mapping[str, str], sizes: Mapping[str, int]) -> Overview:
    """Look at the files of a project, given as text by path."""
    lines = {path: _count_lines(text) for path, text in texts.items()}
    tests = tuple(path for path in sorted(texts) if is_python_test(path) or _OTHER_TEST.search(path))
    return Overview(
        files=len(texts),
        lines=sum(lines.values()),
        size_bytes=sum(sizes.values()),
        languages=_share_languages(lines),
        entry_points=tuple(_find_entry_points(texts))[:_MAX_ENTRIES],
        test_files=tests,
        test_count=sum(len(_TEST_FUNCTION.findall(texts[path])) for path in tests),
        dependencies=_find_dependencies(texts),
        largest=tuple(sorted(((path, count) for path, count in lines.items()), key=lambda one: (-one[1], one[0]))[:5]),
    )


def _count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _share_languages(lines: Mapping[str, int]) -> tuple[LanguageShare, ...]:
    counted: dict[str, list[int]] = {}
    for path, count in lines.items():
        name = path.rpartition("/")[2]
        ending = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""
        one = counted.setdefault(_LANGUAGES.get(ending) or (f".{ending}" if ending else name), [0, 0])
        one[0] += 1
        one[1] += count
    shares = [LanguageShare(name, files, total) for name, (files, total) in counted.items()]
    return tuple(sorted(shares, key=lambda one: (one.name not in _CODE, -one.lines, one.name)))


def _find_entry_points(texts: Mapping[str, str]) -> Iterator[EntryPoint]:
    project = _read_toml(texts.get("pyproject.toml", "")).get("project")
    scripts = project.get("scripts") if isinstance(project, dict) else None
    for name, target in scripts.items() if isinstance(scripts, dict) else ():
        yield EntryPoint("pyproject.toml", f"{name} = {target}")
    package = _read_json(texts.get("package.json", ""))
    commands = package.get("scripts")
    for name in commands if isinstance(commands, dict) else ():
        yield EntryPoint("package.json", f"npm run {name}")
    for path in sorted(texts):
        name = path.rpartition("/")[2]
        if is_test_file(path):
            continue
        if name == "__main__.py" and "/" in path:
            yield EntryPoint(path, f"python -m {path.rpartition('/')[0].removeprefix('src/').replace('/', '.')}")
        elif path.endswith(".py") and _MAIN.search(texts[path]):
            yield EntryPoint(path, f"python {path}")
        elif name in _MAIN_NAMES:
            yield EntryPoint(path, name)


def _find_dependencies(texts: Mapping[str, str]) -> tuple[str, ...]:
    found: list[str] = []
    project = _read_toml(texts.get("pyproject.toml", "")).get("project")
    listed = project.get("dependencies") if isinstance(project, dict) else None
    found += [str(one) for one in listed] if isinstance(listed, list) else []
    for line in texts.get("requirements.txt", "").splitlines():
        plain = line.partition("#")[0].strip()
        found += [plain] if plain and not plain.startswith("-") else []
    wanted = _read_json(texts.get("package.json", "")).get("dependencies")
    found += list(wanted) if isinstance(wanted, dict) else []
    return tuple(dict.fromkeys(found))


def _read_toml(text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _read_json(text: str) -> Mapping[str, object]:
    try:
        found = load_json(text)
    except JsonInvalid:
        return {}
    return found if isinstance(found, dict) else {}
