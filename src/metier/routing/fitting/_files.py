"""Writes fitted heads as the file the router reads."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from metier.json_values import JsonObject
from metier.routing.ranking import LANGUAGE_PAIRS, SIGNALS, Heads

_DIGITS = 5


def write_heads(file: Path, modes: Mapping[str, Heads], made_from: Mapping[str, str]) -> None:
    """Write heads by mode and their training data (`made_from`) as JSON."""
    stored = {
        "signals": list(SIGNALS),
        "made from": dict(made_from),
        "modes": {mode: _heads_to_json(heads) for mode, heads in sorted(modes.items())},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _heads_to_json(heads: Heads) -> JsonObject:
    return {
        "mean": _round_all(heads.mean),
        "deviation": _round_all(heads.deviation),
        "meant": _round_all(heads.meant),
        "right": _round_all(heads.right),
        "among": _round_all(heads.among),
        "without_examples": dict(zip(LANGUAGE_PAIRS, map(_round_all, heads.without_examples), strict=True)),
    }


def _round_all(values: Iterable[float]) -> list[float]:
    return [round(float(value), _DIGITS) for value in values]
