"""Gate: may this tool run now? Decided once per tool when the gate is built, looked up at every call.

Each layer can only narrow what the layers above it allow, so adding a rule never allows more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from metier.errors import SkillNotFound
from metier.skills import Skill
from metier.tools._approval import needs_approval
from metier.tools._calls import ToolCall
from metier.tools._names import CONTROL_TOOLS
from metier.tools._registry import Registry
from metier.tools._spec import NEVER, ToolSpec
from metier.tools.gate._rules import LAYERS, Layer, Rules, expand_globs, rules_from_skills
from metier.tools.gate._task_types import TaskType
from metier.tools.gate._verdict import LayerNote, Verdict, VerdictCode
from metier.tools.schema import parse_json_strings

_NOT_LISTED: Final[Mapping[Layer, VerdictCode]] = MappingProxyType(
    {
        "operator": "denied_by_policy",
        "skill": "not_allowed_by_skill",
        "plan": "not_in_plan",
        "task_type": "forbidden_for_task_type",
        "default": "skill_not_active",
    }
)
_FORBIDDEN: Final[Mapping[Layer, VerdictCode]] = MappingProxyType(
    {**_NOT_LISTED, "skill": "forbidden_by_skill", "plan": "forbidden_by_plan"}
)
_LISTED: Final = "lists it"
_REASONS: Final[Mapping[VerdictCode, str]] = MappingProxyType(
    {
        "denied_by_policy": "denies {!r}",
        "not_allowed_by_skill": "does not list {!r} among its tools",
        "forbidden_by_skill": "forbids {!r}",
        "not_in_plan": "does not list {!r} among its tools",
        "forbidden_by_plan": "forbids {!r}",
        "forbidden_for_task_type": "has no use for {!r}",
        "skill_not_active": "bring {!r} along",
    }
)
_NONE_AMBIGUOUS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({})


class Gate:
    """Rules of one turn over one set of tools. Pure: the same call always gets the same verdict."""

    def __init__(
        self,
        rules: Sequence[Rules],
        tools: Mapping[str, ToolSpec],
        *,
        ambiguous: Mapping[str, tuple[str, ...]] = _NONE_AMBIGUOUS,
        granted: frozenset[str] = frozenset(),
        skills: tuple[str, ...] = (),
    ) -> None:
        self.skills = skills
        self._given = tuple(rules)
        self._tools = tools
        self._ambiguous = ambiguous
        self._granted = granted
        known = (*tools, *(name for name in ambiguous if name not in tools))
        in_order = sorted(rules, key=lambda one: LAYERS.index(one.layer))
        self._rules = tuple(_expand_rules(one, known) for one in in_order)
        # The model may have written the plan, and a task type is a guess: neither can replace a person's approval.
        vouching = [one for one in self._rules if one.layer in ("operator", "skill")]
        self._preapproved = frozenset[str]().union(*(one.preapproved for one in vouching))
        self._allowed: tuple[str, ...] = ()
        decided = {name: self._decide(name) for name in known}
        self._allowed = tuple(sorted(name for name, one in decided.items() if one.answer != "deny"))
        self._decided = {name: replace(one, allowed=self._allowed) for name, one in decided.items()}

    def check(self, call: ToolCall) -> Verdict:
        """Return the verdict on this call; whether it is `confirm` may depend on the arguments."""
        found = self._decided.get(call.name)
        if found is None:
            return (
                self._allow_control_tool(call.name)
                if call.name in CONTROL_TOOLS
                else self._deny_unknown_tool(call.name)
            )
        if found.answer != "allow" or call.name in self._preapproved:
            return found
        spec = self._tools[call.name]
        asked = self.resolve_call(call) if spec.approval.when == "expression" else call
        if not needs_approval(spec.approval, asked.arguments) and not self._undoes_approved_effect(spec):
            return found
        reason = f"a person must agree before {call.name!r} runs with these arguments"
        return replace(found, answer="confirm", code="approval_needed", reason=reason, source=f"tool {call.name}")

    def _undoes_approved_effect(self, spec: ToolSpec) -> bool:
        """Whether the tool takes back an effect that needs approval: to undo it is an effect too."""
        undone, found = self._tools.get(spec.undoes), self._decided.get(spec.undoes)
        if undone is None or found is None or found.answer == "deny":
            return spec.undoes != ""
        return found.answer == "confirm" or (undone.approval != NEVER and undone.name not in self._preapproved)

    def allowed_tools(self) -> tuple[str, ...]:
        """Names of all tools that may run, including those that need approval; sorted."""
        return self._allowed

    def known_tools(self) -> tuple[str, ...]:
        """Names of all tools that the gate knows, allowed or not."""
        return tuple(self._decided)

    def get_spec(self, tool: str) -> ToolSpec | None:
        """Return the spec that the verdict refers to: the call runs this tool and no other of the same name."""
        return None if tool in self._ambiguous else self._tools.get(tool)

    def resolve_call(self, call: ToolCall) -> ToolCall:
        """Return the call as the executor runs it: an approval must not depend on how the model wrote the arguments."""
        spec = self.get_spec(call.name)
        arguments, _ = parse_json_strings(spec.parameters if spec else {}, call.arguments)
        return replace(call, arguments=arguments) if isinstance(arguments, Mapping) else call

    def with_grant(self, tool: str) -> "Gate":
        """Return a copy of the gate with an exception for one tool; only operator denials still apply to it."""
        granted = self._granted | {tool}
        return Gate(self._given, self._tools, ambiguous=self._ambiguous, granted=granted, skills=self.skills)

    def _decide(self, name: str) -> Verdict:
        if name in self._ambiguous:
            owners = " and ".join(self._ambiguous[name])
            reason = f"{name!r} is brought by {owners}, and nobody can tell which one is meant"
            return Verdict("deny", "ambiguous_tool", reason, "skill", "registry", (), name)
        if name in CONTROL_TOOLS:
            return self._allow_control_tool(name)
        notes = tuple(self._collect_notes(name))
        denied = next((note for note in notes if note.answer == "deny"), None)
        if denied is not None and (denied.layer == "operator" or name not in self._granted):
            return _verdict_from_note(name, denied, f"{denied.source} {_REASONS[denied.code].format(name)}", notes)
        asked = next((note for note in notes if note.answer == "confirm"), None)
        if asked is not None:
            return _verdict_from_note(
                name, asked, f"{asked.source} wants a person to agree before {name!r} runs", notes
            )
        if denied is not None:
            granted = replace(denied, answer="allow", code="granted")
            return _verdict_from_note(name, granted, f"an exception for this turn overrides {denied.source}", notes)
        listed = next((note for note in notes if note.text == _LISTED), None)
        if listed is not None:
            return _verdict_from_note(name, listed, f"{listed.source} lists it", notes)
        return Verdict("allow", "allowed", "no layer objects", "default", "default", (), name, notes=notes)

    def _collect_notes(self, name: str) -> Iterator[LayerNote]:
        for rules in self._rules:
            if name in rules.forbidden:
                yield LayerNote(rules.layer, rules.source, "deny", _FORBIDDEN[rules.layer], "forbids it")
            elif rules.allowed is not None and name not in rules.allowed:
                yield LayerNote(rules.layer, rules.source, "deny", _NOT_LISTED[rules.layer], "does not list it")
            elif name in rules.confirm:
                yield LayerNote(rules.layer, rules.source, "confirm", "approval_needed", "asks a person first")
            elif rules.layer != "default":
                text = _LISTED if rules.allowed is not None else rules.note or "does not object"
                yield LayerNote(rules.layer, rules.source, "allow", "allowed", text)

    def _allow_control_tool(self, name: str) -> Verdict:
        reason = "it steers the turn and touches nothing outside it"
        return Verdict("allow", "control_tool", reason, "default", "runtime", self._allowed, name)

    def _deny_unknown_tool(self, name: str) -> Verdict:
        waiting = next((rules.source for rules in self._rules if name in rules.waiting), None)
        if waiting is not None:
            reason = f"{waiting} waits for approval, and its scripts do not run before"
            return Verdict("deny", "skill_waits", reason, "skill", waiting, self._allowed, name)
        lister = next((rules.source for rules in self._rules if name in (rules.allowed or ())), None)
        reason = f"there is no tool {name[:80]!r}"
        if lister:
            reason = f"{lister} lists {name[:80]!r}, but nothing here provides it"
        known = () if lister else tuple(self._decided)
        return Verdict("deny", "unknown_tool", reason, "default", "registry", self._allowed, name, known)


def _verdict_from_note(name: str, note: LayerNote, reason: str, notes: tuple[LayerNote, ...]) -> Verdict:
    return Verdict(note.answer, note.code, reason, note.layer, note.source, (), name, notes=notes)


def _expand_rules(rules: Rules, known: Sequence[str]) -> Rules:
    if rules.layer != "operator":
        return rules
    return replace(
        rules,
        allowed=None if rules.allowed is None else expand_globs(rules.allowed, known),
        forbidden=expand_globs(rules.forbidden, known),
        confirm=expand_globs(rules.confirm, known),
        preapproved=expand_globs(rules.preapproved, known),
    )


def gate_for(
    skills: Sequence[Skill],
    *,
    tools: Registry,
    explicit: str | None = None,
    plan: Rules | None = None,
    task_type: TaskType | None = None,
    policy: Rules | None = None,
    first: Rules | None = None,
) -> Gate:
    """Build the gate of a turn. If a skill was named explicitly (`explicit`), only its rules form the skill layer.

    `first` narrows the skill layer until something has been done that the skill needs first.

    A task type is a guess from keywords, so it never denies what the skill or the plan lists by name.
    """
    active = _select_skills(skills, explicit)
    scope = tools.scope(skill.id for skill in active)
    given = (policy, *rules_from_skills(active), first, plan)
    layers = [one for one in given if one is not None]
    if task_type is not None:
        layers.append(_rules_from_task_type(task_type, layers))
    if scope.inactive:
        absent = ", ".join(sorted(set(scope.inactive.values())))
        layers.append(Rules("default", f"skills not in use ({absent})", forbidden=frozenset(scope.inactive)))
    ids = tuple(skill.id for skill in active)
    layers = [_add_qualified(rules, scope.qualified) for rules in layers]
    return Gate(layers, scope.specs, ambiguous=scope.ambiguous, skills=ids)


def _add_qualified(rules: Rules, qualified: Mapping[str, str]) -> Rules:
    """Rules that treat `owner__tool` like the tool it stands for."""
    if not qualified:
        return rules

    def extend(names: frozenset[str]) -> frozenset[str]:
        known = expand_globs(names, tuple(set(qualified.values()))) if rules.layer == "operator" else names
        return names | {full for full, name in qualified.items() if name in known}

    return replace(
        rules,
        allowed=None if rules.allowed is None else extend(rules.allowed),
        forbidden=extend(rules.forbidden),
        confirm=extend(rules.confirm),
        preapproved=extend(rules.preapproved),
    )


def _select_skills(skills: Sequence[Skill], explicit: str | None) -> tuple[Skill, ...]:
    if explicit is None:
        return tuple(skills)
    named = tuple(skill for skill in skills if skill.id == explicit)
    if not named:
        raise SkillNotFound(f"skill {explicit!r} was named but is not in use", hint="pass it among the skills")
    return named


def _rules_from_task_type(task_type: TaskType, above: Sequence[Rules]) -> Rules:
    rules = task_type.to_rules()
    listed = [one for one in above if one.layer in ("skill", "plan") and one.allowed is not None]
    overruled = rules.forbidden & frozenset[str]().union(*(one.allowed or () for one in listed))
    if not overruled:
        return rules
    note = f"silent about {', '.join(sorted(overruled))}: listed by {' and '.join(one.source for one in listed)}"
    return replace(rules, forbidden=rules.forbidden - overruled, note=note)
