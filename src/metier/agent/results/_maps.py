"""Maps in tool results: the user sees the map, the model reads one line."""

from collections.abc import Mapping
from typing import Final

from metier.agent.adapters import render_sentence
from metier.agent.results._digest import Extraction, replace_each
from metier.errors import InvalidInput
from metier.events import MapSpec
from metier.json_values import JsonValue
from metier.language import Language
from metier.store import EventDraft

MAP_KEYS: Final = ("map", "maps")


def read_map(value: JsonValue, where: str = "map") -> MapSpec:
    """Read a map from JSON; `InvalidInput` names the invalid field."""
    from pydantic import ValidationError

    try:
        spec = MapSpec.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"{where}.{path}: {first['msg']}", hint="a map is data: squares, sites, sectors") from error
    for layer in spec.layers:
        for stage in layer.stages:
            if len(stage.values) != spec.rows * spec.columns:
                found = f"{where}: layer {layer.id!r} has {len(stage.values)} values"
                raise InvalidInput(found, hint=f"one for each of {spec.rows} × {spec.columns} squares")
    return spec


def extract_maps(data: JsonValue, call: str, language: Language) -> Extraction | None:
    """Extract the maps of a result: one line each in their place, and their events."""
    if not isinstance(data, Mapping) or not any(key in data for key in MAP_KEYS):
        return None
    found: list[MapSpec] = []

    def digest(value: JsonValue, where: str) -> JsonValue:
        try:
            spec = read_map(value, where)
        except InvalidInput as error:
            return {"error": error.message, "hint": error.hint}
        found.append(spec)
        return render_sentence("map_shown", language, title=spec.title, squares=spec.rows * spec.columns)

    made = replace_each(data, MAP_KEYS, digest)
    drafts = [
        EventDraft(
            "map",
            {"map": f"{call}-map-{number}", "call": call, "spec": spec.model_dump(mode="json", exclude_defaults=True)},
        )
        for number, spec in enumerate(found, 1)
    ]
    return Extraction(made, drafts)
