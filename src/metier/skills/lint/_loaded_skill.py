"""A loaded skill for the lint rules: its files, its body, and the line numbers of its values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from metier.json_values import JsonInvalid, JsonObject, load_json
from metier.skills.model import MAX_FILE_BYTES, Report, Skill
from metier.skills.read import (
    PROMPT_SUFFIXES,
    NoFrontMatter,
    YamlRefused,
    decode,
    find_field,
    load_yaml,
    read_bytes,
    read_front_matter,
    split_front_matter,
)

_SECTIONS = ("metadata", "meta", "routing")
_PREFIXES = ("metier.", "metier-", "metier_")


@dataclass(frozen=True)
class LoadedSkill:
    """A skill being linted; `files` has the names of all files in its folder. Everything else is computed lazily."""

    skill: Skill
    files: frozenset[str]

    @cached_property
    def body(self) -> str:
        """Instructions, decompressed once for all rules."""
        return str(self.skill.body)

    @cached_property
    def body_path(self) -> Path:
        """File that contains the instructions."""
        source = self.skill.source
        return source.folder / self._prompt_name if source.layout == "manifest" else source.path

    def find_body_line(self, offset: int) -> int | None:
        """Line number in the file for an offset in the body; `None` in a Word document."""
        text = read_text(self.body_path)
        start = text.find(self.body, self._find_body_offset(text))
        return None if start < 0 else text.count("\n", 0, start + offset) + 1

    def find_line(self, field: str, rest: str = "") -> int | None:
        """Line number of a field, under any of its names; `rest` is a path inside its value, such as `[0].call`."""
        key = next((key for key in self._lines if _is_field(key, field)), None)
        return None if key is None else self._lines.get(key + rest, self._lines[key])

    def find_tool_line(self, tool: str, rest: str = "") -> int | None:
        """Line number of a declared tool by its name: entries that were left out also count in the file."""
        key = next((key for key in self._lines if _is_field(key, "tools")), "")
        named = re.compile(rf"(?<!\w){re.escape(tool)}(?!\w)")
        text = self._text.splitlines()
        for entry in (one for one in self._lines if re.fullmatch(rf"{re.escape(key)}\[\d+\]", one)):
            line = self._lines.get(f"{entry}.name", self._lines[entry])
            if line <= len(text) and named.search(text[line - 1]):
                return self._lines.get(entry + rest, line)
        return self.find_line("tools")

    def read_file(self, name: str) -> bytes:
        """Bytes of one of the skill's files; `OSError` if it is not a regular file."""
        return read_bytes(self.skill.source.folder / name, MAX_FILE_BYTES)

    @cached_property
    def _text(self) -> str:
        return read_text(self.skill.source.path)

    @cached_property
    def _lines(self) -> Mapping[str, int]:
        """Line of every key of the main file; `skill.json` is read as YAML too."""
        if self.skill.source.layout == "bare":
            return {}
        try:
            if self.skill.source.layout == "manifest":
                return load_yaml(self._text).lines
            front = read_front_matter(split_front_matter(self._text).front, Report(self.skill.source.path))
        except (YamlRefused, NoFrontMatter):
            return {}
        return front.lines if front else {}

    @cached_property
    def _prompt_name(self) -> str:
        entry = _read_entry(self._text)
        named = entry.get("system_prompt") or entry.get("prompt")
        if isinstance(named, str):
            return str(PurePosixPath(named.replace("\\", "/")))
        system = {name.lower(): name for name in self.files}
        wanted = (f"system{suffix}" for suffix in PROMPT_SUFFIXES)
        return next((system[name] for name in wanted if name in system), "SYSTEM.md")

    def _find_body_offset(self, text: str) -> int:
        if self.skill.source.layout not in ("agent-skill", "flat"):
            return 0
        try:
            return split_front_matter(text).body_offset
        except NoFrontMatter:
            return 0


def read_text(path: Path) -> str:
    """Text of the file as the reader decodes it; empty if it cannot be read any more."""
    try:
        prose = decode(read_bytes(path, MAX_FILE_BYTES), path, Report(path))
    except OSError:
        return ""
    return prose.text if prose else ""


def _read_entry(text: str) -> JsonObject:
    try:
        manifest = load_json(text)
    except JsonInvalid:
        return {}
    entry = manifest.get("entry") if isinstance(manifest, Mapping) else None
    return entry if isinstance(entry, Mapping) else {}


def _is_field(key: str, field: str) -> bool:
    section, dot, inner = key.partition(".")
    plain = inner if dot and section in _SECTIONS else key
    plain = next((plain[len(prefix) :] for prefix in _PREFIXES if plain.startswith(prefix)), plain)
    found = find_field(plain)
    return found is not None and found.name == field
