"""Validation of scenario files, with messages that lead to the line."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import cos, hypot, radians
from typing import Final, Literal

from pydantic import ValidationError

from metier.json_values import JsonValue
from metier.packs.telecom.twin.scenario._scenario import LAT_M, LON_M
from metier.packs.telecom.twin.scenario._schema import ScenarioFile

MAX_POINTS: Final = 250_000
MAX_LINKS: Final = 40_000_000
# Table 7.4.1-1 of TR 38.901 is given up to 5 km.
_MAX_SITE_DISTANCE_M: Final = 5_000.0
_CODES: Final = (
    ("missing", "missing_field", "add the field"),
    ("extra_forbidden", "unknown_field", "remove the field or correct its name"),
    ("finite_number", "not_a_number", "give a finite number, not nan or inf"),
    ("literal_error", "unknown_value", "choose one of the values named"),
    ("greater", "out_of_range", "give a value within the range"),
    ("less", "out_of_range", "give a value within the range"),
    ("too_", "out_of_range", "keep within the length named"),
)


@dataclass(frozen=True, slots=True)
class ScenarioIssue:
    """One problem of a scenario file: place (`cell[3].power_dbm`), code, message and hint."""

    place: str
    code: str
    message: str
    hint: str
    severity: Literal["error", "warning"] = "error"

    def to_json(self) -> dict[str, str]:
        """The problem as printed by the CLI and the API."""
        return {
            "place": self.place,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
        }


def explain_validation_error(error: ValidationError, document: JsonValue) -> Iterator[ScenarioIssue]:
    """Convert the schema's validation errors to issues."""
    faults = error.errors(include_url=False, include_context=False)
    for fault in faults:
        # A list whose entries were rejected is also reported as too short: report it once.
        if fault["type"] == "too_short" and any(_is_inside(other["loc"], fault["loc"]) for other in faults):
            continue
        code, hint = next(
            ((code, hint) for start, code, hint in _CODES if fault["type"].startswith(start)),
            ("wrong_type", "give a value of the type named"),
        )
        place = _format_place(fault["loc"], document)
        given = "" if fault["type"] in ("missing", "extra_forbidden") else f", not {str(fault['input'])[:60]!r}"
        yield ScenarioIssue(place, code, f"{fault['msg']}{given}", hint)


def _is_inside(one: tuple[int | str, ...], other: tuple[int | str, ...]) -> bool:
    return len(one) > len(other) and one[: len(other)] == other


def _format_place(location: tuple[int | str, ...], document: JsonValue) -> str:
    """`cell[3].power_dbm (460-00-100004)`: the path, and the id of the entry if it has one."""
    path, name, at = "", "", document
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        at = _descend(at, step)
        if isinstance(at, dict) and isinstance(at.get("id"), str):
            name = f" ({at['id'][:40]})"
    return (path.lstrip(".") or "the file") + name


def _descend(at: JsonValue, step: int | str) -> JsonValue:
    if isinstance(step, int):
        return at[step] if isinstance(at, list) and step < len(at) else None
    return at.get(step) if isinstance(at, dict) else None


def check_scenario(found: ScenarioFile) -> Iterator[ScenarioIssue]:
    """Check across fields: sizes, unique names, references and positions."""
    yield from _check_sizes(found)
    yield from _check_duplicates(found)
    yield from _check_references(found)
    yield from _check_places(found)
    yield from _check_networks(found)


def _check_sizes(found: ScenarioFile) -> Iterator[ScenarioIssue]:
    area = found.area
    points = round(area.width_m / area.step_m) * round(area.height_m / area.step_m)
    if points > MAX_POINTS or points * len(found.cell) > MAX_LINKS:
        yield ScenarioIssue(
            "area.step_m",
            "too_large",
            f"{points} grid points times {len(found.cell)} cells are more than can be computed",
            f"use a wider step: at most {MAX_POINTS} points and {MAX_LINKS} links",
        )
    for number, carrier in enumerate(found.carrier):
        used = carrier.resource_blocks * 12 * carrier.spacing_khz / 1000
        if used > carrier.bandwidth_mhz:
            yield ScenarioIssue(
                f"carrier[{number}].resource_blocks ({carrier.name})",
                "out_of_range",
                f"{carrier.resource_blocks} blocks fill {used:g} MHz, the carrier has {carrier.bandwidth_mhz:g}",
                "lower resource_blocks or widen the bandwidth",
            )


def _check_duplicates(found: ScenarioFile) -> Iterator[ScenarioIssue]:
    groups = {
        "cell": [cell.id for cell in found.cell],
        "site": [site.id for site in found.site],
        "carrier": [carrier.name for carrier in found.carrier],
        "antenna": [antenna.name for antenna in found.antenna],
        "clutter": [clutter.name for clutter in found.clutter],
    }
    for group, names in groups.items():
        for name, times in Counter(names).items():
            if times > 1:
                yield ScenarioIssue(
                    group, "duplicate_id", f"{name!r} is written {times} times", "give every entry its own name"
                )


def _check_references(found: ScenarioFile) -> Iterator[ScenarioIssue]:
    sites, cells = {site.id for site in found.site}, {cell.id for cell in found.cell}
    carriers, antennas = {entry.name for entry in found.carrier}, {entry.name for entry in found.antenna}
    classes = {clutter.name for clutter in found.clutter}
    for number, cell in enumerate(found.cell):
        place = f"cell[{number}].{{}} ({cell.id})"
        yield from _check_known(place.format("site"), cell.site, sites)
        yield from _check_known(place.format("carrier"), cell.carrier, carriers)
        yield from _check_known(place.format("antenna"), cell.antenna, antennas)
        for other in cell.neighbours:
            yield from _check_known(place.format("neighbours"), other, cells - {cell.id})
    yield from _check_known("model.ground", found.model.ground, classes)
    for number, patch in enumerate(found.patches):
        yield from _check_known(f"patches[{number}].clutter", patch.clutter, classes)


def _check_known(place: str, name: str, names: set[str]) -> Iterator[ScenarioIssue]:
    if name not in names:
        few = ", ".join(sorted(names)[:6])
        yield ScenarioIssue(place, "unknown_reference", f"{name!r} is not defined here", f"defined: {few or 'none'}")


def _check_places(found: ScenarioFile) -> Iterator[ScenarioIssue]:
    area = found.area
    for number, spot in enumerate(found.traffic.hotspot):
        if spot.x_m > area.width_m or spot.y_m > area.height_m:
            yield _outside_issue(f"traffic.hotspot[{number}] ({spot.name})")
    for number, patch in enumerate(found.patches):
        if patch.x_m >= area.width_m or patch.y_m >= area.height_m:
            yield _outside_issue(f"patches[{number}] ({patch.clutter})")
    for number, site in enumerate(found.site):
        x_m = (site.longitude - area.longitude) * LON_M * cos(radians(area.latitude))
        y_m = (site.latitude - area.latitude) * LAT_M
        away = hypot(_distance_beyond(x_m, area.width_m), _distance_beyond(y_m, area.height_m))
        if away > _MAX_SITE_DISTANCE_M:
            yield ScenarioIssue(
                f"site[{number}] ({site.id})",
                "too_far",
                f"the site stands {away / 1000:.1f} km outside the area",
                "check longitude and latitude; the path loss is given up to 5 km",
            )


def _outside_issue(place: str) -> ScenarioIssue:
    return ScenarioIssue(place, "outside_area", "it lies outside the area", "give metres from the south-west corner")


def _distance_beyond(at: float, size: float) -> float:
    return max(0.0, -at, at - size)


def _check_networks(found: ScenarioFile) -> Iterator[ScenarioIssue]:
    used = {cell.carrier for cell in found.cell}
    rats: Iterable[str] = {carrier.rat for carrier in found.carrier if carrier.name in used}
    said = {"4G": {"LTE"}, "5G": {"NR"}, "4G/5G": {"LTE", "NR"}}[found.scenario.network]
    if rats and set(rats) != said:
        yield ScenarioIssue(
            "scenario.network",
            "network_differs",
            f"the scenario says {found.scenario.network}, its cells are {', '.join(sorted(rats))}",
            "correct the network or the cells",
            "warning",
        )
    neighbours = {cell.id: set(cell.neighbours) for cell in found.cell}
    for number, cell in enumerate(found.cell):
        if not cell.neighbours and len(found.cell) > 1:
            yield ScenarioIssue(
                f"cell[{number}].neighbours ({cell.id})",
                "no_neighbours",
                "the cell has no neighbours: every handover out of it will fail",
                "list the cells around it",
                "warning",
            )
        one_way = [other for other in cell.neighbours if cell.id not in neighbours.get(other, {cell.id})]
        if one_way:
            yield ScenarioIssue(
                f"cell[{number}].neighbours ({cell.id})",
                "one_way_neighbour",
                f"{', '.join(one_way[:4])} do not name it in return",
                "neighbour relations are usually kept both ways",
                "warning",
            )
