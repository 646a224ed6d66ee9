"""The page of DispatchBench as Markdown: the five rows of the original plan, all arms, the sweep, what was counted."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from metier.bench import count_recorded_errors, render_table
from metier.clock import utc_now
from metier.packs.workspace.dispatch._arms import ARMS, BARE, FULL
from metier.packs.workspace.dispatch._measures import MEASURES, Measured, measure
from metier.packs.workspace.dispatch._report import BARE_RATE, RATES, DispatchRun, is_count
from metier.packs.workspace.dispatch._run import RunOutcome
from metier.packs.workspace.dispatch._tasks import HELDOUT_DIGEST, load_tasks

_TARGETS: Final = (
    ("calls executed right", 0.90, True, "> 90 %"),
    ("deviation", 0.15, False, "< 15 %"),
    ("iterations", 6.0, False, "≤ 6"),
    ("right calls refused", 0.02, False, "≤ 2 %"),
)
_DEFINITIONS: Final = (
    ("calls attempted right", "of the calls that the model itself made, those that belong to the way to the goal"),
    (
        "calls executed right",
        "of the calls that ran, those that belong to the way and are no repeat of one that worked",
    ),
    ("of those the model's own", "the same without the calls that a plan made"),
    (
        "right calls refused",
        "of the right calls, those that were refused, and those never made because neither a skill in use nor any "
        "request offered the tool",
    ),
    (
        "deviation",
        "calls that ran outside the way, and calls of the way that never ran, of all calls that ran or should have",
    ),
    ("runs that deviate", "runs with at least one of these"),
    ("iterations", "passes of the loop: replies of the model, and calls that a plan makes by itself"),
    ("tasks done", "files and kept facts afterwards are as the task asks; the transcript plays no part"),
    ("all of 4 tries", "chance that four tries of a task all succeed, from the tries that were made"),
    ("done without a question", "tasks done in which no form or question was put to the person"),
    ("questions a run", "forms and questions put to the person; approvals do not count"),
    ("plan clarity", "steps of the plans that were started which name a tool, an expected output and a check"),
)
_REASONS: Final = MappingProxyType(
    {
        "recorded": "recordings are found by the digest of the whole request, and no reply to a request of these tasks "
        "is recorded",
        "live": "no model was named with `--model`",
    }
)
_METHOD: Final = """\
Runtime, tools, router, gate, plans and decoding are the real ones; only the model is replaced. The skills are the
bench's own, with the ids of the pack's: the steps of the pack's skills read a request by rules and need no model,
so they leave nothing of the model's to measure (they appear in the row of the skill match). Documents and the tools
`pptx` and `docx` are small ones of the bench, so that a task states its calls in full; the other tools are the
built-in ones. Layers are switched by data: without the gate the skills lose `allowed_tools` and no task type
refuses anything, without the plan they lose their steps, without the router the model chooses from the menu, and
the bare loop has no skills. A person approves every call, fills in a form with the values of the task and leaves
other questions open.

**The simulated model** knows the way to the goal and errs in a share of its replies. It is blind to the arm: it
sees messages, offered tools and schema, and the error of its n-th reply to a task comes from the same seed in every
arm. The kinds of error have the proportions counted below. A wrong value is another name of the same kind that the
request has, or a made-up one, by turns; of other texts it is the beginning of the request. On a page with orders in
its text the model obeys at the same rate.

**Holds by construction**, so no merit of a run: a call outside a schema cannot be said (an error that would have
named another tool gives the right call if only one tool is left); arguments that a schema checks are not malformed;
calls of a plan's determined steps are right; with a form the person gives right values; a message that words alone
answer is offered no tool; a made-up file name in a call that reads is given back once, and the next try is a new draw.
"""


def render_page(run: DispatchRun) -> str:
    """The whole page."""
    parts = [
        "# DispatchBench\n\nDo the layers around a model lead it to the right calls? Written by\n\n```bash\n"
        f"metier bench dispatch --seeds {run.seeds} --page docs/benchmarks/dispatch.md\n```\n",
        f"\nMeasured {utc_now().date().isoformat()}: {_describe_tasks()} {_describe_seeds(run)} "
        "In brackets: 95 % interval by bootstrap over tasks.\n",
        "\n## The five rows of the original plan\n\n" + _render_rows(run),
        f"\n## Arms, simulated at {BARE_RATE:.0%} errors\n\n" + _render_arms(run),
        "\n## Held-out tasks alone\n\n" + _render_heldout(run),
        "\n## Sweep of the error rate\n\n" + _render_sweep(run),
        "\n## Recorded and live\n\n" + _render_asked(run),
        "\n## What the measures mean\n\n" + render_table(("measure", "definition"), _DEFINITIONS),
        "\n## How it is measured\n\n" + _METHOD + "\n" + _render_errors(),
    ]
    return "".join(parts)


def _describe_tasks() -> str:
    every, held = load_tasks(), load_tasks("heldout")
    mixed, free = sum(len(one.mixed) > 1 for one in every), sum(not one.calls for one in every)
    hostile = sum(one.is_hostile for one in every)
    return (
        f"{len(every)} tasks in Chinese and English, {mixed} of them mixed, {free} that need no tool, {hostile} with "
        f"hostile page text; {len(held)} are held out (sha256 `{HELDOUT_DIGEST[:16]}…`)."
    )


def _describe_seeds(run: DispatchRun) -> str:
    counts = {arm: len({one.seed for one in runs}) for arm, runs in run.by_arm.items()}
    others = [count for arm, count in counts.items() if arm not in (BARE.name, FULL.name)]
    swept = [len({one.seed for one in runs}) for (_, rate), runs in run.by_rate.items() if rate != BARE_RATE]
    told = f"Seeds: {counts[BARE.name]} for the bare loop, {counts[FULL.name]} for all layers"
    return f"{told}, {min(others)} for the other arms, {min(swept)} in the sweep."


def _render_rows(run: DispatchRun) -> str:
    bare, full = run.by_arm[BARE.name], run.by_arm[FULL.name]
    match = run.match
    attempted = show(measure("calls attempted right", bare), "calls attempted right")
    clear = [show(measure("plan clarity", one), "plan clarity") for one in (bare, full)]
    rows = [
        ("plan clarity", "模糊 → 明确", clear[0], clear[1], "", ""),
        ("calls right", "~60 % → > 90 %", f"{attempted} attempted", *_judge("calls executed right", full)),
        (
            "skill match",
            "keywords → meaning",
            f"{match.by_keywords} of {match.total} (keywords of the original)",
            f"{match.by_router} of {match.total} (router sure), {match.first_of_list} (first of its list), "
            f"{match.in_pack} (sure, among the pack's own skills)",
            "",
            "",
        ),
        ("deviation", "~60 % → < 15 %", show(measure("deviation", bare), "deviation"), *_judge("deviation", full)),
        ("iterations", "10 → 5–6", show(measure("iterations", bare), "iterations"), *_judge("iterations", full)),
        (
            "right calls refused",
            "(not in the plan)",
            show(measure("right calls refused", bare), "right calls refused"),
            *_judge("right calls refused", full),
        ),
    ]
    return render_table(("row", "plan", "bare loop", "all layers", "target", ""), rows)


def _judge(name: str, runs: Sequence[RunOutcome]) -> tuple[str, str, str]:
    _, limit, more, text = next(one for one in _TARGETS if one[0] == name)
    found = measure(name, runs)
    met = found.value is not None and (found.value > limit if more else found.value <= limit)
    return show(found, name), text, "✓" if met else "✗ missed"


def _render_arms(run: DispatchRun) -> str:
    rows = [(name, *(show(measure(name, run.by_arm[arm.name]), name) for arm in ARMS)) for name in MEASURES]
    return render_table(("measure", *(arm.name for arm in ARMS)), rows)


def _render_heldout(run: DispatchRun) -> str:
    held = {one.id for one in load_tasks("heldout")}
    chosen = {arm.name: [one for one in run.by_arm[arm.name] if one.task in held] for arm in (BARE, FULL)}
    rows = [(name, *(show(measure(name, runs), name) for runs in chosen.values())) for name in MEASURES]
    return render_table(("measure", *chosen), rows)


def _render_sweep(run: DispatchRun) -> str:
    names = ("calls attempted right", "calls executed right", "deviation", "iterations", "tasks done")
    rows = [
        (f"{rate:.0%}", arm.name, *(_show_value(MEASURES[name](run.by_rate[arm.name, rate]), name) for name in names))
        for rate in RATES
        for arm in (BARE, FULL)
    ]
    return render_table(("errors", "arm", *names), rows)


def _render_asked(run: DispatchRun) -> str:
    lines = []
    for column in ("recorded", "live"):
        arms = run.asked.get(column)
        if arms is None:
            lines.append(f"- **{column}**: not measured: {_REASONS[column]}.")
            continue
        for arm, runs in arms.items():
            if not runs:
                lines.append(f"- **{column}**, {arm}: not measured.")
                continue
            told = ", ".join(f"{name} {_show_value(MEASURES[name](runs), name)}" for name in MEASURES)
            lines.append(f"- **{column}**, {arm}, {len(runs)} runs: {told}.")
    return "\n".join(lines) + "\n"


def _render_errors() -> str:
    counted = count_recorded_errors()
    total = sum(one.rate for one in counted.values())
    rows = [
        (
            kind.replace("_", " "),
            f"{one.wrong} of {one.out_of}" if one.out_of else "assumed",
            one.where,
            f"{one.rate / total:.0%}",
        )
        for kind, one in counted.items()
    ]
    head = "Errors of the 1.5B model in the recordings of `metier bench models`, and their share of simulated errors:"
    return f"{head}\n\n" + render_table(("error", "counted", "where", "share"), rows)


def show(found: Measured, name: str) -> str:
    """A value with its interval."""
    value = _show_value(found.value, name)
    if found.low is None or found.high is None:
        return value
    low, high = (f"{one:.1f}" if is_count(name) else f"{100 * one:.0f}" for one in (found.low, found.high))
    return f"{value} [{low}–{high}]"


def _show_value(value: float | None, name: str) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if is_count(name) else f"{100 * value:.1f} %"
