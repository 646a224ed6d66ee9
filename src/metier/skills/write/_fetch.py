"""Fetches skills of others to a folder: a folder as it is, an archive unpacked, a Git repository cloned."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from metier.clock import awake_time
from metier.errors import InvalidInput, InvalidSkill, PathNotFound
from metier.skills.checks import is_archive
from metier.skills.read import unpack

MAX_CLONE_BYTES: Final = 512 * 1024 * 1024
_CLONE_TIMEOUT_S: Final = 180.0
_POLL_S: Final = 0.2
# Only these: `ext::` runs commands, and what begins with a dash is an option of Git.
_GIT_URL: Final = re.compile(
    r"(?:https|ssh|file)://[^\s\x00-\x1f-][^\s\x00-\x1f]{0,1000}|git@[A-Za-z0-9][A-Za-z0-9.-]{0,200}:[^\s\x00-\x1f-][^\s\x00-\x1f]{0,500}"
)
_URL_START: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://|:)|git@|-")
_GIT_OPTIONS: Final = (
    *("-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "protocol.ssh.allow=always"),
    *("-c", "protocol.file.allow=always", "-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false"),
    *("-c", "core.fsmonitor=false", "-c", "submodule.recurse=false", "-c", "credential.helper="),
    *("-c", "core.askPass=true"),  # and a session of its own: without a terminal Git asks nobody
)


def fetch_skills(source: str, into: Path) -> Path:
    """The folder to scan for skills of this source: a folder, an archive, or the address of a Git repository."""
    if is_git_url(source):
        return _clone(source, into / "repository")
    if _URL_START.match(source):
        raise InvalidInput(
            f"{source[:80]!r} is no address of a Git repository", hint="https://…, ssh://…, git@host:path or file://…"
        )
    path = Path(source)
    if path.is_dir():
        return path
    if not path.is_file():
        raise PathNotFound(f"no folder or file {source[:200]!r}", hint="a folder, an archive, or a Git address")
    if not is_archive(path.name):
        raise InvalidSkill(f"{path.name!r} is no archive", hint="zip, skill, tar, tar.gz, tgz, tar.bz2 or tar.xz")
    return unpack(path, into)


def is_git_url(source: str) -> bool:
    """Whether a source is an address that Git may be given."""
    return _GIT_URL.fullmatch(source) is not None


def _clone(url: str, target: Path) -> Path:
    """Clone the newest commit, without hooks, links, submodules or questions, within time and size."""
    git = shutil.which("git")
    if git is None:
        raise InvalidInput("git is not installed", hint="install it, or give a folder or an archive")
    command = [git, *_GIT_OPTIONS, "clone", "--quiet", "--depth=1", "--single-branch", "--no-tags"]
    command += ["--no-recurse-submodules", "--", url, str(target)]
    process = subprocess.Popen(  # noqa: S603 - the address is checked and follows `--`
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        problem = _watch(process, target)
    finally:
        if process.poll() is None:
            process.kill()
        _, said = process.communicate()
    if problem:
        raise InvalidSkill(f"{url[:200]!r} {problem}", hint="clone it by hand, and add the folder of its skills")
    if process.returncode != 0:
        told = said.decode("utf-8", "replace").strip().splitlines()
        raise InvalidInput(
            f"git cannot clone {url[:200]!r}: {told[-1][:200] if told else 'no reason'}", hint="check it"
        )
    shutil.rmtree(target / ".git", ignore_errors=True)
    return target


def _watch(process: "subprocess.Popen[bytes]", target: Path) -> str:
    deadline = awake_time() + _CLONE_TIMEOUT_S
    while process.poll() is None:
        if awake_time() > deadline:
            return f"took longer than {_CLONE_TIMEOUT_S:g} s"
        if _measure(target) > MAX_CLONE_BYTES:
            return f"is larger than {MAX_CLONE_BYTES >> 20} MiB"
        time.sleep(_POLL_S)
    return f"is larger than {MAX_CLONE_BYTES >> 20} MiB" if _measure(target) > MAX_CLONE_BYTES else ""


def _measure(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - called often
            except OSError:
                continue
    return total
