"""Tools of packs, loaded when somebody needs them: importing what they are built from takes half a second."""

import threading
from collections.abc import Iterable

from metier.pack._installed import load_pack_tools
from metier.pack._pack import Pack
from metier.settings import Settings
from metier.tools import Tool


class LatePackTools:
    """The tools of the packs, loaded once: by the first turn, or by a server as soon as it is ready."""

    def __init__(self, packs: Iterable[Pack], settings: Settings, taken: Iterable[str] = ()) -> None:
        self._packs, self._settings, self._taken = tuple(packs), settings, tuple(taken)
        self._lock = threading.Lock()
        self._tools: tuple[Tool, ...] | None = None if self._packs else ()

    @property
    def is_loaded(self) -> bool:
        """Whether `load` answers at once."""
        return self._tools is not None

    def load(self) -> tuple[Tool, ...]:
        """Load the tools, or wait until another thread has; what cannot be loaded is logged and left out."""
        with self._lock:
            if self._tools is None:
                self._tools = load_pack_tools(self._packs, self._settings, self._taken)
            return self._tools
