"""Run one call: in process, or as a script in the sandbox."""

from metier.tools.run._executor import MAX_RESULT_BYTES, Executor, Outcome
from metier.tools.run._script_pool import ScriptPool
from metier.tools.run._scripts import SkillScripts

__all__ = [
    "MAX_RESULT_BYTES",
    "Executor",
    "Outcome",
    "ScriptPool",
    "SkillScripts",
]
