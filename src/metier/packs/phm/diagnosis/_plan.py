"""Rules of a bearing diagnosis: which goals a round has, which operator comes next, whether the evidence suffices.

The command line, the tools and deep runs follow the same rules. What is executed depends on the instruction and on the
record: one that is no good is not analysed, a gap is repaired, a wrong speed is planned anew, and the band of highest
spectral kurtosis is tried only where the first two branches leave the verdict open.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from metier.flow import STOP, DagTracker, FlowForm, FlowState, Goal, Node, Reflection
from metier.json_values import JsonObject, JsonValue
from metier.packs.phm.bearings import is_bearing
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.diagnosis._texts import TEXTS
from metier.packs.phm.diagnosis._thresholds import read_thresholds
from metier.packs.phm.diagnosis._weigh import (
    Weighing,
    find_root,
    find_shaft,
    is_same_rate,
    is_speed_wrong,
    list_missing,
    weigh,
)

if TYPE_CHECKING:
    from metier.packs.phm.diagnosis._branches import BranchName

_BAND_WORDS: Final = ("kurtogram", "谱峭", "频带", "band")


class BearingRules:
    """Planner, executor and reflector of a bearing diagnosis by rules."""

    def plan(self, state: FlowState) -> Sequence[Goal]:
        """Two standard branches; a third if the instruction names it; after a round what its reflection asks for."""
        facts = learn_facts(state)
        words = state.user_instruction.lower()
        branches: list[BranchName] = ["prewhitened", "full_band"]
        is_declined = bool(state.reflections) and state.reflections[-1].ask is not None and not state.answers
        if facts.get("plain"):
            branches = ["prewhitened"]
        elif facts.get("try_band") or is_declined:
            branches = ["kurtogram_band"]
        elif any(word in words for word in _BAND_WORDS):
            branches.append("kurtogram_band")
        data: JsonObject = {
            "shaft_hz": facts.get("shaft_hz"),
            "bearing": facts.get("bearing_named"),
            "plain": facts.get("plain") is True,
        }
        return [
            Goal(TEXTS.render("goal", state.language, branch=Name(branch)), {"branch": branch, **data})
            for branch in branches
        ]

    def act(self, goal: Goal, dag: DagTracker) -> JsonObject:
        """Next operator of a branch, by what its DAG holds."""
        record, baseline = find_root(dag, "record"), find_root(dag, "baseline")
        if record is None:
            return {"op_name": STOP}
        move = _Branch(goal, dag, record).choose_move()
        if move is None and baseline is not None and is_same_rate(record, baseline):
            move = _Branch(goal, dag, record, baseline).choose_move()
        return move or {"op_name": STOP}

    def reflect(self, state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        """Look at the quality, check the speed, compare the branches, keep the best part."""
        facts, language = learn_facts(state), state.language
        seen = weigh(dags, facts)
        if seen.is_unchecked:  # a plan of a model's own: nothing can be concluded from what nobody looked at
            reason = TEXTS.render("unchecked", language)
            return Reflection(False, reason, "replan", findings=(reason,))
        if not seen.usable:
            reason = seen.findings[-1].text(language) if seen.findings else TEXTS.render("nothing", language)
            return Reflection(True, reason, findings=(reason,))
        if seen.speed is not None and not facts.get("shaft_hz") and is_speed_wrong(seen.speed):
            return _plan_speed_anew(seen, state)
        if (form := self.ask(seen, state)) is not None:
            return Reflection(False, form.title, "replan", findings=(form.title,), ask=form)
        if not seen.choice.confident and "kurtogram_band" not in seen.branches and not state.facts.get("try_band"):
            code = "silent" if seen.choice.branch is None else "open"
            kept = {node.id: TEXTS.render(code, language) for node in seen.tests.values()}
            return Reflection(False, TEXTS.render(code, language), "patch", kept, {"try_band": True})
        findings = tuple(one.text(language) for one in seen.findings)
        branch = seen.choice.branch
        if branch is None:
            return Reflection(True, TEXTS.render("nothing", language), findings=findings)
        fault = Name(seen.choice.fault or "unknown")
        reason = TEXTS.render("kept", language, branch=Name(branch.name), fault=fault)
        return Reflection(True, reason, keep={seen.tests[branch.name].id: reason}, findings=findings)

    def ask(self, seen: Weighing, state: FlowState) -> FlowForm | None:
        """Form for what only the user can tell about what was seen; None where nobody can be asked."""
        return None


def learn_facts(state: FlowState) -> JsonObject:
    """What is known by now: learnt from the data, and told by the user in this run: `rpm`, or `rpm_` and a record."""
    learnt: dict[str, JsonValue] = dict(state.facts)
    told = {name.partition("_")[0]: value for name, value in state.answers.items()}
    rpm, bearing = told.get("rpm"), told.get("bearing")
    if isinstance(rpm, int | float) and rpm > 0:
        learnt |= {"shaft_hz": rpm / 60, "speed_named": True}
    if is_bearing(bearing):
        learnt["bearing_named"] = bearing
    return learnt


def _plan_speed_anew(seen: Weighing, state: FlowState) -> Reflection:
    assert seen.speed is not None
    found, change = seen.shaft_hz, float(str(seen.speed.notes.get("change")))
    text = TEXTS.render("speed", state.language, rpm=f"{found * 60:.0f}", change=f"{change:+.1%}")
    return Reflection(False, text, "replan", {seen.speed.id: text}, {"shaft_hz": found}, (text,))


class _Branch:
    """Moves of one branch on one root: the record itself, or its baseline."""

    def __init__(self, goal: Goal, dag: DagTracker, record: Node, root: Node | None = None) -> None:
        self._goal, self._dag, self._record = goal, dag, record
        self._root = root or record
        self._name = str(goal.data.get("branch"))

    def choose_move(self) -> JsonObject | None:
        """The next move; None when the branch is finished or cannot go on."""
        root = self._root
        given = _read_hz(root.notes.get("rpm"))
        quality = self._find("signal_quality", root)
        if quality is None:
            return _move("signal_quality", root, shaft_hz=given)
        if quality.notes.get("usable") is not True or list_missing(self._record):
            return None
        source: Node | None = root
        if quality.notes.get("repaired") is True:
            source = self._find("clean_record", root)
            if source is None:
                return _move("clean_record", root)
        if source is None or source.state == "failed":
            return None
        is_short = quality.notes.get("short") is True
        if root is self._record and not is_short and not self._goal.data.get("plain"):
            move = self._check_speed(source, given)
            if move is not None or self._is_speed_wrong():
                return move
        return self._test(source)

    def _check_speed(self, source: Node, given: float | None) -> JsonObject | None:
        if self._goal.data.get("shaft_hz"):
            return None
        spectrum, envelope = self._find("fft", source), self._find("envelope_spectrum", source)
        if spectrum is None:
            return _move("fft", source, window="hann")
        if envelope is None:
            return _move("envelope_spectrum", source)
        if "failed" in (spectrum.state, envelope.state) or self._find("speed_refinement", spectrum) is not None:
            return None
        return {"op_name": "speed_refinement", "params": {"shaft_hz": given}, "inputs": [spectrum.id, envelope.id]}

    def _is_speed_wrong(self) -> bool:
        found = self._find("speed_refinement")
        return found is not None and not self._goal.data.get("shaft_hz") and is_speed_wrong(found)

    def _test(self, source: Node) -> JsonObject | None:
        """Prepare the envelope spectrum of the branch and test the bearing's frequencies on it."""
        band: JsonObject = {}
        if self._name == "prewhitened":
            white = self._find("cepstrum_prewhitening", source)
            if white is None:
                return _move("cepstrum_prewhitening", source)
            source = white
        elif self._name == "kurtogram_band":
            found = self._find("kurtogram", source)
            if found is None:
                return _move("kurtogram", source)
            band = {"band_hz": found.notes.get("band_hz")}
        if source.state == "failed":
            return None
        envelope = self._find("envelope_spectrum", source, band)
        if envelope is None:
            return {"op_name": "envelope_spectrum", "params": band, "inputs": [source.id]}
        if envelope.state == "failed":
            return None
        return self._choose_test(envelope)

    def _choose_test(self, envelope: Node) -> JsonObject | None:
        limits = read_thresholds()
        shaft = find_shaft(self._dag, self._goal.data)
        if self._root is not self._record:
            shaft = _read_hz(self._root.notes.get("rpm")) or shaft
        bearing = self._goal.data.get("bearing") or self._record.notes.get("bearing")
        facts: JsonObject = {"bearing": bearing, "shaft_hz": shaft}
        alarm, unexplained = dict(limits.alarm), dict(limits.unexplained)
        if self._find("bearing_test", envelope) is None:
            return _move("bearing_test", envelope, **facts, min_score=alarm.get(self._name, 1.1))  # type: ignore[call-overload]  # thresholds are read as plain JSON
        is_searched = self._root is self._record and not self._goal.data.get("plain") and self._name in unexplained
        if is_searched and self._find("unexplained_lines", envelope) is None:
            return _move("unexplained_lines", envelope, **facts, min_score=unexplained[self._name])  # type: ignore[index]  # thresholds are read as plain JSON
        return None

    def _find(self, op_name: str, parent: Node | None = None, params: JsonObject | None = None) -> Node | None:
        wanted = params or {}
        for node in self._dag.nodes.values():
            fits = node.op_name == op_name and (parent is None or parent.id in node.inputs)
            if fits and (op_name != "envelope_spectrum" or node.params.get("band_hz") == wanted.get("band_hz")):
                return node
        return None


def _move(op_name: str, parent: Node, **params: JsonValue) -> JsonObject:
    return {"op_name": op_name, "params": params, "inputs": [parent.id]}


def _read_hz(rpm: object) -> float | None:
    return float(rpm) / 60 if isinstance(rpm, int | float) and rpm > 0 else None
