"""Files of a deep run for the user: the report as Markdown, HTML and PDF, the graph as picture and as JSON."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.agent.results import file_event
from metier.agent.turn import TurnState
from metier.store import EventDraft

if TYPE_CHECKING:
    from metier.flow import FlowState

_FOLDER: Final = "analysis"


async def publish_report(state: TurnState, ended: "FlowState") -> tuple[list[EventDraft], list[str]]:
    """Write the files of a run; returns their events and paths. What cannot be written is left out."""
    folder = f"{_FOLDER}/{state.turn[:8]}"
    written = await asyncio.to_thread(_write_files, state.workspace / folder, ended)
    paths = [f"{folder}/{name}" for name in written]
    call = f"flow-{state.turn}"
    drafts = [
        draft
        for at, path in enumerate(paths)
        if (draft := await asyncio.to_thread(file_event, state.workspace, path, call, at, {})) is not None
    ]
    return drafts, paths


def _write_files(folder: Path, ended: "FlowState") -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    (folder / "report.md").write_text(ended.final_report, "utf-8")
    written.append("report.md")
    dags = [dag.to_json() for dag in ended.dags.values()]
    (folder / "dags.json").write_text(json.dumps(dags, ensure_ascii=False, default=dict), "utf-8")
    written.append("dags.json")
    return written
