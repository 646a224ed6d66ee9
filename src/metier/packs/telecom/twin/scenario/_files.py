"""Finds, reads and validates scenario files."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from metier.errors import InvalidInput, NotFound, PathNotFound
from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.packs.telecom.twin.scenario._checks import ScenarioIssue, check_scenario, explain_validation_error
from metier.packs.telecom.twin.scenario._scenario import (
    Antenna,
    Area,
    Carrier,
    Cell,
    Clutter,
    Hotspot,
    Patch,
    Scenario,
    Site,
    Traffic,
)
from metier.packs.telecom.twin.scenario._schema import ScenarioFile

SHIPPED_FOLDER: Final = Path(__file__).parents[2] / "scenarios"
MAX_FILE_BYTES: Final = 2_000_000
SUFFIXES: Final = (".toml", ".json")


def load_scenario(id_or_path: str | Path, folder: Path | None = None) -> Scenario:
    """Load a scenario by path, or by id from the folder; `InvalidInput` names the first fault and counts the others."""
    path = _find(id_or_path, folder or SHIPPED_FOLDER)
    found, issues = _read(path)
    errors = [issue for issue in issues if issue.severity == "error"]
    if found is None or errors:
        raise _invalid_file_error(path, errors)
    return _build(found, path)


def lint_scenario(path: str | Path) -> tuple[ScenarioIssue, ...]:
    """Validate a scenario file; errors come first, empty if there is nothing to report."""
    _, issues = _read(Path(path))
    return tuple(sorted(issues, key=lambda issue: issue.severity != "error"))


def _list_paths(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES) if folder.is_dir() else []


def _find(id_or_path: str | Path, folder: Path) -> Path:
    path = Path(id_or_path)
    if path.suffix in SUFFIXES:
        return path
    named = [path for path in _list_paths(folder) if path.stem == str(id_or_path)]
    if not named:
        known = ", ".join(path.stem for path in _list_paths(folder)) or "none"
        raise NotFound(f"there is no scenario {str(id_or_path)[:80]!r}", hint=f"known scenarios: {known}")
    return named[0]


@cache
def read_shipped_titles() -> Mapping[str, tuple[str, str]]:
    """Chinese and English titles of the shipped scenarios by id: only this part of their files is parsed."""
    parts = (_parse_heading(path.read_text("utf-8")) for path in _list_paths(SHIPPED_FOLDER))
    return MappingProxyType({part["id"]: (part["title_zh"], part["title_en"]) for part in parts})


def _parse_heading(text: str) -> Mapping[str, str]:
    heading = text.partition("\n[scenario]\n")[2].partition("\n[")[0]
    return tomllib.loads(heading)


def _read(path: Path) -> tuple[ScenarioFile | None, tuple[ScenarioIssue, ...]]:
    try:
        document = _parse(path)
    except (tomllib.TOMLDecodeError, JsonInvalid, UnicodeDecodeError, RecursionError) as error:
        hint = "write TOML 1.0 or JSON in UTF-8"
        return None, (ScenarioIssue(path.name, "scenario_unreadable", f"the file cannot be parsed: {error}", hint),)
    try:
        found = ScenarioFile.model_validate(document)
    except ValidationError as error:
        return None, tuple(explain_validation_error(error, document))
    return found, tuple(check_scenario(found))


def _parse(path: Path) -> JsonValue:
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise InvalidInput(
                f"scenario file {path.name!r} has {size} bytes", hint=f"a scenario file has at most {MAX_FILE_BYTES}"
            )
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise PathNotFound(f"cannot read {str(path)!r}: {error.strerror}", hint="check the path") from error
    if path.suffix == ".json":
        return load_json(text)
    return tomllib.loads(text)


def _invalid_file_error(path: Path, errors: list[ScenarioIssue]) -> InvalidInput:
    first = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return InvalidInput(f"scenario file {path.name!r}: {first.place}: {first.message}{more}", hint=first.hint)


def _build(found: ScenarioFile, path: Path) -> Scenario:
    part = found.scenario
    hotspots = tuple(Hotspot(**spot.model_dump()) for spot in found.traffic.hotspot)
    made = Scenario(
        id=part.id,
        title_zh=part.title_zh,
        title_en=part.title_en,
        city=part.city,
        district=part.district,
        network=part.network,
        problem=part.problem,
        propagation=found.model.propagation,
        seed=found.model.seed,
        ground=found.model.ground,
        area=Area(**found.area.model_dump()),
        carriers=tuple(Carrier(**carrier.model_dump()) for carrier in found.carrier),
        antennas=tuple(Antenna(**antenna.model_dump()) for antenna in found.antenna),
        clutter=tuple(Clutter(**clutter.model_dump()) for clutter in found.clutter),
        patches=tuple(Patch(**patch.model_dump()) for patch in found.patches),
        traffic=Traffic(hotspots=hotspots, **found.traffic.model_dump(exclude={"hotspot"})),
        sites=tuple(Site(**site.model_dump()) for site in found.site),
        cells=tuple(_build_cells(found)),
        digest="",
        base="",
    )
    digest = sha256(repr(asdict(made)).encode()).hexdigest()
    return replace(made, digest=digest, base=digest, path=path)


def _build_cells(found: ScenarioFile) -> Iterator[Cell]:
    sites = {site.id: site for site in found.site}
    for cell in found.cell:
        site = sites[cell.site]
        yield Cell(**cell.model_dump(), longitude=site.longitude, latitude=site.latitude, height_m=site.height_m)
