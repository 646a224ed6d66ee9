"""What a hostile script would try. Every action is true when it got its way; run only through the tests beside it."""

# The system calls are the point here.
# ruff: noqa: PTH101, PTH104, PTH108, PTH110, PTH116, PTH123, PTH208, PTH211

import ctypes
import errno
import fcntl
import gc
import mmap
import os
import re
import resource
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

LIBC = ctypes.CDLL(None, use_errno=True)
FACTS: dict[str, Any] = {}
NOWHERE = b"/nowhere/at/all"


def hostile(action: str, facts: dict[str, Any]) -> dict[str, Any]:
    FACTS.update(facts)
    try:
        return {"done": bool(globals()[action]())}
    except (OSError, MemoryError, RuntimeError) as error:
        return {"done": False, "errno": getattr(error, "errno", None), "why": f"{type(error).__name__}: {error}"}


def raw(name: str, *arguments: Any) -> int:
    """A system call by name; minus its error number when it fails."""
    ctypes.set_errno(0)
    prepared = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    result = LIBC.syscall(ctypes.c_long(FACTS["numbers"][name]), *prepared)
    return int(result) if result >= 0 else -ctypes.get_errno()


def heard(name: str, *arguments: Any) -> bool:
    """Whether the kernel itself looked at the call: the filter's only answer is EPERM."""
    return raw(name, *arguments) != -errno.EPERM


# files


def read_shadow() -> bool:
    return bool(Path("/etc/shadow").read_bytes())


def read_accounts() -> bool:
    return bool(Path("/etc/passwd").read_bytes())


def read_other_skill() -> bool:
    return "secret" in Path(FACTS["other_skill"]).read_text()


def read_storage() -> bool:
    return "secret" in Path(FACTS["storage"]).read_text()


def read_workspace_of_others() -> bool:
    return "secret" in Path(FACTS["neighbour"]).read_text()


def list_temp() -> bool:
    return len(os.listdir(FACTS["temp"])) > 0


def write_temp() -> bool:
    import tempfile

    with tempfile.NamedTemporaryFile(dir=FACTS["temp"]) as file:
        return file.write(b"x") == 1


def list_processes() -> bool:
    return any(name.isdigit() for name in os.listdir("/proc"))


def read_server_environment() -> bool:
    return b"swordfish" in Path(f"/proc/{FACTS['server']}/environ").read_bytes()


def read_server_command_line() -> bool:
    return bool(Path(f"/proc/{FACTS['server']}/cmdline").read_bytes())


def read_supervisor_memory_map() -> bool:
    return bool(Path(f"/proc/{os.getppid()}/maps").read_bytes())


def open_server_memory() -> bool:
    with open(f"/proc/{FACTS['server']}/mem", "rb"):
        return True


def open_own_memory() -> bool:
    with open("/proc/self/mem", "r+b"):
        return True


def write_outside() -> bool:
    return Path(FACTS["outside"], "written").write_text("x") == 1


def make_folder_outside() -> bool:
    Path(FACTS["outside"], "made").mkdir()
    return True


def overwrite() -> bool:
    return Path(FACTS["victims"]["overwrite"]).write_text("gone") == 4


def append() -> bool:
    with open(FACTS["victims"]["append"], "a") as file:
        return file.write("more") == 4


def truncate() -> bool:
    os.truncate(FACTS["victims"]["truncate"], 0)
    return True


def delete() -> bool:
    os.unlink(FACTS["victims"]["delete"])
    return True


def rename_over() -> bool:
    Path("mine").write_text("gone")
    os.rename("mine", FACTS["victims"]["rename_over"])
    return True


def rename_away() -> bool:
    os.rename(FACTS["victims"]["rename_away"], "stolen")
    return Path("stolen").exists()


def symbolic_link() -> bool:
    os.symlink(FACTS["other_skill"], "link")
    return Path("link").is_symlink()


def hard_link() -> bool:
    os.link(FACTS["victims"]["hard_link"], "link")
    return Path("link").exists()


def climb_out_of_the_folder() -> bool:
    return Path("../../outside/climbed").write_text("x") == 1


def change_own_script() -> bool:
    with open(__file__, "r+"):
        return True


def plant_a_module() -> bool:
    return Path(__file__).with_name("json.py").write_text("x") == 1


def change_the_interpreter() -> bool:
    with open(os.__file__, "r+"):
        return True


def change_mode() -> bool:
    os.chmod(FACTS["victims"]["change_mode"], 0o777)
    return os.stat(FACTS["victims"]["change_mode"]).st_mode & 0o777 == 0o777


def change_mode_of_an_open_file() -> bool:
    with open(__file__) as file:
        os.fchmod(file.fileno(), 0o777)
    return os.stat(__file__).st_mode & 0o777 == 0o777


def change_owner() -> bool:
    os.chown(FACTS["victims"]["change_owner"], 12345, 12345)
    return os.stat(FACTS["victims"]["change_owner"]).st_uid == 12345


def change_times() -> bool:
    os.utime(FACTS["victims"]["change_times"], (1, 1))
    return os.stat(FACTS["victims"]["change_times"]).st_mtime == 1


def change_attributes() -> bool:
    os.setxattr(FACTS["victims"]["change_attributes"], "user.mark", b"x")
    return True


def make_a_program_that_runs_as_its_owner() -> bool:
    os.close(os.open("program", os.O_CREAT | os.O_WRONLY, 0o4755))
    return bool(os.stat("program").st_mode & 0o4000)


def make_node_that_runs_as_its_owner() -> bool:
    os.mknod("node", 0o104755)
    return bool(os.stat("node").st_mode & 0o4000)


def make_pipe_file() -> bool:
    os.mkfifo("pipe")
    return True


def make_device() -> bool:
    os.mknod("device", 0o20666, os.makedev(1, 1))
    return True


def open_kernel_log() -> bool:
    with open("/dev/kmsg", "rb"):
        return True


def open_magic_key() -> bool:
    with open("/proc/sysrq-trigger", "wb"):
        return True


def open_kernel_settings() -> bool:
    with open("/proc/sys/kernel/core_pattern", "r+b"):
        return True


def shared_memory_file() -> bool:
    path = Path(f"/dev/shm/hostile-{os.getpid()}")
    path.write_text("x")
    path.unlink()
    return True


# network


def connect_tcp() -> bool:
    with socket.create_connection(("127.0.0.1", FACTS["tcp"]), timeout=30):
        return True


def listen_tcp() -> bool:
    with socket.create_server(("127.0.0.1", 0)):
        return True


def send_udp() -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"x", ("127.0.0.1", FACTS["tcp"])) == 1


def resolve_name() -> bool:
    return bool(socket.getaddrinfo("localhost", 80))


def socket_ipv6() -> bool:
    return heard("socket", socket.AF_INET6, socket.SOCK_STREAM, 0)


def socket_netlink() -> bool:
    return heard("socket", 16, socket.SOCK_RAW, 0)


def socket_packet() -> bool:
    return heard("socket", 17, socket.SOCK_RAW, 0)


def socket_vsock() -> bool:
    return heard("socket", 40, socket.SOCK_STREAM, 0)


def connect_unix() -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(FACTS["unix"])
        return True


def connect_abstract() -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + FACTS["abstract"])
        return True


def send_datagram_from_a_pair() -> bool:
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return one.sendto(b"x", FACTS["datagram"]) == 1


# other processes


def signal_server() -> bool:
    os.kill(FACTS["server"], 0)
    return True


def signal_supervisor() -> bool:
    parent = os.getppid()  # 0 if it lies outside of what the run may see
    os.kill(parent or FACTS["server"], 0)
    return True


def signal_everybody() -> bool:
    os.kill(-1, 0)
    return True


def signal_by_descriptor() -> bool:
    signal.pidfd_send_signal(os.pidfd_open(FACTS["server"]), 0)
    return True


def signal_by_pipe() -> bool:
    read, _ = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETOWN, FACTS["server"])
    return True


def trace_server() -> bool:
    return raw("ptrace", 0x4206, FACTS["server"], 0, 0) == 0


def read_server_memory() -> bool:
    kept = ctypes.create_string_buffer(9)
    local = struct.pack("PN", ctypes.addressof(kept), 9)
    remote = struct.pack("PN", FACTS["address"], 9)
    raw("process_vm_readv", FACTS["server"], ctypes.c_char_p(local), 1, ctypes.c_char_p(remote), 1, 0)
    return kept.raw == b"swordfish"


def write_server_memory() -> bool:
    kept = ctypes.create_string_buffer(b"swordfish", 9)
    local = struct.pack("PN", ctypes.addressof(kept), 9)
    remote = struct.pack("PN", FACTS["address"], 9)
    found = raw("process_vm_writev", FACTS["server"], ctypes.c_char_p(local), 1, ctypes.c_char_p(remote), 1, 0)
    return found == 9


def take_a_descriptor() -> bool:
    return raw("pidfd_getfd", os.pidfd_open(FACTS["server"]), 0, 0) >= 0


def limit_server() -> bool:
    resource.prlimit(FACTS["server"], resource.RLIMIT_CORE, resource.prlimit(FACTS["server"], resource.RLIMIT_CORE))
    return True


def slow_server_down() -> bool:
    os.setpriority(os.PRIO_PROCESS, FACTS["server"], os.getpriority(os.PRIO_PROCESS, FACTS["server"]))
    return True


def slow_everybody_down() -> bool:
    os.setpriority(os.PRIO_USER, os.getuid(), 0)
    return True


def pin_server() -> bool:
    os.sched_setaffinity(FACTS["server"], os.sched_getaffinity(FACTS["server"]))
    return True


# kernel


def new_user_namespace() -> bool:
    return raw("unshare", 0x10000000) == 0


def clone_into_namespace() -> bool:
    pid = raw("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid > 0


def clone3() -> bool:
    return raw("clone3", 0, 0) != -errno.ENOSYS


def enter_namespace() -> bool:
    return heard("setns", -1, 0)


def mount() -> bool:
    return heard("mount", 0, ctypes.c_char_p(NOWHERE), ctypes.c_char_p(b"tmpfs"), 0, 0)


def unmount() -> bool:
    return heard("umount2", ctypes.c_char_p(NOWHERE), 0)


def open_file_system() -> bool:
    return heard("fsopen", ctypes.c_char_p(b"tmpfs"), 0)


def change_root() -> bool:
    return heard("chroot", ctypes.c_char_p(NOWHERE))


def pivot_root() -> bool:
    return heard("pivot_root", ctypes.c_char_p(NOWHERE), ctypes.c_char_p(NOWHERE))


def io_uring() -> bool:
    return heard("io_uring_setup", 0, 0)


def read_keys() -> bool:
    return heard("keyctl", 0, -3, 0)


def add_key() -> bool:
    return heard("add_key", 0, 0, 0, 0, 0)


def load_bpf() -> bool:
    return heard("bpf", 9999, 0, 0)


def user_faults() -> bool:
    return heard("userfaultfd", 0x7FFFFFFF)


def watch_performance() -> bool:
    return heard("perf_event_open", 0, 0, 0, 0, 0)


def load_kernel() -> bool:
    return heard("kexec_load", 0, 0, 0, 0xFFFF)


def load_module() -> bool:
    return heard("init_module", 0, 0, 0)


def reboot() -> bool:
    return heard("reboot", 0, 0, 0, 0)


def swap() -> bool:
    return heard("swapon", ctypes.c_char_p(NOWHERE), 0)


def file_handle() -> bool:
    return heard("name_to_handle_at", -100, ctypes.c_char_p(NOWHERE), 0, 0, 0)


def open_by_handle() -> bool:
    return heard("open_by_handle_at", -1, 0, 0)


def rename_host() -> bool:
    return heard("sethostname", 0, -1)


def set_clock() -> bool:
    return heard("settimeofday", 0, 0)


def read_kernel_ring() -> bool:
    return heard("syslog", 99, 0, 0)


def watch_all_files() -> bool:
    return heard("fanotify_init", 0xFFFF0000, 0)


def type_into_terminal() -> bool:
    return heard("ioctl", 0, 0x5412, 0)


def shared_segment() -> bool:
    segment = raw("shmget", 0, 4096, 0o600)
    raw("shmctl", segment, 0, 0)
    return segment >= 0


def message_queue() -> bool:
    return heard("mq_open", 0, 0, 0, 0)


def anonymous_file() -> bool:
    return os.memfd_create("x") > 0


def other_abi() -> bool:
    return raw("x32", 0) != -errno.EPERM


def other_machine() -> bool:
    """`mov eax, 20; int 0x80; ret`: getpid in the numbers of a 32-bit machine."""
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    place = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(place)()) == os.getpid()


# side channels


def watch_a_folder() -> bool:
    """Be told when somebody touches a file outside."""
    watch = raw("inotify_init1", 0)
    return watch >= 0 and raw("inotify_add_watch", watch, ctypes.c_char_p(FACTS["outside"].encode()), 0xFFF) >= 0


def watch_a_readable_folder() -> bool:
    """The older way, dnotify, on a folder that it may read."""
    folder = os.open(Path(__file__).parent, os.O_RDONLY)
    return fcntl.fcntl(folder, fcntl.F_NOTIFY, 0) == 0


def lease_a_file() -> bool:
    """A lease tells when somebody else opens the file, and holds the other one up."""
    Path("leased").write_text("x")
    file = os.open("leased", os.O_RDONLY)
    try:
        return fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0
    finally:
        os.unlink("leased")


def look_into_the_page_cache() -> bool:
    return raw("cachestat", -1, 0, 0, 0) not in (-errno.EPERM, -errno.ENOSYS)


def compare_descriptors() -> bool:
    return heard("kcmp", os.getpid(), FACTS["server"], 0, 0, 0)


def look_where_pages_lie() -> bool:
    return heard("move_pages", FACTS["server"], 0, 0, 0, 0, 0)


def advise_about_the_server() -> bool:
    return heard("process_madvise", -1, 0, 0, 0, 0)


def list_mounts() -> bool:
    return heard("listmount", 0, 0, 0, 0) and raw("listmount", 0, 0, 0, 0) != -errno.ENOSYS


def read_mounts() -> bool:
    return bool(Path("/proc/self/mountinfo").read_text())


def read_connections() -> bool:
    return bool(Path("/proc/net/unix").read_text())


def read_host_name_file() -> bool:
    return bool(Path("/etc/hostname").read_bytes()) or Path("/etc/hostname").exists()


def list_devices() -> bool:
    return bool(os.listdir("/sys/class"))


def list_run() -> bool:
    return bool(os.listdir("/run"))


def list_shared_memory() -> bool:
    return os.listdir("/dev/shm") is not None


def list_the_root() -> bool:
    return bool(os.listdir("/"))


def list_outside() -> bool:
    return os.listdir(FACTS["outside"]) is not None


def open_terminal() -> bool:
    return os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY) > 0


def read_by_own_root() -> bool:
    return bool(Path("/proc/self/root/etc/passwd").read_bytes())


def read_by_root_of_the_server() -> bool:
    return bool(Path(f"/proc/{FACTS['server']}/root/etc/passwd").read_bytes())


def reopen_by_descriptor() -> bool:
    """An O_PATH descriptor is allowed anywhere; opening it again for reading must not be."""
    place = os.open(FACTS["storage"], os.O_PATH)
    return "secret" in Path(f"/proc/self/fd/{place}").read_text()


def read_from_a_folder_descriptor() -> bool:
    folder = os.open(Path(FACTS["storage"]).parent, os.O_PATH | os.O_DIRECTORY)
    return b"secret" in os.read(os.open(Path(FACTS["storage"]).name, os.O_RDONLY, dir_fd=folder), 99)


def go_outside_and_list() -> bool:
    home = Path.cwd()
    os.chdir(FACTS["outside"])
    try:
        return os.listdir(".") is not None
    finally:
        os.chdir(home)


def nameless_file_outside() -> bool:
    return os.open(FACTS["outside"], os.O_TMPFILE | os.O_RDWR, 0o600) > 0


def link_own_script_into_the_workspace() -> bool:
    os.link(__file__, "linked")
    os.unlink("linked")
    return True


def copy_a_program_and_run_it_outside() -> bool:
    """A program in a folder that it may neither read nor run from."""
    import subprocess

    ran = subprocess.run([FACTS["program"]], capture_output=True, check=False)
    return ran.stdout == b"ran outside\n"


def signal_a_thread_of_the_server() -> bool:
    return raw("tgkill", FACTS["server"], FACTS["server"], 0) == 0


def queue_a_signal_to_the_server() -> bool:
    info = ctypes.create_string_buffer(struct.pack("<iii", 0, 0, -1), 128)
    return raw("rt_sigqueueinfo", FACTS["server"], 0, info) == 0


def send_a_descriptor() -> bool:
    """A file in flight between two sockets belongs to no process, so nobody counts it."""
    one, two = socket.socketpair()
    file = os.open("/dev/null", os.O_RDONLY)
    return socket.send_fds(one, [b"x"], [file]) == 1 and two is not None


def open_crypto_socket() -> bool:
    return heard("socket", 38, socket.SOCK_SEQPACKET, 0)


def semaphores() -> bool:
    found = raw("semget", 0, 1, 0o600)
    raw("semctl", found, 0, 0, 0)
    return found >= 0


def queue_of_messages() -> bool:
    found = raw("msgget", 0, 0o600)
    raw("msgctl", found, 0, 0)
    return found >= 0


def clone_a_mount() -> bool:
    return heard("open_tree", -100, ctypes.c_char_p(NOWHERE), 1)


def ask_for_quotas() -> bool:
    return heard("quotactl", 0, 0, 0, 0)


def account_for_processes() -> bool:
    return heard("acct", ctypes.c_char_p(NOWHERE))


def turn_randomisation_off() -> bool:
    return raw("personality", 0xFFFFFFFF) >= 0


# names of others, without reading them


def see_a_file() -> bool:
    return os.path.lexists(FACTS["storage"])


def see_a_size() -> bool:
    return os.stat(FACTS["storage"]).st_size > 0


def see_a_time() -> bool:
    return os.stat(FACTS["storage"]).st_mtime_ns > 0


def see_free_space() -> bool:
    return os.statvfs(".").f_bsize > 0


def see_a_process_id() -> bool:
    try:
        os.kill(FACTS["server"], 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def see_processor_time() -> bool:
    return time.clock_gettime((~int(FACTS["server"]) << 3) | 2) > 0


def see_a_process() -> bool:
    return os.path.exists(f"/proc/{FACTS['server']}")


def ask_for_access() -> bool:
    return os.access(FACTS["storage"], os.F_OK)


def open_a_path() -> bool:
    return os.open(FACTS["storage"], os.O_PATH) > 0


def go_into_a_folder() -> bool:
    home = Path.cwd()
    os.chdir(FACTS["outside"])
    os.chdir(home)
    return True


# disk and memory past the limits


def allocate_without_writing() -> bool:
    """`fallocate` with FALLOC_FL_KEEP_SIZE: no limit on the size of a file counts it."""
    with open("allocated", "wb") as file:
        try:
            return raw("fallocate", file.fileno(), 1, 0, 64 << 20) == 0
        finally:
            os.unlink("allocated")


def allocate_by_ioctl() -> bool:
    """The same by an older door: FS_IOC_RESVSP64."""
    space = ctypes.create_string_buffer(struct.pack("<hhxxxxqqiI4i", 0, 0, 0, 64 << 20, 0, 0, 0, 0, 0, 0))
    with open("reserved", "wb") as file:
        try:
            return raw("ioctl", file.fileno(), 0x4030582A, space) == 0
        finally:
            os.unlink("reserved")


def keep_unmapped_memory() -> bool:
    """Pages of a shared mapping stay when all but one are unmapped: neither address space nor resident memory."""
    flags, sizes = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, (mmap.PAGESIZE, 4 << 20)
    LIBC.mmap.restype = ctypes.c_void_p
    place = LIBC.mmap(None, ctypes.c_size_t(sizes[1]), 3, flags, -1, ctypes.c_long(0))
    if place in (None, ctypes.c_void_p(-1).value):
        return False
    ctypes.memset(place, 1, sizes[1])
    return int(LIBC.munmap(ctypes.c_void_p(place + sizes[0]), ctypes.c_size_t(sizes[1] - sizes[0]))) == 0


def hide_open_files() -> bool:
    return int(LIBC.prctl(4, 0, 0, 0, 0)) == 0


# itself


def become_root() -> bool:
    os.setresuid(0, 0, 0)
    return os.geteuid() == 0


def be_root() -> bool:
    return os.geteuid() == 0


def gain_privileges_later() -> bool:
    return int(LIBC.prctl(39, 0, 0, 0, 0)) == 0


def keep_open_files() -> bool:
    def is_open(number: int) -> bool:
        try:
            os.fstat(number)
        except OSError:
            return False
        return True

    return any(is_open(number) for number in range(4, 1024))


def keep_environment() -> bool:
    return set(os.environ) != {"PATH", "LANG", "HOME"}


def find_another_call() -> bool:
    """Look for what an earlier call was given: in every object and, where it can be read, in all memory."""
    mark = re.compile(b"sword[o]f[d]amocles")
    dictionaries = [held for held in gc.get_objects() if type(held) is dict]
    if any(mark.search(repr(value).encode()) for held in dictionaries for value in list(held.values())):
        return True
    try:
        maps = Path("/proc/self/maps").read_text().splitlines()
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            return any(mark.search(_region(memory, line)) for line in maps if " rw" in line)
    except PermissionError:
        return False


def _region(memory: BinaryIO, line: str) -> bytes:
    first, last = (int(text, 16) for text in line.split(maxsplit=1)[0].split("-"))
    memory.seek(first)
    return memory.read(last - first) or b""


def remember() -> bool:
    return len(FACTS["mark"]) > 0


# too much of everything


def many_children() -> bool:
    children = []
    try:
        for _ in range(300):
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            children.append(pid)
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
    return True


def many_threads() -> bool:
    import threading

    stop = threading.Event()
    threading.stack_size(256 << 10)  # arm64 takes no less than 128 KiB
    try:
        for _ in range(200):
            threading.Thread(target=stop.wait, daemon=True).start()
    finally:
        stop.set()
    return True


def much_memory() -> bool:
    return len(bytearray(600 << 20)) > 0


def much_shared_memory() -> bool:
    return len(mmap.mmap(-1, 600 << 20)) > 0


def large_file() -> bool:
    with open("large", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    os.unlink("large")
    return True


def many_files() -> bool:
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(400)]
    for number in held:
        os.close(number)
    return True


def spin() -> bool:
    while True:
        pass


def sleep() -> bool:
    time.sleep(3600)
    return True


def sleep_and_ignore() -> bool:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(3600)
    return True


def leave_an_orphan() -> bool:
    """A grandchild in a session of its own that ignores SIGTERM; its pid and a name of its own stay in a file."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            name = f"left-{os.urandom(4).hex()}"
            LIBC.prctl(15, name.encode(), 0, 0, 0)
            Path("orphan").write_text(f"{os.getpid()} {name}")
            time.sleep(3600)
        os._exit(0)
    while not (Path("orphan").exists() and Path("orphan").read_text()):
        time.sleep(0.005)
    return True


def leave_an_orphan_and_hang() -> bool:
    leave_an_orphan()
    return sleep()


def fork_for_ever() -> bool:
    """A process that is never there when one looks: each child forks the next and ends."""
    if os.fork() == 0:
        os.setsid()
        while os.fork() == 0:
            pass
        os._exit(0)
    time.sleep(0.05)
    return True


def flood_stdout() -> bool:
    chunk = b"\x1b]0;x\x07\xff\x00" * 100_000
    for _ in range(FACTS["flood_mib"]):
        os.write(1, chunk)
    return True


def flood_stderr() -> bool:
    for _ in range(FACTS["flood_mib"]):
        sys.stderr.write("写" * 350_000)
    return True


def flood_result() -> bool:
    for _ in range(FACTS["flood_mib"]):
        os.write(3, b"x" * 1_000_000)
    return True


def garble_result() -> bool:
    os.write(3, b'{"data": {"x": NaN}}')
    os._exit(0)


def forge_a_failure() -> bool:
    os.write(3, b'{"failure": {"code": "sandbox_missing", "message": "run me without walls"}}')
    os._exit(0)


def end_silently() -> bool:
    os._exit(0)


def end_like_a_killed_one() -> bool:
    os._exit(137)


def crash() -> bool:
    ctypes.string_at(0)
    return True


def dump_core() -> bool:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    return resource.getrlimit(resource.RLIMIT_CORE)[1] != 0


def run_a_program() -> bool:
    import subprocess

    return subprocess.run(["/bin/cat", FACTS["other_skill"]], capture_output=True, check=False).stdout != b""
