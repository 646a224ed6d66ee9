"""A deferred package gives one of its modules without the others, and everything to whoever asks for a name of it."""

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from metier.cli.terminal import defer_models, defer_packages

NAME = "deferred_garden"


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package whose `__init__` imports both of its modules."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "__init__.py").write_text(f"from {NAME}.rose import ROSE\nfrom {NAME}.tree import TREE\n")
    (folder / "rose.py").write_text("ROSE = 'rose'\n")
    (folder / "tree.py").write_text("TREE = 'tree'\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    defer_packages(frozenset({NAME}))
    yield
    for name in [one for one in sys.modules if one.startswith(NAME)]:
        del sys.modules[name]


@pytest.mark.usefixtures("garden")
def test_a_module_of_a_deferred_package_is_imported_without_the_others() -> None:
    assert importlib.import_module(f"{NAME}.rose").ROSE == "rose"
    assert f"{NAME}.tree" not in sys.modules


@pytest.mark.usefixtures("garden")
def test_a_name_of_a_deferred_package_loads_all_of_it() -> None:
    package = importlib.import_module(NAME)
    assert package.TREE == "tree"
    assert package.ROSE == "rose"
    assert not hasattr(package, "LAWN")


@pytest.mark.usefixtures("garden")
def test_packages_are_deferred_once_however_often_it_is_asked_for() -> None:
    before = len(sys.meta_path)
    defer_packages(frozenset({NAME}))
    assert len(sys.meta_path) == before


@pytest.mark.usefixtures("garden")
def test_a_name_that_is_asked_for_while_another_thread_loads_the_package_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / NAME / "rose.py").write_text(
        "import threading\nSTARTED, GO_ON = threading.Event(), threading.Event()\n"
        f"import sys\nsys.modules['{NAME}'].__dict__['held'] = (STARTED, GO_ON)\n"
        "STARTED.set()\nassert GO_ON.wait(20)\nROSE = 'rose'\n"
    )
    package, found = importlib.import_module(NAME), list[str]()
    threads = [threading.Thread(target=lambda: found.append(package.TREE)) for _ in range(2)]
    threads[0].start()
    while "held" not in vars(package):
        threads[0].join(0.005)
    vars(package)["held"][0].wait(20)
    threads[1].start()
    threads[1].join(0.05)
    vars(package)["held"][1].set()
    for one in threads:
        one.join(20)
    assert found == ["tree", "tree"]


@pytest.mark.usefixtures("garden")
def test_a_package_that_cannot_be_loaded_says_why_each_time(tmp_path: Path) -> None:
    (tmp_path / NAME / "tree.py").write_text("raise ImportError('no soil')\n")
    package = importlib.import_module(NAME)
    for _ in range(2):
        with pytest.raises(ImportError, match="no soil"):
            _ = package.TREE


def test_models_of_a_deferred_module_are_built_when_they_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "deferred_plants"
    (tmp_path / f"{name}.py").write_text("from pydantic import BaseModel\nclass Rose(BaseModel):\n    petals: int\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    for _ in range(2):
        defer_models(frozenset({name}))
    rose = importlib.import_module(name).Rose
    del sys.modules[name]
    assert not rose.__pydantic_complete__
    assert rose(petals="5").petals == 5
    assert rose.__pydantic_complete__
    assert "defer_build" not in BaseModel.model_config
