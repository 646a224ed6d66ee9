"""Lint reports as SARIF 2.1.0 for code scanners and editors."""

import hashlib
import os
from collections import Counter
from importlib.metadata import version
from pathlib import Path, PurePath
from types import MappingProxyType
from urllib.parse import quote

from metier.json_values import JsonObject, JsonValue
from metier.skills.lint._report import LintReport, escape_surrogates, relative_path
from metier.skills.model import CODES, CodeInfo, Diagnostic, Severity

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS: MappingProxyType[Severity, str] = MappingProxyType({"error": "error", "warning": "warning", "info": "note"})
_OUTCOMES = MappingProxyType(
    {
        "refused": "The skill is not loaded until this is mended.",
        "repaired": "The skill is loaded with the stated change.",
        "noted": "The skill is loaded as it is.",
    },
)


def to_sarif(report: LintReport, *, base: Path) -> JsonObject:
    """SARIF form of a report: every code is a rule, and paths below `base` are relative to `%SRCROOT%`."""
    indexes = {code: number for number, code in enumerate(CODES)}
    seen: Counter[str] = Counter()
    driver: dict[str, JsonValue] = {
        "name": "metier lint",
        "version": version("metier"),
        "rules": [_to_rule(code, info) for code, info in CODES.items()],
    }
    run: dict[str, JsonValue] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": _to_file_uri(Path(os.path.abspath(base))) + "/"}},  # noqa: PTH100 - Path.absolute keeps '..'
        "results": [_to_result(found, base, indexes[found.code], seen) for found in report.findings],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _to_rule(code: str, info: CodeInfo) -> JsonObject:
    outcome = _OUTCOMES[info.effect] + (" In a trusted folder it is only a warning." if info.relaxed_if_trusted else "")
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in code.split("_")),
        "shortDescription": {"text": info.meaning},
        "help": {"text": f"{info.meaning} {outcome}"},
        "defaultConfiguration": {"level": _LEVELS[info.severity]},
    }


def _to_result(found: Diagnostic, base: Path, index: int, seen: "Counter[str]") -> JsonObject:
    location: dict[str, JsonValue] = {"artifactLocation": _to_artifact_location(found.path, base)}
    if found.line:
        location["region"] = {"startLine": found.line}
    return {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": {"text": escape_surrogates(f"{found.message} ({found.hint})" if found.hint else found.message)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"metierFinding/v1": _fingerprint(found, base, seen)},
    }


def _to_artifact_location(path: Path, base: Path) -> JsonObject:
    below = PurePath(relative_path(path, base))
    if below.is_absolute():
        return {"uri": _to_file_uri(below)}
    return {"uri": quote(os.fsencode(below.as_posix())), "uriBaseId": _ROOT}


def _to_file_uri(path: PurePath) -> str:
    return "file://" + quote(os.fsencode(path.as_posix())).rstrip("/")


def _fingerprint(found: Diagnostic, base: Path, seen: "Counter[str]") -> str:
    """Fingerprint that does not depend on line numbers; equal findings in one file are numbered."""
    same = f"{found.code}\0{relative_path(found.path, base)}\0{found.message}"
    seen[same] += 1
    return hashlib.sha256(f"{same}\0{seen[same]}".encode(errors="backslashreplace")).hexdigest()[:32]
