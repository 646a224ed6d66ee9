"""Run one call: in process, or as a script in the sandbox."""

from metier.tools.run._check_result import MAX_RESULT_BYTES
from metier.tools.run._executor import PREVIEW_FAILED, Executor, Outcome
from metier.tools.run._script_pool import ScriptPool
from metier.tools.run._scripts import SkillScripts, digest_tool

__all__ = [
    "MAX_RESULT_BYTES",
    "PREVIEW_FAILED",
    "Executor",
    "Outcome",
    "ScriptPool",
    "SkillScripts",
    "digest_tool",
]
