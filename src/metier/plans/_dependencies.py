"""Dependencies between steps: what each reads and needs, and in which order they can run."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from metier.plans._expressions import ALL_DATA, compile_expression, is_expression
from metier.plans._plan import DATA_ROOTS, CheckSpec, Plan, Step
from metier.plans._problems import ProblemCollector, suggest_name
from metier.plans._values import find_expressions


def find_step_reads(step: Step) -> frozenset[str]:
    """Top-level names that the step reads from the run's data; `@` if it reads all of it."""
    texts = [text for template in (step.arguments, step.show) for _, text in find_expressions(template)]
    texts += [text for text in (step.when, step.call) if text is not None and is_expression(text)]
    return frozenset().union(*(compile_expression(text).reads for text in texts))


def find_fact_reads(step: Step) -> frozenset[str]:
    """Top-level names that the step's facts read, besides its own result."""
    templates = [part for one in step.facts for part in (one.value, one.label, one.options, one.source)]
    texts = [text for template in templates for _, text in find_expressions(template)]
    return frozenset().union(*(compile_expression(text).reads for text in texts)) - {step.saved_as}


def find_check_reads(check: CheckSpec) -> frozenset[str]:
    """Top-level names that a check reads; none for `tool_output`, which reads the tool's output instead."""
    if check.kind == "tool_output":
        return frozenset()
    texts = [check.options.get(key) for key in ("of", "expr", "path")]
    found = [text for text in texts if isinstance(text, str) and is_expression(text)]
    return frozenset().union(*(compile_expression(text).reads for text in found))


def find_dependencies(steps: tuple[Step, ...]) -> Mapping[str, frozenset[str]]:
    """Map each step id to the ids of the steps it needs or reads; names that no step saves are ignored."""
    giver = {step.saved_as: step.id for step in steps}
    ids = {step.id for step in steps}
    return {
        step.id: frozenset(giver[name] for name in find_step_reads(step) | find_fact_reads(step) if name in giver)
        | (ids & frozenset(step.needs))
        for step in steps
    }


def find_cycle(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Ids of steps that form a dependency cycle; empty if there is none."""
    try:
        TopologicalSorter(find_dependencies(steps)).prepare()
    except CycleError as error:
        return tuple(error.args[1])
    return ()


def sort_steps(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Sort the steps so that each follows its dependencies, otherwise as written; requires that there is no cycle."""
    waits = find_dependencies(steps)
    left = list(steps)
    done: dict[str, Step] = {}
    while left:
        ready = next(step for step in left if waits[step.id] <= done.keys())
        done[ready.id] = ready
        left.remove(ready)
    return tuple(done.values())


def check_links(plan: Plan, found: ProblemCollector, *, as_written: bool = True) -> None:
    """Check for duplicate and unknown names and for cycles; with `as_written`, also that no step uses a later one."""
    _check_names(plan.steps, found)
    _check_references(plan, found)
    if found.problems:
        return
    if cycle := find_cycle(plan.steps):
        found.enter("steps").add(
            "plan_cycle", f"steps wait for each other: {' → '.join(cycle)}", "take one 'needs' away"
        )
    elif as_written:
        _check_order(plan.steps, found)


def _check_names(steps: tuple[Step, ...], found: ProblemCollector) -> None:
    ids: set[str] = set()
    saved: dict[str, str] = dict.fromkeys(DATA_ROOTS, "")
    for number, step in enumerate(steps):
        here = found.enter("steps", number, step=step.id)
        if step.id in ids:
            here.enter("id").add("name_taken", f"two steps have the id {step.id!r}", "give each step its own id")
        elif step.saved_as in saved:
            owner = saved[step.saved_as]
            by = f"step {owner!r} saves there" if owner else "the run's own data stands there"
            key = "save" if step.save else "id"
            here.enter(key).add("name_taken", f"{step.saved_as!r} is taken: {by}", "save under another name")
        ids.add(step.id)
        saved.setdefault(step.saved_as, step.id)


def _check_references(plan: Plan, found: ProblemCollector) -> None:
    ids = {step.id for step in plan.steps}
    names = {ALL_DATA, *DATA_ROOTS, *plan.given, *(step.saved_as for step in plan.steps)}
    for number, step in enumerate(plan.steps):
        here = found.enter("steps", number, step=step.id)
        for need in sorted(set(step.needs) - ids):
            here.enter("needs").add("unknown_step", f"there is no step {need!r}", suggest_name(need, ids))
        for name in sorted((find_step_reads(step) | find_fact_reads(step)) - names):
            here.add("unknown_name", f"step {step.id!r} reads {name!r}, which no step saves", suggest_name(name, names))
    taken: set[str] = set()
    for number, milestone in enumerate(plan.milestones):
        here = found.enter("milestones", number)
        if milestone.name in taken:
            here.enter("name").add("name_taken", f"two milestones have the name {milestone.name!r}")
        taken.add(milestone.name)
        if milestone.after not in ids:
            here.enter("after").add(
                "unknown_step", f"there is no step {milestone.after!r}", suggest_name(milestone.after, ids)
            )
        for name in sorted(find_check_reads(milestone.check) - names):
            message = f"milestone {milestone.name!r} reads {name!r}, which no step saves"
            here.enter("check").add("unknown_name", message, suggest_name(name, names))


def _check_order(steps: tuple[Step, ...], found: ProblemCollector) -> None:
    for number, step, later in _find_too_early(steps):
        here = found.enter("steps", number, step=step.id)
        here.add("wrong_order", f"step {step.id!r} uses {later!r}, which comes later", "steps run in the order written")


def _find_too_early(steps: tuple[Step, ...]) -> Iterator[tuple[int, Step, str]]:
    waits = find_dependencies(steps)
    before: set[str] = set()
    for number, step in enumerate(steps):
        for later in sorted(waits[step.id] - before):
            yield number, step, later
        before.add(step.id)
