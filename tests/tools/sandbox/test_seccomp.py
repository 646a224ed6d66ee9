import errno
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.tools.sandbox._seccomp import Block, build_program, pack_program
from metier.tools.sandbox._syscalls import AUDIT_ARCH, MACHINES, NEWEST_NUMBER, Machine, get_number, list_names

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NO = ERRNO | errno.EPERM
WORDS = st.integers(0, 2**64 - 1)
# Calls that every program makes, by machine: read, write, close, mmap, futex, exit_group, openat, execve, wait4.
EVERYDAY: dict[Machine, tuple[int, ...]] = {
    "x86_64": (0, 1, 3, 9, 202, 231, 257, 59, 61),
    "aarch64": (63, 64, 57, 222, 98, 94, 56, 221, 260),
}


def ask(steps: Block, arch: int, call: int, *arguments: int) -> int:
    """What the kernel would do with the program: a small BPF machine."""
    data = struct.pack("<IIQ6Q", call, arch, 0, *(*arguments, *[0] * 6)[:6])
    kept, at = 0, 0
    while True:
        step = steps[at]
        at += 1
        match step.code:
            case 0x20:
                (kept,) = struct.unpack_from("<I", data, step.value)
            case 0x54:
                kept &= step.value
            case 0x06:
                return step.value
            case code:
                truth = {
                    0x15: kept == step.value,
                    0x25: kept > step.value,
                    0x35: kept >= step.value,
                    0x45: bool(kept & step.value),
                }[code]
                at += step.if_true if truth else step.if_false


def asked(name: str, *arguments: int, machine: Machine = "x86_64", signals: bool = True, truncate: bool = True) -> int:
    call = get_number(name, machine)
    assert call is not None
    return ask(build_program(machine, signals=signals, truncate=truncate), AUDIT_ARCH[machine], call, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_everyday_calls_pass(machine: Machine) -> None:
    steps = build_program(machine, signals=True, truncate=True)
    assert {ask(steps, AUDIT_ARCH[machine], call) for call in EVERYDAY[machine]} == {ALLOW}


# i386 and 32-bit ARM run on these machines too; the other one of the two does not, but its numbers are not ours.
FOREIGN: dict[Machine, tuple[int, ...]] = {
    "x86_64": (0x40000003, AUDIT_ARCH["aarch64"], 0, 0x3E),
    "aarch64": (0x40000028, AUDIT_ARCH["x86_64"], 0, 0xB7),
}


@pytest.mark.parametrize(("machine", "arch"), [(machine, arch) for machine in MACHINES for arch in FOREIGN[machine]])
@given(call=st.integers(0, 2**32 - 1), arguments=st.lists(WORDS, min_size=6, max_size=6))
def test_another_machine_is_killed_whatever_it_calls(
    machine: Machine, arch: int, call: int, arguments: list[int]
) -> None:
    steps = build_program(machine, signals=True, truncate=True)
    assert ask(steps, arch, call, *arguments) == KILL


def test_both_machines_decide_alike_about_every_call_that_both_have() -> None:
    """One table makes both filters: a difference would be a hole on one machine."""
    shared = [name for name in list_names() if get_number(name, "x86_64") and get_number(name, "aarch64")]
    assert len(shared) > 100
    for name in shared:
        for arguments in ((), (1, 1, 1, 1, 1, 1), (0, 0x5412, 0x21, 0x21), (17,), (0x10000000,)):
            assert asked(name, *arguments) == asked(name, *arguments, machine="aarch64"), (name, arguments)


@given(call=st.integers(0, 2**30 - 1))
def test_the_x32_numbers_are_refused(call: int) -> None:
    steps = build_program("x86_64", signals=True, truncate=True)
    assert ask(steps, AUDIT_ARCH["x86_64"], 0x40000000 | call) == NO


@pytest.mark.parametrize("machine", MACHINES)
@given(call=st.integers(NEWEST_NUMBER + 1, 0x3FFFFFFF))
def test_a_call_newer_than_the_table_does_not_exist(machine: Machine, call: int) -> None:
    steps = build_program(machine, signals=True, truncate=True)
    assert ask(steps, AUDIT_ARCH[machine], call) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["ptrace", "mount", "bpf", "socket", "unshare", "keyctl", "io_uring_setup", "shmget"])
@given(arguments=st.lists(WORDS, min_size=6, max_size=6))
def test_a_refused_call_is_refused_with_any_arguments(machine: Machine, name: str, arguments: list[int]) -> None:
    assert asked(name, *arguments, machine=machine) == NO


# What tells about others: watches on files and folders, handles, the page cache, keys, memory shared by name, how busy
# the machine and how full its disk is.
SIDE_CHANNELS = (
    "inotify_init1",
    "inotify_add_watch",
    "fanotify_init",
    "fanotify_mark",
    "name_to_handle_at",
    "open_by_handle_at",
    "cachestat",
    "keyctl",
    "request_key",
    "shmget",
    "mq_open",
    "memfd_create",
    "process_vm_readv",
    "kcmp",
    "pidfd_getfd",
    "perf_event_open",
    "statmount",
    "listmount",
    "sendmsg",
    "sysinfo",
    "statfs",
    "fstatfs",
)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", SIDE_CHANNELS)
def test_a_side_channel_is_closed_on_both_machines(machine: Machine, name: str) -> None:
    assert asked(name, machine=machine) == NO


@pytest.mark.parametrize("name", ["inotify_init", "ustat"])
def test_an_old_call_is_closed_where_it_exists(name: str) -> None:
    assert asked(name) == NO
    assert get_number(name, "aarch64") is None


@pytest.mark.parametrize("machine", MACHINES)
@given(arguments=st.lists(WORDS, min_size=6, max_size=6))
def test_disk_space_is_never_allocated_without_writing(machine: Machine, arguments: list[int]) -> None:
    assert asked("fallocate", *arguments, machine=machine) == ERRNO | errno.EOPNOTSUPP


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("command", [0x40305828, 0x4030582A, 0x40305839, 0x40086602, 0x401C5820], ids=hex)
def test_no_command_to_a_file_system_allocates_either(machine: Machine, command: int) -> None:
    assert asked("ioctl", 3, command, machine=machine) == NO


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("flags", "answer"),
    [(0x21, NO), (0x21 | 0x8000, NO), (0x22, ALLOW), (0x01, ALLOW), (0x02, ALLOW), (0x20022, ALLOW), (0x4021, NO)],
    ids=hex,
)
def test_memory_is_not_shared_without_a_file(machine: Machine, flags: int, answer: int) -> None:
    assert asked("mmap", 0, 4096, 3, flags, machine=machine) == answer


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("option", "answer"), [(4, NO), (3, ALLOW), (15, ALLOW), (38, ALLOW)])
def test_a_process_cannot_hide_its_open_files(machine: Machine, option: int, answer: int) -> None:
    assert asked("prctl", option, 0, machine=machine) == answer


@pytest.mark.parametrize("name", ["chmod", "fchmodat2", "chown", "utimensat", "sync", "syncfs"])
def test_what_shutil_needs_succeeds_and_does_nothing(name: str) -> None:
    assert asked(name) == ERRNO


@pytest.mark.parametrize("flag", [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
def test_clone_may_not_make_a_namespace(flag: int) -> None:
    assert asked("clone", flag | 17) == NO


def test_clone_may_fork_and_start_threads() -> None:
    assert asked("clone", 17) == ALLOW
    assert asked("clone", 0x003D0F00) == ALLOW


@pytest.mark.parametrize(
    ("domain", "kind", "answer"),
    [(1, 1, ALLOW), (1, 5, ALLOW), (1, 1 | 0o2000000, ALLOW), (1, 2, NO), (2, 1, NO), (16, 1, NO)],
)
def test_only_a_unix_pair_that_talks_to_itself_passes(domain: int, kind: int, answer: int) -> None:
    assert asked("socketpair", domain, kind) == answer


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("openat", (0, 0, 0o101, 0o644), ALLOW),
        ("openat", (0, 0, 0o101, 0o4755), NO),
        ("openat", (0, 0, 0o20200002, 0o2755), NO),
        ("openat", (0, 0, 0o2, 0o4755), ALLOW),
        ("open", (0, 0o102, 0o4755), NO),
        ("creat", (0, 0o6755), NO),
        ("creat", (0, 0o755), ALLOW),
        ("mknodat", (0, 0, 0o104755, 0), NO),
        ("mknod", (0, 0o100644, 0), ALLOW),
        ("openat2", (), ERRNO | errno.ENOSYS),
    ],
)
def test_no_file_is_made_that_runs_as_its_owner(name: str, arguments: tuple[int, ...], answer: int) -> None:
    assert asked(name, *arguments) == answer


@pytest.mark.parametrize("name", ["clock_gettime", "clock_getres", "clock_nanosleep"])
def test_the_processor_time_of_other_processes_is_no_clock(name: str) -> None:
    assert (asked(name, 1), asked(name, (~4711 << 3 | 2) & 0xFFFFFFFF)) == (ALLOW, NO)


@pytest.mark.parametrize("name", ["prlimit64", "sched_setaffinity", "getpgid", "getsid"])
def test_a_process_may_change_itself_alone(name: str) -> None:
    assert (asked(name, 0), asked(name, 4711)) == (ALLOW, NO)


@pytest.mark.parametrize(("which", "who", "answer"), [(0, 0, ALLOW), (0, 4711, NO), (2, 0, NO), (1, 0, NO)], ids=str)
def test_a_priority_may_be_set_for_the_caller_alone(which: int, who: int, answer: int) -> None:
    assert asked("setpriority", which, who) == asked("getpriority", which, who) == answer


@pytest.mark.parametrize(
    ("name", "command"),
    [("ioctl", 0x5412), ("fcntl", 8), ("fcntl", 10), ("fcntl", 15), ("fcntl", 1024), ("fcntl", 1026)],
)
def test_dangerous_commands_are_refused_and_others_pass(name: str, command: int) -> None:
    assert (asked(name, 0, command), asked(name, 0, 1)) == (NO, ALLOW)


def test_signals_and_truncate_are_refused_where_nothing_else_holds_them() -> None:
    assert asked("kill", signals=False) == asked("truncate", truncate=False) == NO
    assert asked("kill") == asked("truncate") == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_every_call_of_the_table_is_looked_at(machine: Machine) -> None:
    """A name in the table that the filter forgets would pass whatever it is asked."""
    steps = build_program(machine, signals=False, truncate=False)
    looked_at = {step.value for step in steps if step.code == 0x15}
    assert {name for name in list_names() if get_number(name, machine) not in (None, *looked_at)} == set()


@pytest.mark.parametrize("machine", MACHINES)
def test_the_program_fits_the_kernel(machine: Machine) -> None:
    steps = build_program(machine, signals=False, truncate=False)
    assert len(pack_program(machine, signals=False, truncate=False)) == 8 * len(steps)
    assert len(steps) < 4096
    assert max(max(step.if_true, step.if_false) for step in steps) < 256
