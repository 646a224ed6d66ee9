"""Script tools from the outside: a skill in a folder, a pool, a call."""

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from metier.json_values import JsonObject  # noqa: TC001 - a local annotation
from metier.skills import SkillLibrary, SkillRoot
from metier.tools import (
    ALWAYS,
    Executor,
    Gate,
    MemoryLedger,
    Preview,
    Registry,
    Rules,
    ScriptPool,
    SkillScripts,
    ToolCall,
    ToolContext,
    ToolFailure,
    ToolResult,
    ToolSpec,
)
from metier.tools.run import _script_pool
from metier.tools.run._scripts import ScriptTool
from metier.tools.sandbox import SandboxFinding, SandboxReport, probe
from tests.tools.sandbox.support import is_alive

pytestmark = pytest.mark.skipif(probe().tier == 0, reason=f"no sandbox here: {probe().missing}")
BARE = SandboxReport(0, 0, False, (SandboxFinding("landlock", False, "no Landlock", "use a newer kernel"),))

Write = Callable[..., ScriptTool]


@pytest.fixture
async def pool() -> AsyncIterator[ScriptPool]:
    async with ScriptPool() as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path, pool: ScriptPool) -> Write:
    """Put a script into a skill's folder and get the tool."""

    def make(text: str, name: str = "tool", timeout_s: float = 120.0) -> ScriptTool:
        folder = tmp_path / "skills" / "demo"
        (folder / "scripts").mkdir(parents=True, exist_ok=True)
        (folder / "scripts" / f"{name}.py").write_text(text, "utf-8")
        spec = ToolSpec(name, "", origin="script", skill="demo", timeout_s=timeout_s)
        return ScriptTool(spec, pool, folder, f"scripts/{name}.py", name)

    return make


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(tmp_path / "workspace")


def failed(result: ToolResult) -> tuple[str, str, str]:
    assert result.failure is not None, result.data
    return result.failure.code, result.failure.message, result.failure.hint


async def test_keyword_arguments_in_a_dict_out(write: Write, context: ToolContext) -> None:
    tool = write("def tool(city: str, days: int = 1) -> dict:\n    return {'城市': city, 'days': days}")
    result = await tool.run({"city": "南京", "days": 3}, context)
    assert result.data == {"城市": "南京", "days": 3}
    assert (result.failure, result.notes) == (None, ())
    assert result.elapsed_ms > 0


async def test_the_contract_of_old_skills_holds(write: Write, context: ToolContext) -> None:
    tool = write("def tool(**kwargs) -> dict:\n    return kwargs")
    assert (await tool.run({"a": [1, None, {"b": 0.5}]}, context)).data == {"a": [1, None, {"b": 0.5}]}


async def test_the_function_may_be_async(write: Write, context: ToolContext) -> None:
    tool = write("import asyncio\nasync def tool():\n    await asyncio.sleep(0)\n    return {'ok': True}")
    assert (await tool.run({}, context)).data == {"ok": True}


async def test_an_edit_takes_effect_at_the_next_call(write: Write, context: ToolContext) -> None:
    tool = write("def tool():\n    return {'version': 1}")
    assert (await tool.run({}, context)).data == {"version": 1}
    write("def tool():\n    return {'version': 2}")
    assert (await tool.run({}, context)).data == {"version": 2}


async def test_no_state_goes_from_one_call_to_the_next(write: Write, context: ToolContext) -> None:
    tool = write("import sys\ndef tool():\n    sys.seen = getattr(sys, 'seen', 0) + 1\n    return {'seen': sys.seen}")
    assert [(await tool.run({}, context)).data for _ in range(3)] == [{"seen": 1}] * 3


async def test_a_script_imports_its_neighbours_and_reads_its_skill(write: Write, context: ToolContext) -> None:
    write("RATE = 7", name="rates")
    tool = write(
        "from pathlib import Path\nimport rates\n"
        "def tool():\n    home = Path(__file__).resolve().parents[1]\n"
        "    return {'rate': rates.RATE, 'text': (home / 'assets' / '模板.txt').read_text('utf-8')}"
    )
    (tool.folder / "assets").mkdir()
    (tool.folder / "assets" / "模板.txt").write_text("你好", "utf-8")
    assert (await tool.run({}, context)).data == {"rate": 7, "text": "你好"}


async def test_the_standard_library_and_installed_packages_are_there(write: Write, context: ToolContext) -> None:
    text = "import sqlite3, decimal, csv, yaml\ndef tool():\n    return {'yaml': yaml.safe_load('a: 1')}"
    assert (await write(text).run({}, context)).data == {"yaml": {"a": 1}}


async def test_what_a_script_writes_stays_and_belongs_to_the_server(write: Write, context: ToolContext) -> None:
    tool = write(
        "import os, shutil, tempfile\ndef tool():\n    open('报告.csv', 'w').write('1')\n"
        "    shutil.copy('报告.csv', 'copy.csv')\n    tempfile.NamedTemporaryFile().close()\n"
        "    return {'path': os.path.abspath('报告.csv')}"
    )
    result = await tool.run({}, context)
    assert result.data is not None, result
    (path,) = context.workspace.glob("*/报告.csv")
    assert (path.read_text(), result.data["path"]) == ("1", str(path.resolve()))
    assert (path.stat().st_uid, path.parent.stat().st_mode & 0o777) == (os.geteuid(), 0o700)
    assert result.notes == (f"files in {path.resolve().parent}: copy.csv, 报告.csv",)


async def test_an_empty_working_folder_is_taken_away(write: Write, context: ToolContext) -> None:
    await write("def tool():\n    return {}").run({}, context)
    assert list(context.workspace.iterdir()) == []


async def test_what_is_printed_is_noted(write: Write, context: ToolContext) -> None:
    text = "import sys\ndef tool():\n    print('说')\n    print('warn', file=sys.stderr)\n    return {}"
    assert (await write(text).run({}, context)).notes == ("stdout: 说\n", "stderr: warn\n")


async def test_binary_output_is_cut_and_replaced(write: Write, context: ToolContext) -> None:
    text = "import os\ndef tool():\n    os.write(1, b'\\xff' * 200_000)\n    return {}"
    (note,) = (await write(text).run({}, context)).notes
    assert note == "stdout (cut): " + "\ufffd" * 4000


async def test_an_exception_names_itself_and_its_line(write: Write, context: ToolContext) -> None:
    write("def 除(a, b):\n    return a / b", name="helper")
    tool = write("import helper\n\ndef tool():\n    return {'x': helper.除(1, 0)}")
    result = await tool.run({}, context)
    assert failed(result) == ("script_failed", "ZeroDivisionError: division by zero", "helper.py, line 2: return a / b")
    (trace,) = result.notes
    assert trace.startswith("Traceback (most recent call last):\n")
    assert "_runner" not in trace
    assert "return {'x': helper.除(1, 0)}" in trace


FAILURES = {
    "a_syntax_error": ("def tool(:", "script_failed", "SyntaxError: invalid syntax"),
    "no_function": ("def other():\n    return {}", "function_missing", "tool.py has no function 'tool'"),
    "not_a_function": ("tool = 1", "function_missing", "tool.py has no function 'tool'"),
    "a_list": ("def tool():\n    return [1]", "result_not_json", "the function returned list, not a dict"),
    "nothing": ("def tool():\n    pass", "result_not_json", "the function returned NoneType, not a dict"),
    "a_set": ("def tool():\n    return {'a': {1}}", "result_not_json", "the result is not JSON: Object of type set"),
    "not_a_number": ("def tool():\n    return {'a': float('nan')}", "result_not_json", "the result is not JSON: "),
    "half_a_character": (
        "def tool():\n    return {'a': '\\ud800'}",
        "result_not_json",
        "the result is not JSON: 'utf-8'",
    ),
    "a_loop": ("def tool():\n    d = {}\n    d['d'] = d\n    return d", "result_not_json", "the result is not JSON"),
    "too_deep": (
        "def tool():\n    d = {}\n    for _ in range(50):\n        d = {'d': d}\n    return d",
        "result_not_json",
        "the result of tool is not JSON: nested deeper",
    ),
    "too_large": (
        "def tool():\n    return {'a': 'x' * 1048576}",
        "result_too_large",
        "the result has 1048585 bytes; the most is 1048576",
    ),
    "too_much_memory": (
        "def tool():\n    return {'a': len('x' * (1 << 30))}",
        "out_of_memory",
        "the script needs more",
    ),
    "an_exit": ("import sys\ndef tool():\n    sys.exit(3)", "script_crashed", "tool ended with exit code 3"),
    "a_quiet_exit": ("import sys\ndef tool():\n    sys.exit()", "script_crashed", "tool ended with exit code 0"),
    "a_signal": (
        "import os, signal\ndef tool():\n    os.kill(os.getpid(), signal.SIGSEGV)",
        "script_crashed",
        "tool was killed by SIGSEGV",
    ),
    "an_import_that_fails": ("import nowhere", "script_failed", "ModuleNotFoundError: No module named 'nowhere'"),
    "an_interrupt": ("def tool():\n    raise KeyboardInterrupt", "script_failed", "KeyboardInterrupt"),
    "an_error_that_cannot_be_said": (
        "class Mute(Exception):\n    def __str__(self):\n        raise ValueError\ndef tool():\n    raise Mute",
        "script_failed",
        "tool.Mute: <exception str() failed>",
    ),
    "an_endless_message": ("def tool():\n    raise ValueError('很' * 9999)", "script_failed", "ValueError: 很很"),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("text", "code", "message"), FAILURES.values(), ids=FAILURES)
async def test_a_failure_is_classified(text: str, code: str, message: str, write: Write, context: ToolContext) -> None:
    found, sentence, _ = failed(await write(text).run({}, context))
    assert (found, sentence[: len(message)]) == (code, message)
    assert len(sentence) < 2100


async def test_wrong_arguments_are_the_scripts_failure(write: Write, context: ToolContext) -> None:
    code, message, _ = failed(await write("def tool(a):\n    return {}").run({"b": 1}, context))
    assert (code, message) == ("script_failed", "TypeError: tool() got an unexpected keyword argument 'b'")


async def test_a_result_of_exactly_one_mebibyte_fits(write: Write, context: ToolContext) -> None:
    tool = write("def tool(n):\n    return {'a': 'x' * n}")
    fits = 1048576 - len('{"a": ""}')
    assert (await tool.run({"n": fits}, context)).ok
    assert failed(await tool.run({"n": fits + 1}, context))[0] == "result_too_large"


async def test_a_script_that_is_gone_is_missing(write: Write, context: ToolContext) -> None:
    tool = write("def tool():\n    return {}")
    (tool.folder / tool.script).unlink()
    assert failed(await tool.run({}, context))[0] == "script_missing"
    assert not context.workspace.exists()


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "outside"])
async def test_what_is_no_file_of_the_skill_is_missing(kind: str, write: Write, context: ToolContext) -> None:
    tool = write("def tool():\n    return {}")
    path = tool.folder / tool.script
    path.unlink()
    if kind == "link":
        path.symlink_to(tool.folder.parent / "elsewhere.py")
        (tool.folder.parent / "elsewhere.py").write_text("def tool():\n    return {}")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        tool = replace(tool, script="../elsewhere.py")
    assert failed(await tool.run({}, context))[0] == "script_missing"


@pytest.mark.parametrize(("raw", "message"), [(b"\xff\xfe", "not UTF-8"), (b"#" * 1_048_577, "longer than 1 MiB")])
async def test_a_script_that_is_no_text_of_sane_size_fails(
    raw: bytes, message: str, write: Write, context: ToolContext
) -> None:
    tool = write("")
    (tool.folder / tool.script).write_bytes(raw)
    code, sentence, _ = failed(await tool.run({}, context))
    assert (code, message in sentence) == ("script_failed", True)


async def test_a_hanging_script_is_stopped_and_does_not_hold_up_others(write: Write, context: ToolContext) -> None:
    text = "import time\ndef slow():\n    time.sleep(600)"
    slow = write(text, name="slow", timeout_s=600)
    quick = write("def quick():\n    return {'ok': True}", name="quick")
    hanging = asyncio.create_task(slow.run({}, context))
    others = await asyncio.gather(*(quick.run({}, context) for _ in range(5)))
    assert [result.data for result in others] == [{"ok": True}] * 5
    assert not hanging.done()
    hanging.cancel()
    await asyncio.wait([hanging])
    stopped = await write(text, name="slow", timeout_s=0.5).run({}, context)
    assert failed(stopped) == ("timed_out", "slow was stopped after 0.5 s", "ask for less at once")


async def test_what_was_printed_before_the_end_is_kept(write: Write, context: ToolContext) -> None:
    text = "import time\ndef tool():\n    print('step 1', flush=True)\n    time.sleep(600)"
    for limit_s in (0.5, 5, 50):  # how long a script takes to start is a matter of the machine
        result = await write(text, timeout_s=limit_s).run({}, context)
        if result.notes:
            break
    assert result.notes == ("stdout: step 1\n",)


@pytest.mark.skipif(probe().tier == 2, reason="in namespaces the numbers are others")
async def test_cancelling_kills_the_script(write: Write, context: ToolContext) -> None:
    text = "import os, time\ndef tool(to):\n    open(to, 'w').write('up')\n    time.sleep(600)"
    tool = write(text)
    task = asyncio.create_task(tool.run({"to": "up"}, context))
    while not list(context.workspace.glob("*/up")):  # noqa: ASYNC110 - the writer is another process
        await asyncio.sleep(0.005)
    (supervisor,) = children_of(tool.pool.worker_pid)
    running = children_of(supervisor)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running
    assert not any(map(is_alive, running))


@pytest.mark.skipif(not probe().tier, reason="there is no sandbox")
async def test_a_script_runs_after_who_has_to_end_it(write: Write, context: ToolContext) -> None:
    tool = write("import os\ndef tool():\n    return {'nice': os.getpriority(os.PRIO_PROCESS, 0)}")
    result = await tool.run({}, context)
    assert result.data == {"nice": min(os.getpriority(os.PRIO_PROCESS, 0) + 5, 19)}


def children_of(pid: int | None) -> list[int]:
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker itself is killed: with bubblewrap its end comes a moment later, and is that of all its runs."""
    monkeypatch.setattr(_script_pool, "bubblewrap_prefix", lambda **_: None)


@pytest.mark.usefixtures("no_bubblewrap")
async def test_a_killed_worker_is_replaced(write: Write, context: ToolContext) -> None:
    tool = write("def tool():\n    return {}")
    await tool.run({}, context)
    first = tool.pool.worker_pid
    assert first is not None
    os.kill(first, 9)
    assert (await tool.run({}, context)).ok
    assert tool.pool.worker_pid not in (None, first)


@pytest.mark.usefixtures("no_bubblewrap")
async def test_a_call_outlives_the_worker_it_came_from(write: Write, context: ToolContext) -> None:
    tool = write(
        "import time, pathlib\ndef tool(gate):\n    open('up', 'w').write('1')\n"
        "    while not pathlib.Path('go').exists():\n        time.sleep(0.01)\n    return {'done': True}"
    )
    task = asyncio.create_task(tool.run({"gate": ""}, context))
    while not (started := list(context.workspace.glob("*/up"))):  # noqa: ASYNC110 - the writer is another process
        await asyncio.sleep(0.005)
    assert tool.pool.worker_pid is not None
    os.kill(tool.pool.worker_pid, 9)
    started[0].with_name("go").write_text("1")
    assert (await task).data == {"done": True}


async def test_many_calls_at_once_keep_apart(write: Write, context: ToolContext) -> None:
    tool = write("import os\ndef tool(n):\n    open('n', 'w').write(str(n))\n    return {'n': int(open('n').read())}")
    results = await asyncio.gather(*(tool.run({"n": n}, context) for n in range(20)))
    assert [result.data for result in results] == [{"n": n} for n in range(20)]


async def test_a_closed_pool_says_so(write: Write, context: ToolContext, pool: ScriptPool) -> None:
    tool = write("def tool():\n    return {}")
    async with pool:
        pass
    assert failed(await tool.run({}, context))[:2] == ("usage", "the script pool is closed")


async def test_without_a_sandbox_an_untrusted_script_does_not_run(write: Write, context: ToolContext) -> None:
    tool = write("def tool():\n    return {}")
    async with ScriptPool(policy="best_effort", report=BARE) as bare:
        result = await replace(tool, pool=bare).run({}, context)
    assert failed(result) == (
        "sandbox_missing",
        "there is no sandbox on this machine: no Landlock",
        "use a newer kernel",
    )
    assert list(context.workspace.iterdir()) == []


async def test_without_a_sandbox_a_trusted_script_runs_if_the_policy_says_so(
    write: Write, context: ToolContext
) -> None:
    tool = replace(write("import os\ndef tool():\n    return {'uid': os.getuid()}"), trusted=True)
    async with ScriptPool(policy="best_effort", report=BARE) as bare:
        assert (await replace(tool, pool=bare).run({}, context)).data == {"uid": os.getuid()}


async def test_a_skill_of_the_library_becomes_tools(tmp_path: Path, context: ToolContext, pool: ScriptPool) -> None:
    folder = tmp_path / "library" / "quote-checker"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SYSTEM.md").write_text("核对报价。", "utf-8")
    (folder / "skill.json").write_text(
        '{"schema_version": "ah32.skill.v1", "meta": {"id": "quote-checker", "name": "报价核对", "version": "1.0.0"},'
        ' "entry": {"system_prompt": "SYSTEM.md"}, "tools": [{"name": "total", "description": "合计",'
        ' "parameters": {"type": "object", "properties": {"prices": {"type": "array"}}}}]}',
        "utf-8",
    )
    (folder / "scripts" / "total.py").write_text("def total(prices):\n    return {'total': sum(prices)}")
    skill = SkillLibrary((SkillRoot(folder.parent),)).catalog()["quote-checker"]
    (declared,) = skill.tools
    tool = SkillScripts(pool).build_tool(skill, declared)
    assert (await tool.run({"prices": [1, 2.5]}, context)).data == {"total": 3.5}
    assert (tool.spec.origin, tool.spec.skill, tool.trusted) == ("script", "quote-checker", False)


async def test_a_child_that_the_script_forked_does_not_answer_for_it(write: Write, context: ToolContext) -> None:
    text = (
        "import os\ndef tool():\n    pid = os.fork()\n    if pid:\n        os.waitpid(pid, 0)\n    return {'pid': pid}"
    )
    result = await write(text).run({}, context)
    assert result.data is not None, result
    assert result.data["pid"] != 0


async def test_a_script_can_run_programs(write: Write, context: ToolContext) -> None:
    text = (
        "import subprocess, sys\ndef tool():\n"
        "    run = lambda *words: subprocess.run(words, capture_output=True, text=True, check=True).stdout\n"
        "    return {'ls': run('ls', '/usr'), 'python': run(sys.executable, '-c', 'print(1)')}"
    )
    result = await write(text).run({}, context)
    assert result.data is not None, result
    assert ("bin" in str(result.data["ls"]), result.data["python"]) == (True, "1\n")


async def test_the_example_of_the_guide_works(write: Write, context: ToolContext) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "script-tools.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    write("def times(price, count):\n    return float(price) * count", name="_money")
    tool = write(example, name="lookup_price")
    (tool.folder / "assets").mkdir()
    (tool.folder / "assets" / "prices.csv").write_text("item,price\n光模块,12.5\n", "utf-8")
    assert (await tool.run({"item": "光模块", "count": 2}, context)).data == {"item": "光模块", "total": 25.0}
    assert failed(await tool.run({"item": "网线"}, context))[1] == "ValueError: 价目表里没有 网线"


async def test_a_script_that_is_not_the_approved_one_does_not_run(write: Write, context: ToolContext) -> None:
    tool = write("def tool():\n    return {'version': 1}")
    approved = replace(tool, sha256=hashlib.sha256(b"def tool():\n    return {'version': 1}").hexdigest())
    assert (await approved.run({}, context)).data == {"version": 1}
    write("def tool():\n    return {'version': 2}")
    assert failed(await approved.run({}, context))[0] == "script_unapproved"


async def test_an_approved_skill_knows_the_hashes_of_its_scripts(tmp_path: Path, pool: ScriptPool) -> None:
    folder = tmp_path / "skills" / "demo"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: demo\ndescription: Shows it.\ntools: [tool]\n---\nDo it.\n")
    (folder / "scripts" / "tool.py").write_text("def tool():\n    return {}")
    skill = SkillLibrary((SkillRoot(tmp_path / "skills"),)).catalog()["demo"]
    approved = replace(skill, source=replace(skill.source, approved=True))
    built = [SkillScripts(pool).build_tool(one, one.tools[0]).sha256 for one in (skill, approved)]
    assert built == ["", hashlib.sha256(b"def tool():\n    return {}").hexdigest()]


async def test_a_script_previews_what_another_script_would_do(write: Write, context: ToolContext) -> None:
    tried = write("def apply(percent: float) -> dict:\n    raise SystemExit('must not run')", "apply")
    shape: JsonObject = {"type": "object", "properties": {"percent": {"type": "number"}}}
    takes = replace(tried.spec, parameters=shape)
    apply = replace(tried, spec=replace(takes, approval=ALWAYS, preview="look"))
    look = write(
        "def look(percent: float) -> dict:\n"
        "    if percent > 90: raise ValueError('too much')\n"
        "    if percent < 0: return {'rows': [{'id': 'x'}]}\n"
        "    return {'sentence': '1 price', 'columns': [{'key': 'new', 'title': 'new'}],\n"
        "            'rows': [{'id': 'tea', 'values': {'new': 10 + percent}}]}",
        "look",
    )
    registry = Registry([apply, look])

    async def preview(percent: float, registry: Registry = registry, *rules: Rules) -> Preview | ToolFailure | None:
        gate = Gate(rules, {spec.name: spec for spec in registry.specs()})
        call = ToolCall("c1", "apply", {"percent": percent})
        return await Executor(registry, MemoryLedger()).preview(call, apply.spec, context, gate=gate)

    shown = await preview(5)
    assert isinstance(shown, Preview)
    assert (shown.sentence.en, [(row.id, dict(row.values)) for row in shown.rows]) == (
        "1 price",
        [("tea", {"new": 15})],
    )
    for percent, code in ((95, "script_failed"), (-1, "preview_failed")):
        failure = await preview(percent)
        assert isinstance(failure, ToolFailure)
        assert failure.code == code, failure
    refused = await preview(5, Registry([apply, replace(look, spec=replace(look.spec, approval=ALWAYS))]))
    assert isinstance(refused, ToolFailure)
    assert "needs approval itself" in refused.message
    skill = Rules("skill", "skill demo", allowed=frozenset({"apply"}))  # a skill need not list the preview of its tool
    assert isinstance(await preview(5, registry, skill), Preview)
    for policy in (
        Rules("operator", "policy", forbidden=frozenset({"look"})),
        Rules("operator", "policy", confirm=frozenset({"look"})),
    ):
        denied = await preview(5, registry, policy)
        assert isinstance(denied, ToolFailure)
        assert (denied.code, "policy" in denied.message) == ("preview_failed", True)
