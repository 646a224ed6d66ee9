"""Writes the page of the suite `models`: the figures, one conversation on three models, one stage with and without."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from metier.agent import RecordedReply
from metier.bench._figures import COLUMNS, Figure, pivot
from metier.bench._markdown import render_table
from metier.bench.models._conversations import CASES, HeldConversation, hold_conversation
from metier.bench.models._data import read_refusals
from metier.bench.models._measure import STALE, ColumnResults, keep_current, list_stale, to_figures
from metier.bench.models._recordings import KINDS, find_recording, read_recordings

_MAX_SHOWN_CHARS: Final = 700
_MAX_CELL_CHARS: Final = 160
_HEAD: Final = """# Models, measured

```sh
metier bench models --page docs/benchmarks/models.md
```

This page is written by that command. **scripted**: a model that makes no mistakes, which shows what the runtime itself
loses. **recorded**: answers of {model}, recorded on {dates}
(model and recordings: {licence}), read today through the same decoding and the same runtime as a model that is asked.
**live**: the model of `METIER_MODEL` at `METIER_BASE_URL`, asked with `--live`; `make live-model` serves the recorded
one. Each of its answers is kept as it comes: with `--minutes` a long run is spent in pieces, and the next one goes on.

{messages} messages were written for this suite, in Chinese and English, over 16 skills; {none} of them are for none.
The form of the menu was tried on 27 messages of the development part of another set (`benchmarks/routing/data`), never
on these; that a small model hardly ever said "none" had been seen here before.
{stale}

"""
_READING: Final = """
What the recorded column says:

- Shown how to choose by a few examples before it is asked, a model of 1.5B parameters chooses better than the router:
  of its former mistakes most were skills that it named for a message that is for none. Under an instruction alone,
  without the examples, it chose 46 of these 66 right, and 3 of the 18 that are for none.
- Router and model together are better than either, whether the model is asked wherever the router takes no skill
  (`METIER_MODEL_CHOOSES=unless_sure`) or only where the router suggests one, which is the default for a model of one's
  own because it costs fewer calls.
- What a choice costs on average is in the rows "tokens of a choice": together with the router the model is asked about
  a fifth of the messages. Recordings hold no times; a column live has them ("time of a choice").
- A schema keeps it from naming what is not on offer. It does not make it wise: asked for a forbidden tool, it calls an
  allowed one instead of saying no. What the call may do is still decided by the gate.
- Tokens are counted with the encoding and the chat template of the model's family (OpenAI's, Qwen's; others by
  OpenAI's), and scaled by what the endpoint reports.
- Native and text modes were recorded for a part of the messages (the first of each skill, some for none). In native
  mode the model writes calls as fenced text, or asks back.
"""
_LIVE: Final = """
## Asked live

On 2026-11-17 the same model was asked live, on one thread of a busy machine with two cores (24 tokens of a prompt and 6
of a reply in a second): all answers of that date in the recordings, which is what the column recorded replays, and the
first example of each pack. The column live needs a server while the page is written.

| pack | message | model calls | what a scripted model had not shown, and what is done now |
| --- | --- | --- | --- |
| telecom | 帮我分析一下朝阳区的弱覆盖问题 | 0, report 1 | 13 places became 13°: the report is replaced |
| telecom | 信号不好 | 2 | no skill taken, an answer in general words: the router's suggestions are buttons below it |
| telecom | 第二个小区的 RSRP 是多少？ | 1 | simulated instead of reading the table: answered from the results |
| telecom | 不用了 | report 1 | the worst cell's level given to every cause: the report is replaced |
| phm | Diagnose the bearing of pump 1 | 1 | options as findings, no verdict, all of it twice: now the verdict |
| life | 用塔罗看看我最近的处境 | 1 | recited its prompt: the template is shown |
| office | 整理示例录音稿的会议纪要 | 0 | nothing: plan and preview need no model |
| workspace | 分析新能源汽车市场趋势 | 2 | tool results were counted 14 % too high: counted as sent |
"""


def render_page(results: Sequence[ColumnResults]) -> str:
    """The page as Markdown."""
    figures = [figure for one in results for figure in to_figures(one)]
    parts = [
        _render_head(results),
        render_figures(figures),
        "\n",
        *_iter_misses(figures),
        render_without_stale(results),
        _READING,
        _render_conversations(results),
        _render_refusals(),
        _LIVE,
    ]
    return "".join(parts)


def render_figures(figures: Iterable[Figure]) -> str:
    """Figures of all columns as a table."""
    return render_table(("figure", *COLUMNS, "target"), pivot(figures, COLUMNS))


def _render_head(results: Sequence[ColumnResults]) -> str:
    rows = [row for kind in KINDS for row in read_recordings(kind)]
    stale = [name for one in results if one.column == "recorded" for name in list_stale(one)]
    choices = {one.id: one.label for one in read_recordings("choice")}
    return _HEAD.format(
        model=" and ".join(sorted({row.model for row in rows})),
        dates=" and ".join(sorted({row.date for row in rows})),
        licence=rows[0].licence,
        messages=len(choices),
        none=sum(not label for label in choices.values()),
        stale=render_stale(stale, len(rows)),
    )


def render_stale(stale: Sequence[str], total: int) -> str:
    """What the page says of recordings that answer another prompt than today's."""
    if not stale:
        return f"All {total} recorded answers were given to the very prompt that is sent today."
    named = ", ".join(f"`{one}`" for one in stale)
    return (
        f"{total - len(stale)} of {total} recorded answers were given to the very prompt that is sent today. Not so: "
        f"{named}.\n`python -m benchmarks.live_model --record` asks for these anew."
    )


def render_without_stale(results: Sequence[ColumnResults]) -> str:
    """Figures that recordings to another prompt are part of, with and without these; empty if there are none."""
    found = next((one for one in results if one.column == "recorded" and list_stale(one)), None)
    if found is None:
        return ""
    current = {figure.name: figure for figure in to_figures(keep_current(found))}
    rows = []
    for figure in to_figures(found):
        kept = current.get(figure.name)
        if figure.name != STALE and (kept is None or (kept.value, kept.unit) != (figure.value, figure.unit)):
            rows.append((figure.name, _show(figure), "none of today's prompt" if kept is None else _show(kept)))
    table = render_table(("figure", "all recordings", "only answers to today's prompt"), rows)
    return f"\nRecorded figures that such answers are part of, with and without them:\n\n{table}"


def _show(figure: Figure) -> str:
    return f"{figure.value:.3g} {figure.unit}"


def _iter_misses(figures: Iterable[Figure]) -> Iterator[str]:
    for figure in figures:
        if not figure.ok:
            yield (
                f"- **missed**: {figure.name}, {figure.column}: {figure.value:.3g} {figure.unit}, "
                f"target {figure.target_text}.\n"
            )


def _render_conversations(results: Sequence[ColumnResults]) -> str:
    case = CASES[0]
    held: dict[str, HeldConversation] = {"builtin": asyncio.run(hold_conversation(case, None))}
    for column in results:
        held.update((_name_row(column.column, one), one) for one in column.conversations if one.case == case)
    lines = [
        (
            name,
            f"{one.score.checks - len(one.score.failed)} of {one.score.checks}",
            one.model_calls,
            _sum(one),
            ", ".join(one.refused),
        )
        for name, one in held.items()
    ]
    table = render_table(("model", "checks", "model calls", "prompt tokens", "refused for"), lines)
    answers = "".join(f"\n**{name}**\n\n{_quote(one.answer)}\n" for name, one in held.items())
    return f"\n## One conversation on each model\n\nCase `{case}` of the telecom pack.\n\n{table}{answers}"


def _name_row(column: str, held: HeldConversation) -> str:
    is_older = column == "recorded" and not held.is_same_prompt
    return f"{column}, to an older prompt" if is_older else column


def _render_refusals() -> str:
    lines = []
    for case in read_refusals():
        found = [find_recording("refusals", case.id, mode) for mode in ("native", "schema")]
        said = [f"`{_shorten(_render_reply(one.replies[0]))}`" if one and one.replies else "–" for one in found]
        lines.append((case.text, *said))
    table = render_table(("asked for", "without a schema", "under the schema of what is allowed"), lines)
    return (
        "\n## A stage that cannot name a forbidden tool\n\nOnly `list_cells` and `plan_simulation` are on offer. Raw "
        f"first answers of the recorded model:\n\n{table}"
    )


def _render_reply(reply: RecordedReply) -> str:
    return " ".join([reply.text, *(f"{name}({arguments})" for name, arguments in reply.calls)]).strip()


def _sum(held: HeldConversation) -> int:
    return sum(held.counted_tokens)


def _shorten(text: str) -> str:
    line = " ".join(text.replace("`", "").split())
    return line if len(line) <= _MAX_CELL_CHARS else f"{line[: _MAX_CELL_CHARS - 1]}…"


def _quote(text: str) -> str:
    shown = text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"
    return "\n".join(f"> {line}".rstrip() for line in shown.splitlines())
