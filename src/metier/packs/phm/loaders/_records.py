"""A record: one channel with what is known about machine and sensor. A sidecar `NAME.json` completes the file.

The sidecar holds `rpm`, `bearing`, `teeth`, `machine_class`, and per channel `fs`, `unit`, `scale`, `kind`; answers
are kept there.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import InvalidInput
from metier.names import suggest
from metier.packs.phm.loaders._channels import Channel
from metier.packs.phm.loaders._files import SUFFIXES, read_file

_FACTS: Final = ("fs", "rpm", "bearing", "teeth", "unit", "scale", "kind", "machine_class")


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One channel of a file, in its unit, with sampling rate, speed and bearing where known.

    `length` counts the samples of the file where only the middle of a long record is kept.
    """

    name: str
    channel: str
    samples: NDArray[np.float64]
    fs: float | None
    unit: str
    kind: str
    rpm: float | None
    bearing: str | None
    channels: tuple[str, ...]
    teeth: int | None = None
    length: int = 0
    is_cut: bool = False
    machine_class: str | None = None

    @property
    def seconds(self) -> float | None:
        return (self.length or len(self.samples)) / self.fs if self.fs else None

    def keep_middle(self, count: int) -> "Record":
        """The record with so many samples of its middle; the others are let go."""
        if len(self.samples) <= count:
            return self
        start = (len(self.samples) - count) // 2
        return replace(self, samples=self.samples[start : start + count].copy(), length=len(self.samples))


def read_record(path: Path, *, channel: str | None = None) -> Record:
    """Read a record; without a channel the first one of vibration is taken."""
    whole = read_file(path)
    facts = _read_sidecar(path)
    chosen = _choose_channel(whole.channels, channel, facts)
    own = _channel_facts(facts, chosen.name)
    given = {**facts, **own}
    scale = _read_scale(given, path)
    return Record(
        name=path.name,
        channel=chosen.name,
        samples=chosen.samples * scale if scale != 1.0 else chosen.samples,
        fs=_read_number(given, "fs", path) or chosen.fs,
        unit=str(given.get("unit", chosen.unit)),
        kind=str(given.get("kind", chosen.kind)),
        rpm=_read_number(facts, "rpm", path) or _to_number(whole.scalars.get("rpm")),
        bearing=_to_text(facts.get("bearing", whole.scalars.get("bearing"))),
        channels=tuple(one.name for one in whole.channels),
        teeth=_to_teeth(facts.get("teeth", whole.scalars.get("teeth"))),
        is_cut=whole.is_cut,
        machine_class=_to_text(facts.get("machine_class")),
    )


def complete_record(record: Record, path: Path) -> Record:
    """The record with what the sidecar of a path says about rate, speed, bearing, unit and machine class."""
    facts = _read_sidecar(path)
    return replace(
        record,
        fs=_read_number(facts, "fs", path) or record.fs,
        rpm=_read_number(facts, "rpm", path) or record.rpm,
        bearing=_to_text(facts.get("bearing")) or record.bearing,
        unit=_to_text(facts.get("unit")) or record.unit,
        machine_class=_to_text(facts.get("machine_class")) or record.machine_class,
    )


def write_facts(path: Path, facts: Mapping[str, object]) -> Path:
    """Keep facts that were told of an asset beside its record, hidden: they are no result for a person."""
    unknown = [name for name in facts if name not in _FACTS]
    if unknown:
        raise InvalidInput(f"{unknown[0]!r} is no fact of a record", hint=f"known: {', '.join(_FACTS)}")
    sidecar = _kept_path(path)
    merged = {**(_read_facts(sidecar) if sidecar.is_file() else {}), **facts}
    sidecar.write_text(json.dumps(merged, ensure_ascii=False, indent=2) + "\n", "utf-8")
    return sidecar


def list_record_files(folder: Path) -> list[Path]:
    """Records of a folder and its sub-folders, by name; hidden folders hold the arrays of runs, not records."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    return sorted(one for one in found if not any(part.startswith(".") for part in one.relative_to(folder).parts))


def list_sidecars(path: Path) -> list[Path]:
    """Files with facts of a record: those the user gave, which outrank its sidecar, then the sidecar."""
    beside = [one for one in (path.with_name(f"{path.name}.json"), path.with_suffix(".json")) if one.is_file()]
    return [*([kept] if (kept := _kept_path(path)).is_file() else []), *beside[:1]]


def _kept_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.json")


def _read_sidecar(path: Path) -> dict[str, object]:
    return {name: value for sidecar in reversed(list_sidecars(path)) for name, value in _read_facts(sidecar).items()}


def _read_facts(sidecar: Path) -> dict[str, object]:
    try:
        found = json.loads(sidecar.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{sidecar.name!r} is no JSON ({error})", hint="mend or delete the sidecar") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{sidecar.name!r} holds no object", hint='{"rpm": 1797, "bearing": "6205"}')
    return found


def _channel_facts(facts: Mapping[str, object], name: str) -> Mapping[str, object]:
    channels = facts.get("channels")
    own = channels.get(name) if isinstance(channels, Mapping) else None
    return own if isinstance(own, Mapping) else {}


def _choose_channel(channels: tuple[Channel, ...], wanted: str | None, facts: Mapping[str, object]) -> Channel:
    names = [one.name for one in channels]
    if wanted is not None:
        exact = [one for one in channels if one.name.lower() == wanted.lower()]
        partly = exact or [one for one in channels if wanted.lower() in one.name.lower()]
        if not partly:
            hint = suggest(wanted, names) or f"channels: {', '.join(names)}"
            raise InvalidInput(f"there is no channel {wanted!r}", hint=hint)
        return partly[0]
    kinds = [str(_channel_facts(facts, one.name).get("kind", one.kind)) for one in channels]
    return channels[kinds.index("vibration")] if "vibration" in kinds else channels[0]


def _read_number(facts: Mapping[str, object], name: str, path: Path) -> float | None:
    """A number of the sidecar above zero, None where it has none; `InvalidInput` for anything else, never a guess."""
    value = facts.get(name)
    if value is not None and _to_number(value) is None:
        raise InvalidInput(
            f"{name!r} of {list_sidecars(path)[0].name!r} is no number above zero: {str(value)[:40]!r}",
            hint="correct it, or remove the line if it is not known",
        )
    return _to_number(value)


def _read_scale(facts: Mapping[str, object], path: Path) -> float:
    """Factor of the samples; it may be negative (a sensor mounted the other way round), but not zero."""
    value = facts.get("scale")
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return -(_read_number({"scale": -value}, "scale", path) or 1.0)
    return _read_number(facts, "scale", path) or 1.0


def _to_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < math.inf else None


def _to_text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _to_teeth(value: object) -> int | None:
    number = _to_number(value)
    return int(number) if number is not None and number >= 3 and number == int(number) else None
