from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.tools.sandbox import _bubblewrap, bubblewrap_prefix


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    bubblewrap_prefix.cache_clear()
    yield
    bubblewrap_prefix.cache_clear()


@pytest.fixture
def binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "bwrap"
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    monkeypatch.setattr(_bubblewrap, "_find_binary", lambda: str(path))
    return path


def test_a_working_one_gives_the_words_to_put_before(binary: Path) -> None:
    prefix = bubblewrap_prefix(root=False)
    assert prefix is not None
    assert (prefix[0], prefix[-1]) == (str(binary), "--")
    assert {"--unshare-net", "--unshare-pid", "--die-with-parent"} <= set(prefix)
    assert [prefix[at + 1] for at, word in enumerate(prefix) if word == "--cap-add"] == ["CAP_SYS_ADMIN"]


def test_root_keeps_only_what_the_supervisor_needs(binary: Path) -> None:
    prefix = bubblewrap_prefix(root=True)
    assert prefix is not None
    at = prefix.index("--cap-drop")
    assert prefix[at + 1] == "ALL"
    assert prefix[at + 2 :: 2][:7] == ("--cap-add",) * 7


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", "#!/no/such/shell\n"], ids=["refused", "broken"])
def test_one_that_may_not_make_namespaces_is_none(text: str, binary: Path) -> None:
    binary.write_text(text)
    assert bubblewrap_prefix(root=False) is None


def test_none_installed_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_bubblewrap, "_find_binary", lambda: None)
    assert (bubblewrap_prefix(root=False), _bubblewrap.is_installed()) == (None, False)
