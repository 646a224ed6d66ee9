"""Writing of a document in a process that dies in it."""

import asyncio
import os
import signal
from pathlib import Path

from metier.agent import Runtime, TurnRequest
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.packs.office.files import _versions
from metier.settings import Settings
from metier.workspaces import WorkspaceQuota, workspace_folder


def write_document(storage: Path, file: Path, *, resume: bool) -> str:
    """Change a document, or go on with the interrupted change of one; the kind of the last event."""
    return asyncio.run(_write(storage, file.name, file.read_bytes(), resume=resume))


async def _write(storage: Path, name: str, content: bytes, *, resume: bool) -> str:
    settings = Settings(skills_dir=(), storage_dir=storage, embedder="none", lease_s=0.2)
    async with Runtime.open(settings, packs=select_packs(settings, ["office"]).found) as runtime:
        if resume:
            while not (turns := await runtime.resume_interrupted(go_on=False)):  # noqa: ASYNC110
                await asyncio.sleep(0.1)  # the lease of the process that died has to pass
            events = [one async for one in runtime.resume(turns[0].id)]
            # Nobody knows how far the call came, so the person is asked, and approves the second try.
            while events[-1].kind == "pause.opened":
                asked = events[-1].data
                is_outcome = asked.get("purpose") == "outcome"
                answered = runtime.answer(str(asked["pause"]), "retry" if is_outcome else {"decision": "approve"})
                events = [one async for one in answered]
        else:
            talk = (await runtime.store.conversations.create("local")).id
            quota = WorkspaceQuota(max_files=200)
            folder = workspace_folder(storage, talk)
            add_attachment(folder, name, content, max_bytes=1 << 24, quota=quota)
            request = TurnRequest("把“六个月”改成“十二个月”", conversation=talk, skill="document_edit")
            events = [one async for one in runtime.turn(request)]
            pause = next(str(one.data["pause"]) for one in events if one.kind == "pause.opened")
            setattr(_versions, "replace_file", _die_at_the_document)  # noqa: B010 - private to the module
            events = [one async for one in runtime.answer(pause, {"decision": "approve"})]
        return events[-1].kind


def _die_at_the_document(target: Path, content: bytes) -> None:
    """The version is kept, the document itself is not yet written."""
    if target.parent.name == "documents":
        os.kill(os.getpid(), signal.SIGKILL)
    target.write_bytes(content)
