"""Diagnostics of the reader and the linter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, choose, quote_names
from metier.skills.model._chinese import CHINESE
from metier.skills.model._chinese_reasons import explain_in_chinese
from metier.skills.model._codes import CODES, Effect, Severity
from metier.skills.model._remedies import REMEDIES

_QUOTED: Final = re.compile(r"(?<!\w)'([^'\n]{1,240})'(?!\w)")  # names, and paths
_MEANT: Final = re.compile(r"did you mean '([^'\n]{1,80})'")
_FULL_STOP: Final = "。"
MEANINGS: Final = Sentences({code: (info.meaning, CHINESE[code]) for code, info in CODES.items()})


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: location, code, severity, effect on the skill, message, and a hint how to fix it."""

    code: str
    severity: Severity
    effect: Effect
    message: str
    hint: str
    path: Path
    line: int | None = None
    skill: str | None = None

    def text(self, language: Language = "en") -> str:
        """The finding in this language: the message, or in Chinese what the code means and which names it is about."""
        return choose(language, en=self.message, zh=self._say_in_chinese())

    def advise(self, language: Language = "en") -> str:
        """What to do about it in this language: the hint, or in Chinese what helps with the code; empty if unknown."""
        known = "" if _MEANT.search(self.hint) else REMEDIES.get(self.code, "")  # what was meant is in the text
        return choose(language, en=self.hint, zh=known)

    def _say_in_chinese(self) -> str:
        meaning = MEANINGS.render(self.code, "zh").removesuffix(_FULL_STOP)
        names = tuple(dict.fromkeys(_QUOTED.findall(self.message)))
        reasons = "，".join(explain_in_chinese(self.message))
        listed = f"：{quote_names(names)}" if names else ""
        meant = _MEANT.search(self.hint)
        advice = f"是否应为「{meant[1]}」？" if meant else ""
        return f"{meaning}{listed}{f'（{reasons}）' if reasons else ''}{_FULL_STOP}{advice}"

    def to_json(self) -> JsonObject:
        """JSON form for the CLI and the API; `texts` has the finding in each language."""
        return {
            "code": self.code,
            "severity": self.severity,
            "effect": self.effect,
            "message": self.message,
            "hint": self.hint,
            "texts": {"zh": self.text("zh"), "en": self.message},
            "path": str(self.path),
            "line": self.line,
            "skill": self.skill,
        }


@dataclass(slots=True)
class Report:
    """Collects the diagnostics of one source while it is read."""

    path: Path
    trusted: bool = False
    _found: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        path: Path | None = None,
        line: int | None = None,
        part: bool = False,
    ) -> None:
        """Add a finding unless it is there already; severity and effect come from `CODES`.

        With `part` a refusal costs only the tool or file that it is about, which the caller leaves out.
        """
        info = CODES[code]
        severity, effect = info.severity, info.effect
        if self.trusted and info.relaxed_if_trusted:
            severity, effect = "warning", "noted"
        elif part and effect == "refused":
            effect = "repaired"
        finding = Diagnostic(code, severity, effect, message, hint, path or self.path, line)
        if finding not in self._found:
            self._found.append(finding)

    def extend(self, other: "Report") -> None:
        """Add the findings of another report."""
        self._found.extend(other)

    def spare(self) -> "Report":
        """The same findings, where a refusal costs only the part that they are about."""
        made = Report(self.path, self.trusted)
        made._found = [replace(one, effect="repaired") if one.effect == "refused" else one for one in self._found]
        return made

    def has_code(self, code: str) -> bool:
        """Whether a finding with this code stands as it is: not relaxed, nor about a part that was left out."""
        return any(found.code == code for found in self._found)

    @property
    def has_refusal(self) -> bool:
        """Whether a finding so far prevents the skill from being loaded."""
        return any(found.effect == "refused" for found in self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def diagnostics_for(self, skill: str | None) -> tuple[Diagnostic, ...]:
        """All findings, labelled with the skill's id."""
        return tuple(replace(found, skill=skill) for found in self._found)
