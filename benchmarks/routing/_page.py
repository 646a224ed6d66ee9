"""Writes a comparison as a Markdown page, an SVG chart and a JSON file."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from textwrap import fill
from types import MappingProxyType
from typing import Final

from benchmarks.routing._compare import Comparison
from benchmarks.routing._contest import AccuracyRow
from benchmarks.routing._data import GIVEN_TITLES, Given
from benchmarks.routing._memory import NO_ROUTER
from benchmarks.routing._ours import OURS
from benchmarks.routing._peers import INSTALL_COMMAND, PEERS
from benchmarks.routing._plot import Bar, Panel, draw_bar_chart
from metier.bench import Figure
from metier.errors import UsageError

_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "clinc150": "CLINC150",
        "massive zh": "MASSIVE zh",
        "massive en": "MASSIVE en",
        "massive zh to en": "MASSIVE zh → en skills",
        "hwu64": "HWU64",
        "metatool": "MetaTool",
    },
)
_WRAP: Final = 120
_SECOND_MS: Final = 1000
_CHART: Final = "First choice right, in percent: name and ten examples of each skill"


def save_comparison(comparison: Comparison, folder: Path) -> tuple[Path, ...]:
    """Write `routing.md`, `routing.svg` and `routing.json`, replacing earlier files."""
    texts = {
        "routing.md": render_page(comparison),
        "routing.svg": render_chart(comparison),
        "routing.json": json.dumps(comparison.to_json(), ensure_ascii=False, indent=1) + "\n",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{str(folder)!r} cannot be written: {error.strerror}", hint="give another --out") from error
    return tuple(folder / name for name in texts)


def render_chart(comparison: Comparison) -> str:
    """Render the accuracy of the first choice with ten examples, a panel per set."""
    panels = [
        Panel(_TITLES[name], tuple(Bar(row.router, row.first, row.router in OURS) for row in rows))
        for name in comparison.bests
        if (rows := [row for row in comparison.rows if row.set == name and row.given == "10"])
    ]
    asked = f"{comparison.size.draws} draws of {comparison.size.messages} messages; blue is Metier"
    return draw_bar_chart(_CHART, asked, panels)


def render_page(comparison: Comparison) -> str:
    """Render the tables, a section per question, and how to read them."""
    sections = [
        _render_opening(comparison),
        *(_render_accuracy(comparison, given) for given in reversed(tuple(GIVEN_TITLES))),
        _render_pairs(comparison),
        _render_none(comparison),
        _render_calibration(comparison),
        _render_cost(comparison),
        _render_scale(comparison),
        _render_own(comparison),
        _render_caveats(comparison),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _render_opening(comparison: Comparison) -> str:
    size, peers = comparison.size, " --peers" if comparison.peers else ""
    own = " --own-test" if any(row.half == "test" for row in comparison.own) else ""
    options = f"--data DIR{peers} --draws {size.draws} --messages {size.messages}{own} --out DIR"
    return f"""# Routing, measured on families the maps have seen

**Read [catalogs nobody fitted to](unseen.md) first.** All sets of this page are *seen*: the maps that ship were learned
from their training parts.

![{_CHART}](routing.svg)

```sh
python -m benchmarks.routing {options}
```

{fill(_describe_method(comparison), _WRAP, break_long_words=False, break_on_hyphens=False)}"""


def _describe_method(comparison: Comparison) -> str:
    size, machine = comparison.size, comparison.machine
    draws = f"{size.draws} {'draw' if size.draws == 1 else 'draws'}"
    versions = ", ".join(f"{name} {found}" for name, found in comparison.versions.items())
    return (
        "This page is written by that command; every figure is in [routing.json](routing.json). An intent of a public "
        "labelled set stands for a skill. All routers are told the same of each skill and get the same messages: "
        f"{draws} of examples from the training part, with each of them {size.messages} messages of the test part "
        "(MASSIVE: dev; MetaTool has no parts: messages that were not drawn), seed "
        f"{size.seed}. Measured on {comparison.at[:10]}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, load {machine.get('load', 'unknown')}; every router on one thread. "
        f"Versions: {versions}."
    )


def _render_accuracy(comparison: Comparison, given: Given) -> str:
    rows = [row for row in comparison.rows if row.given == given]
    sets = [name for name in comparison.bests if any(row.set == name for row in rows)]
    if not sets:
        return ""
    found = {(row.router, row.set): row for row in rows}
    lines = [
        (_mark_ours(router), *(_format_shares(found.get((router, name))) for name in sets))
        for router in _order_routers(rows)
    ]
    known = [comparison.bests[name].get(given) for name in sets]
    if any(known):
        lines.append(("*best known before*", *("–" if best is None else f"*{best:.1f}*" for best in known)))
    heads = ("router", *(_TITLES[name] for name in sets))
    table = _render_table(heads, chain(lines, _iter_missing_rows(comparison, len(sets))))
    return f"## {GIVEN_TITLES[given]}: first choice right / right one among three, in %\n\n{table}"


def _format_shares(row: AccuracyRow | None) -> str:
    return "–" if row is None else f"{row.first:.1f} ± {row.first_error:.1f} / {row.among:.1f}"


def _render_pairs(comparison: Comparison) -> str:
    if not comparison.pairs:
        return ""
    lines = [
        (_mark_ours(row.router), f"{row.both:.1f} ± {row.both_error:.1f}", f"{row.among:.1f}")
        for row in comparison.pairs
    ]
    table = _render_table(("router", "both are the first two", "both are among three"), lines)
    return f"""## Two asks in one message: {_TITLES[comparison.pairs[0].set]}, name and ten examples, in %

{comparison.pairs[0].messages} messages that mean two skills each. Peers give a ranking and no more: its first two and
three count.

{table}"""


def _render_none(comparison: Comparison) -> str:
    rows = [row for row in comparison.rows if comparison.none_bests.get(row.set) or row.none or row.tuned]
    name = next((row.set for row in rows), "")
    found = {(row.router, row.given): row for row in rows}
    outside = next((said.outside for row in rows if (said := row.none or row.tuned)), 0)
    if not outside:
        return ""
    givens: tuple[Given, ...] = ("names", "5", "10")
    heads = (
        "router",
        *(f"{GIVEN_TITLES[given].lower()}: precision / recall / F1" for given in givens),
        "threshold chosen",
    )
    lines = [
        (
            _mark_ours(router),
            *(_format_abstention(found.get((router, given))) for given in givens),
            _format_abstention(found.get((router, "10")), tuned=True),
        )
        for router in _order_routers(rows)
    ]
    known = [comparison.none_bests.get(name, {}).get(given) for given in givens]
    lines.append(("*best F1 known before*", *("–" if best is None else f"*{best:.1f}*" for best in known), "–"))
    return f"""## Saying none: {_TITLES[name]}, in %

{outside} messages mean none of the skills. As they come, the peers never say none. The threshold of the last column was
chosen for each router by the best F1 on the validation part, with ten examples, and then applied to the test part.

{_render_table(heads, lines)}"""


def _format_abstention(row: AccuracyRow | None, *, tuned: bool = False) -> str:
    if row is None:
        return "–"
    found = row.tuned if tuned else row.none
    if found is None:
        return "never says none"
    return f"{found.precision:.1f} / {found.recall:.1f} / {found.f1:.1f} ± {found.f1_error:.1f}"


def _render_calibration(comparison: Comparison) -> str:
    rows = [row for row in comparison.rows if row.calibration is not None]
    if not rows:
        return ""
    sets = [name for name in comparison.bests if any(row.set == name for row in rows)]
    found = {(row.router, row.set, row.given): row.calibration for row in rows}
    lines = [
        (_mark_ours(router), *(_format_gaps(found, router, name) for name in sets)) for router in _order_routers(rows)
    ]
    table = _render_table(("router", *(_TITLES[name] for name in sets)), lines)
    return f"""## Does it know how sure it is? Calibration error in points: ten examples / five / name alone

The gap between the stated probability that the first choice is right and how often it is, over ten bins of equal width.
Similarities and word counts are no probabilities; routers that give nothing else are not listed.

{table}"""


def _format_gaps(found: Mapping[tuple[str, str, Given], float | None], router: str, name: str) -> str:
    givens: tuple[Given, ...] = ("10", "5", "names")
    gaps = [found.get((router, name, given)) for given in givens]
    return " / ".join("–" if gap is None else f"{gap:.1f}" for gap in gaps) if any(gaps) else "–"


def _render_cost(comparison: Comparison) -> str:
    first = next(iter(comparison.bests))
    rows = [row for row in comparison.rows if row.set == first and row.given == "10"]
    lines = [
        (
            _mark_ours(row.router),
            f"{row.p50_ms:.1f} ms",
            f"{row.p95_ms:.1f} ms",
            _format_megabytes(comparison, row.router),
        )
        for row in rows
    ]
    base = _format_megabytes(comparison, NO_ROUTER)
    about = f"A fresh process without any router holds {base}: that is the bench itself. " if comparison.memory else ""
    table = _render_table(("router", "one message, median", "p95", "memory of its process"), lines)
    return f"""## Time and memory: {_TITLES[first]}, ten examples

From message to answer, embedding included. {about}

{table}""".replace(". \n", ".\n")


def _format_megabytes(comparison: Comparison, router: str) -> str:
    found = comparison.memory.get(router)
    return "–" if found is None else f"{found.rss_mb:.0f} MB"


def _render_scale(comparison: Comparison) -> str:
    if not comparison.scale:
        return ""
    lines = [
        (
            figure.name,
            _format_amount(figure, figure.value),
            "" if figure.target is None else f"< {_format_amount(figure, figure.target)}",
            figure.verdict,
        )
        for figure in comparison.scale
    ]
    table = _render_table(("figure", "measured", "target", ""), lines)
    return f"""## Generated skills by the thousand

Mixed in two languages where nothing else is said. Messages: the quietest of three rounds of two hundred.

{table}"""


def _format_amount(figure: Figure, value: float) -> str:
    if figure.unit != "ms":
        return f"{value:.0f} {figure.unit}"
    return f"{value / 1000:.1f} s" if value >= _SECOND_MS else f"{value:.1f} ms"


def _render_own(comparison: Comparison) -> str:
    if not comparison.own:
        return ""
    lines = [
        (
            row.half,
            row.kind.replace("_", " "),
            f"{row.right} of {row.messages}",
            *_format_ranks(row.kind, row.first, row.among),
        )
        for row in comparison.own
    ]
    halves = {row.half for row in comparison.own}
    total = [
        f"{half}: {sum(row.right for row in comparison.own if row.half == half)} of "
        f"{sum(row.messages for row in comparison.own if row.half == half)}"
        for half in ("dev", "test")
        if half in halves
    ]
    table = _render_table(("half", "kind", "decided right", "first", "among three"), lines)
    return f"""## Our own messages, written to be hard: sixteen skills, one view

Decided right: the skills taken or offered are exactly those asked for, or none where none is meant. The dev half is
what we mend by; nothing is fitted to the test half{"" if "test" in halves else ", which was not asked in this run"}.
Together {"; ".join(total)}.

{table}"""


def _format_ranks(kind: str, first: int, among: int) -> tuple[str, str]:
    return ("–", "–") if kind == "none" else (str(first), str(among))


def _render_caveats(comparison: Comparison) -> str:
    absent = sorted(comparison.missing)
    lines = [
        "± is one standard error over the messages; that examples were drawn too is not in it.",
        "The shipped maps and calibration of Metier have learned from the training parts of these sets (of MetaTool, "
        "from the half that is not asked about), never from a message that is asked here; [the design "
        "page](../design/routing.md) has figures without a set's family.",
        "Peers run with the defaults of their libraries, the logistic regression with C = 10 for unit vectors. "
        "USE-m and MiniLM are the weights Metier uses, without its maps.",
        "By default Metier has both views for English catalogs, where the second is installed, and one view otherwise; "
        "MiniLM knows no Chinese and was not asked in it.",
        "Times depend on the machine and on what else it does: where the load is above one, they are too long. Compare "
        "within the table.",
        "A calibration error over few messages is overstated.",
        *([] if comparison.memory else ["Memory was not measured in this run."]),
        *([] if comparison.scale else ["Generated skills by the thousand were not measured in this run."]),
        *comparison.notes,
        *([f"Not installed: {', '.join(absent)}. `{INSTALL_COMMAND}`"] if absent else []),
        *([] if comparison.peers else [f"Peers were not asked. `{INSTALL_COMMAND}`, then `--peers`."]),
    ]
    return "## Read with care\n\n" + "\n".join(f"- {line}" for line in lines)


# Tables ---------------------------------------------------------------------------------------------------------------


def _order_routers(rows: Iterable[AccuracyRow]) -> list[str]:
    """Routers of these rows, ours first."""
    there = {row.router for row in rows}
    return [name for name in (*OURS, *PEERS) if name in there]


def _iter_missing_rows(comparison: Comparison, columns: int) -> Iterator[tuple[str, ...]]:
    for name in comparison.missing:
        yield (name, "not installed", *[""] * (columns - 1))


def _mark_ours(router: str) -> str:
    return f"**{router}**" if router in OURS else router


def _render_table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["--:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *lines))
