"""Metier can be imported, and its tests collected, on a system without the calls that only Linux has."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Remove what Python offers on Linux and not on macOS, then import every module and the tests of the sandbox. psutil,
# which looks at `sys.platform` alone, needs the rest.
WITHOUT_LINUX = """
import os, pkgutil, resource, select, signal, socket
for module, names in {
    os: "pidfd_open memfd_create O_PATH O_TMPFILE setresuid setresgid getresuid getresgid sched_getaffinity "
        "sched_setaffinity listxattr getxattr setxattr removexattr eventfd splice copy_file_range unshare setns",
    signal: "pidfd_send_signal SIGPWR SIGSTKFLT SIGPOLL SIGCLD SIGRTMIN SIGRTMAX sigwaitinfo sigtimedwait",
    resource: "prlimit RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_SIGPENDING RLIMIT_MSGQUEUE",
    socket: "AF_NETLINK AF_VSOCK SOCK_CLOEXEC SOCK_NONBLOCK",
    select: "epoll",
}.items():
    for name in names.split():
        vars(module).pop(name, None)

import metier
for found in pkgutil.walk_packages(metier.__path__, "metier."):
    if not found.name.endswith("__main__") and ".migrations" not in found.name:  # those run, they are not imported
        __import__(found.name)

from pathlib import Path
for folder in ("tests/tools/run", "tests/tools/sandbox", "tests/hostile/scripts"):
    for file in sorted(Path(folder).rglob("*.py")):
        __import__(".".join(file.with_suffix("").parts))
        print(file)
"""


def test_every_module_and_the_tests_of_the_sandbox_load_without_the_calls_of_linux() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT_LINUX], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr + ran.stdout[-2000:]
    assert "tests/hostile/scripts/test_hostile_scripts.py" in ran.stdout
