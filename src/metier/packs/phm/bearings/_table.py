"""Table of bearings by name, and the geometry a user writes as `balls,ball_d,pitch_d,contact_deg`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import InvalidInput
from metier.names import suggest
from metier.packs.phm.bearings._geometry import RollingBearing

_FILE: Final = Path(__file__).with_name("bearings.toml")
_PREFIXES: Final = re.compile(r"(?i)^(skf|fag|nsk|ntn|koyo|nmb|轴承)[\s_-]*")
_SUFFIXES: Final = re.compile(r"(?i)(?:[\s_/-]*(?:2rs[1h]?|2z|rs|z|c3|jem))+$")
_MAX_NAMED: Final = 12  # of the table, in a hint


@cache
def list_bearings() -> Mapping[str, RollingBearing]:
    """Bearings of the table by name."""
    rows = tomllib.loads(_FILE.read_text("utf-8"))["bearing"]
    return MappingProxyType({row["name"]: RollingBearing(**row) for row in rows})


def find_bearing(name: str) -> RollingBearing:
    """RollingBearing of the table; manufacturer and seals in the name do not matter. `InvalidInput` suggests a name."""
    known = {_simplify(one): bearing for one, bearing in list_bearings().items()}
    found = known.get(_simplify(name))
    if found is None:
        hint = suggest(name, list_bearings()) or f"known: {', '.join(list(list_bearings())[:_MAX_NAMED])}"
        raise InvalidInput(
            f"bearing {name!r} is not in the table", hint=f"{hint}; or give balls,ball_d,pitch_d,contact_deg"
        )
    return found


def read_bearing(text: str) -> RollingBearing:
    """RollingBearing by name, or by geometry written as `balls,ball_d,pitch_d[,contact_deg]`."""
    parts = re.split(r"[,;，；\s]+", text.strip())
    if len(parts) < 3:
        return find_bearing(text)
    try:
        balls, ball_d, pitch_d, *contact = (float(part) for part in parts)
    except ValueError:
        return find_bearing(text)
    if len(contact) > 1 or not balls.is_integer():
        raise InvalidInput(f"{text!r} is no bearing geometry", hint="balls,ball_d,pitch_d,contact_deg: 9,7.94,39.04,0")
    angle = contact[0] if contact else 0.0
    return RollingBearing(f"{int(balls)} × {ball_d:g} / {pitch_d:g}", int(balls), ball_d, pitch_d, angle)


def is_bearing(text: object) -> bool:
    """Whether a text names a bearing of the table or its geometry."""
    try:
        return isinstance(text, str) and bool(read_bearing(text))
    except InvalidInput:
        return False


def _simplify(name: str) -> str:
    return _SUFFIXES.sub("", _PREFIXES.sub("", name.strip())).replace(" ", "").replace("-", "").lower()
