"""Scenario model: an area, its cells, clutter and traffic."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from metier.errors import NotFound, UsageError

Rat = Literal["LTE", "NR"]
Propagation = Literal["uma", "umi"]
Problem = Literal["weak_coverage", "overshoot", "interference", "load"]
Parameter = Literal["tilt", "azimuth", "power", "offset", "neighbour"]
Network = Literal["4G", "5G", "4G/5G"]

PROBLEMS: Final[tuple[Problem, ...]] = ("weak_coverage", "overshoot", "interference", "load")
# Metres of one degree on the local plane; at 40° a distance comes out up to 0.5 % short, which is 0.1 dB.
LAT_M: Final = 110_574.0
LON_M: Final = 111_320.0
# Bounds of parameters, for changes and in files.
TILT_DEG: Final = (0.0, 20.0)
POWER_DBM: Final = (10.0, 60.0)
OFFSET_DB: Final = (-12.0, 12.0)


@dataclass(frozen=True, slots=True)
class Area:
    """The computed rectangle: south-west corner, size and grid step."""

    longitude: float
    latitude: float
    width_m: float
    height_m: float
    step_m: float

    @property
    def columns(self) -> int:
        return round(self.width_m / self.step_m)

    @property
    def rows(self) -> int:
        return round(self.height_m / self.step_m)

    @property
    def points(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True, slots=True)
class Carrier:
    """A frequency and its bandwidth; cells of one carrier interfere with each other."""

    name: str
    rat: Rat
    frequency_mhz: float
    bandwidth_mhz: float
    resource_blocks: int
    spacing_khz: float
    layers: float
    dl_share: float
    ul_share: float


@dataclass(frozen=True, slots=True)
class Antenna:
    """An element pattern (TR 38.901 Table 7.3-1) repeated in a column, plus the gain of the rest of the array."""

    name: str
    element_gain_dbi: float
    beamwidth_h_deg: float
    beamwidth_v_deg: float
    side_lobe_db: float
    front_back_db: float
    rows: int
    row_spacing: float
    array_gain_db: float
    receive_gain_db: float


@dataclass(frozen=True, slots=True)
class Clutter:
    """A class of ground: signal loss, height and user density."""

    name: str
    indoor: Literal["none", "low_loss", "high_loss"]
    loss_db: float
    height_m: float
    density: float


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of one clutter class, in metres from the south-west corner; later patches lie on top."""

    clutter: str
    x_m: float
    y_m: float
    width_m: float
    height_m: float


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A crowd: additional users in a Gaussian distribution around a point."""

    name: str
    x_m: float
    y_m: float
    radius_m: float
    users: float


@dataclass(frozen=True, slots=True)
class Traffic:
    """Users in the busy hour, the demand of each, and the share with an NR terminal."""

    users: float
    dl_mbps: float
    ul_mbps: float
    nr_share: float
    hotspots: tuple[Hotspot, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A mast or roof: position and antenna height."""

    id: str
    name: str
    longitude: float
    latitude: float
    height_m: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A sector of a site on one carrier, with all tunable parameters."""

    id: str
    name: str
    site: str
    carrier: str
    antenna: str
    longitude: float
    latitude: float
    height_m: float
    azimuth_deg: float
    mechanical_tilt_deg: float
    electrical_tilt_deg: float
    power_dbm: float
    offset_db: float
    neighbours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParameterChange:
    """A new value for one parameter of one cell; `gain` is its contribution to the objective, in points of 100."""

    cell: str
    parameter: Parameter
    before: float | str
    after: float | str
    gain: float = 0.0


@dataclass(frozen=True)
class Scenario:
    """A network as described by its file; `digest` identifies its content, `base` the file without later changes."""

    id: str
    title_zh: str
    title_en: str
    city: str
    district: str
    network: Network
    problem: Problem
    propagation: Propagation
    seed: int
    area: Area
    carriers: tuple[Carrier, ...]
    antennas: tuple[Antenna, ...]
    clutter: tuple[Clutter, ...]
    patches: tuple[Patch, ...]
    traffic: Traffic
    sites: tuple[Site, ...]
    cells: tuple[Cell, ...]
    digest: str
    base: str
    ground: str = "open"
    path: Path | None = None

    @cached_property
    def cell_index(self) -> Mapping[str, int]:
        return {cell.id: number for number, cell in enumerate(self.cells)}

    def get_cell(self, id: str) -> Cell:
        """The cell with this id; raises `NotFound`."""
        if id not in self.cell_index:
            known = ", ".join(cell.id for cell in self.cells[:5])
            raise NotFound(f"scenario {self.id!r} has no cell {id!r}", hint=f"its cells are {known} …")
        return self.cells[self.cell_index[id]]


def apply_changes(scenario: Scenario, changes: Iterable[ParameterChange]) -> Scenario:
    """Apply the changes in order; without any effect the same scenario is returned."""
    made = {cell.id: cell for cell in scenario.cells}
    for change in changes:
        made[change.cell] = set_parameter(scenario, made.get(change.cell) or scenario.get_cell(change.cell), change)
    cells = tuple(made.values())
    if cells == scenario.cells:
        return scenario
    words = f"{scenario.base} {cells!r}"
    return replace(scenario, cells=cells, digest=sha256(words.encode()).hexdigest())


def set_parameter(scenario: Scenario, cell: Cell, change: ParameterChange) -> Cell:
    """Apply one change to a cell; raises if the value is out of bounds."""
    if change.parameter == "neighbour":
        other = scenario.get_cell(str(change.after)).id
        if other == cell.id:
            raise UsageError(f"cell {cell.id!r} cannot be its own neighbour", hint="name another cell")
        return cell if other in cell.neighbours else replace(cell, neighbours=(*cell.neighbours, other))
    value = _require_number(change)
    if change.parameter == "tilt":
        return replace(cell, electrical_tilt_deg=_require_within(change, value, TILT_DEG))
    if change.parameter == "power":
        return replace(cell, power_dbm=_require_within(change, value, POWER_DBM))
    if change.parameter == "offset":
        return replace(cell, offset_db=_require_within(change, value, OFFSET_DB))
    if change.parameter == "azimuth":
        return replace(cell, azimuth_deg=_require_within(change, value, (-360.0, 360.0)) % 360.0)
    raise UsageError(
        f"{change.parameter!r} cannot be changed", hint="change one of tilt, azimuth, power, offset, neighbour"
    )


def _require_number(change: ParameterChange) -> float:
    if isinstance(change.after, str):
        message = f"{change.parameter} of cell {change.cell!r} needs a number, not {change.after!r}"
        raise UsageError(message, hint="give the new value as a number, without its unit")
    return float(change.after)


def _require_within(change: ParameterChange, value: float, bounds: tuple[float, float]) -> float:
    if not bounds[0] <= value <= bounds[1]:
        raise UsageError(
            f"{change.parameter} of cell {change.cell!r} cannot be {value:g}",
            hint=f"give a value from {bounds[0]:g} to {bounds[1]:g}",
        )
    return value
