"""Runtime that journeys run on: in a storage folder of its own, started again on request, with a clock that moves."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from langchain_core.language_models import BaseChatModel

from metier.agent import Runtime
from metier.clock import utc_now
from metier.pack import Pack
from metier.settings import Settings

_BROWSER_TIMEOUT_S: Final = 120.0


@dataclass(slots=True)
class JourneyHost:
    """A runtime with its store; `restart` closes it and opens another one on the same store."""

    settings: Settings
    packs: Sequence[Pack] = ()
    model: BaseChatModel | None = None
    runtime: Runtime = field(init=False)
    _opened: AsyncExitStack = field(default_factory=AsyncExitStack, init=False)
    _later: timedelta = field(default=timedelta(), init=False)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings,
        packs: Sequence[Pack] = (),
        *,
        model: BaseChatModel | None = None,
        storage: Path | None = None,
    ) -> AsyncIterator["JourneyHost"]:
        """Open a runtime with these packs; without a folder for its storage, in a temporary one."""
        with tempfile.TemporaryDirectory() as temporary:
            folder = storage or Path(temporary)
            changes = {
                "storage_dir": folder,
                "database_url": f"sqlite:///{folder}/journeys.sqlite3",
                # What a journey installs goes into a folder of its own, before the user's.
                "skills_dir": (folder / "skills", *settings.skills_dir),
                "skill_lock": _copy_lock(settings.skill_lock, folder),
                # A journey is about what happens, not about how fast it does.
                "browser_timeout_s": max(settings.browser_timeout_s, _BROWSER_TIMEOUT_S),
            }
            host = cls(settings.model_copy(update=changes), packs, model)
            await host.restart()
            try:
                yield host
            finally:
                await host._opened.aclose()

    @property
    def uses_builtin_model(self) -> bool:
        """Whether the fallback model answers, which gives the same words every time."""
        return self.model is None and self.settings.model == "builtin"

    async def restart(self, later: timedelta = timedelta()) -> None:
        """Close the runtime and open it again, with the clock moved on."""
        await self._opened.aclose()
        self._later += later
        self._opened = AsyncExitStack()
        opening = Runtime.open(self.settings, model=self.model, packs=self.packs, clock=self._tell_time)
        self.runtime = await self._opened.enter_async_context(opening)

    def _tell_time(self) -> datetime:
        return utc_now() + self._later


def _copy_lock(lock: Path, folder: Path) -> Path:
    """The user's approvals, in a file that a journey may change."""
    copy = folder / "skills.lock"
    if lock.is_file() and not copy.exists():
        shutil.copyfile(lock, copy)
    return copy
