"""Map of a grid indicator: squares before, after and their difference on one scale, sites, sectors and the ground."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import numpy as np

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language
from metier.packs.telecom._figures import difference_unit, format_value
from metier.packs.telecom._labels import PARAMETER_LABELS, choose_text, indicator_heading
from metier.packs.telecom.twin import Cell, Indicator, NetworkState, ParameterChange, Scenario, locate, shrink_grid

Squares: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
MAP_SQUARES: Final = 50
_RAT_LAYERS: Final[Mapping[str, str]] = MappingProxyType({"LTE": "4G", "NR": "5G"})
_ALL: Final = BilingualText("终端所驻网络", "network the terminal is on")
# Lower ends of the bands above the worst, and a name for each band. The grades are those of the terminology.
_GRADES: Final[Mapping[str, tuple[tuple[float, ...], tuple[tuple[str, str], ...]]]] = MappingProxyType(
    {
        "rsrp": (
            (-110.0, -105.0, -95.0, -85.0),
            (("弱覆盖", "weak"), ("较弱", "low"), ("一般", "fair"), ("好", "good"), ("很好", "very good")),
        ),
        "sinr": ((0.0, 10.0, 15.0), (("差", "poor"), ("中", "middling"), ("良", "fair"), ("优", "good"))),
        "rsrq": ((-15.0, -10.0, -7.0), (("差", "poor"), ("中", "middling"), ("良", "fair"), ("优", "good"))),
        "overlap": ((2.0, 4.0, 7.0), (("无重叠", "none"), ("少", "few"), ("多", "many"), ("严重", "severe"))),
    }
)
_THRESHOLDS: Final[Mapping[str, float]] = MappingProxyType(
    {"rsrp": -110.0, "level": -110.0, "sinr": 0.0, "rsrq": -15.0}
)
# Steps of a difference in dB; other units are scaled by what changes most.
_DIFFERENCE_STEPS: Final = (-6.0, -3.0, -1.0, 1.0, 3.0, 6.0)
_PLAIN_BANDS: Final = 5

GroundKind = Literal["building", "green", "hill", "water", "other"]
_GROUND_TITLES: Final[Mapping[GroundKind, BilingualText]] = MappingProxyType(
    {
        "building": BilingualText("建筑", "buildings"),
        "green": BilingualText("绿地", "parks"),
        "hill": BilingualText("山地", "hills"),
        "water": BilingualText("水面", "water"),
        "other": BilingualText("其他", "other"),
    }
)


def build_map(
    before: NetworkState,
    after: NetworkState | None,
    indicator: Indicator,
    changes: Sequence[ParameterChange],
    language: Language,
) -> JsonObject:
    """Build the map of an indicator; with a state after, also that stage and the difference, on the same scale."""
    scenario = before.scenario
    area = scenario.area
    layers = [
        _build_layer(id, title, read, before, after) for id, title, read in _list_layers(before, indicator, language)
    ]
    size_m = area.step_m * area.columns / _count_squares(area.columns)
    note = choose_text(
        language,
        f"每格约 {size_m:.0f} 米，取格内均值；底图由场景绘制，数值由数字孪生计算，不是现网测量。",
        f"Squares of about {size_m:.0f} m, mean of each; the base is drawn from the scenario, the values are computed "
        "on the digital twin, not measured.",
    )
    threshold = _THRESHOLDS.get(indicator.field)
    measure = indicator_heading(indicator, language)
    return {
        "title": f"{measure} · {choose_text(language, scenario.title_zh, scenario.title_en)}",
        "measure": measure,
        "unit": indicator.unit,
        "difference_unit": difference_unit(indicator.unit, language),
        "width_m": area.columns * area.step_m,
        "height_m": area.rows * area.step_m,
        "south": area.latitude,
        "west": area.longitude,
        "columns": _count_squares(area.columns),
        "rows": _count_squares(area.rows),
        "layers": [*layers],
        "bands": _build_bands(indicator, layers, language),
        "difference_bands": _build_difference_bands(indicator, layers, language) if after is not None else [],
        **({} if threshold is None else {"threshold": threshold}),
        "sites": _list_sites(scenario, language),
        "sectors": _list_sectors(scenario, changes, language),
        "ground": _list_ground(scenario, language),
        "note": note,
    }


_Reader = Callable[[NetworkState], Squares]


def _list_layers(state: NetworkState, indicator: Indicator, language: Language) -> list[tuple[str, str, _Reader]]:
    """The network a terminal is on, and each technology by itself where the indicator has it."""
    found: list[tuple[str, str, _Reader]] = [
        ("all", _ALL.text(language), lambda one: _shrink(one, one.grid_values[indicator.field]))
    ]
    rats = [rat for rat in _RAT_LAYERS if any(band.carrier.rat == rat for band in state.bands)]
    if indicator.field in ("rsrp", "sinr", "level") and len(rats) > 1:
        found += [(_RAT_LAYERS[rat], _RAT_LAYERS[rat], _make_reader(rat, indicator.field)) for rat in rats]
    return found


def _make_reader(rat: str, field: str) -> _Reader:
    def read(state: NetworkState) -> Squares:
        own = [number for number, band in enumerate(state.bands) if band.carrier.rat == rat]
        if field == "sinr":
            return _shrink(state, np.max([state.loads.sinr[number] for number in own], axis=0))
        levels = [state.bands[number].level for number in own]
        return _shrink(state, np.max(levels, axis=0))

    return read


def _build_layer(
    id: str, title: str, read: _Reader, before: NetworkState, after: NetworkState | None
) -> dict[str, JsonValue]:
    first = read(before).round(1)
    stages: list[JsonValue] = [{"stage": "before", "values": first.ravel().tolist()}]
    if after is not None:
        second = read(after).round(1)
        difference = (second - first).round(1) + 0.0
        stages += [
            {"stage": "after", "values": second.ravel().tolist()},
            {"stage": "difference", "values": difference.ravel().tolist()},
        ]
    return {"id": id, "title": title, "stages": stages}


def _shrink(state: NetworkState, values: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> Squares:
    area = state.scenario.area
    return shrink_grid(values.reshape(area.rows, area.columns).astype(np.float64), MAP_SQUARES)


def _count_squares(points: int) -> int:
    return min(points, MAP_SQUARES)


def _collect(
    layers: Sequence[Mapping[str, JsonValue]], *stages: str
) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    lists = [
        stage["values"]
        for layer in layers
        for stage in (layer["stages"] if isinstance(layer["stages"], list) else [])
        if isinstance(stage, Mapping) and stage["stage"] in stages
    ]
    return np.asarray(lists, np.float64)


def _build_bands(
    indicator: Indicator, layers: Sequence[Mapping[str, JsonValue]], language: Language
) -> list[JsonValue]:
    """Bands from the worst to the best, the same for both stages and all layers."""
    field = "rsrp" if indicator.field == "level" else indicator.field
    if field in _GRADES:
        edges, names = _GRADES[field]
    else:
        values = _collect(layers, "before", "after")
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        edges = tuple(_round_nice(edge) for edge in np.linspace(low, high, _PLAIN_BANDS + 1)[1:-1])
        edges, names = tuple(dict.fromkeys(edges)), ()
    ends: list[float | None] = [None, *edges, None]
    return [
        {
            "low": low,
            "high": high,
            "title": _name_band(low, high, indicator.unit, names[at] if at < len(names) else None, language),
        }
        for at, (low, high) in enumerate(pairwise(ends))
    ]


def _build_difference_bands(
    indicator: Indicator, layers: Sequence[Mapping[str, JsonValue]], language: Language
) -> list[JsonValue]:
    scale = 1.0
    if indicator.unit not in ("dB", "dBm"):
        scale = max(1.0, _round_nice(float(np.nanmax(np.abs(_collect(layers, "difference")))) / 10))
    ends: list[float | None] = [None, *(step * scale for step in _DIFFERENCE_STEPS), None]
    unit = difference_unit(indicator.unit, language)
    middle = choose_text(language, "基本不变", "about the same")
    return [
        {
            "low": low,
            "high": high,
            "title": middle
            if low is not None and high is not None and low < 0 < high
            else _name_band(low, high, unit, None, language),
        }
        for low, high in pairwise(ends)
    ]


def _name_band(
    low: float | None, high: float | None, unit: str, words: tuple[str, str] | None, language: Language
) -> str:
    if low is None:
        span = f"< {format_value(high or 0.0, unit, _digits(high))}"
    elif high is None:
        span = f"≥ {format_value(low, unit, _digits(low))}"
    else:
        span = f"{low:.{_digits(low)}f} … {format_value(high, unit, _digits(high))}"
    return span if words is None else f"{choose_text(language, *words)} {span}"


def _digits(value: float | None) -> int:
    return 0 if value is None or float(value).is_integer() else 1


def _round_nice(value: float) -> float:
    """Round to two significant digits."""
    return float(f"{value:.2g}")


def _list_sites(scenario: Scenario, language: Language) -> list[JsonValue]:
    return [
        {"id": site.id, "title": choose_text(language, site.name, site.id), "x_m": round(x_m, 1), "y_m": round(y_m, 1)}
        for site in scenario.sites
        for x_m, y_m in [locate(scenario, site.longitude, site.latitude)]
    ]


def _list_sectors(scenario: Scenario, changes: Sequence[ParameterChange], language: Language) -> list[JsonValue]:
    carriers = {carrier.name: carrier for carrier in scenario.carriers}
    antennas = {antenna.name: antenna for antenna in scenario.antennas}
    turned = {one.cell: float(one.after) for one in changes if one.parameter == "azimuth"}
    return [
        {
            "id": cell.id,
            "site": cell.site,
            "layer": _RAT_LAYERS[carriers[cell.carrier].rat],
            "azimuth_deg": cell.azimuth_deg,
            "beamwidth_deg": antennas[cell.antenna].beamwidth_h_deg,
            **({"azimuth_after_deg": turned[cell.id]} if cell.id in turned else {}),
            "note": _describe_sector(cell, language),
            "changes": _describe_changes(cell, changes, language),
        }
        for cell in scenario.cells
    ]


def _describe_sector(cell: Cell, language: Language) -> str:
    """Carrier, direction, tilt and power of a sector."""
    tilt = cell.mechanical_tilt_deg + cell.electrical_tilt_deg
    return choose_text(
        language,
        f"{cell.carrier}，方位角 {cell.azimuth_deg:g}°，总下倾角 {tilt:g}°，功率 {cell.power_dbm:g} dBm",
        f"{cell.carrier}, azimuth {cell.azimuth_deg:g}°, total tilt {tilt:g}°, power {cell.power_dbm:g} dBm",
    )


def _describe_changes(cell: Cell, changes: Sequence[ParameterChange], language: Language) -> str:
    """Recommended changes of the antenna; new neighbours do not change the picture."""
    own = [
        f"{PARAMETER_LABELS[one.parameter].text(language)} {one.before} → {one.after}"
        for one in changes
        if one.cell == cell.id and one.parameter != "neighbour"
    ]
    return choose_text(language, "；", "; ").join(own)[:500]


def _list_ground(scenario: Scenario, language: Language) -> list[JsonValue]:
    kinds: dict[GroundKind, list[JsonValue]] = {}
    classes = {clutter.name: clutter for clutter in scenario.clutter}
    for patch in scenario.patches:
        rectangle: JsonValue = [patch.x_m, patch.y_m, patch.width_m, patch.height_m]
        kinds.setdefault(_find_ground_kind(patch.clutter, indoor=classes[patch.clutter].indoor != "none"), []).append(
            rectangle
        )
    order: tuple[GroundKind, ...] = ("green", "hill", "water", "other", "building")
    return [
        {"kind": kind, "title": _GROUND_TITLES[kind].text(language), "rectangles": kinds[kind]}
        for kind in order
        if kind in kinds
    ]


def _find_ground_kind(name: str, *, indoor: bool) -> GroundKind:
    if indoor:
        return "building"
    known: Mapping[str, GroundKind] = {
        "park": "green",
        "green": "green",
        "forest": "green",
        "hill": "hill",
        "water": "water",
    }
    return next((kind for word, kind in known.items() if word in name.lower()), "other")
