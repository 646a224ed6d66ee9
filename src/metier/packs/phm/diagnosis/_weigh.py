"""Evidence of a bearing diagnosis read from its DAGs: quality, speed, branches, what no fault explains."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from metier.flow import DagTracker, Node
from metier.json_values import JsonObject
from metier.packs.phm.bearings import FAULTS, Fault, RollingBearing, read_bearing
from metier.packs.phm.diagnosis._also_seen import list_also_seen
from metier.packs.phm.diagnosis._branches import Branch, BranchName
from metier.packs.phm.diagnosis._findings import Finding, StepText, make_finding, read_finding
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.diagnosis._reflection import FaultChoice, choose_fault, choose_plainly
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds, read_thresholds
from metier.packs.phm.diagnosis._unexplained import UnexplainedLine
from metier.packs.phm.signals._harmonics import HarmonicLine, HarmonicScore, is_shaft_multiple

_SAME_SPEED: Final = 0.004
_SAME_RATE: Final = 0.01
_SAME_LINE: Final = 0.002
_SHOWN_RPM: Final = 0.5  # a smaller difference is no other speed in any text
_RISEN: Final = 1.5
_RACES: Final[tuple[Fault, ...]] = ("outer", "inner")


@dataclass(frozen=True, slots=True)
class Weighing:
    """What the DAGs of a diagnosis say together; `tests` are the nodes that carry the branches.

    `is_whole` is False where a test is missing, the record was not checked, the lines of a race lie on those of the
    shaft, or clipping may hide impacts: the record cannot be called normal then.
    """

    usable: bool
    quality: Node | None
    speed: Node | None
    shaft_hz: float
    bearing: RollingBearing | None
    tests: Mapping[BranchName, Node]
    branches: Mapping[BranchName, Branch]
    thresholds: DiagnosisThresholds
    choice: FaultChoice
    line: UnexplainedLine | None
    findings: tuple[Finding, ...]
    is_whole: bool = True
    is_unchecked: bool = False  # nobody looked at the quality: a model that plans by itself may leave it out


def weigh(dags: Mapping[str, DagTracker], facts: JsonObject) -> Weighing:
    """Read everything that was found; of a branch tested twice the later test counts."""
    nodes = [(dag, node) for dag in dags.values() for node in dag.nodes.values() if node.state == "done"]
    record = next((node for _, node in nodes if node.is_root and node.notes.get("role") != "baseline"), None)
    quality = _find_of(nodes, "signal_quality", "record")
    speed = _find_of(nodes, "speed_refinement", "record")
    usable = quality is not None and quality.notes.get("usable") is True
    shaft_hz, speed_findings = _judge_speed(record, quality, speed, facts)
    named = facts.get("bearing_named")
    bearing = read_bearing(named) if isinstance(named, str) else _read_bearing(record)
    is_cut = record is not None and record.notes.get("is_cut") is True
    is_unchecked = record is not None and not any(
        node.op_name == "signal_quality" for dag in dags.values() for node in dag.nodes.values()
    )
    findings = [make_finding("cut_off")] if is_cut else []
    findings += [make_finding("unchecked")] if is_unchecked else []
    findings += read_findings(quality) + _list_missing(record, bearing, shaft_hz)
    tests = _find_tests(nodes, "record")
    branches = {name: read_branch(name, node) for name, node in tests.items()}
    thresholds, told = _apply_baseline(nodes, quality)
    findings += _list_failures(dags)
    if branches:
        findings += [*speed_findings, *told, *_list_untestable(bearing)]
    plain = facts.get("plain") is True
    choice = FaultChoice(None, None, False)
    if branches:
        choice = choose_plainly(branches, thresholds) if plain else choose_fault(branches, thresholds)
    line = _find_line(nodes, branches, choice, thresholds)
    doubted = any(one.code in ("speed_doubt", "speed_double") for one in speed_findings)
    is_open = doubted or line is not None
    # A branch whose result stays open after all was not kept.
    findings += [one for one in choice.findings if not is_open or one.code != "branch_kept"]
    findings += _describe_line(line, bearing)
    if line is None and bearing is not None and not plain:
        findings += _list_outweighed(nodes, branches, thresholds, bearing)
    is_distorted = quality is not None and quality.notes.get("distorted") is True
    is_short = quality is not None and quality.notes.get("short") is True
    if is_short or is_distorted or is_open:
        choice = replace(choice, confident=False, fault=None if is_open else choice.fault)
    if branches and not plain and not is_open:
        findings += list_also_seen(branches, choice, thresholds, bearing, shaft_hz)
    is_hidden = bearing is not None and any(is_shaft_multiple(bearing.orders[race]) for race in _RACES)
    is_whole = set(branches) >= ({"prewhitened"} if plain else {"prewhitened", "full_band"})
    return Weighing(
        *(usable, quality, speed, shaft_hz, bearing, tests, branches, thresholds, choice, line, tuple(findings)),
        is_whole=is_whole and quality is not None and not is_distorted and not is_hidden,
        is_unchecked=is_unchecked,
    )


def find_shaft(dag: DagTracker, facts: JsonObject) -> float:
    """Speed that the tests of a DAG use: the given one, as refined by its shaft lines, or the one learnt before."""
    by_name = {node.op_name: node for node in dag.nodes.values() if node.state == "done"}
    record = find_root(dag, "record")
    return _judge_speed(record, by_name.get("signal_quality"), by_name.get("speed_refinement"), facts)[0]


def list_missing(record: Node) -> list[Finding]:
    """What must be known before a fault frequency can be tested."""
    return _list_missing(record, _read_bearing(record), _number(record.notes.get("rpm")) / 60)


def find_root(dag: DagTracker, role: str) -> Node | None:
    """Root of the record or of its baseline."""
    return next(
        (node for node in dag.nodes.values() if node.is_root and node.notes.get("role", "record") == role), None
    )


def is_same_rate(one: Node, other: Node) -> bool:
    """Whether two records were sampled alike, so that their scores compare."""
    return one.axis is not None and other.axis is not None and abs(other.axis.rate / one.axis.rate - 1) <= _SAME_RATE


def is_speed_wrong(speed: Node) -> bool:
    """Whether the comb of shaft lines is clearly stronger at another speed than the given one.

    A comb that lies on the mains lines proves no other speed: at 2950 rpm the mains makes one at 3000.
    """
    return _is_comb_stronger(speed) and speed.notes.get("synchronous") is not True


def _is_comb_stronger(speed: Node) -> bool:
    limits = read_thresholds()
    change, gain, strength = (_number(speed.notes.get(key)) for key in ("change", "gain", "strength"))
    return abs(change) >= _SAME_SPEED and gain >= limits.speed_gain and strength >= limits.speed_strength


def read_branch(name: BranchName, test: Node) -> Branch:
    """Scores of a branch from the notes of its test."""
    listed = test.notes.get("evidence")
    scores: dict[Fault, HarmonicScore] = {}
    for one in listed if isinstance(listed, list | tuple) else ():
        if isinstance(one, Mapping) and isinstance(rows := one.get("lines"), list | tuple):
            lines = tuple(
                HarmonicLine(*(_number(row.get(key)) for key in ("expected_hz", "found_hz", "excess")))
                for row in rows
                if isinstance(row, Mapping)
            )
            scores[cast("Fault", one.get("name"))] = HarmonicScore(_number(one.get("score")), lines)
    return Branch(name, scores)


def _list_failures(dags: Mapping[str, DagTracker]) -> list[Finding]:
    """Steps that failed, each once, with the reason: what they would have shown is missing."""
    failed = {
        node.op_name: make_finding(
            "step_failed", step=_name_step(dag, node), node=node.id, reason=name_failure(dag, node)
        )
        for dag in dags.values()
        for node in dag.nodes.values()
        if node.state == "failed"
    }
    return list(failed.values())


def name_failure(dag: DagTracker, node: Node) -> StepText:
    """Why a step failed, for a finding."""
    return StepText(node.error, {"en": dag.describe_failure(node, "en"), "zh": dag.describe_failure(node, "zh")})


def _name_step(dag: DagTracker, node: Node) -> StepText:
    return StepText(node.op_name, {"en": dag.name_node(node, "en"), "zh": dag.name_node(node, "zh")})


def _find_tests(nodes: "list[tuple[DagTracker, Node]]", role: str) -> dict[BranchName, Node]:
    found: dict[BranchName, Node] = {}
    for dag, node in nodes:
        if node.op_name == "bearing_test" and _role_of(dag, node) == role:
            branch = _branch_of(dag, node)
            # A node that another DAG adopted keeps the id under which it was computed.
            if branch not in found or found[branch].digest != node.digest:
                found[branch] = node
    return {name: found[name] for name in ("prewhitened", "full_band", "kurtogram_band") if name in found}


def _branch_of(dag: DagTracker, test: Node) -> BranchName:
    """Branch of a test, by what its envelope spectrum was made of."""
    envelope = dag.node(test.inputs[0])
    if envelope.params.get("band_hz") is not None:
        return "kurtogram_band"
    return "prewhitened" if dag.node(envelope.inputs[0]).op_name == "cepstrum_prewhitening" else "full_band"


def _role_of(dag: DagTracker, node: Node) -> str:
    root = next(dag.node(name) for name in dag.ancestors([node.id]))
    return str(root.notes.get("role", "record"))


def _find_of(nodes: "list[tuple[DagTracker, Node]]", op_name: str, role: str) -> Node | None:
    found = [node for dag, node in nodes if node.op_name == op_name and _role_of(dag, node) == role]
    return found[-1] if found else None


def _read_bearing(record: Node | None) -> RollingBearing | None:
    text = record.notes.get("bearing") if record is not None else None
    return read_bearing(text) if isinstance(text, str) and text else None


def read_findings(quality: Node | None) -> list[Finding]:
    """Findings that the check of a record left in its notes."""
    listed = quality.notes.get("findings") if quality is not None else None
    rows = listed if isinstance(listed, list | tuple) else ()
    return [read_finding(one) for one in rows if isinstance(one, Mapping)]


def _list_missing(record: Node | None, bearing: RollingBearing | None, shaft_hz: float) -> list[Finding]:
    rate = record.axis.rate if record is not None and record.axis is not None else 0.0
    missing = [
        *([] if rate else [make_finding("missing_rate")]),
        *([] if shaft_hz else [make_finding("missing_speed")]),
        *([] if bearing else [make_finding("missing_bearing")]),
    ]
    if not missing and bearing is not None and 3.2 * bearing.bpfo * shaft_hz > rate / 2:
        missing.append(make_finding("low_rate", fs=f"{rate:g}"))
    return missing


def _judge_speed(
    record: Node | None, quality: Node | None, speed: Node | None, facts: JsonObject
) -> tuple[float, list[Finding]]:
    """Speed to use, with what the shaft lines say about the given one.

    A short record does not part neighbouring speeds: its lines prove none.
    """
    given = _number(record.notes.get("rpm") if record is not None else None) / 60
    told = f"{round(given * 60, 1):g}"
    if facts.get("speed_named"):
        return _number(facts.get("shaft_hz")), []
    if quality is not None and quality.notes.get("short") is True:
        return given, [make_finding("speed_unresolved", given=told)]
    if speed is None:
        return _number(facts.get("shaft_hz")) or given, []
    found, limits = _number(speed.notes.get("shaft_hz")), read_thresholds()
    if _number(speed.notes.get("strength")) < limits.speed_strength:
        return given, [make_finding("speed_unproved", given=told)]
    doubt = [make_finding(str(speed.notes["doubt"]), given=told)] if speed.notes.get("doubt") else []
    values = {"given": told, "found": f"{round(found * 60, 1):g}", "change": f"{found / given - 1:+.1%}"}
    if abs(found / given - 1) < _SAME_SPEED:
        is_other = abs(found - given) >= max(_SHOWN_RPM / 60, _number(speed.notes.get("resolution_hz")))
        return found, doubt or ([make_finding("speed_refined", values)] if is_other else [])
    if not is_speed_wrong(speed):
        if _is_comb_stronger(speed):
            return given, doubt or [make_finding("speed_mains", values)]
        gain = {"gain": f"{_number(speed.notes.get('gain')):.2f}", "needed": f"{limits.speed_gain:.2f}"}
        return given, doubt or [make_finding("speed_kept", {**values, **gain})]
    return found, [make_finding("speed_wrong", values), *doubt]


def _apply_baseline(
    nodes: "list[tuple[DagTracker, Node]]", quality: Node | None
) -> tuple[DiagnosisThresholds, list[Finding]]:
    """Raise the alarm levels to what a healthy record of the same machine reaches; told if it cannot be compared."""
    limits = read_thresholds()
    root = next((node for _, node in nodes if node.is_root and node.notes.get("role") == "baseline"), None)
    record = next((node for _, node in nodes if node.is_root and node.notes.get("role") != "baseline"), None)
    if root is None or record is None:
        return limits, []
    if not is_same_rate(record, root):
        rates = [f"{one.axis.rate:g}" if one.axis is not None else "?" for one in (root, record)]
        return limits, [make_finding("baseline_unlike", baseline=rates[0], fs=rates[1])]
    healthy = _find_of(nodes, "signal_quality", "baseline")
    if healthy is None or healthy.notes.get("usable") is not True:
        reasons = read_findings(healthy)
        return limits, [make_finding("baseline_unusable", reason=reasons[-1])] if reasons else []
    scores = {name: read_branch(name, node).score for name, node in _find_tests(nodes, "baseline").items()}
    ratio = _number(quality.notes.get("rms") if quality else None) / max(_number(healthy.notes.get("rms")), 1e-300)
    told = [make_finding("level_risen", ratio=f"{ratio:.1f}")] if ratio > _RISEN else []
    return limits.raise_to(scores), told


def _list_untestable(bearing: RollingBearing | None) -> list[Finding]:
    orders = bearing.orders if bearing is not None else {}
    near = [one for one in FAULTS if one in orders and is_shaft_multiple(orders[one])]
    return [make_finding("untestable", fault=Name(one)) for one in near]


def _find_line(
    nodes: "list[tuple[DagTracker, Node]]",
    branches: Mapping[BranchName, Branch],
    choice: FaultChoice,
    thresholds: DiagnosisThresholds,
) -> UnexplainedLine | None:
    """The strongest unexplained family of lines, if it outweighs what the bearing explains."""
    found = {_branch_of(dag, node): node for dag, node in nodes if node.op_name == "unexplained_lines"}
    for name in thresholds.unexplained:
        if name not in branches or name not in found:
            continue
        if choice.branch is not None and choice.branch.name != name and choice.confident:
            continue
        for line in _read_lines(name, found[name], thresholds):
            if line.score >= branches[name].score:
                return line
    return None


def _read_lines(name: BranchName, node: Node, thresholds: DiagnosisThresholds) -> list[UnexplainedLine]:
    """Unexplained families of one envelope above their limit; one that may be a beat of mains and shaft comes last."""
    lines = []
    for key, is_beat, limits in (("", False, thresholds.unexplained), ("beat_", True, thresholds.beat)):
        hz, score = node.notes.get(f"{key}hz"), _number(node.notes.get(f"{key}score"))
        if hz is not None and name in limits and score >= limits[name]:
            lines.append(UnexplainedLine(_number(hz), _number(node.notes.get(f"{key}order")), score, is_beat))
    return lines


def _list_outweighed(
    nodes: "list[tuple[DagTracker, Node]]",
    branches: Mapping[BranchName, Branch],
    thresholds: DiagnosisThresholds,
    bearing: RollingBearing,
) -> list[Finding]:
    """Unexplained families above their limit that the evidence of the bearing outweighs: told, not decisive."""
    told = []
    for dag, node in nodes:
        name = _branch_of(dag, node) if node.op_name == "unexplained_lines" else None
        if name is not None and name in branches:
            lines = _read_lines(name, node, thresholds)
            told += [_describe_outweighed(one, branches[name], thresholds, bearing) for one in lines]
    return list({one.values["hz"]: one for one in told}.values())


def _describe_outweighed(
    line: UnexplainedLine, best: Branch, thresholds: DiagnosisThresholds, bearing: RollingBearing
) -> Finding:
    least = (thresholds.beat if line.is_beat else thresholds.unexplained)[best.name]
    values: dict[str, Name | str] = {"hz": f"{line.hz:.2f}", "order": f"{line.order:.3f}"}
    values |= {"score": f"{line.score:.2f}", "limit": f"{least:.2f}", "best": f"{best.score:.2f}"}
    values |= {"bearing": bearing.name, "branch": Name(best.name), "fault": Name(best.ranking[0])}
    if part := _find_part(line.hz, best.scores[best.ranking[0]].fundamental_hz):
        return make_finding("also_line_part", values, number=part)
    return make_finding("also_line" if line.score < best.score else "also_line_clear", values)


def _find_part(hz: float, fundamental_hz: float) -> int:
    """Which multiple of a line, up to the third, is a harmonic of a fault; 0 if none is."""
    for number in (1, 2, 3):
        nearest = max(round(number * hz / fundamental_hz), 1) * fundamental_hz
        if abs(number * hz - nearest) <= _SAME_LINE * number * hz:
            return number
    return 0


def _describe_line(line: UnexplainedLine | None, bearing: RollingBearing | None) -> list[Finding]:
    if line is None or bearing is None:
        return []
    return [make_finding("unexplained_line", hz=f"{line.hz:.2f}", order=f"{line.order:.3f}", bearing=bearing.name)]


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
