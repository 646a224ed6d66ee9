import os
from pathlib import Path

from metier.bench._start import read_cpu_s, read_resident_mb, time_in_turns


def test_commands_are_timed_in_turns_and_told_in_their_order(tmp_path: Path) -> None:
    commands = [("-c", f"open('order', 'a').write({name!r})") for name in "ab"]
    taken = time_in_turns(commands, tmp_path, 3)
    assert (tmp_path / "order").read_text("utf-8") == "ababab"
    assert len(taken) == 2
    assert all(one.cpu_ms > 0 and one.wall_ms > 0 for one in taken)


def test_memory_is_that_of_the_process_and_unknown_for_one_that_is_gone() -> None:
    assert (read_resident_mb(os.getpid()) or 0) > 10
    assert read_resident_mb(2**30) is None


def test_the_processor_time_of_a_process_is_read() -> None:
    assert 0 < read_cpu_s(os.getpid()) < 10**6
