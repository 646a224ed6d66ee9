"""Canonical content of a skill file, equal for two spellings with the same meaning."""

import json
from dataclasses import dataclass
from pathlib import Path

from metier.skills.checks import find_hidden_text, find_suspicious_wording
from metier.skills.model import Report
from metier.skills.read import NoFrontMatter, Values, read_fields, read_front_matter, split_front_matter


@dataclass(frozen=True, slots=True)
class CanonicalContent:
    """Front-matter values as canonical JSON, the body, and the number of hidden-text and injection findings."""

    values: str
    body: str
    suspicions: int


def canonicalize(text: str) -> CanonicalContent | None:
    """Canonical content of a decoded file; `None` if the reader refuses it."""
    report = Report(Path())
    try:
        split = split_front_matter(text)
    except NoFrontMatter:
        return None
    document = read_front_matter(split.front, report)
    if document is None:
        return None
    values = read_fields(document.data, document.lines, report)
    suspicions = len(find_hidden_text(text)) + len(find_suspicious_wording(text))
    return (
        None
        if report.has_refusal
        else CanonicalContent(_to_canonical_json(values), text[split.body_offset :], suspicions)
    )


def _to_canonical_json(values: Values) -> str:
    return json.dumps({**values, "metadata": values.get("metadata") or {}}, sort_keys=True)
