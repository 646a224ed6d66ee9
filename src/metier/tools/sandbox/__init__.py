"""Sandbox for untrusted code: detect what this machine supports, run a command or a script inside."""

from metier.tools.sandbox._bubblewrap import bubblewrap_prefix
from metier.tools.sandbox._command import CommandResult, run_command
from metier.tools.sandbox._folder_usage import FolderUsage, TreeEntry, measure_folder, open_folder, walk_tree
from metier.tools.sandbox._path_access import COMMAND_UIDS, SCRIPT_UIDS
from metier.tools.sandbox._policy import (
    MIB,
    Isolation,
    ResourceLimits,
    Sandbox,
    SandboxPolicy,
    build_job,
    choose_isolation,
)
from metier.tools.sandbox._probe import SandboxFinding, SandboxReport, Tier, probe
from metier.tools.sandbox._protocol import ExceededLimit
from metier.tools.sandbox._worker import CapturedOutput, Worker, WorkerLost, WorkerResult

__all__ = [
    "COMMAND_UIDS",
    "MIB",
    "SCRIPT_UIDS",
    "CapturedOutput",
    "CommandResult",
    "ExceededLimit",
    "FolderUsage",
    "Isolation",
    "ResourceLimits",
    "Sandbox",
    "SandboxFinding",
    "SandboxPolicy",
    "SandboxReport",
    "Tier",
    "TreeEntry",
    "Worker",
    "WorkerLost",
    "WorkerResult",
    "bubblewrap_prefix",
    "build_job",
    "choose_isolation",
    "measure_folder",
    "open_folder",
    "probe",
    "run_command",
    "walk_tree",
]
