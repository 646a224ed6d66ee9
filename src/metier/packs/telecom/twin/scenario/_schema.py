"""Pydantic schema of the scenario file, with the range of each field."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from metier.packs.telecom.twin.scenario._scenario import OFFSET_DB, POWER_DBM, TILT_DEG

_Name = Annotated[str, Field(min_length=1, max_length=80)]
_Metres = Annotated[float, Field(ge=0, le=20_000)]
_Positive = Annotated[float, Field(gt=0, le=20_000)]
_Longitude = Annotated[float, Field(ge=-180, le=180)]
# The local plane is flat: near a pole a degree of longitude is no longer a length.
_Latitude = Annotated[float, Field(ge=-80, le=80)]
_Tilt = Annotated[float, Field(ge=TILT_DEG[0], le=TILT_DEG[1])]


class _FilePart(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class ScenarioPart(_FilePart):
    """`[scenario]`: identity and problem."""

    schema_version: Literal[1] = 1
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
    title_zh: _Name
    title_en: _Name
    city: _Name
    district: _Name
    network: Literal["4G", "5G", "4G/5G"]
    problem: Literal["weak_coverage", "overshoot", "interference", "load"]


class AreaPart(_FilePart):
    """`[area]`: south-west corner, size and grid step."""

    longitude: _Longitude
    latitude: _Latitude
    width_m: Annotated[float, Field(ge=100, le=20_000)]
    height_m: Annotated[float, Field(ge=100, le=20_000)]
    step_m: Annotated[float, Field(ge=2, le=200)]


class ModelPart(_FilePart):
    """`[model]`: propagation model of TR 38.901, seed of the shadowing, default clutter class."""

    propagation: Literal["uma", "umi"] = "uma"
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 1
    ground: _Name = "open"


class HotspotPart(_FilePart):
    """`[[traffic.hotspot]]`: a crowd."""

    name: _Name
    x_m: _Metres
    y_m: _Metres
    radius_m: _Positive
    users: Annotated[float, Field(ge=0, le=1e6)]


class TrafficPart(_FilePart):
    """`[traffic]`: users in the busy hour and the demand of each."""

    users: Annotated[float, Field(gt=0, le=1e6)]
    dl_mbps: Annotated[float, Field(gt=0, le=1000)]
    ul_mbps: Annotated[float, Field(gt=0, le=1000)]
    nr_share: Annotated[float, Field(ge=0, le=1)] = 0.6
    hotspot: tuple[HotspotPart, ...] = ()


class CarrierPart(_FilePart):
    """`[[carrier]]`."""

    name: _Name
    rat: Literal["LTE", "NR"]
    frequency_mhz: Annotated[float, Field(ge=500, le=6_000)]
    bandwidth_mhz: Annotated[float, Field(ge=1.4, le=400)]
    resource_blocks: Annotated[int, Field(ge=6, le=275)]
    spacing_khz: Literal[15, 30, 60] = 15
    layers: Annotated[float, Field(ge=1, le=16)] = 1.6
    dl_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    ul_share: Annotated[float, Field(gt=0, le=1)] = 1.0


class AntennaPart(_FilePart):
    """`[[antenna]]`: defaults are the element of TR 38.901 Table 7.3-1 in a column of eight."""

    name: _Name
    element_gain_dbi: Annotated[float, Field(ge=0, le=20)] = 8.0
    beamwidth_h_deg: Annotated[float, Field(ge=5, le=180)] = 65.0
    beamwidth_v_deg: Annotated[float, Field(ge=5, le=180)] = 65.0
    side_lobe_db: Annotated[float, Field(ge=5, le=60)] = 30.0
    front_back_db: Annotated[float, Field(ge=5, le=60)] = 30.0
    rows: Annotated[int, Field(ge=1, le=32)] = 8
    row_spacing: Annotated[float, Field(gt=0.1, le=1)] = 0.8
    array_gain_db: Annotated[float, Field(ge=-20, le=20)] = 0.0
    receive_gain_db: Annotated[float, Field(ge=0, le=20)] = 3.0


class ClutterPart(_FilePart):
    """`[[clutter]]`: a class of ground."""

    name: _Name
    indoor: Literal["none", "low_loss", "high_loss"] = "none"
    loss_db: Annotated[float, Field(ge=0, le=40)] = 0.0
    height_m: Annotated[float, Field(ge=1.5, le=22.5)] = 1.5
    density: Annotated[float, Field(ge=0, le=1000)] = 1.0


class PatchPart(_FilePart):
    """One entry of `patches`: a rectangle of one clutter class."""

    clutter: _Name
    x_m: _Metres
    y_m: _Metres
    width_m: _Positive
    height_m: _Positive


class SitePart(_FilePart):
    """`[[site]]`."""

    id: _Name
    name: _Name
    longitude: _Longitude
    latitude: _Latitude
    height_m: Annotated[float, Field(ge=3, le=150)]


class CellPart(_FilePart):
    """`[[cell]]`."""

    id: _Name
    name: _Name
    site: _Name
    carrier: _Name
    antenna: _Name
    azimuth_deg: Annotated[float, Field(ge=0, lt=360)]
    mechanical_tilt_deg: _Tilt = 0.0
    electrical_tilt_deg: _Tilt
    power_dbm: Annotated[float, Field(ge=POWER_DBM[0], le=POWER_DBM[1])]
    offset_db: Annotated[float, Field(ge=OFFSET_DB[0], le=OFFSET_DB[1])] = 0.0
    neighbours: tuple[_Name, ...] = ()


class ScenarioFile(_FilePart):
    """The whole file."""

    scenario: ScenarioPart
    area: AreaPart
    model: ModelPart = ModelPart()
    traffic: TrafficPart
    carrier: Annotated[tuple[CarrierPart, ...], Field(min_length=1, max_length=8)]
    antenna: Annotated[tuple[AntennaPart, ...], Field(min_length=1, max_length=32)]
    clutter: Annotated[tuple[ClutterPart, ...], Field(min_length=1, max_length=32)]
    patches: Annotated[tuple[PatchPart, ...], Field(max_length=20_000)] = ()
    site: Annotated[tuple[SitePart, ...], Field(min_length=1, max_length=500)]
    cell: Annotated[tuple[CellPart, ...], Field(min_length=1, max_length=1_000)]
