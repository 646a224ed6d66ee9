"""The browser of the tests: a headless shell comes first, and only one is installed."""

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
    monkeypatch.delenv("METIER_BROWSER", raising=False)
    whole = _add_program(tmp_path, "chromium")
    assert find_browser.find_browser() == whole
    shell = _add_program(tmp_path, "chromium-headless-shell")
    assert find_browser.find_browser() == shell
    monkeypatch.setenv("METIER_BROWSER", whole)
    assert find_browser.find_browser() == whole


@pytest.mark.parametrize(
    ("release", "asked_for"),
    [
        ({"chromium-headless-shell", "chromium"}, ["chromium-headless-shell"]),
        ({"chromium"}, ["chromium-headless-shell", "chromium"]),
        (set(), ["chromium-headless-shell", "chromium", "playwright"]),
    ],
    ids=["shell", "whole browser only", "neither"],
)
def test_one_browser_is_installed_and_the_shell_is_tried_first(
    release: set[str],
    asked_for: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("METIER_BROWSER", raising=False)
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    _add_program(tmp_path, "apt-get")
    asked: list[str] = []

    def _install(*command: str) -> None:
        if "update" in command:
            return
        names = [word for word in command if word in ("chromium-headless-shell", "chromium")]
        asked.append("playwright" if "playwright" in command else names[0])
        for name in release & set(names):
            _add_program(tmp_path, name)

    monkeypatch.setattr(find_browser, "run_command", _install)
    find_browser.install_browser()
    assert asked == asked_for
    assert "about 100 MB" in capsys.readouterr().err
