"""A routing decision as the data of `skill.routed`: explained in both languages, and small enough to store."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.routing import Candidate, Decision, Reason
from metier.tasks import TaskAnalysis

_MAX_CANDIDATES: Final = 5
_MAX_REASONS: Final = 8
_MAX_NOTES: Final = 4
_MAX_SENTENCE_CHARS: Final = 120
_MAX_WORD_CHARS: Final = 40
_MAX_CANDIDATE_BYTES: Final = 3000


def decision_to_json(decision: Decision, language: Language) -> JsonObject:
    """Decision with its reasons, so that it can be explained later in either language without routing again.

    Over the size limit, first sentences and then candidates are dropped, both from the end.
    """
    listed = [_candidate_to_json(one, language) for one in decision.candidates[:_MAX_CANDIDATES]]
    for one in reversed(listed):
        if _size_bytes(listed) > _MAX_CANDIDATE_BYTES:
            one["why"] = [{"feature": why["feature"], "value": why["value"]} for why in one["why"]]
    while len(listed) > 1 and _size_bytes(listed) > _MAX_CANDIDATE_BYTES:
        listed.pop()
    candidates: list[JsonValue] = [*listed]
    notes = decision.why[:_MAX_NOTES]
    meant = {} if decision.meant is None else {"meant": round(decision.meant, 4)}
    return {
        "verdict": decision.verdict,
        "route": decision.route,
        "skill": decision.skill,
        "skills": list(decision.skills),
        "candidates": candidates,
        "notes": [note.text(language)[:_MAX_SENTENCE_CHARS] for note in notes],
        "why": [_truncate(note.to_json(), _MAX_SENTENCE_CHARS) for note in notes],
        **meant,
        "vectors": decision.vectors,
        "elapsed_ms": round(decision.elapsed_ms, 3),
    }


def analysis_to_json(analysis: TaskAnalysis, language: Language) -> JsonObject:
    """Analysis of the task without the candidates, which the decision has already."""
    told = analysis.to_json(language)
    return {name: _truncate(value, _MAX_SENTENCE_CHARS) for name, value in told.items() if name != "candidates"}


def _size_bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def _truncate(value: JsonValue, chars: int) -> JsonValue:
    """Copy with texts cut to `chars` and lists to a few items."""
    if isinstance(value, str):
        return value[:chars]
    if isinstance(value, Mapping):
        return {name: _truncate(inner, chars) for name, inner in value.items()}
    return [_truncate(inner, chars) for inner in value[:_MAX_REASONS]] if isinstance(value, Sequence) else value


def _reason_to_json(one: Reason, language: Language) -> JsonObject:
    words = {"words": _truncate(one.words, _MAX_WORD_CHARS)} if one.words else {}
    return {
        "feature": one.feature,
        "value": round(one.value, 4),
        **words,
        **one.rank_to_json(),
        "text": one.text(language)[:_MAX_SENTENCE_CHARS],
    }


def _candidate_to_json(one: Candidate, language: Language) -> dict[str, Any]:
    negated = {"negated": _truncate(one.negated, _MAX_WORD_CHARS)} if one.negated else {}
    return {
        "skill": one.skill,
        "score": round(one.score, 4),
        "lexical": round(one.lexical, 4),
        "vector": None if one.vector is None else round(one.vector, 4),
        "trigger_hits": _truncate(one.trigger_hits, _MAX_WORD_CHARS),
        **negated,
        "why": [_reason_to_json(reason, language) for reason in one.why[:_MAX_REASONS]],
    }
