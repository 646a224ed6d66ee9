"""Reads `pack.toml` key by key and lists the commands of installed packs, without importing code of a pack."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from metier.errors import InvalidPack, MetierError, MissingExtra
from metier.json_values import JsonObject
from metier.language import BilingualText

ENTRY_POINT_GROUP: Final = "metier.packs"
PACK_FILE: Final = "pack.toml"
ID_PATTERN: Final = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
REFERENCE_PATTERN: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_MODULE_PATTERN: Final = re.compile(r"[A-Za-z_]\w*")
_INSTALL_PATTERN: Final = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[[\w,-]+\])?")
_MAX_FILE_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class PackCommand:
    """A command of a pack: `metier NAME …`, with its title and the `module:attribute` of its Typer app."""

    name: str
    title: BilingualText
    app: str

    def to_json(self) -> JsonObject:
        return {"name": self.name, "title": self.title.to_json(), "app": self.app}


@dataclass(frozen=True, slots=True)
class PackFinding:
    """Result of a pack's check of a user's file: location, code, message and hint."""

    place: str
    code: str
    message: str
    hint: str = ""
    severity: Literal["error", "warning"] = "error"

    def to_json(self) -> JsonObject:
        return asdict(self)


def list_pack_commands() -> Iterator[PackCommand]:
    """Commands of all installed packs, read from their `pack.toml`; a pack that cannot be read has none."""
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda one: (one.name, one.value)):
        try:
            given = read_toml(find_module_folder(entry.value) / PACK_FILE)
            yield from read_commands(given)
        except MetierError:
            continue  # `metier packs` says why


@dataclass(frozen=True, slots=True)
class PackExtra:
    """Packages that a pack needs beyond its own: what to install, and the modules that are there then.

    A pack that is not `required` to have them works without, in part.
    """

    install: str
    modules: tuple[str, ...]
    required: bool = True

    def check(self, pack: str) -> None:
        """Raise `MissingExtra` with the install line if a module is not there; nothing is imported."""
        gone = [name for name in self.modules if not _is_importable(name)]
        if gone:
            needs = "needs" if self.required else "needs for some of its work"
            message = f"pack {pack!r} {needs} packages that are not installed: {', '.join(gone)}"
            raise MissingExtra(message, hint=f"pip install '{self.install}'")


def read_extra(given: Mapping[str, object]) -> PackExtra | None:
    """Packages of a pack: `extra = { install = "garden[soil]", modules = ["soil"] }`; None if the key is not there."""
    told = given.get("extra")
    if told is None:
        return None
    hint = 'extra = { install = "garden[soil]", modules = ["soil"] }, with required = false if it works without'
    if not isinstance(told, Mapping) or told.keys() - {"install", "modules", "required"}:
        raise invalid_key("extra", "is no table of install, modules and required", hint)
    install, required = told.get("install"), told.get("required", True)
    if not isinstance(install, str) or not _INSTALL_PATTERN.fullmatch(install) or not isinstance(required, bool):
        raise invalid_key("extra", f"is {str(dict(told))[:60]!r}", hint)
    return PackExtra(install, read_strings(told.get("modules"), "extra.modules", _MODULE_PATTERN), required)


def _is_importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # the module is there in name only
        return False


def read_commands(given: Mapping[str, object]) -> tuple[PackCommand, ...]:
    """Commands of a pack: `NAME = "module:app"`, titled as the pack is, or `NAME = { app = …, title = … }`."""
    listed = given.get("commands", {})
    if not isinstance(listed, Mapping):
        raise invalid_key("commands", "is no table", 'commands = { garden = "garden_pack:app" }')
    found = []
    for name, told in listed.items():
        key = f"commands.{name}"
        if not ID_PATTERN.fullmatch(str(name)):
            raise invalid_key(key, "is no name of a command", "lower-case letters and digits, joined by '-' or '_'")
        table = told if isinstance(told, Mapping) else {"app": told}
        title = read_bilingual(table.get("title", given.get("title")), f"{key}.title")
        found.append(PackCommand(str(name), title, read_reference(table, "app", f"{key}.app")))
    return tuple(found)


def read_figures(given: Mapping[str, object], pack: str) -> tuple[tuple[str, str], ...]:
    """Suites of `metier bench`: `figures = "module:function"` is named as the pack, or `figures = { NAME = … }`."""
    listed = given.get("figures", {})
    table = listed if isinstance(listed, Mapping) else {pack: listed}
    for name in table:
        if not ID_PATTERN.fullmatch(str(name)):
            raise invalid_key("figures", f"names a suite {str(name)[:40]!r}", "lower-case letters and digits")
    return tuple((str(name), read_reference(table, name, f"figures.{name}")) for name in table)


def read_reference(given: Mapping[str, object], key: str, name: str = "") -> str:
    """A `module:attribute`; empty if the key is not there."""
    return "".join(read_strings([given[key]] if key in given else [], name or key, REFERENCE_PATTERN))


def find_module_folder(module: str) -> Path:
    """Folder of a package, found without importing it."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError, AttributeError) as error:
        raise InvalidPack(f"module {module!r} cannot be found: {error}", hint="install the pack again") from error
    if spec is None or not spec.submodule_search_locations:
        raise InvalidPack(f"there is no package {module!r}", hint="an entry names a package whose folder has pack.toml")
    return Path(next(iter(spec.submodule_search_locations)))


def read_toml(path: Path) -> Mapping[str, object]:
    """Content of a TOML file of a pack; `InvalidPack` if it cannot be read."""
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            message = f"{path.name} has more than {_MAX_FILE_BYTES} bytes"
            raise InvalidPack(message, hint="shorten the description; knowledge belongs in files of its own")
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidPack(f"{path} cannot be read: {error.strerror}", hint=f"a pack has a {PACK_FILE}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidPack(f"{path} is no TOML: {error}", hint="mend the file") from error


def read_bilingual(value: object, key: str) -> BilingualText:
    """A text in both languages; one text is taken for both."""
    given = {"zh": value, "en": value} if isinstance(value, str) else value
    texts = [given.get(tongue) for tongue in ("zh", "en")] if isinstance(given, Mapping) else []
    if len(texts) != 2 or not all(isinstance(text, str) and text.strip() for text in texts):
        raise invalid_key(key, "is not said in both languages", f'{key} = {{ zh = "…", en = "…" }}')
    return BilingualText(*map(str, texts))


def read_strings(value: object, key: str, form: re.Pattern[str]) -> tuple[str, ...]:
    """A list of texts of one form, each once."""
    if not isinstance(value, list) or not all(isinstance(one, str) and form.fullmatch(one) for one in value):
        hint = 'for example ["package.module:function"]' if form is REFERENCE_PATTERN else 'for example ["telecom"]'
        raise invalid_key(key, f"is {str(value)[:60]!r}", hint)
    return tuple(dict.fromkeys(value))


def resolve_path(home: Path, value: object, key: str) -> Path | None:
    """Path inside the pack's folder; None if the key is not there."""
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise invalid_key(key, "is no path", "relative to the pack's folder")
    path = (home / value).resolve()
    if not path.is_relative_to(home):
        raise invalid_key(key, f"leads out of the pack: {value[:80]!r}", "relative to the pack's folder")
    if not path.exists():
        raise invalid_key(key, f"is not there: {value[:80]!r}", "relative to the pack's folder")
    return path


def invalid_key(key: str, what: str, hint: str) -> InvalidPack:
    """Error about one key of `pack.toml`."""
    return InvalidPack(f"{PACK_FILE}: {key} {what}", hint=hint)
