"""Runs the whole corpus through one pool and prints what came of it. A process of its own: it plays the server.

python -m tests.hostile.scripts.harness AREA POLICY USER ABI [container]

USER is `same`, or a number to become first (only root can); ABI is the newest Landlock to make use of. With
`container`, system calls are filtered as containers do.
"""

import asyncio
import ctypes
import json
import os
import py_compile
import shutil
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

SECRET = ctypes.create_string_buffer(b"swordfish", 9)
TIMEOUT_S = 1.0
SLOW_S = 60.0  # a loaded machine needs more than ten seconds for a script that takes ten milliseconds
AT_ONCE = 6  # scripts side by side: each waits most of the time for the kernel to make and to end its namespaces
VICTIMS = (
    "overwrite",
    "append",
    "truncate",
    "delete",
    "rename_over",
    "rename_away",
    "hard_link",
    "change_mode",
    "change_owner",
    "change_times",
    "change_attributes",
)


def become(uid: int, area: Path) -> None:
    """Be an ordinary user in a place where that user can reach the interpreter, the sources and the area."""
    from metier.tools.sandbox._path_access import make_reachable
    from metier.tools.sandbox._shared_paths import list_shared_paths

    here = Path(__file__).resolve().parents[3]
    make_reachable([*list_shared_paths(), str(here), str(area)])
    for folder, _, names in os.walk(area):
        for name in ("", *names):
            os.chown(Path(folder, name), uid, uid)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # dumpable again, as a server started by this user would be


# What the usual profile of a container refuses to a process without CAP_SYS_ADMIN.
CONTAINER_REFUSES = (
    "mount umount2 pivot_root unshare setns bpf perf_event_open keyctl add_key request_key ptrace kcmp userfaultfd "
    "open_by_handle_at fanotify_init move_mount open_tree fsopen fsmount mount_setattr io_uring_setup quotactl acct"
)


def enter_container() -> None:
    """Be filtered as in a container: no namespaces and no mounts, from now on and for all children."""
    from metier.tools.sandbox import _kernel as kernel
    from metier.tools.sandbox import _seccomp as seccomp
    from metier.tools.sandbox._syscalls import get_number

    machine = seccomp.this_machine()
    assert machine is not None
    numbers = [number for name in CONTAINER_REFUSES.split() if (number := get_number(name, machine)) is not None]
    refuse = seccomp.Instruction(0x06, 0, 0, 0x00050001)
    steps = [seccomp.Instruction(0x20, 0, 0, 0)]
    for number in numbers:
        steps += [seccomp.Instruction(0x15, 0, 1, number), refuse]
    steps.append(seccomp.Instruction(0x06, 0, 0, 0x7FFF0000))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.install(b"".join(struct.pack("HBBI", *step) for step in steps))


def prepare(area: Path) -> None:
    """Everything that a hostile script could be after, beside the folder it may use."""
    for folder in ("skills/other", "skills/hostile/scripts", "storage", "outside", "victims", "workspace/earlier"):
        (area / folder).mkdir(parents=True, exist_ok=True)
    scripts = area / "skills/hostile/scripts"
    shutil.copyfile(Path(__file__).with_name("hostile.py"), scripts / "actions.py")
    py_compile.compile(str(scripts / "actions.py"))  # once, and not in each of the hundreds of calls
    (scripts / "hostile.py").write_text("from actions import hostile\n", "utf-8")
    program = area / "outside/program"
    program.write_text("#!/bin/sh\necho ran outside\n")
    program.chmod(0o755)
    for name in ("skills/other/SKILL.md", "storage/metier.sqlite3", "workspace/earlier/notes"):
        (area / name).write_text("secret")
    restore(area)


def restore(area: Path) -> None:
    for name in VICTIMS:
        (area / "victims" / name).write_text("untouched")


def state(area: Path) -> dict[str, object]:
    """What must not change: names, contents, modes, owners and times of all that is not the workspace."""
    found = {}
    for folder in ("skills", "storage", "outside", "victims"):
        for path in sorted((area / folder).rglob("*")):
            seen = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (seen.st_mode, seen.st_uid, seen.st_mtime_ns, os.listxattr(path), content)
    return cast("dict[str, object]", found)


@contextmanager
def listeners(area: Path) -> Iterator[dict[str, object]]:
    """Somebody to talk to on TCP and on Unix sockets of every kind."""
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = f"metier-hostile-{os.getpid()}"
        for kind, name in (
            (socket.SOCK_STREAM, str(area / "s")),
            (socket.SOCK_STREAM, f"\0{abstract}"),
            (socket.SOCK_DGRAM, str(area / "d")),
        ):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX, kind))
            listener.bind(name)
            if kind == socket.SOCK_STREAM:
                listener.listen()
        port = tcp.getsockname()[1]
        yield {"tcp": port, "abstract": abstract, "unix": str(area / "s"), "datagram": str(area / "d")}


def facts(area: Path) -> dict[str, object]:
    from metier.tools.sandbox._seccomp import this_machine
    from metier.tools.sandbox._syscalls import get_number, list_names

    machine = this_machine()
    assert machine is not None
    return {
        "numbers": {**{name: get_number(name, machine) for name in list_names()}, "x32": 0x40000000 | 39},
        "server": os.getpid(),
        "address": ctypes.addressof(SECRET),
        "other_skill": str(area / "skills/other/SKILL.md"),
        "storage": str(area / "storage/metier.sqlite3"),
        "neighbour": str(area / "workspace/earlier/notes"),
        "outside": str(area / "outside"),
        "program": str(area / "outside/program"),
        "victims": {name: str(area / "victims" / name) for name in VICTIMS},
        "temp": "/tmp",
        "flood_mib": 32,
    }


def survivors(area: Path) -> list[int]:
    """Processes whose name a script left in a file, and who are still alive; their ids are others inside of a run."""
    names = {path.read_text().split()[1] for path in (area / "workspace").rglob("orphan")}
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/comm") if read_name(path) in names]


def read_name(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:  # it has ended meanwhile
        return ""


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def run(area: Path, policy: str, uids: range, abi: int) -> dict[str, object]:
    from metier.tools import ScriptPool, ToolContext, ToolSpec
    from metier.tools.run._scripts import ScriptTool
    from metier.tools.sandbox import probe
    from tests.hostile.scripts.corpus import DENIED, EXCESSES, HIDDEN, NEVER

    outcomes: dict[str, dict[str, object]] = {}
    trusted = policy == "off"
    report = replace(probe(), landlock_abi=min(abi, probe().landlock_abi))
    async with ScriptPool(policy=policy, uids=uids, report=report) as pool:  # type: ignore[arg-type]

        async def attempt(action: str, told: dict[str, object], timeout_s: float) -> None:
            spec = ToolSpec("hostile", "", timeout_s=timeout_s, origin="script", skill="hostile")
            tool = ScriptTool(spec, pool, area / "skills/hostile", "scripts/hostile.py", "hostile", trusted)
            size = resident_bytes()
            context = ToolContext(area / "workspace")
            result = await tool.run({"action": action, "facts": told}, context)  # type: ignore[dict-item]
            outcomes[action] = {
                "data": result.data,
                "code": result.failure.code if result.failure else None,
                "message": result.failure.message if result.failure else "",
                "grown_bytes": resident_bytes() - size,
                "notes_chars": sum(map(len, result.notes)),
                "cut": any("(cut)" in note for note in result.notes),
            }

        with listeners(area) as places:
            known = {**facts(area), **places}
            await attempt("remember", {**known, "mark": "swordofdamocles"}, SLOW_S)
            tries = [case.action for case in (*DENIED, *HIDDEN, *NEVER)]
            lone = [excess.action for excess in EXCESSES if excess.code != "timed_out"]
            hanging = [excess.action for excess in EXCESSES if excess.code == "timed_out"]
            batches = [tries[first : first + AT_ONCE] for first in range(0, len(tries), AT_ONCE)]
            batches += [[action] for action in (*lone, "other_machine")]
            for batch, timeout_s in (*((one, SLOW_S) for one in batches), (hanging, TIMEOUT_S)):
                before = state(area)
                await asyncio.gather(*(attempt(action, known, timeout_s) for action in batch))
                is_harmed = state(area) != before  # by one of them: with walls, none may be
                for action in batch:
                    outcomes[action]["harmed"] = is_harmed
                restore(area)
    return {
        **outcomes,
        "tier": report.tier,
        # In bubblewrap a script sees other process ids than we do; there only the users tell.
        "survivors": survivors(area) if report.tier < 2 else [],
        "running": await find_running(uids) if policy == "required" else [],
    }


async def find_running(uids: range) -> list[int]:
    """As `others`, with a moment for the kernel: a process namespace whose first process was killed ends by itself."""
    for _ in range(600):
        if not (found := others(uids)):
            return []
        await asyncio.sleep(0.1)
    return found


def others(uids: range) -> list[int]:
    """Processes of the users that scripts had, or of this user, that should all be gone."""
    wanted = set(uids) | ({os.getuid()} if os.getuid() else set())
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                alive = "\nState:\tZ" not in Path(entry.path, "status").read_text()
                found += [int(entry.name)] if alive and entry.stat().st_uid in wanted else []
            except OSError:
                continue
    return found


def main() -> None:
    area, policy, user, abi = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3], int(sys.argv[4])
    prepare(area)
    if user != "same":
        become(int(user), area)
    if "container" in sys.argv:
        enter_container()
    own = 100_000 + os.getpid() % 10_000 * 8
    sys.stdout.write(json.dumps(asyncio.run(run(area, policy, range(own, own + 8), abi))))


if __name__ == "__main__":
    main()
