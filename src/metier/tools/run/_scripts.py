"""Script tools of skills (`scripts/<tool>.py`): read at each call, run in the sandbox."""

import hashlib
import os
import stat
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.skills import DeclaredTool, Skill
from metier.tools._calls import Tool, ToolContext, ToolError, ToolResult
from metier.tools._registry import spec_from_declaration
from metier.tools._spec import ToolSpec
from metier.tools.gate import digest_arguments
from metier.tools.run._script_pool import ScriptCall, ScriptPool
from metier.tools.run._script_result import result_from_run

_MAX_SOURCE_BYTES: Final = 1024 * 1024
_NO_SHA256: Final = "none"  # of a script that was not there when the skill was approved
_OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class ScriptTool:
    """Script of a skill as a tool. `script` is relative to the skill's folder, which the script may read."""

    spec: ToolSpec
    pool: ScriptPool
    folder: Path
    script: str
    function: str
    trusted: bool = False
    sha256: str = ""  # of the approved script; empty: the script as it is now

    def compute_digest(self) -> str:
        """SHA-256 of the script and of all Python files beside it, which it may import."""
        place = self.folder / self.script
        found = hashlib.sha256()
        for path in sorted({place, *place.parent.rglob("*.py")}):
            found.update(f"{path.relative_to(self.folder)}\0".encode("utf-8", "surrogateescape"))
            found.update(hashlib.sha256(_read_bytes(path)).digest())
        return found.hexdigest()

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        """Call the function in a new folder inside the workspace.

        The folder is kept unless it is empty, or the script exceeded a limit: then the pool has deleted it.
        """
        source = _read_script(self.folder, self.script, self.sha256)
        if isinstance(source, ToolResult):
            return source
        started = time.perf_counter()
        folder = _create_folder(context.workspace, self.function)
        home = self.folder.resolve()
        call = ScriptCall(
            script=home / self.script,
            source=source,
            function=self.function,
            arguments=arguments,
            skill_folder=home,
            folder=folder,
            timeout_s=self.spec.timeout_s,
            trusted=self.trusted,
            workspace=context.workspace,
        )
        try:
            ended = await self.pool.call(call)
        except (MetierError, ToolError) as error:
            folder.rmdir()
            return error.to_result() if isinstance(error, ToolError) else _fail(error)
        elapsed_ms = (time.perf_counter() - started) * 1000
        return result_from_run(self.spec.name, ended, limit_s=self.spec.timeout_s, elapsed_ms=elapsed_ms, folder=folder)


@dataclass(frozen=True, slots=True)
class SkillScripts:
    """Builds tools for the scripts that skills declare; all run in one pool."""

    pool: ScriptPool

    def build_tool(self, skill: Skill, declared: DeclaredTool) -> ScriptTool:
        """Build the tool for a declared script."""
        return ScriptTool(
            spec=spec_from_declaration(skill, declared),
            pool=self.pool,
            folder=skill.source.folder,
            script=declared.script or f"scripts/{declared.name}.py",
            function=Path(declared.script).stem if declared.script else declared.name,
            trusted=skill.source.trusted,
            sha256=_approved_sha256(skill, declared) if skill.source.approved else "",
        )


def _fail(error: MetierError) -> ToolResult:
    return ToolResult.fail(error.code, error.message, hint=error.hint)


def digest_tool(tool: Tool) -> str:
    """SHA-256 of what a person approves of a tool beside the arguments: how it is described, and its script."""
    script = tool.compute_digest() if isinstance(tool, ScriptTool) else ""
    return digest_arguments({"tool": tool.spec.to_json(), "script": script})


def _read_bytes(path: Path) -> bytes:
    """Content of a file; empty if it cannot be read, as then it cannot run either."""
    try:
        with os.fdopen(os.open(path, _OPEN_FLAGS), "rb") as file:
            return file.read(_MAX_SOURCE_BYTES + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError:
        return b""


def _create_folder(workspace: Path, name: str) -> Path:
    workspace.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=workspace.resolve()))


def _approved_sha256(skill: Skill, declared: DeclaredTool) -> str:
    name = declared.script or f"scripts/{declared.name}.py"
    return next((file.sha256 for file in skill.files if file.path == name), _NO_SHA256)


def _read_script(folder: Path, script: str, sha256: str) -> str | ToolResult:
    """Return the current source of the script, or a failure; with `sha256` only the approved source."""
    path = folder / script
    if not path.resolve().is_relative_to(folder.resolve()):
        return ToolResult.fail("script_missing", f"{script} lies outside its skill", hint="keep scripts in scripts/")
    try:
        with os.fdopen(os.open(path, _OPEN_FLAGS), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ToolResult.fail("script_missing", f"{script} is not a file", hint="write the script there")
            raw = file.read(_MAX_SOURCE_BYTES + 1)
        if len(raw) > _MAX_SOURCE_BYTES:
            return ToolResult.fail("script_failed", f"{script} is longer than 1 MiB", hint="split it into modules")
        if sha256 and hashlib.sha256(raw).hexdigest() != sha256:
            message = f"{script} is not the file that was approved"
            return ToolResult.fail("script_unapproved", message, hint="see `metier skills verify`")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ToolResult.fail("script_failed", f"{script} is not UTF-8", hint="save the script as UTF-8")
    except OSError as error:
        message = f"{script} cannot be read: {error.strerror}"
        return ToolResult.fail("script_missing", message, hint=f"a skill's tool needs a script at {script}")
