"""Writes fitted heads as the file the router reads."""

import json
from collections.abc import Mapping
from pathlib import Path

from metier.routing.ranking import SIGNALS, Heads

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


def _heads_to_json(heads: Heads) -> dict[str, list[float]]:
    parts = {
        "mean": heads.mean,
        "deviation": heads.deviation,
        "meant": heads.meant,
        "right": heads.right,
        "among": heads.among,
        "without_examples": heads.without_examples,
    }
    return {name: [round(float(value), _DIGITS) for value in values] for name, values in parts.items()}
