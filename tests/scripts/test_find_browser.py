"""The browser of the tests: a headless shell comes first, and a package that a machine does not have costs no other."""

from pathlib import Path

import pytest

from scripts import find_browser


def _add_program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_a_headless_shell_is_taken_before_a_browser_with_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    whole = _add_program(tmp_path, "chromium")
    assert find_browser.find_browser() == whole
    shell = _add_program(tmp_path, "chromium-headless-shell")
    assert find_browser.find_browser() == shell
    monkeypatch.setenv("METIER_BROWSER", whole)
    assert find_browser.find_browser() == whole


def test_the_shell_is_asked_for_alone_because_not_every_release_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _add_program(tmp_path, "apt-get")
    _add_program(tmp_path, "chromium")
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    asked: list[set[str]] = []
    monkeypatch.setattr(find_browser, "run_command", lambda *command: asked.append(set(command)))
    find_browser.install_browser()
    (with_shell,) = [words for words in asked if find_browser.SHELL_PACKAGE in words]
    assert not with_shell & set(find_browser.DEBIAN_PACKAGES)
    assert any(words >= set(find_browser.DEBIAN_PACKAGES) for words in asked)
