"""Whole turns of the office pack without a language model: files are attached, approvals given, results read."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from metier.agent import Runtime, TurnRequest
from metier.agent.adapters._sentences import find_dead_end_sentence
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.packs.office.conversation._documents import list_documents
from metier.packs.office.conversation._reading import read_document
from metier.settings import Settings
from metier.store import Event
from metier.workspaces import WorkspaceQuota, workspace_folder

_MAX_APPROVALS = 4


@dataclass(frozen=True, slots=True)
class Played:
    """What a message led to: the texts said, what was asked, each written file, and a dead end."""

    texts: tuple[str, ...]
    questions: tuple[str, ...]
    skills: tuple[str, ...]
    written: dict[str, Path]
    dead_end: str
    workspace: Path

    @property
    def said(self) -> str:
        return "\n".join(self.texts)

    @property
    def lines(self) -> dict[str, list[str]]:
        """The texts of each document as it is now."""
        return {one.name: _list_lines(self.workspace, one.name) for one in list_documents(self.workspace)}


class OfficeTurns:
    """Conversations that each begin with these files."""

    def __init__(self, runtime: Runtime, folder: Path) -> None:
        self._runtime = runtime
        self._folder = folder

    async def play(self, message: str, files: Sequence[Path] = (), *earlier: str, approves: bool = True) -> Played:
        """Say a message beside files and approve what is prepared; `earlier` messages are said before it."""
        made = await self._runtime.store.conversations.create("local")
        workspace = workspace_folder(self._folder, made.id)
        for one in files:
            add_attachment(workspace, one.name, one.read_bytes(), max_bytes=1 << 24, quota=WorkspaceQuota())
        for before in earlier:
            await self._say(made.id, before)
        events = await self._say(made.id, message, _MAX_APPROVALS if approves else 1)
        known = list_documents(workspace)
        texts = tuple(str(one.data["text"]) for one in events if one.kind == "text.done")
        return Played(
            texts,
            tuple(str(one.data.get("purpose")) for one in events if one.kind == "pause.opened"),
            tuple(str(one.data["skill"]) for one in events if one.kind == "skill.activated"),
            {one.name: workspace / one.current for one in known if one.is_written or one.id.startswith("documents/")},
            next(filter(None, map(find_dead_end_sentence, texts)), ""),
            workspace,
        )

    async def _say(self, conversation: str, message: str, turns: int = _MAX_APPROVALS) -> list[Event]:
        found: list[Event] = []
        words = message
        for _ in range(turns):
            events = [one async for one in self._runtime.turn(TurnRequest(words, conversation=conversation))]
            found += events
            asked = next((one for one in events if one.kind == "pause.opened"), None)
            if asked is None or asked.data.get("purpose") != "approve":
                break
            words = "可以"
        return found


def _list_lines(workspace: Path, name: str) -> list[str]:
    """The texts of a document, one for each paragraph, cell or slide."""
    document = next(one for one in list_documents(workspace) if one.name == name)
    reading = read_document(workspace, document, with_others=False)
    cells = [f"{sheet.name}!{one.address} {one.value}" for sheet in reading.sheets for one in sheet.cells]
    slides = [" / ".join((one.title, *one.texts)) for one in reading.slides]
    return [*(one.line for one in reading.pieces), *cells, *slides]


@asynccontextmanager
async def open_turns(folder: Path) -> AsyncIterator[OfficeTurns]:
    """A runtime with the office pack and no language model."""
    settings = Settings(skills_dir=(), storage_dir=folder, embedder="none")
    async with Runtime.open(settings, packs=select_packs(settings, ["office"]).found) as runtime:
        yield OfficeTurns(runtime, folder)
