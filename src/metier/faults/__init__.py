"""Fault points: named places where a test may kill, stop, delay or fail the process; inert without `METIER_FAULTS`.

`METIER_FAULTS="tool_done=kill"` kills the process after the first tool call, before its result is stored;
`model_delta=kill@10` at the tenth piece of text; `message_stored=sleep:2,tool_done=raise` does two things.
"""

from metier.faults._points import FAULT_POINTS
from metier.faults._switch import InjectedFault, arm_faults, fault_point, parse_faults

__all__ = ["FAULT_POINTS", "InjectedFault", "arm_faults", "fault_point", "parse_faults"]
