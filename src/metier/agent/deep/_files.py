"""Files of a deep run for the user: the report as Markdown, HTML and PDF, the graph as picture and as JSON."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.agent.results import file_event
from metier.agent.turn import TurnState
from metier.errors import Unavailable
from metier.store import EventDraft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metier.flow import FlowState
    from metier.json_values import JsonObject

_FOLDER: Final = "analysis"
_MAX_TITLE_CHARS: Final = 80
_ORDER: Final = ("dag.png", "report.html", "report.pdf", "report.md", "dag.svg", "dags.json")


async def publish_report(state: TurnState, ended: "FlowState", rules: object) -> tuple[list[EventDraft], list[str]]:
    """Write the files of a run with the pictures its rules draw; returns their events and paths.

    What cannot be written is left out.
    """
    folder = f"{_FOLDER}/{state.turn[:8]}"
    written = await asyncio.to_thread(_write_files, state.workspace / folder, ended, rules)
    paths = [f"{folder}/{name}" for name in written]
    call = f"flow-{state.turn}"
    drafts = [
        draft
        for at, path in enumerate(paths)
        if (draft := await asyncio.to_thread(_make_event, state.workspace, path, call, at)) is not None
    ]
    return drafts, paths


def _make_event(workspace: Path, path: str, call: str, number: int) -> EventDraft | None:
    """Event of a written file; the SVG is the picture of the PNG once more and is only there to be saved."""
    return file_event(workspace, path, call, number, {}, to_save=path.endswith(".svg"))


def _write_files(folder: Path, ended: "FlowState", rules: object) -> list[str]:
    """Names of the files that could be written; pictures and PDF need extras that may be missing."""
    from metier.exports import build_report, write_document
    from metier.flow import DrawingRules, draw_dags, render_flow_sentence, render_mermaid, render_png, render_svg

    folder.mkdir(parents=True, exist_ok=True)
    kept = ended.reflections[-1].keep if ended.reflections else {}
    cards = draw_dags(ended.dags.values(), kept, language=ended.language)
    title = render_flow_sentence("workflow", ended.language)
    files: dict[str, bytes] = {}
    if cards:
        with suppress(Unavailable):
            files["dag.png"] = render_png(cards)
            files["dag.svg"] = render_svg(cards).encode()
    picture = f"![{title}](dag.png)" if "dag.png" in files else f"```mermaid\n{render_mermaid(cards)}\n```"
    drawn: Mapping[str, bytes] = {}
    if isinstance(rules, DrawingRules):
        with suppress(Unavailable):
            drawn = rules.draw(ended)
    report = ended.final_report.rstrip()
    for number, (name, content) in enumerate(drawn.items(), 1):
        files[f"plot-{number}.png"] = content
        report += f"\n\n![{name}](plot-{number}.png)"
    text = f"{report}\n\n## {title}\n\n{picture}\n" if cards else ended.final_report
    files["report.md"] = text.encode()
    document = build_report(ended.user_instruction[:_MAX_TITLE_CHARS], text, ended.language, files)
    for form in ("html", "pdf"):
        with suppress(Unavailable):
            files[f"report.{form}"] = write_document(document, form)
    dags: JsonObject = {"dags": [dag.to_json() for dag in ended.dags.values()]}
    files["dags.json"] = json.dumps(dags, ensure_ascii=False, default=dict).encode()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return sorted(files, key=lambda name: _ORDER.index(name) if name in _ORDER else -1)
