"""Metier can be imported, and its tests collected, on a system without the calls that only Linux has."""

import os
import re
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


def list_users_of_linux() -> list[str]:
    """Modules with one of those words: a module without them does not notice that they are missing."""
    calls = re.compile(rf"\b(?:{'|'.join(name for names in LINUX_ALONE.values() for name in names.split())})\b")
    source = ROOT / "src"
    files = (file.relative_to(source) for file in sorted((source / "metier").rglob("*.py")))
    # Scripts and migrations run, they are not imported.
    modules = [file for file in files if not {"scripts", "versions"} & set(file.parts)]
    using = [file for file in modules if calls.search((source / file).read_text("utf-8"))]
    return [".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in using]


def load_without_linux() -> list[str]:
    """Import what uses those calls anew without them; the names of the modules of tests."""
    for name in [one for one in sys.modules if one.partition(".")[0] in ("metier", "tests")]:
        del sys.modules[name]
    for module, names in LINUX_ALONE.items():
        for name in names.split():
            vars(module).pop(name, None)
    for name in list_users_of_linux():
        import_module(name)
    folders = ("tests/tools/run", "tests/tools/sandbox", "tests/hostile/scripts")
    files = [file.relative_to(ROOT) for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    return [import_module(".".join(file.with_suffix("").parts)).__name__ for file in files]


def test_the_modules_and_tests_that_use_calls_of_linux_load_without_them() -> None:
    """In a child that has loaded what Metier uses: only Metier itself, and its tests, are imported anew."""
    ended = run_in_child(load_without_linux)
    assert len(list_users_of_linux()) > 5
    assert ended.code == 0, ended.error
    assert "tests.hostile.scripts.test_hostile_scripts" in ended.returned
