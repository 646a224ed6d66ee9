"""Detect which sandbox mechanisms this machine supports."""

import os
import platform
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from metier.tools.sandbox import _landlock as landlock
from metier.tools.sandbox import _seccomp as seccomp
from metier.tools.sandbox._bubblewrap import bubblewrap_prefix, is_installed
from metier.tools.sandbox._path_access import COMMAND_UIDS, SCRIPT_UIDS, find_unreachable
from metier.tools.sandbox._private_root import can_mount
from metier.tools.sandbox._shared_paths import list_shared_paths

Tier = Literal[0, 1, 2]

_CHANGE_USER: Final = (0, 6, 7)  # CAP_CHOWN, CAP_SETGID, CAP_SETUID
_SYS_ADMIN: Final = 21
_TIERS: Final = (
    "no sandbox: scripts of untrusted skills are refused",
    "Landlock, a system-call filter, limits and an own user or session",
    "bubblewrap's namespaces around Landlock, a system-call filter and limits",
)
_WALLS: Final = ("landlock", "seccomp", "uid")  # tier 1 needs all of them
_NEEDS_LINUX: Final = "use Linux, if need be in a container or a virtual machine"


@dataclass(frozen=True, slots=True)
class SandboxFinding:
    """One mechanism: whether it works here, a sentence, and what to do if it does not."""

    name: str
    holds: bool
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class SandboxReport:
    """Sandbox support of this machine; tier 0 means nothing that stops a hostile script.

    `can_run` is false if scripts cannot run at all, trusted or not.
    """

    tier: Tier
    landlock_abi: int
    drops_uid: bool
    findings: tuple[SandboxFinding, ...]
    can_run: bool = True

    @property
    def message(self) -> str:
        """Tier in words; at tier 0 also the reasons."""
        if self.tier:
            return f"tier {self.tier}: {_TIERS[self.tier]}"
        return f"tier 0: {_TIERS[0] if self.can_run else 'no script and no command runs here'}: {self.missing}"

    @property
    def missing(self) -> str:
        """Why there is no tier 1, in one line; empty from tier 1 on."""
        return "; ".join(found.message for found in self.findings if found.name in _WALLS and not found.holds)

    @property
    def hint(self) -> str:
        """Most useful hint; empty from tier 1 on."""
        return "" if self.tier else next((found.hint for found in self.findings if not found.holds and found.hint), "")


@cache
def probe() -> SandboxReport:
    """Detect what the kernel supports; cached, because it does not change while the process lives."""
    abi = landlock.abi()
    drop = _probe_uid_drop()
    walls = (_probe_landlock(abi), _probe_seccomp(), drop)
    holds = all(found.holds for found in walls)
    wrapped = (
        _probe_bubblewrap() if holds else SandboxFinding("bubblewrap", False, "not tried: the first wall is missing")
    )
    tier: Tier = 0 if not holds else 2 if wrapped.holds else 1
    findings = (*walls, _probe_limits(), _probe_orphans(), wrapped, _probe_paths(wrapped=wrapped.holds))
    return SandboxReport(tier, abi, _is_root(), findings, can_run=hasattr(os, "pidfd_open"))


def _is_root() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0


def _probe_landlock(abi: int) -> SandboxFinding:
    if sys.platform != "linux":
        message = f"Landlock is a part of Linux, and this is {platform.system()}"
        return SandboxFinding("landlock", False, message, _NEEDS_LINUX)
    if not abi:
        hint = "use Linux 5.13 or newer with Landlock switched on (lsm=landlock,…)"
        return SandboxFinding("landlock", False, "the kernel has no Landlock", hint)
    gaps = []
    if abi < landlock.TRUNCATE_SINCE:
        gaps.append("truncate is refused altogether")
    if abi < landlock.SCOPES_SINCE:
        gaps.append("signals are fenced by the user or refused")
    return SandboxFinding("landlock", True, f"files are walled in, ABI {abi}{''.join(f'; {gap}' for gap in gaps)}")


def _probe_seccomp() -> SandboxFinding:
    machine = seccomp.this_machine()
    if sys.platform != "linux":
        message = "seccomp, which filters system calls, is a part of Linux too"
        return SandboxFinding("seccomp", False, message, _NEEDS_LINUX)
    if machine is None:
        message = f"there is no system-call filter for {platform.machine()}"
        return SandboxFinding("seccomp", False, message, "use x86_64 or aarch64 Linux")
    if "Seccomp" not in _read_process_status():
        return SandboxFinding("seccomp", False, "the kernel has no seccomp", "use a kernel with CONFIG_SECCOMP_FILTER")
    return SandboxFinding(
        "seccomp", True, f"system calls are filtered ({machine}): no sockets, no namespaces, no tracing"
    )


def _probe_uid_drop() -> SandboxFinding:
    if not _is_root():
        return SandboxFinding("uid", True, "scripts run as this user, who is not root")
    held = int(_read_process_status().get("CapEff", "0"), 16)
    if not (
        all(held >> power & 1 for power in _CHANGE_USER) and _is_uid_range_mapped(SCRIPT_UIDS[0], COMMAND_UIDS[-1])
    ):
        hint = "run Metier as an ordinary user, or grant SETUID, SETGID and CHOWN"
        message = "root may not change the user here, and limits on processes do not bind root"
        return SandboxFinding("uid", False, message, hint)
    closed = find_unreachable(list_shared_paths())
    if closed and not held >> _SYS_ADMIN & 1:
        message = f"another user could not run Python: {closed[0][1]} is closed to others"
        return SandboxFinding(
            "uid", False, message, "use a Python that others can read, or run Metier as an ordinary user"
        )
    return SandboxFinding("uid", True, "every script gets a user of its own")


def _is_uid_range_mapped(first: int, last: int) -> bool:
    """Return whether this user namespace maps these uids: in a container, root may have few."""
    try:
        lines = Path("/proc/self/uid_map").read_text("ascii").splitlines()
    except OSError:
        return False
    return any(
        start <= first and last < start + count for start, _, count in (map(int, line.split()) for line in lines)
    )


def _probe_limits() -> SandboxFinding:
    return SandboxFinding("limits", True, "time, memory, files, processes and open files are limited")


def _probe_orphans() -> SandboxFinding:
    if not hasattr(os, "pidfd_open"):
        return SandboxFinding("orphans", False, "a child that leaves its session may outlive its script", "use Linux")
    return SandboxFinding("orphans", True, "a script's last child ends with it")


def _probe_bubblewrap() -> SandboxFinding:
    if bubblewrap_prefix(root=_is_root()):
        return SandboxFinding("bubblewrap", True, "processes and network have namespaces of their own")
    if is_installed():
        return SandboxFinding("bubblewrap", False, "bubblewrap is there but may not make namespaces here")
    return SandboxFinding("bubblewrap", False, "bubblewrap is not installed", "install bubblewrap for a second wall")


def _probe_paths(*, wrapped: bool) -> SandboxFinding:
    """Whether a run has a root of its own; it needs no tier, because Landlock keeps the content of files out anyway."""
    if wrapped or (sys.platform == "linux" and can_mount()):
        return SandboxFinding("paths", True, "paths outside do not exist for a script")
    message = "a script cannot read files outside, but can see whether they exist, their sizes and times"
    return SandboxFinding("paths", False, message, "install bubblewrap to hide them")


def _read_process_status() -> dict[str, str]:
    try:
        lines = Path("/proc/self/status").read_text("ascii", errors="replace").splitlines()
    except OSError:
        return {}
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
