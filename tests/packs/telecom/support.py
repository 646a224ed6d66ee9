"""A small network for the tools: three sites, cheap to compute and to tune, as a scenario of the user's own."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from metier.pack import PackContext
from metier.packs.telecom import tools
from metier.settings import Settings
from metier.tools import (
    Executor,
    MemoryLedger,
    Outcome,
    Preview,
    PreviewableTool,
    Registry,
    Tool,
    ToolCall,
    ToolContext,
    gate_for,
)
from tests.packs.telecom.twin.support import write

SMALL = "DT29990101"


def _own(made: dict[str, object]) -> None:
    part = made["scenario"]
    assert isinstance(part, dict)
    part.update(
        id=SMALL, district="试验区", title_zh="北京市试验区4G弱覆盖", title_en="Trial, Beijing: weak 4G coverage"
    )
    cells = made["cell"]
    assert isinstance(cells, list)
    for cell in cells:  # whispering beams that hit the ground at the mast: there is something to mend
        cell.update(electrical_tilt_deg=16, power_dbm=20)


def storage_with_small(folder: Path) -> Path:
    """A pack's storage folder with the small network in it."""
    (folder / "scenarios").mkdir(parents=True)
    write(folder / "scenarios", _own, name=f"{SMALL}.json")
    return folder


class Toolbox:
    """The pack's tools behind a real gate and a real executor."""

    def __init__(self, storage: Path) -> None:
        settings = Settings(skills_dir=(), storage_dir=storage, embedder="none")
        self.tools: dict[str, Tool] = {one.spec.name: one for one in tools(PackContext(settings, storage))}
        self._registry = Registry(self.tools.values())
        self._storage = storage
        self.user = ""

    def outcome(
        self,
        name: str,
        arguments: dict[str, Any],
        *,
        approved: bool = True,
        progress: Callable[[float, str], None] | None = None,
    ) -> Outcome:
        gate = gate_for((), tools=self._registry)
        run = Executor(self._registry, MemoryLedger()).run(
            ToolCall("1", name, arguments),
            gate=gate,
            context=ToolContext(self._storage, progress=progress, user=self.user),
            approved=approved,
        )
        return asyncio.run(run)

    def data(self, name: str, **arguments: Any) -> Any:
        """The data of a call that must succeed, as it is sent."""
        result = self.outcome(name, arguments).result
        assert result.ok, result.failure
        return json.loads(json.dumps(result.data, default=dict))

    def preview(self, name: str, **arguments: Any) -> Preview:
        """What an approver is shown of a call."""
        tool = self.tools[name]
        assert isinstance(tool, PreviewableTool)
        shown = asyncio.run(tool.preview(arguments, ToolContext(self._storage)))
        assert shown is not None
        return shown

    def hint(self, name: str, **arguments: Any) -> str:
        """What a call that must fail says."""
        failure = self.outcome(name, arguments).result.failure
        assert failure is not None
        return f"{failure.code}: {failure.message} {failure.hint}"
