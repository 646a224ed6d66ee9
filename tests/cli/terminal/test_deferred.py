"""A deferred package gives one of its modules without the others, and everything to whoever asks for a name of it."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.cli.terminal import defer_packages

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
