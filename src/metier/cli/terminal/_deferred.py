"""What packages of others do at import for a few who use it: done when it is used.

Some import 200 modules for the few names that LangChain takes out of single modules of theirs: a sixth of a second of
every command that loads an agent. Whoever asks such a package itself for a name gets all of it. Some define Pydantic
models that describe an API to its readers, or traces to a service: their validators took an eighth of a second.
"""

import sys
import threading
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

_PACKAGES: Final = frozenset({"langchain.agents.middleware", "langgraph_sdk", "langsmith.types"})
_MODEL_MODULES: Final = frozenset(
    {"fastapi.exceptions", "fastapi.openapi.models", "langsmith.run_trees", "langsmith.schemas"}
)


def defer_packages(names: frozenset[str] = _PACKAGES) -> None:
    """From now on, import these packages without what is in their `__init__`, until a name of it is asked for."""
    if not any(isinstance(finder, _DeferredFinder) and finder.names == names for finder in sys.meta_path):
        sys.meta_path.insert(0, _DeferredFinder(names))


def defer_models(modules: frozenset[str] = _MODEL_MODULES) -> None:
    """From now on, the Pydantic models of these modules build their validators when they are first used."""
    if not any(isinstance(finder, _LateModelsFinder) and finder.names == modules for finder in sys.meta_path):
        sys.meta_path.insert(0, _LateModelsFinder(modules))


class _WrappingFinder(MetaPathFinder):
    wrapper: type["_DeferredLoader | _LateModelsLoader"]

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = self.wrapper(spec.loader)
        return spec


class _LateModelsLoader(Loader):
    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        from pydantic import BaseModel

        before = BaseModel.model_config.get("defer_build")
        BaseModel.model_config["defer_build"] = True
        try:
            self._loader.exec_module(module)
        finally:
            if before is None:
                del BaseModel.model_config["defer_build"]


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


class _DeferredFinder(_WrappingFinder):
    wrapper = _DeferredLoader


class _LateModelsFinder(_WrappingFinder):
    wrapper = _LateModelsLoader
