"""Messages that name several skills by slashes: together (`/a /b text`), in turn (`/a … /b …`), a path (`/a > b`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from metier.names import is_command
from metier.patterns import compile_later

CommandKind = Literal["together", "sequence", "path"]
_COMMAND: Final = compile_later(r"(?<![\w/／.:])[/／](?P<name>\w[\w-]*)(?![\w/／.-])")
_PATH: Final = compile_later(
    r"[/／](?P<names>\w+(?:-+\w+)*(?:\s*(?:>|→|->)\s*[/／]?\w+(?:-+\w+)*)+)(?:\s+(?P<text>.*))?", re.DOTALL
)
_ARROW: Final = compile_later(r"\s*(?:>|→|->)\s*[/／]?")
_JOINT: Final = compile_later(r"(?:[\s，,。；;、]|然后|接着|之后|再|并且?|then|and)+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SkillCommands:
    """Skills that a message names, each with the text after it; `unknown` are names that no skill has."""

    kind: CommandKind
    requests: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...] = ()


def parse_commands(message: str, names: Mapping[str, str]) -> SkillCommands | None:
    """Read a message that names more than one skill; None for any other. `names` are ids by casefolded name.

    A path such as `/tmp` inside a text is text: an unknown name counts only after a word such as 然后.
    """
    said = message.strip()
    if not is_command(said):
        return None
    if (path := _PATH.match(said)) is not None:
        return _read_path(path["names"], (path["text"] or "").strip(), names)
    found = [one for one in _COMMAND.finditer(said) if _names_skill(said, one, names)]
    if len(found) < 2:
        return None
    ends = [*(one.start() for one in found[1:]), len(said)]
    texts = [_JOINT.sub("", said[one.end() : end]).strip() for one, end in zip(found, ends, strict=True)]
    ids = [names.get(one["name"].casefold()) for one in found]
    unknown = tuple(one["name"] for one, known in zip(found, ids, strict=True) if known is None)
    together = all(not text for text in texts[:-1])
    texts = [texts[-1]] * len(texts) if together else texts
    requests = tuple((known, text) for known, text in zip(ids, texts, strict=True) if known is not None)
    return SkillCommands("together" if together else "sequence", requests, unknown)


def _read_path(listed: str, text: str, names: Mapping[str, str]) -> SkillCommands:
    ids = [(name, names.get(name.casefold())) for name in _ARROW.split(listed)]
    unknown = tuple(name for name, known in ids if known is None)
    return SkillCommands("path", tuple((known, text) for _, known in ids if known is not None), unknown)


def _names_skill(said: str, found: re.Match[str], names: Mapping[str, str]) -> bool:
    if found["name"].casefold() in names:
        return True
    before = said[: found.start()]
    joint = _JOINT.search(before)
    return not before or (joint is not None and bool(joint[0].strip(" \t\n，,、")))
