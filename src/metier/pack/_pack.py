"""A pack: an installable bundle for one domain, with skills, tools, knowledge, base prompt, examples and bench cases.

`pack.toml` in the pack's folder describes the contents; none of the pack's code runs before its tools are loaded.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, cast

from metier.errors import InvalidPack
from metier.json_values import JsonObject
from metier.language import BilingualText
from metier.names import suggest
from metier.pack._file import (
    ID_PATTERN,
    PACK_FILE,
    REFERENCE_PATTERN,
    PackCommand,
    PackExtra,
    PackFinding,
    invalid_key,
    read_bilingual,
    read_commands,
    read_extra,
    read_figures,
    read_reference,
    read_strings,
    read_toml,
    resolve_path,
)
from metier.pack._run import import_reference, make_list, make_tools, run_in_thread
from metier.settings import Settings
from metier.tools import Tool

_PATH_KEYS: Final = ("skills", "prompt", "knowledge", "glossary", "bench", "journeys")
_CODE_KEYS: Final = (
    *("tools", "check", "operators", "flow", "commands", "figures", "view", "routes", "guard", "claim"),
    *("fallback_claim", "answer"),
)
_KEYS: Final = (
    *("id", "title", "description", "version", "requires", "imports", "extra", "examples", "keep_results"),
    *_CODE_KEYS,
    *_PATH_KEYS,
)
_TOOL_NAME: Final = re.compile(r"\w[\w.-]{0,63}")


@dataclass(frozen=True, slots=True)
class PackContext:
    """Passed to a pack's tool factories: the settings, and a folder for the pack's own data."""

    settings: Settings
    storage: Path


@dataclass(frozen=True, slots=True)
class PackProblem:
    """Why an installed pack, or a part of one, cannot be used; the others still work."""

    pack: str
    code: str
    message: str
    hint: str = ""

    def to_json(self) -> JsonObject:
        return {"pack": self.pack, "code": self.code, "message": self.message, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as described by its `pack.toml`. Paths are absolute and exist; None for a part the pack does not have."""

    id: str
    title: BilingualText
    description: BilingualText
    version: str
    folder: Path
    requires: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    extra: PackExtra | None = None
    skills: Path | None = None
    prompt: Path | None = None
    knowledge: Path | None = None
    glossary: Path | None = None
    bench: Path | None = None
    journeys: Path | None = None
    tool_factories: tuple[str, ...] = ()
    examples: tuple[BilingualText, ...] = ()
    checker: str = ""
    operator_factories: tuple[str, ...] = ()
    flow_factory: str = ""
    commands: tuple[PackCommand, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()
    routes: str = ""
    guard: str = ""
    claim: str = ""
    fallback_claim: str = ""
    answerer: str = ""
    viewer: str = ""
    keep_results: tuple[str, ...] = ()

    def load_tools(self, context: PackContext) -> tuple[Tool, ...]:
        """Load the pack's tools. Its code runs here for the first time: any exception becomes `InvalidPack`."""
        return tuple(
            tool
            for maker in self.tool_factories
            for tool in run_in_thread(self.id, maker, partial(make_tools, maker, context))
        )

    def load_operators(self, context: PackContext) -> tuple[object, ...]:
        """Run the pack's operator factories; the flow room checks what they give."""
        return tuple(
            one
            for maker in self.operator_factories
            for one in run_in_thread(self.id, maker, partial(make_list, maker, context))
        )

    def load_flow(self, context: PackContext) -> object | None:
        """Run the factory of the pack's rules for deep runs; None if it has none."""
        if not self.flow_factory:
            return None
        factory = self.flow_factory
        return run_in_thread(self.id, factory, lambda: cast("object", import_reference(factory)(context)))

    def load_figures(self, suite: str) -> Callable[..., Iterable[object]]:
        """Import the function that measures a suite of the pack; raises `InvalidPack` if the pack does not have it."""
        if (reference := dict(self.figures).get(suite)) is None:
            raise InvalidPack(f"pack {self.id!r} measures no figures {suite!r}", hint='figures = "module:function"')
        return run_in_thread(self.id, reference, lambda: import_reference(reference))

    def load_routes(self) -> tuple[object, ...]:
        """HTTP routes that the pack adds to the server; none if it has none."""
        return run_in_thread(
            self.id, self.routes, lambda: tuple(import_reference(self.routes)()) if self.routes else ()
        )

    def check(self, file: Path) -> tuple[PackFinding, ...]:
        """Check a user's file with the pack's own checker; raises `InvalidPack` if the pack has none."""
        if not self.checker:
            raise InvalidPack(f"pack {self.id!r} checks no files", hint='pack.toml may say check = "module:function"')
        found = run_in_thread(self.id, self.checker, lambda: tuple(import_reference(self.checker)(file)))
        return cast("tuple[PackFinding, ...]", found)

    def view(self, file: Path, form: Literal["blocks", "pdf"]) -> object:
        """A document as JSON blocks for the page, or as PDF bytes; None if the pack does not show such files."""
        if not self.viewer:
            return None
        return run_in_thread(self.id, self.viewer, lambda: cast("object", import_reference(self.viewer)(file, form)))

    def read_synonyms(self) -> tuple[tuple[str, ...], ...]:
        """Read the groups of synonyms from the pack's glossary."""
        if self.glossary is None:
            return ()
        groups = read_toml(self.glossary).get("groups", [])
        listed = groups if isinstance(groups, list) else []
        if not listed or not all(
            isinstance(one, list) and all(isinstance(word, str) for word in one) for one in listed
        ):
            hint = 'groups = [["PRB", "物理资源块"], …]'
            raise InvalidPack(f"the glossary of pack {self.id!r} has no groups of words", hint=hint)
        return tuple(tuple(group) for group in cast("list[list[str]]", groups))

    def to_json(self) -> JsonObject:
        paths = {name: None if (path := getattr(self, name)) is None else str(path) for name in _PATH_KEYS}
        return {
            "id": self.id,
            "title": self.title.to_json(),
            "description": self.description.to_json(),
            "version": self.version,
            "folder": str(self.folder),
            "requires": list(self.requires),
            "imports": list(self.imports),
            "extra": self.extra.install if self.extra else None,
            "tools": list(self.tool_factories),
            "check": self.checker or None,
            "operators": list(self.operator_factories),
            "flow": self.flow_factory or None,
            "figures": dict(self.figures) or None,
            "routes": self.routes or None,
            "guard": self.guard or None,
            "claim": self.claim or None,
            "fallback_claim": self.fallback_claim or None,
            "answer": self.answerer or None,
            "view": self.viewer or None,
            "commands": [one.to_json() for one in self.commands],
            "keep_results": list(self.keep_results),
            "examples": [one.to_json() for one in self.examples],
            **paths,
        }


def read_pack(folder: Path) -> Pack:
    """Read the pack in a folder; `InvalidPack` names the key of `pack.toml` and what is wrong with it."""
    home = folder.resolve()
    given = read_toml(home / PACK_FILE)
    for key in given:
        if key not in _KEYS:
            raise invalid_key(key, "is not a key of a pack", suggest(key, _KEYS))
    name, version = given.get("id"), given.get("version")
    if not isinstance(name, str) or not ID_PATTERN.fullmatch(name):
        raise invalid_key("id", f"is {str(name)[:40]!r}", "lower-case letters and digits, joined by '-' or '_'")
    if not isinstance(version, str) or not version.strip():
        raise invalid_key("version", "is missing", 'for example version = "1.0.0"')
    if not isinstance(examples := given.get("examples", []), list):
        raise invalid_key("examples", "is no list", "[[examples]] with zh and en")
    return Pack(
        id=name,
        title=read_bilingual(given.get("title"), "title"),
        description=read_bilingual(given.get("description"), "description"),
        version=version,
        folder=home,
        requires=read_strings(given.get("requires", []), "requires", ID_PATTERN),
        imports=read_strings(given.get("imports", []), "imports", ID_PATTERN),
        extra=read_extra(given),
        tool_factories=read_strings(given.get("tools", []), "tools", REFERENCE_PATTERN),
        checker=read_reference(given, "check"),
        operator_factories=read_strings(given.get("operators", []), "operators", REFERENCE_PATTERN),
        flow_factory=read_reference(given, "flow"),
        commands=read_commands(given),
        figures=read_figures(given, name),
        routes=read_reference(given, "routes"),
        guard=read_reference(given, "guard"),
        claim=read_reference(given, "claim"),
        fallback_claim=read_reference(given, "fallback_claim"),
        answerer=read_reference(given, "answer"),
        viewer=read_reference(given, "view"),
        keep_results=read_strings(given.get("keep_results", []), "keep_results", _TOOL_NAME),
        examples=tuple(read_bilingual(one, f"examples[{at}]") for at, one in enumerate(examples)),
        **{key: resolve_path(home, given.get(key), key) for key in _PATH_KEYS},
    )
