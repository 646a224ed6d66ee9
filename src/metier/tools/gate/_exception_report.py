"""Which skill should list which tool, from the exceptions and refusals on record, with a proposed edit of its file."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Final, Literal, Protocol

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences
from metier.skills import Catalog, Skill

# list: people always said yes; review: they said both; wait: nobody has decided; keep: the rule is as it should be.
Advice = Literal["list", "review", "wait", "keep"]
_ADVICE_ORDER: Final = ("list", "review", "wait", "keep")
_SENTENCES: Final = Sentences(
    {
        "list": (
            "{tool} was granted to {skill} {granted} times and never denied: list it among its tools",
            "{tool} 已 {granted} 次批准给 {skill}，从未拒绝：建议列入它的工具",
        ),
        "review": (
            "{tool} was granted to {skill} {granted} times and denied {denied} times: say when it may be used",
            "{skill} 申请 {tool} 批准 {granted} 次、拒绝 {denied} 次：请在技能里写明何时可用",
        ),
        "wait": (
            "{skill} asks for {tool}; nobody has decided yet",
            "{skill} 申请了 {tool}，还没有人决定",
        ),
        "keep": (
            "{tool} was refused to {skill} {refused} times and never granted: say in the skill what to use instead",
            "{tool} 在 {skill} 里被拒绝 {refused} 次，从未批准：请在技能里写明改用什么",
        ),
    }
)
_LIST_KEY: Final = re.compile(
    r"^(?P<indent>[ ]*)(?:allowed_tools|tools)[ ]*:[ ]*(?P<inline>\[[^\]\n]*\])?[ ]*(?:#.*)?$", re.MULTILINE
)
_ITEM: Final = re.compile(r"^(?P<indent>[ ]*)-[ ]+(?P<name>[^\n]*)$")
_SAFE_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")


class ExceptionLike(Protocol):
    """Recorded exception."""

    @property
    def tool(self) -> str: ...
    @property
    def skill(self) -> str | None: ...
    @property
    def state(self) -> Literal["requested", "granted", "denied"]: ...
    @property
    def reason(self) -> str: ...


class ViolationLike(Protocol):
    """Recorded refusal."""

    @property
    def tool(self) -> str: ...
    @property
    def skill(self) -> str | None: ...
    @property
    def code(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ProposedEdit:
    """Change of a skill's file that lists a tool: the file, and the change as a unified diff."""

    path: str
    diff: str

    def to_json(self) -> JsonObject:
        return {"path": self.path, "diff": self.diff}


@dataclass(frozen=True, slots=True)
class ExceptionAdvice:
    """What is on record for a tool under a skill, and what to do about it."""

    skill: str
    tool: str
    asked: int
    granted: int
    denied: int
    refused: int
    advice: Advice
    reasons: tuple[str, ...] = ()
    edit: ProposedEdit | None = None

    def text(self, language: Language = "en") -> str:
        """The advice as a sentence."""
        counts = {"granted": self.granted, "denied": self.denied, "refused": self.refused}
        return _SENTENCES.render(self.advice, language, skill=self.skill or "–", tool=self.tool, **counts)

    def to_json(self, language: Language = "en") -> JsonObject:
        reasons: list[JsonValue] = [*self.reasons]
        return {
            "skill": self.skill,
            "tool": self.tool,
            "asked": self.asked,
            "granted": self.granted,
            "denied": self.denied,
            "refused": self.refused,
            "advice": self.advice,
            "text": self.text(language),
            "reasons": reasons,
            "edit": None if self.edit is None else self.edit.to_json(),
        }


def build_exception_report(
    exceptions: Sequence[ExceptionLike], violations: Iterable[ViolationLike], catalog: Catalog
) -> tuple[ExceptionAdvice, ...]:
    """Report by skill and tool, what should be changed first. Calls of tools that do not exist are left out."""
    refused = Counter((one.skill or "", one.tool) for one in violations if one.code != "unknown_tool")
    asked = Counter((one.skill or "", one.tool) for one in exceptions)
    found = [_advise(*key, exceptions, refused[key], catalog) for key in dict.fromkeys((*asked, *refused))]
    return tuple(sorted(found, key=lambda one: (_ADVICE_ORDER.index(one.advice), -one.asked, -one.refused)))


def _advise(
    skill: str, tool: str, exceptions: Sequence[ExceptionLike], refused: int, catalog: Catalog
) -> ExceptionAdvice:
    mine = [one for one in exceptions if (one.skill or "", one.tool) == (skill, tool)]
    states = Counter(one.state for one in mine)
    granted, denied = states["granted"], states["denied"]
    advice: Advice = "review" if granted and denied else "list" if granted else "keep"
    if advice == "keep" and states["requested"]:
        advice = "wait"
    owner = catalog.get(skill) if skill else None
    edit = propose_edit(owner, tool) if owner is not None and advice in ("list", "review") else None
    reasons = tuple(dict.fromkeys(one.reason for one in mine))[:3]
    return ExceptionAdvice(skill, tool, len(mine), granted, denied, refused, advice, reasons, edit)


def propose_edit(skill: Skill, tool: str) -> ProposedEdit | None:
    """The edit that adds a tool to the skill's list; None if its file has no such list or names the tool already."""
    path = Path(skill.source.path)
    path = path / "SKILL.md" if path.is_dir() else path
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if not _SAFE_NAME.fullmatch(tool) or (changed := _add_tool(text, tool)) is None:
        return None
    lines = unified_diff(text.splitlines(), changed.splitlines(), path.name, path.name, lineterm="", n=2)
    return ProposedEdit(str(path), "\n".join(lines))


def _add_tool(text: str, tool: str) -> str | None:
    """Text of a skill file with the tool in the list of its front matter."""
    end = text.find("\n---", 3)
    found = _LIST_KEY.search(text, 0, end) if text.startswith("---") and end > 0 else None
    if found is None:
        return None
    if found["inline"]:
        names = [one.strip(" '\"") for one in found["inline"][1:-1].split(",") if one.strip()]
        listed = f"[{', '.join((*names, tool))}]"
        start, stop = found.span("inline")
        return None if tool in names else text[:start] + listed + text[stop:]
    lines = text.split("\n")
    at = text.count("\n", 0, found.start()) + 1
    indent, names = f"{found['indent']}  ", []
    while at < len(lines) and (item := _ITEM.fullmatch(lines[at])) is not None:
        indent = item["indent"]
        names.append(item["name"].strip(" '\""))
        at += 1
    if tool in names or not names or not all(map(_SAFE_NAME.fullmatch, names)):
        return None
    return "\n".join((*lines[:at], f"{indent}- {tool}", *lines[at:]))
