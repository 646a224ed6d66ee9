"""Tool `anomaly_detector`: anomalies of a table with reasons."""

from metier.packs.office.analysis.script_tools import detect_anomalies


def anomaly_detector(doc_text: str = "", rows: list | None = None, language: str | None = None) -> dict:
    """找出表格异常并说明原因 · anomalies of a table with reasons."""
    return dict(detect_anomalies(doc_text=doc_text, rows=rows or [], language=language))
