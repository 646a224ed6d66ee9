"""Metier can be imported, and its tests collected, on a system without the calls that only Linux has."""

import os
import pkgutil
import resource
import select
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from scripts.forked_children import run_in_child

ROOT = Path(__file__).resolve().parents[1]
# What Python offers on Linux and not on macOS. psutil, which looks at `sys.platform` alone, needs the rest.
LINUX_ALONE = MappingProxyType(
    {
        os: "pidfd_open memfd_create O_PATH O_TMPFILE setresuid setresgid getresuid getresgid sched_getaffinity "
        "sched_setaffinity listxattr getxattr setxattr removexattr eventfd splice copy_file_range unshare setns",
        signal: "pidfd_send_signal SIGPWR SIGSTKFLT SIGPOLL SIGCLD SIGRTMIN SIGRTMAX sigwaitinfo sigtimedwait",
        resource: "prlimit RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_SIGPENDING RLIMIT_MSGQUEUE",
        socket: "AF_NETLINK AF_VSOCK SOCK_CLOEXEC SOCK_NONBLOCK",
        select: "epoll",
    }
)


def load_without_linux() -> list[str]:
    """Import every module and the tests of the sandbox anew without those calls; the names of the tests' modules."""
    for name in [one for one in sys.modules if one.partition(".")[0] in ("metier", "tests")]:
        del sys.modules[name]
    for module, names in LINUX_ALONE.items():
        for name in names.split():
            vars(module).pop(name, None)
    for found in pkgutil.walk_packages(import_module("metier").__path__, "metier."):
        if not found.name.endswith("__main__") and ".migrations" not in found.name:  # those run, they are not imported
            import_module(found.name)
    folders = ("tests/tools/run", "tests/tools/sandbox", "tests/hostile/scripts")
    files = [file.relative_to(ROOT) for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    return [import_module(".".join(file.with_suffix("").parts)).__name__ for file in files]


def test_every_module_and_the_tests_of_the_sandbox_load_without_the_calls_of_linux() -> None:
    """In a child that has loaded what Metier uses: only Metier itself, and its tests, are imported anew."""
    ended = run_in_child(load_without_linux)
    assert ended.code == 0, ended.error
    assert "tests.hostile.scripts.test_hostile_scripts" in ended.returned
