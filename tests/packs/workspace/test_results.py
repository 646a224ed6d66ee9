"""Reports that one skill leaves to another stay in the conversation's folder."""

from pathlib import Path

from metier.packs.workspace._results import keep_report, read_report


def test_the_last_report_of_a_kind_is_read_again(tmp_path: Path) -> None:
    assert read_report(tmp_path, "research_report") is None
    keep_report(tmp_path, "research_report", {"question": "一"})
    keep_report(tmp_path, "research_report", {"question": "二"})
    keep_report(tmp_path, "data_report", {"file": "a.csv"})
    assert read_report(tmp_path, "research_report") == {"question": "二"}
    (tmp_path / ".results" / "data_report.json").write_text("{", "utf-8")
    assert read_report(tmp_path, "data_report") is None
