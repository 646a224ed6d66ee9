"""The hostile actions as a table: what each tries, what must come of it, and whether it takes root without walls."""

from typing import NamedTuple


class Try(NamedTuple):
    """`root`: without walls only root gets its way, so only root can prove that it is the walls that refuse."""

    sentence: str
    action: str
    root: bool = False


class Excess(NamedTuple):
    """What ends with a failure of this code, walls or not; `held` when only the walls hold it."""

    sentence: str
    action: str
    code: str | None


DENIED = (
    Try("read the password hashes", "read_shadow", root=True),
    Try("read the list of accounts", "read_accounts"),
    Try("read a file of another skill", "read_other_skill"),
    Try("read another skill with a program of the system", "run_a_program"),
    Try("read the storage folder", "read_storage"),
    Try("read what another call left in the same workspace", "read_workspace_of_others"),
    Try("list the temporary folder", "list_temp"),
    Try("write to the temporary folder", "write_temp"),
    Try("list the processes", "list_processes"),
    Try("read the environment of the server", "read_server_environment"),
    Try("read the command line of the server", "read_server_command_line"),
    Try("read the memory map of the supervisor", "read_supervisor_memory_map"),
    Try("open the memory of the server", "open_server_memory"),
    Try("open its own memory for writing", "open_own_memory"),
    Try("write a file outside", "write_outside"),
    Try("make a folder outside", "make_folder_outside"),
    Try("climb out of its folder", "climb_out_of_the_folder"),
    Try("overwrite a file outside", "overwrite"),
    Try("append to a file outside", "append"),
    Try("truncate a file outside", "truncate"),
    Try("delete a file outside", "delete"),
    Try("rename its own file over one outside", "rename_over"),
    Try("move a file from outside to itself", "rename_away"),
    Try("leave a symbolic link for the server to follow", "symbolic_link"),
    Try("make a hard link to a file outside", "hard_link"),
    Try("change its own script", "change_own_script"),
    Try("plant a module beside its script", "plant_a_module"),
    Try("change the standard library", "change_the_interpreter", root=True),
    Try("change the mode of a file outside", "change_mode"),
    Try("change the mode of a file it may read", "change_mode_of_an_open_file"),
    Try("change the owner of a file outside", "change_owner", root=True),
    Try("change the times of a file outside", "change_times"),
    Try("change the attributes of a file outside", "change_attributes"),
    Try("make a program that runs as its owner", "make_a_program_that_runs_as_its_owner"),
    Try("make such a program by another call", "make_node_that_runs_as_its_owner"),
    Try("leave a named pipe for the server to hang on", "make_pipe_file"),
    Try("make a device", "make_device", root=True),
    Try("open the kernel's log", "open_kernel_log", root=True),
    Try("open the kernel's magic key", "open_magic_key", root=True),
    Try("open the kernel's settings", "open_kernel_settings", root=True),
    Try("leave a file in shared memory", "shared_memory_file"),
    Try("connect over TCP", "connect_tcp"),
    Try("listen on TCP", "listen_tcp"),
    Try("send over UDP", "send_udp"),
    Try("resolve a name", "resolve_name"),
    Try("open an IPv6 socket", "socket_ipv6"),
    Try("open a netlink socket", "socket_netlink"),
    Try("open a packet socket", "socket_packet", root=True),
    Try("open a socket to the host of the machine", "socket_vsock"),
    Try("connect to a Unix socket", "connect_unix"),
    Try("connect to an abstract socket", "connect_abstract"),
    Try("send to a Unix socket from a datagram pair", "send_datagram_from_a_pair"),
    Try("signal the server", "signal_server"),
    Try("signal its supervisor", "signal_supervisor"),
    Try("signal the server by descriptor", "signal_by_descriptor"),
    Try("have the kernel signal the server for it", "signal_by_pipe"),
    Try("trace the server", "trace_server", root=True),
    Try("read the memory of the server", "read_server_memory", root=True),
    Try("write the memory of the server", "write_server_memory", root=True),
    Try("take an open file from the server", "take_a_descriptor", root=True),
    Try("change the limits of the server", "limit_server"),
    Try("change the priority of the server", "slow_server_down"),
    Try("change the priority of all processes of its user", "slow_everybody_down"),
    Try("pin the server to a processor", "pin_server"),
    Try("make a user namespace", "new_user_namespace", root=True),
    Try("clone into a user namespace", "clone_into_namespace", root=True),
    Try("call clone3, whose flags no filter can see", "clone3"),
    Try("enter a namespace", "enter_namespace"),
    Try("mount", "mount"),
    Try("unmount", "unmount", root=True),
    Try("open a file system", "open_file_system", root=True),
    Try("change the root", "change_root"),
    Try("pivot the root", "pivot_root", root=True),
    Try("set up an io_uring", "io_uring", root=True),
    Try("read a keyring", "read_keys"),
    Try("add a key", "add_key"),
    Try("load a BPF program", "load_bpf", root=True),
    Try("handle page faults", "user_faults", root=True),
    Try("open a performance counter", "watch_performance"),
    Try("load another kernel", "load_kernel", root=True),
    Try("load a kernel module", "load_module", root=True),
    Try("reboot", "reboot", root=True),
    Try("swap to a file", "swap", root=True),
    Try("turn a path into a file handle", "file_handle"),
    Try("open a file by its handle", "open_by_handle"),
    Try("rename the host", "rename_host", root=True),
    Try("set the clock", "set_clock"),
    Try("read the kernel's ring", "read_kernel_ring", root=True),
    Try("watch all files", "watch_all_files", root=True),
    Try("type into a terminal", "type_into_terminal"),
    Try("make a shared memory segment", "shared_segment"),
    Try("open a message queue", "message_queue"),
    Try("make a file without a name, beyond the memory limit", "anonymous_file"),
    Try("call the kernel in the x32 way", "other_abi"),
    Try("become root again", "become_root", root=True),
    Try("run as root", "be_root", root=True),
    Try("gain privileges by running a program", "gain_privileges_later"),
    Try("ask for core dumps", "dump_core"),
    Try("fork 300 children", "many_children"),
    Try("start 200 threads", "many_threads"),
    Try("take 600 MiB of memory", "much_memory"),
    Try("take 600 MiB of shared memory", "much_shared_memory"),
    Try("write a file of 64 MiB", "large_file"),
    Try("open 400 files", "many_files"),
)

# These are held with walls and without: the supervisor and the clean start do it.
NEVER = (
    Try("inherit an open file", "keep_open_files"),
    Try("inherit a variable of the server", "keep_environment"),
    Try("find the arguments of an earlier call in its memory", "find_another_call"),
)

EXCESSES = (
    Excess("spin for ever", "spin", "timed_out"),
    Excess("sleep for ever", "sleep", "timed_out"),
    Excess("sleep for ever and ignore every signal", "sleep_and_ignore", "timed_out"),
    Excess("hang and leave an orphan in a session of its own", "leave_an_orphan_and_hang", "timed_out"),
    Excess("return and leave an orphan in a session of its own", "leave_an_orphan", None),
    Excess("return while a chain of children forks for ever", "fork_for_ever", None),
    Excess("flood stdout with binary", "flood_stdout", None),
    Excess("flood stderr with text", "flood_stderr", None),
    Excess("flood the result", "flood_result", "result_too_large"),
    Excess("write NaN as its result", "garble_result", "result_not_json"),
    Excess("forge a failure of the sandbox", "forge_a_failure", "result_not_json"),
    Excess("end without a result", "end_silently", "script_crashed"),
    Excess("end with exit code 137", "end_like_a_killed_one", "script_crashed"),
    Excess("crash the interpreter", "crash", "script_crashed"),
)
