"""Deep bearing diagnosis: data and form of a run, and its report. The rounds follow the rules of the diagnosis."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from metier.flow import FlowForm, FlowRequest, FlowState, Value
from metier.json_values import JsonObject
from metier.language import Language
from metier.pack import PackContext
from metier.packs.phm.bearings import is_bearing, list_bearings
from metier.packs.phm.conversation import MAX_RATE, MAX_RPM, match_asset
from metier.packs.phm.deep._texts import TEXTS
from metier.packs.phm.diagnosis import MAX_SAMPLES, BearingRules, Weighing, conclude, find_root, learn_facts, make_root
from metier.packs.phm.loaders import Record, read_record, write_facts
from metier.packs.phm.reports import (
    build_sections,
    describe_machine,
    describe_verdict,
    draw_envelope,
    name_envelope,
)
from metier.packs.phm.samples import list_samples, load_sample

# What a finding puts in doubt, and only the user can tell.
_ASKED: Final[Mapping[str, str]] = MappingProxyType(
    {"speed_doubt": "rpm", "speed_double": "rpm", "unexplained_line": "bearing"}
)


class PhmRules(BearingRules):
    """Rules of deep runs: the record that is meant, what is missing, and the report."""

    def roots(self, request: FlowRequest) -> Mapping[str, Value] | FlowForm:
        """The record that is meant, or a form for what is not known about it."""
        known = str(request.facts.get("asset", ""))
        folder = request.files[0].parent if request.files else None
        match = match_asset(request.user_instruction, folder, known)
        asset = match.asset
        if match.unknown:
            asset = str(request.facts.get(_name_machine(match.unknown), ""))
            if not asset:
                return _ask_machine(match.unknown, request)
        if not asset:
            return _ask(("asset",), request.language, files=request.files)
        path = next((one for one in request.files if one.name == asset), None)
        record = load_sample(asset) if path is None else read_record(path).keep_middle(MAX_SAMPLES)
        bearing = match.told.bearing
        if unknown := match.told.unknown_bearing:
            told = request.facts.get(_name_geometry(unknown))
            if not is_bearing(told):
                return _ask_geometry(unknown, request.language)
            bearing = str(told)
        own = _read_own_facts(request.facts, asset, known)
        told = {
            "rpm": match.told.rpm or own["rpm"],
            "fs": match.told.fs or own["fs"],
            "bearing": bearing or own["bearing"],
        }
        record = _complete(record, told)
        if path is not None and (given := {name: value for name, value in told.items() if value}):
            write_facts(path, given)
        unclear = [name for name in match.told.impossible if not own[name]]
        missing = tuple(name for name in ("fs", "rpm", "bearing") if name in unclear or not getattr(record, name))
        if missing:
            return _ask(missing, request.language, asset=asset)
        root = make_root(
            record.samples,
            fs=record.fs,
            rpm=record.rpm,
            bearing=record.bearing,
            kind=record.kind,
            unit=record.unit,
            asset=asset,
            channel=record.channel,
            title=_read_title(asset),
            length=record.length,
            is_cut=record.is_cut,
        )
        return {asset: root}

    def ask(self, seen: Weighing, state: FlowState) -> FlowForm | None:
        """Ask once a run: for the speed that the shaft lines put in doubt, or the bearing that a line contradicts."""
        if any(one.ask is not None for one in state.reflections):
            return None
        for one in seen.findings:
            wanted = _ASKED.get(one.code)
            if wanted is not None:
                return _ask((wanted,), state.language, asset=_find_asset(state), title=one.text(state.language))
        return None

    def report(self, state: FlowState) -> str:
        """Conclusion first, then findings and evidence by node id, then what each round decided."""
        language = state.language
        found = conclude(state.dags, learn_facts(state))
        lines = [describe_verdict(found, language), ""]
        if (record := _read_root(state)) is not None:
            lines += [describe_machine(record, found, language), ""]
        lines += build_sections(found, language)
        if len(state.reflections) > 1:
            lines += ["", f"## {TEXTS.render('rounds', language)}", ""]
            lines += [f"{number}. {one.reason}" for number, one in enumerate(state.reflections, 1)]
        return "\n".join(lines) + "\n"

    def draw(self, state: FlowState) -> Mapping[str, bytes]:
        """The envelope spectrum that decided, with its cursors."""
        found, record = conclude(state.dags, learn_facts(state)), _read_root(state)
        picture = draw_envelope(found, record.unit if record is not None else "?", state.language)
        return {} if picture is None else {name_envelope(state.language): picture}


def _read_root(state: FlowState) -> Record | None:
    """What is told about the record of a run; its samples stay where they are."""
    dag = next(iter(state.dags.values()), None)
    root = find_root(dag, "record") if dag is not None else None
    if root is None or root.axis is None:
        return None
    rpm, length = _positive(root.notes.get("rpm")), _positive(root.notes.get("length")) or root.shape[-1]
    return Record(
        name=root.name,
        channel=str(root.notes.get("channel", root.name)),
        samples=np.empty(0),
        fs=root.axis.rate,
        unit=root.unit,
        kind=root.kind,
        rpm=rpm,
        bearing=None,
        channels=(),
        length=int(length),
    )


def build_rules(context: PackContext) -> PhmRules:
    """Factory of the pack."""
    del context
    return PhmRules()


def _ask(
    missing: Sequence[str], language: Language, *, asset: str = "", files: Sequence[Path] = (), title: str = ""
) -> FlowForm:
    """Form for what is missing; each answer is a fact of this record and of no other."""
    kinds: Mapping[str, JsonObject] = {
        "asset": _list_assets(files),
        "fs": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_RATE},
        "rpm": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_RPM},
        "bearing": {"type": "string", "examples": list(list_bearings())},
    }
    properties: JsonObject = {
        _name_fact(name, asset): {**kinds[name], "title": TEXTS.render(f"ask_{name}", language)} for name in missing
    }
    schema: JsonObject = {"type": "object", "properties": properties, "required": list(properties)}
    if not title:
        name = str(_read_title(asset)[language])
        title = TEXTS.render("form_of", language, name=name) if asset else TEXTS.render("form", language)
    return FlowForm(title, schema)


def _list_assets(files: Sequence[Path]) -> JsonObject:
    """Schema of a record to choose, each under its title."""
    assets = [*(one.name for one in files), *list_samples()]
    return {"type": "string", "enum": list(assets), "x-ui": {"labels": {one: _read_title(one) for one in assets}}}


def _read_title(asset: str) -> JsonObject:
    """Title of a record in both languages; a file has its name."""
    sample = list_samples().get(asset)
    return {"zh": sample.title.zh, "en": sample.title.en} if sample is not None else {"zh": asset, "en": asset}


def _ask_geometry(name: str, language: Language) -> FlowForm:
    """Form for a bearing that the table lacks; its geometry is a fact under its name."""
    field: JsonObject = {"type": "string", "title": TEXTS.render("ask_bearing", language)}
    key = _name_geometry(name)
    schema: JsonObject = {"type": "object", "properties": {key: field}, "required": [key]}
    return FlowForm(TEXTS.render("unknown_bearing", language, name=name), schema)


def _ask_machine(name: str, request: FlowRequest) -> FlowForm:
    """Form for a machine without a record; which one is meant instead is a fact under its name."""
    field: JsonObject = {**_list_assets(request.files), "title": TEXTS.render("ask_asset", request.language)}
    key = _name_machine(name)
    schema: JsonObject = {"type": "object", "properties": {key: field}, "required": [key]}
    return FlowForm(TEXTS.render("unknown_machine", request.language, name=name), schema)


def _name_machine(name: str) -> str:
    return f"machine_{name.encode().hex()}"


def _name_geometry(name: str) -> str:
    return f"bearing_{re.sub('[^0-9a-z]+', '_', name.lower())}"


def _read_own_facts(facts: JsonObject, asset: str, known: str) -> Mapping[str, float | str | None]:
    """What forms gave about this record; what other skills keep counts if the conversation is about this record."""
    found = {
        name: facts.get(_name_fact(name, asset)) or (facts.get(name) if known == asset else None)
        for name in ("rpm", "fs", "bearing")
    }
    named = str(found["bearing"]) if is_bearing(found["bearing"]) else None
    return {"rpm": _positive(found["rpm"]), "fs": _positive(found["fs"]), "bearing": named}


def _complete(record: Record, told: Mapping[str, object]) -> Record:
    """The record with the values the user gave, which outrank those of its file; an unknown bearing is left out."""
    bearing = told["bearing"] or record.bearing
    given = {name: told[name] or getattr(record, name) for name in ("rpm", "fs")}
    return replace(record, **given, bearing=bearing if is_bearing(bearing) else None)  # type: ignore[arg-type]  # `_positive` has read them


def _find_asset(state: FlowState) -> str:
    roots = (find_root(dag, "record") for dag in state.dags.values())
    return next((one.name for one in roots if one is not None), "")


def _name_fact(name: str, asset: str) -> str:
    """Key of a fact of one record; which record is meant is a fact of the conversation."""
    return f"{name}_{sha256(asset.encode()).hexdigest()[:8]}" if asset else name


def _positive(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and value > 0 else None
