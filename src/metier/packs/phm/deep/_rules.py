"""Rules of a deep bearing diagnosis. Which goals are set depends on the instruction and on what earlier rounds saw."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from metier.flow import Axis, DagTracker, FlowForm, FlowRequest, FlowState, Goal, Node, Reflection, Value
from metier.json_values import JsonObject
from metier.language import Language
from metier.pack import PackContext
from metier.packs.phm.bearings import list_bearings
from metier.packs.phm.deep._texts import TEXTS
from metier.packs.phm.diagnosis import Name, name_of, read_thresholds
from metier.packs.phm.loaders import Record, read_record
from metier.packs.phm.samples import list_samples, load_sample

_STOP: JsonObject = {"op_name": "stop"}
_PREPARE: Mapping[str, str] = {"prewhitened": "cepstrum_prewhitening", "kurtogram_band": "kurtogram_filter"}


class PhmRules:
    """Two branches in parallel; the speed is checked; a band is tried when both are silent."""

    def roots(self, request: FlowRequest) -> Mapping[str, Value] | FlowForm:
        """The record that is meant, or a form for what is not known about it."""
        from metier.packs.phm.conversation import match_asset

        known = str(request.facts.get("asset", ""))
        folder = request.files[0].parent if request.files else None
        match = match_asset(request.user_instruction, folder, known)
        asset = match.asset
        if not asset:
            return _ask(("asset",), request.language)
        path = next((one for one in request.files if one.name == asset), None)
        record = load_sample(asset) if path is None else read_record(path)
        record = _complete(record, request.facts, match.rpm, match.fs, match.bearing)
        missing = tuple(name for name in ("fs", "rpm", "bearing") if not getattr(record, name))
        if missing or record.fs is None:
            return _ask(missing, request.language)
        notes: JsonObject = {"rpm": record.rpm, "bearing": record.bearing, "asset": asset}
        axis = Axis("time", 1 / record.fs, 0.0, "s")
        return {asset: Value(np.asarray(record.samples), ("time",), axis, record.unit, "vibration", notes)}

    def plan(self, state: FlowState) -> Sequence[Goal]:
        """Branches to try: the two standard ones, or what the instruction or the last reflection asks for."""
        shaft = state.facts.get("shaft_hz")
        words = state.user_instruction.lower()
        branches = ["prewhitened", "full_band"]
        if state.facts.get("try_band"):
            branches = ["kurtogram_band"]
        elif any(word in words for word in ("kurtogram", "谱峭度", "频带", "band")):
            branches.append("kurtogram_band")
        return [
            Goal(
                TEXTS.render("goal", state.language, branch=Name(branch)),
                {"branch": branch, "shaft_hz": shaft},
            )
            for branch in branches
        ]

    def act(self, goal: Goal, dag: DagTracker) -> JsonObject:
        """Next operator of a branch, by what its DAG holds."""
        nodes = list(dag.nodes.values())
        if any(node.state == "failed" for node in nodes):
            return _STOP
        root = next(node for node in nodes if node.is_root)
        branch, shaft = str(goal.data.get("branch")), _read_shaft(goal, root)
        prepare = _PREPARE.get(branch)
        source = root if prepare is None else _find(dag, prepare)
        if source is None:
            return {"op_name": str(prepare), "params": {}, "inputs": [root.id]}
        envelope = _find(dag, "envelope_spectrum", source.id)
        if envelope is None:
            return {"op_name": "envelope_spectrum", "params": {}, "inputs": [source.id]}
        bearing = str(root.notes.get("bearing"))
        moves: list[JsonObject] = []
        if branch == "full_band" and not goal.data.get("shaft_hz"):
            spectrum = _find(dag, "fft", root.id)
            if spectrum is None:
                return {"op_name": "fft", "params": {"window": "hann"}, "inputs": [root.id]}
            both = [spectrum.id, envelope.id]
            moves.append({"op_name": "speed_refinement", "params": {"shaft_hz": shaft}, "inputs": both})
        minimum = read_thresholds().alarm.get(branch, 1.1)  # type: ignore[call-overload]
        test: JsonObject = {"bearing": bearing, "shaft_hz": shaft, "min_score": minimum}
        moves.append({"op_name": "bearing_test", "params": test, "inputs": [envelope.id]})
        if branch == "full_band":
            lines: JsonObject = {"bearing": bearing, "shaft_hz": shaft}
            moves.append({"op_name": "unexplained_lines", "params": lines, "inputs": [envelope.id]})
        return next((move for move in moves if _find(dag, str(move["op_name"]), envelope.id) is None), _STOP)

    def reflect(self, state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        """Check the speed, compare the branches, keep the best part."""
        language = state.language
        thresholds = read_thresholds()
        speed = _find_last(dags, "speed_refinement")
        if speed is not None and not state.facts.get("shaft_hz"):
            change, gain, strength = (_number(speed, key) for key in ("change", "gain", "strength"))
            if abs(change) >= 0.004 and gain >= thresholds.speed_gain and strength >= thresholds.speed_strength:
                text = TEXTS.render("speed", language, rpm=f"{_number(speed, 'rpm'):.0f}", change=f"{change:+.1%}")
                facts: JsonObject = {"shaft_hz": _number(speed, "shaft_hz")}
                return Reflection(False, text, "replan", {speed.id: text}, facts, (text,))
        best = _choose_best(dags)
        if best is None and not state.facts.get("try_band"):
            return Reflection(False, TEXTS.render("silent", language), "patch", {}, {"try_band": True})
        if best is None:
            return Reflection(True, TEXTS.render("nothing", language))
        branch, node = best
        reason = TEXTS.render("kept", language, branch=Name(branch), fault=Name(str(node.notes.get("verdict"))))
        line = _find_last(dags, "unexplained_lines")
        findings: tuple[str, ...] = ()
        if line is not None and line.notes.get("verdict") != "none" and _number(line, "score") > _number(node, "score"):
            findings = (TEXTS.render("line", language, hz=f"{_number(line, 'hz'):.1f}"),)
        return Reflection(True, reason, keep={node.id: reason}, findings=findings)

    def report(self, state: FlowState) -> str:
        """Conclusion first, then the evidence by node id and the findings."""
        language = state.language
        best = _choose_best(state.dags)
        findings = [text for one in state.reflections for text in one.findings]
        lines = [_conclude(best, findings, language), "", f"## {TEXTS.render('evidence', language)}", ""]
        for name, dag in state.dags.items():
            for node in dag.nodes.values():
                if node.op_name == "bearing_test" and node.state == "done":
                    scores = node.notes.get("scores")
                    listed = scores if isinstance(scores, Mapping) else {}
                    texts = [f"{name_of(fault, language)} {float(str(score)):.2f}" for fault, score in listed.items()]
                    lines.append(f"- `{node.id}` ({name}, {name_of(_branch_of(dag), language)}): {', '.join(texts)}")
        if findings:
            lines += ["", f"## {TEXTS.render('findings', language)}", "", *(f"- {text}" for text in findings)]
        return "\n".join(lines) + "\n"


def build_rules(context: PackContext) -> PhmRules:
    """Factory of the pack."""
    del context
    return PhmRules()


def _ask(missing: Sequence[str], language: Language) -> FlowForm:
    kinds: Mapping[str, JsonObject] = {
        "asset": {"type": "string", "enum": list(list_samples())},
        "fs": {"type": "number", "exclusiveMinimum": 0},
        "rpm": {"type": "number", "exclusiveMinimum": 0},
        "bearing": {"type": "string", "examples": list(list_bearings())},
    }
    properties: JsonObject = {name: {**kinds[name], "title": TEXTS.render(f"ask_{name}", language)} for name in missing}
    schema: JsonObject = {"type": "object", "properties": properties, "required": list(missing)}
    return FlowForm(TEXTS.render("form", language), schema)


def _complete(record: Record, facts: JsonObject, rpm: float | None, fs: float | None, bearing: str | None) -> Record:
    """What the words give comes first, then the facts of the conversation, then the file."""
    own = {key: facts.get(key) for key in ("rpm", "fs", "bearing")}
    return replace(
        record,
        rpm=rpm or _positive(own["rpm"]) or record.rpm,
        fs=fs or _positive(own["fs"]) or record.fs,
        bearing=bearing or (str(own["bearing"]) if own["bearing"] else None) or record.bearing,
    )


def _positive(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and value > 0 else None


def _read_shaft(goal: Goal, root: Node) -> float:
    given = _positive(goal.data.get("shaft_hz"))
    return given or (_positive(root.notes.get("rpm")) or 60.0) / 60


def _find(dag: DagTracker, op_name: str, parent: str = "") -> Node | None:
    return next(
        (node for node in dag.nodes.values() if node.op_name == op_name and (not parent or parent in node.inputs)), None
    )


def _find_last(dags: Mapping[str, DagTracker], op_name: str) -> Node | None:
    found = [node for dag in dags.values() if (node := _find(dag, op_name)) is not None and node.state == "done"]
    return found[-1] if found else None


def _number(node: Node, key: str) -> float:
    value = node.notes.get(key)
    return float(value) if isinstance(value, int | float) else 0.0


def _branch_of(dag: DagTracker) -> str:
    names = {node.op_name for node in dag.nodes.values()}
    return next((branch for branch, op_name in _PREPARE.items() if op_name in names), "full_band")


def _choose_best(dags: Mapping[str, DagTracker]) -> tuple[str, Node] | None:
    """The pre-whitened branch if it finds something, else the full band, else the kurtogram band; the latest."""
    tests = {_branch_of(dag): node for dag in dags.values() if (node := _find(dag, "bearing_test")) is not None}
    alarm = read_thresholds().alarm
    for branch in alarm:
        node = tests.get(branch)
        if node is not None and node.state == "done" and node.notes.get("verdict") not in ("none", None):
            return branch, node
    return None


def _conclude(best: tuple[str, Node] | None, findings: Sequence[str], language: Language) -> str:
    if best is None:
        return TEXTS.render("normal", language)
    branch, node = best
    lead = _number(node, "lead")
    sure = branch == "prewhitened" and lead >= read_thresholds().margin and len(findings) < 2
    return TEXTS.render(
        "sure" if sure else "weak",
        language,
        fault=Name(str(node.notes.get("verdict"))),
        branch=Name(branch),
        node=node.id,
        score=f"{_number(node, 'score'):.2f}",
    )
