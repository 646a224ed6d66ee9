"""What the tools of the conversation tell of a record."""

from pathlib import Path

from metier.packs.phm.conversation._tools import describe_record, diagnose_bearing
from metier.tools import ToolContext


def test_the_speed_that_was_given_last_is_told_as_the_given_one(tmp_path: Path) -> None:
    context = ToolContext(tmp_path, "c")
    before = describe_record(context, "pump", impossible=("rpm",))
    found = diagnose_bearing(context, "pump", rpm=1770.0, fs=12000.0, bearing="6205")
    assert "1771.8 rpm" in str((before.data or {})["summary"])
    assert "给定转速 1770 rpm" in str((found.data or {})["record"])
