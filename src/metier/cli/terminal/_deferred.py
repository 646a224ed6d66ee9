"""Packages of others that are imported with all their modules for the sake of one: each module when it is needed.

These import 200 modules for the few names that LangChain takes out of single modules of theirs:
a sixth of a second of every command that loads an agent. Whoever asks the package itself for a name gets all of it.
"""

import sys
import threading
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

_PACKAGES: Final = frozenset({"langchain.agents.middleware", "langgraph_sdk", "langsmith.types"})


def defer_packages(names: frozenset[str] = _PACKAGES) -> None:
    """From now on, import these packages without what is in their `__init__`, until a name of it is asked for."""
    if not any(isinstance(finder, _DeferredFinder) and finder.names == names for finder in sys.meta_path):
        sys.meta_path.insert(0, _DeferredFinder(names))


class _DeferredFinder(MetaPathFinder):
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _DeferredLoader(spec.loader)
        return spec


class _DeferredLoader(Loader):
    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._lock = threading.Lock()
        self._loading: int | None = None  # the thread that runs the module now

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        def load_attribute(name: str) -> object:
            if self._loading == threading.get_ident():  # the module asks for what it has not made yet
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            with self._lock:  # whoever asks meanwhile waits; a module that fails is tried again
                if vars(module).get("__getattr__") is load_attribute:
                    self._load(module)
                    if vars(module).get("__getattr__") is load_attribute:
                        del vars(module)["__getattr__"]
            return getattr(module, name)

        vars(module)["__getattr__"] = load_attribute

    def _load(self, module: ModuleType) -> None:
        self._loading = threading.get_ident()
        try:
            self._loader.exec_module(module)
        finally:
            self._loading = None
