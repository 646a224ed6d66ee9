"""Kinematics of a rolling bearing with a fixed outer ring."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from metier.errors import InvalidInput
from metier.json_values import JsonObject

Fault = Literal["outer", "inner", "ball", "cage"]

FAULTS: Final[tuple[Fault, ...]] = ("outer", "inner", "ball", "cage")


@dataclass(frozen=True, slots=True)
class RollingBearing:
    """Geometry of a bearing; the two diameters share any unit."""

    name: str
    balls: int
    ball_d: float
    pitch_d: float
    contact_deg: float = 0.0
    source: str = ""

    def __post_init__(self) -> None:
        fits = self.balls >= 3 and 0 < self.ball_d < self.pitch_d and 0 <= self.contact_deg < 90
        if not fits or self.balls * self.ball_d > math.pi * self.pitch_d:
            raise InvalidInput(
                f"{self.balls} balls of {self.ball_d:g} on a pitch circle of {self.pitch_d:g} are no bearing",
                hint="balls, ball_d, pitch_d, contact_deg: 9,7.94,39.04,0",
            )

    @property
    def ftf(self) -> float:
        """Cage frequency in shaft orders."""
        return 0.5 * (1 - self._ratio)

    @property
    def bpfo(self) -> float:
        """Ball pass frequency of the outer race in shaft orders."""
        return self.balls * self.ftf

    @property
    def bpfi(self) -> float:
        """Ball pass frequency of the inner race in shaft orders."""
        return 0.5 * self.balls * (1 + self._ratio)

    @property
    def bsf(self) -> float:
        """Spin frequency of a ball in shaft orders; a defect strikes both races, at twice this frequency."""
        return 0.5 * self.pitch_d / self.ball_d * (1 - self._ratio**2)

    @property
    def orders(self) -> Mapping[Fault, float]:
        """Order at which each fault shows in the envelope spectrum."""
        return {"outer": self.bpfo, "inner": self.bpfi, "ball": 2 * self.bsf, "cage": self.ftf}

    @property
    def geometry(self) -> str:
        """The geometry as a text that `read_bearing` reads."""
        return f"{self.balls},{self.ball_d!r},{self.pitch_d!r},{self.contact_deg!r}"

    @property
    def _ratio(self) -> float:
        return self.ball_d / self.pitch_d * math.cos(math.radians(self.contact_deg))

    def to_json(self) -> JsonObject:
        orders = {"BPFO": self.bpfo, "BPFI": self.bpfi, "BSF": self.bsf, "FTF": self.ftf}
        return {
            "name": self.name,
            "balls": self.balls,
            "ball_d": self.ball_d,
            "pitch_d": self.pitch_d,
            "contact_deg": self.contact_deg,
            "orders": {name: round(order, 4) for name, order in orders.items()},
        }
