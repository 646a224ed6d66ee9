"""Data of the event that carries a map: an area with squares of values, sites and sectors, all as plain numbers."""

from typing import Annotated, Literal

from pydantic import Field

from metier.events._model import EventData, JsonModel

Metres = Annotated[float, Field(ge=0, le=100_000)]
_Name = Annotated[str, Field(max_length=200)]
_Values = Annotated[list[float | None], Field(max_length=10_000)]


class MapStage(JsonModel):
    """Values of one layer at one stage: one for each square, row by row from the south-west."""

    stage: Literal["before", "after", "difference"]
    values: _Values


class MapLayer(JsonModel):
    """A network that can be switched to, such as 4G; its stages share one scale."""

    id: _Name
    title: _Name
    stages: Annotated[list[MapStage], Field(min_length=1, max_length=3)]


class MapBand(JsonModel):
    """A band of the scale from `low` up to `high`, from the worst to the best; the ends are open."""

    low: float | None
    high: float | None
    title: _Name


class MapSite(JsonModel):
    """A mast, in metres east and north of the south-west corner."""

    id: _Name
    title: _Name
    x_m: float
    y_m: float


class MapSector(JsonModel):
    """An antenna of a site: its direction in degrees clockwise from north, its beam, and what changes."""

    id: _Name
    site: _Name
    layer: _Name
    azimuth_deg: float
    beamwidth_deg: Annotated[float, Field(gt=0, le=360)]
    azimuth_after_deg: float | None = Field(None, description="the direction afterwards, if it changes")
    note: Annotated[str, Field(max_length=500, description="carrier, tilt and power, for people")]
    changes: Annotated[str, Field(max_length=500, description="what is to be changed, for people; may be empty")]


class MapGround(JsonModel):
    """Rectangles of one kind of ground: x, y, width and height in metres. What no rectangle covers is road."""

    kind: Literal["building", "green", "hill", "water", "other"]
    title: _Name
    rectangles: Annotated[list[Annotated[list[Metres], Field(min_length=4, max_length=4)]], Field(max_length=20_000)]


class MapSpec(JsonModel):
    """A map: a grid of values on one scale over a base drawn from rectangles, with sites and sectors."""

    title: _Name
    measure: _Name = Field(description="what the values are, such as RSRP")
    unit: Annotated[str, Field(max_length=40)]
    difference_unit: Annotated[str, Field(max_length=40)]
    width_m: Metres
    height_m: Metres
    south: float
    west: float
    columns: Annotated[int, Field(ge=1, le=400)]
    rows: Annotated[int, Field(ge=1, le=400)]
    layers: Annotated[list[MapLayer], Field(min_length=1, max_length=8)]
    bands: Annotated[list[MapBand], Field(min_length=1, max_length=12)]
    difference_bands: Annotated[list[MapBand], Field(max_length=12)]
    threshold: float | None = Field(None, description="the limit that matters, such as -110")
    sites: Annotated[list[MapSite], Field(max_length=2_000)]
    sectors: Annotated[list[MapSector], Field(max_length=5_000)]
    ground: Annotated[list[MapGround], Field(max_length=20)]
    note: Annotated[str, Field(max_length=500, description="a line below the map")]


class MapData(EventData):
    """A map for the user; the model reads one line about it."""

    map: str = Field(description="its id")
    call: str = Field(description="the call that gave it")
    spec: MapSpec
