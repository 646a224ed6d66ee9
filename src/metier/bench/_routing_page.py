"""The comparison as a page, a chart and one JSON file, for people who doubt a figure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from textwrap import fill
from types import MappingProxyType
from typing import Final

from metier.bench._peers import INSTALL, PEERS
from metier.bench._plot import Bar, Panel, bar_chart
from metier.bench._routing_compare import Comparison
from metier.bench._routing_contest import Row
from metier.bench._routing_data import GIVEN, Given
from metier.bench._routing_measures import Abstention
from metier.bench._routing_memory import NOTHING
from metier.bench._routing_ours import OURS
from metier.errors import UsageError

_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "clinc150": "CLINC150",
        "massive zh": "MASSIVE zh",
        "massive en": "MASSIVE en",
        "hwu64": "HWU64",
        "metatool": "MetaTool",
    },
)
_TOLD: Mapping[Given, str] = MappingProxyType(
    {
        "10": "Name and ten examples",
        "5": "Name and five examples",
        "names": "Name alone",
        "descriptions": "Name and description",
    },
)
_WRAP: Final = 120
_SECOND_MS: Final = 1000
_CHART: Final = "First choice right, in percent: name and ten examples of each skill"


def save_comparison(comparison: Comparison, folder: Path) -> tuple[Path, ...]:
    """Write `routing.md`, `routing.svg` and `routing.json`; what was there is replaced."""
    texts = {
        "routing.md": page(comparison),
        "routing.svg": chart(comparison),
        "routing.json": json.dumps(comparison.to_json(), ensure_ascii=False, indent=1) + "\n",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{str(folder)!r} cannot be written: {error.strerror}", hint="give another --out") from error
    return tuple(folder / name for name in texts)


def chart(comparison: Comparison) -> str:
    """The first choices with ten examples, a panel for each set."""
    panels = [
        Panel(_TITLES[name], tuple(Bar(row.router, row.first, row.router in OURS) for row in rows))
        for name in comparison.bests
        if (rows := [row for row in comparison.rows if row.set == name and row.given == "10"])
    ]
    asked = f"{comparison.size.draws} draws of {comparison.size.messages} messages; blue is Metier"
    return bar_chart(_CHART, asked, panels)


def page(comparison: Comparison) -> str:
    """The tables, a section for each question, and how to read them."""
    sections = [
        _opening(comparison),
        *(_accuracy(comparison, given) for given in reversed(GIVEN)),
        _none(comparison),
        _calibration(comparison),
        _cost(comparison),
        _scale(comparison),
        _own(comparison),
        _care(comparison),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _opening(comparison: Comparison) -> str:
    size, peers = comparison.size, " --peers" if comparison.peers else ""
    command = f"metier bench routing --data DIR{peers} --draws {size.draws} --messages {size.messages} --out DIR"
    return f"""# Routing, measured

![{_CHART}](routing.svg)

```sh
{command}
```

{fill(_manner(comparison), _WRAP, break_long_words=False, break_on_hyphens=False)}"""


def _manner(comparison: Comparison) -> str:
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


def _accuracy(comparison: Comparison, given: Given) -> str:
    rows = [row for row in comparison.rows if row.given == given]
    sets = [name for name in comparison.bests if any(row.set == name for row in rows)]
    if not sets:
        return ""
    lines = []
    for router, by_set in _by_router(rows).items():
        cells = [_shares(by_set.get(name)) for name in sets]
        lines.append((_bold(router), *cells))
    if given == "10":
        known = (comparison.bests[name] for name in sets)
        lines.append(("*best known before*", *("–" if best is None else f"*{best:.1f}*" for best in known)))
    heads = ("router", *(_TITLES[name] for name in sets))
    table = _table(heads, chain(lines, _absent(comparison, len(sets))))
    return f"## {_TOLD[given]}: first choice right / right one among three, in %\n\n{table}"


def _shares(row: Row | None) -> str:
    return "–" if row is None else f"{row.first:.1f} ± {row.first_error:.1f} / {row.among:.1f}"


def _none(comparison: Comparison) -> str:
    rows = [row for row in comparison.rows if row.given == "10" and (row.none or row.tuned)]
    if not rows:
        return ""
    heads = ("router", "as it comes: precision / recall / F1", "threshold chosen: precision / recall / F1")
    lines = [(_bold(row.router), _said(row.none), _said(row.tuned)) for row in rows]
    outside = next(found.outside for row in rows if (found := row.none or row.tuned))
    return f"""## Saying none: {_TITLES[rows[0].set]}, ten examples, in %

{outside} messages mean none of the skills. As they come, the peers never say none. The threshold of the second column
was chosen for each router by the best F1 on the validation part, draw by draw, and then applied to the test part.

{_table(heads, lines)}"""


def _said(found: Abstention | None) -> str:
    if found is None:
        return "never says none"
    return f"{found.precision:.1f} / {found.recall:.1f} / {found.f1:.1f} ± {found.f1_error:.1f}"


def _calibration(comparison: Comparison) -> str:
    rows = [row for row in comparison.rows if row.given == "10" and row.calibration is not None]
    if not rows:
        return ""
    sets = [name for name in comparison.bests if any(row.set == name for row in rows)]
    lines = [
        (_bold(router), *("–" if (row := by_set.get(name)) is None else f"{row.calibration:.1f}" for name in sets))
        for router, by_set in _by_router(rows).items()
    ]
    table = _table(("router", *(_TITLES[name] for name in sets)), lines)
    return f"""## Does it know how sure it is? Calibration error, ten examples, in points

The gap between the stated probability that the first choice is right and how often it is, over ten bins of equal width.
Similarities and word counts are no probabilities; routers that give nothing else are not listed.

{table}"""


def _cost(comparison: Comparison) -> str:
    first = next(iter(comparison.bests))
    rows = [row for row in comparison.rows if row.set == first and row.given == "10"]
    lines = [
        (_bold(row.router), f"{row.p50_ms:.1f} ms", f"{row.p95_ms:.1f} ms", _megabytes(comparison, row.router))
        for row in rows
    ]
    base = _megabytes(comparison, NOTHING)
    about = f"A fresh process without any router holds {base}: that is the bench itself. " if comparison.memory else ""
    table = _table(("router", "one message, median", "p95", "memory of its process"), lines)
    return f"""## Time and memory: {_TITLES[first]}, ten examples

From message to answer, embedding included. {about}

{table}""".replace(". \n", ".\n")


def _megabytes(comparison: Comparison, router: str) -> str:
    found = comparison.memory.get(router)
    return "–" if found is None else f"{found.rss_mb:.0f} MB"


def _scale(comparison: Comparison) -> str:
    if not comparison.scale:
        return ""
    lines = [
        (figure.name, _time(figure.value), f"< {_time(figure.target)}", "✓" if figure.ok else "✗")
        for figure in comparison.scale
    ]
    return "## Generated skills by the thousand\n\n" + _table(("figure", "measured", "target", ""), lines)


def _time(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= _SECOND_MS else f"{ms:.1f} ms"


def _own(comparison: Comparison) -> str:
    if not comparison.own:
        return ""
    lines = [
        (
            row.half,
            row.kind.replace("_", " "),
            f"{row.right} of {row.messages}",
            *_ranks(row.kind, row.first, row.among),
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
    table = _table(("half", "kind", "decided right", "first", "among three"), lines)
    return f"""## Our own messages, written to be hard: sixteen skills, one view

Decided right: the skills taken or offered are exactly those asked for, or none where none is meant. The dev half is
what we mend by; nothing is fitted to the test half{"" if "test" in halves else ", which was not asked in this run"}.
Together {"; ".join(total)}.

{table}"""


def _ranks(kind: str, first: int, among: int) -> tuple[str, str]:
    return ("–", "–") if kind == "none" else (str(first), str(among))


def _care(comparison: Comparison) -> str:
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
        *([f"Not installed: {', '.join(absent)}. `{INSTALL}`"] if absent else []),
        *([] if comparison.peers else [f"Peers were not asked. `{INSTALL}`, then `--peers`."]),
    ]
    return "## Read with care\n\n" + "\n".join(f"- {line}" for line in lines)


# Tables ---------------------------------------------------------------------------------------------------------------


def _by_router(rows: Iterable[Row]) -> dict[str, dict[str, Row]]:
    found: dict[str, dict[str, Row]] = {name: {} for name in (*OURS, *PEERS)}
    for row in rows:
        found[row.router][row.set] = row
    return {router: by_set for router, by_set in found.items() if by_set}


def _absent(comparison: Comparison, columns: int) -> Iterator[tuple[str, ...]]:
    for name in comparison.missing:
        yield (name, "not installed", *[""] * (columns - 1))


def _bold(router: str) -> str:
    return f"**{router}**" if router in OURS else router


def _table(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["--:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *lines))
