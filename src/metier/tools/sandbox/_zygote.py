"""Zygote: a small warm interpreter that forks one supervisor per run. Started by path, as a script.

It never sees the content of a job: the job goes over a socket that it only passes on. So no run can find traces of
another in the memory it inherits.
"""

import gc
import json
import os
import signal
import socket
import sys
from pathlib import Path
from types import ModuleType


def _install_stub_packages() -> None:
    """Make the modules beside this file importable without running the `__init__` of their packages."""
    names = ("metier.tools.sandbox", "metier.tools", "metier")
    for name, folder in zip(names, Path(__file__).resolve().parents, strict=False):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package


def _remove_metier_modules() -> None:
    """Remove the stubs, so that a script that imports metier gets the real package."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "metier"]:
        del sys.modules[name]


def serve(door: socket.socket) -> None:
    """Start one run per message with four file descriptors; exit when the socket closes."""
    from metier.tools.sandbox import _landlock as landlock
    from metier.tools.sandbox._confine import Pipes, build_syscall_filter
    from metier.tools.sandbox._private_root import plan_root
    from metier.tools.sandbox._protocol import SharedPaths
    from metier.tools.sandbox._supervisor import supervise

    common = SharedPaths(**json.loads(sys.argv[2]))
    shared = plan_root((*common.readable, *common.writable), common.links)
    if landlock.abi():
        build_syscall_filter(landlock.abi(), own_user=os.geteuid() == 0)
    _remove_metier_modules()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        message, descriptors, _, _ = socket.recv_fds(door, 16, 4)
        if not message:
            return
        if os.fork() == 0:
            door.close()
            control, result, stdout, stderr = descriptors
            supervise(control, Pipes(result, stdout, stderr), common, shared)
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


if __name__ == "__main__":
    _install_stub_packages()
    serve(socket.socket(fileno=int(sys.argv[1])))
