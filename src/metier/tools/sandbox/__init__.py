"""Sandbox for untrusted code: detect what this machine supports, run a command or a script inside."""

from metier.tools.sandbox._bubblewrap import bubblewrap_prefix
from metier.tools.sandbox._command import CommandResult, run_command
from metier.tools.sandbox._policy import Walls, choose_walls, describe
from metier.tools.sandbox._probe import Finding, SandboxReport, Tier, probe
from metier.tools.sandbox._reach import COMMAND_UIDS, SCRIPT_UIDS
from metier.tools.sandbox._sandbox import Limits, Policy, Sandbox
from metier.tools.sandbox._worker import Captured, Ended, Worker, WorkerLost

__all__ = [
    "COMMAND_UIDS",
    "SCRIPT_UIDS",
    "Captured",
    "CommandResult",
    "Ended",
    "Finding",
    "Limits",
    "Policy",
    "Sandbox",
    "SandboxReport",
    "Tier",
    "Walls",
    "Worker",
    "WorkerLost",
    "bubblewrap_prefix",
    "choose_walls",
    "describe",
    "probe",
    "run_command",
]
