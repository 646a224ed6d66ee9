import asyncio
import sys
from pathlib import Path

import pytest

from metier.errors import SandboxMissing
from metier.tools.sandbox import ResourceLimits, Sandbox, SandboxFinding, SandboxReport, probe, run_command
from metier.tools.sandbox import _command as command_file
from tests.tools.sandbox.support import find_processes, is_alive, open_files, text_of

pytestmark = pytest.mark.skipif(probe().tier == 0, reason=f"no sandbox here: {probe().missing}")


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    folder = tmp_path / "work"
    folder.mkdir()
    return Sandbox(folder)


async def test_a_list_of_words_is_run_as_it_stands(box: Sandbox) -> None:
    ran = await run_command(["/bin/echo", "$HOME", "天气"], sandbox=box)
    assert (ran.exit_code, ran.stdout.decode(), ran.stderr) == (0, "$HOME 天气\n", b"")
    assert ran.tier == probe().tier
    assert ran.elapsed_ms > 0


async def test_a_text_goes_to_the_shell(box: Sandbox) -> None:
    ran = await run_command("echo 一 > a && cat a && exit 3", sandbox=box)
    assert (ran.exit_code, ran.stdout.decode()) == (3, "一\n")
    assert (box.folder / "a").read_text() == "一\n"


async def test_a_second_command_may_change_what_the_first_one_and_the_server_wrote(box: Sandbox) -> None:
    (box.folder / "ours").write_text("1")
    await run_command("mkdir sub; echo 1 > sub/theirs", sandbox=box)
    ran = await run_command("echo 2 >> ours; echo 2 >> sub/theirs; cat ours sub/theirs", sandbox=box)
    assert (ran.stdout, ran.stderr) == (b"12\n1\n2\n", b"")


async def test_stdin_is_given_and_ends(box: Sandbox) -> None:
    data = bytes(range(256)) * 1000
    ran = await run_command("cat > copy; cat", sandbox=box, stdin=data)
    assert (ran.stdout, (box.folder / "copy").read_bytes()) == (b"", data)


async def test_the_environment_is_clean_but_for_what_is_given(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    ran = await run_command(["/usr/bin/env"], sandbox=box, env={"CITY": "南京"})
    assert dict(line.split("=", 1) for line in ran.stdout.decode().splitlines()) == {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(box.folder),
        "CITY": "南京",
    }


async def test_python_itself_can_be_run(box: Sandbox) -> None:
    code = "import sqlite3, ssl, json; print(json.dumps({'ok': 1}))"
    ran = await run_command([sys.executable, "-c", code], sandbox=box)
    assert (ran.stdout, ran.stderr) == (b'{"ok": 1}\n', b"")


async def test_a_readable_folder_is_readable_and_no_more(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a").write_text("data")
    (tmp_path / "secret").write_text("secret")
    ran = await run_command(
        f"cat {tmp_path}/data/a; cat {tmp_path}/secret || echo x > {tmp_path}/data/b",
        sandbox=Sandbox(box.folder, readable=(tmp_path / "data",)),
    )
    assert ran.stdout == b"data"
    assert not (tmp_path / "data" / "b").exists()


async def test_a_writable_folder_beside_the_first_is_writable(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    await run_command(f"echo 1 > {tmp_path}/out/a", sandbox=Sandbox(box.folder, writable=(tmp_path / "out",)))
    assert (tmp_path / "out" / "a").read_text() == "1\n"


@pytest.mark.parametrize(("program", "code"), [("nothing-of-that-name", 127), ("/etc", 126)])
async def test_what_cannot_be_run_ends_as_in_a_shell(box: Sandbox, program: str, code: int) -> None:
    ran = await run_command([program], sandbox=box)
    assert ran.exit_code == code
    assert ran.stderr.decode().startswith(f"cannot run {program!r}: ")


async def test_a_signal_is_a_negative_code(box: Sandbox) -> None:
    assert (await run_command("kill -SEGV $$", sandbox=box)).exit_code == -11


async def test_output_is_cut_and_the_rest_drained(box: Sandbox) -> None:
    ran = await run_command("head -c 300000 /dev/zero; echo end >&2", sandbox=box)
    assert (len(ran.stdout), ran.stderr, ran.truncated, ran.exit_code) == (65536, b"end\n", True, 0)


async def test_time_runs_out_and_what_was_said_before_is_kept(box: Sandbox) -> None:
    ran = await run_command("echo early; sleep 60", sandbox=Sandbox(box.folder, limits=ResourceLimits(wall_s=2)))
    assert (ran.timed_out, ran.exit_code, ran.stdout) == (True, -9, b"early\n")


async def test_cancelling_kills_the_command_and_its_children(box: Sandbox) -> None:
    task = asyncio.create_task(run_command("sleep 60 & echo $! > pid; wait", sandbox=box))
    await text_of(box.folder / "pid")
    running = find_processes(box.folder)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(running) >= 2
    assert not any(map(is_alive, running))


async def test_no_open_file_is_left_behind(box: Sandbox) -> None:
    await run_command(["/bin/true"], sandbox=box)
    before = open_files()
    await run_command(["/bin/true"], sandbox=box)
    assert open_files() == before


async def test_without_a_sandbox_nothing_runs(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = SandboxReport(0, 0, False, (SandboxFinding("landlock", False, "no Landlock", "use a newer kernel"),))
    monkeypatch.setattr(command_file, "probe", lambda: bare)
    with pytest.raises(SandboxMissing, match="no Landlock"):
        await run_command("touch ran", sandbox=box)
    assert list(box.folder.iterdir()) == []


async def test_a_folder_that_is_not_there_is_a_clear_refusal(tmp_path: Path) -> None:
    with pytest.raises(SandboxMissing, match=r"could not be set up.*No such file"):
        await run_command("true", sandbox=Sandbox(tmp_path / "nowhere"))


SMALL = ResourceLimits(wall_s=20, file_bytes=2 << 20, disk_bytes=4 << 20, max_files=50, max_depth=8)


async def test_a_command_over_the_quota_is_stopped_and_its_new_files_are_gone(box: Sandbox) -> None:
    (box.folder / "old").mkdir()
    (box.folder / "old" / "kept").write_bytes(bytes(1 << 20))
    command = "mkdir -p new/deep old/new; for n in 1 2 3 4 5 6; do head -c 1M /dev/zero > old/new/$n; done; sleep 20"
    ran = await run_command(command, sandbox=Sandbox(box.folder, limits=SMALL))
    assert ran.exceeded is not None
    assert (ran.exceeded.kind, ran.exceeded.limit) == ("disk", 4 << 20)
    assert sorted(path.name for path in box.folder.rglob("*")) == ["kept", "old"]


async def test_an_existing_file_that_grows_counts_too(box: Sandbox) -> None:
    (box.folder / "log").write_bytes(bytes(3 << 20))
    ran = await run_command(
        "head -c 1M /dev/zero > more; head -c 2M /dev/zero >> more; sleep 20",
        sandbox=Sandbox(box.folder, limits=SMALL),
    )
    assert ran.exceeded is not None
    assert [path.name for path in box.folder.iterdir()] == ["log"]


async def test_in_a_workspace_over_its_quota_a_command_can_still_delete(box: Sandbox) -> None:
    for number in range(6):
        (box.folder / str(number)).write_bytes(bytes(1 << 20))
    ran = await run_command("rm 0 1 2", sandbox=Sandbox(box.folder, limits=SMALL))
    assert (ran.exceeded, ran.exit_code, len(list(box.folder.iterdir()))) == (None, 0, 3)
