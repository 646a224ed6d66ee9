import platform
import re
from pathlib import Path

import pytest

from metier.tools.sandbox._syscalls import MACHINES, Machine, get_number, list_names

HEADERS: dict[Machine, tuple[Path, ...]] = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),),
    "aarch64": (Path("/usr/include/aarch64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm-generic/unistd.h")),
}
OWN = Path("/usr/include/asm/unistd_64.h")  # the machine's own numbers, where headers are kept for one machine only


@pytest.mark.parametrize("machine", MACHINES)
def test_no_two_calls_share_a_number(machine: Machine) -> None:
    numbers = [found for name in list_names() if (found := get_number(name, machine)) is not None]
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernel_headers(machine: Machine) -> None:
    own = (OWN,) if machine == platform.machine() else ()
    header = next((path for path in (*HEADERS[machine], *own) if path.exists()), None)
    if header is None:
        pytest.skip("the kernel headers are not installed")
    written = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    known = {name: int(written[name]) for name in list_names() if name in written}
    assert len(known) > 80
    assert {name: get_number(name, machine) for name in known} == known
