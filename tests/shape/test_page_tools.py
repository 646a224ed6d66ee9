"""`make web` checks the page where it can be built, prints a note where it cannot, and fails on a real error."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "page_tools.py"
OFFLINE = "echo 'npm error code ENOTFOUND' >&2; echo 'npm error network failed' >&2; exit 1"


class Checkout:
    """A folder with the script, a lock, and fake `npm` and `node` programs on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("scripts", "web", "bin"):
            (folder / name).mkdir()
        shutil.copy(SCRIPT, folder / "scripts")
        (folder / "web" / "package-lock.json").write_text("{}")
        self.program("npm", "echo installed >> log; mkdir -p node_modules")
        self.node("linux-arm64")

    def program(self, name: str, text: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def node(self, machine: str, otherwise: str = "exit 0") -> None:
        self.program("node", f'case "$1" in --print) echo "Node v22.12.0 on {machine}";; *) {otherwise};; esac')

    def run(self, *others: str) -> tuple[int, str]:
        words = [sys.executable, str(self.folder / "scripts" / SCRIPT.name)]
        environment = {"PATH": ":".join([str(self.folder / "bin"), *(others or ("/usr/bin", "/bin"))])}
        ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr

    def installs(self) -> int:
        return (self.folder / "web" / "log").read_text().count("installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_what_is_there_already_is_not_installed_again(checkout: Checkout) -> None:
    assert [checkout.run(), checkout.run()] == [(0, ""), (0, "")]
    assert checkout.installs() == 1


def test_another_lock_or_another_machine_installs_again(checkout: Checkout) -> None:
    checkout.run()
    (checkout.folder / "web" / "package-lock.json").write_text('{"other": 1}')
    checkout.run()
    checkout.node("darwin-arm64")
    checkout.run()
    assert checkout.installs() == 3


@pytest.mark.parametrize("answer", [OFFLINE, OFFLINE.replace("error", "ERR!")], ids=["npm", "an older npm"])
def test_no_network_is_one_note(checkout: Checkout, answer: str) -> None:
    checkout.program("npm", answer)
    code, said = checkout.run()
    reason = "npm could not install what builds it (ENOTFOUND)"
    assert (code, said) == (3, f"NOTE: the sources of the page were not checked: {reason}\n")


def test_a_native_package_that_does_not_load_is_one_note(checkout: Checkout) -> None:
    checkout.node("linux-riscv64", otherwise="echo 'Error: Cannot find native binding. Try again.' >&2; exit 1")
    code, said = checkout.run()
    reason = "rolldown does not run here (Node v22.12.0 on linux-riscv64): Error: Cannot find native binding"
    assert (code, said) == (3, f"NOTE: the sources of the page were not checked: {reason}\n")


def test_no_npm_is_one_note(checkout: Checkout) -> None:
    (checkout.folder / "bin" / "npm").unlink()
    assert checkout.run("/nowhere") == (3, "NOTE: the sources of the page were not checked: there is no npm\n")


@pytest.mark.parametrize("code", ["EUSAGE", "EINTEGRITY"])
def test_a_lock_that_does_not_match_or_a_wrong_checksum_fails(checkout: Checkout, code: str) -> None:
    checkout.program("npm", f"echo 'npm error code {code}' >&2; exit 1")
    assert checkout.run() == (1, f"npm error code {code}\n\n")
