"""Reports of a diagnosis: Markdown with the conclusion first, as self-contained HTML or PDF with plots and the DAG."""

from metier.packs.phm.reports._plots import draw_envelope, draw_steps, name_envelope
from metier.packs.phm.reports._text import build_markdown, build_sections, describe_machine, describe_verdict
from metier.packs.phm.reports._write import check_format, write_report

__all__ = [
    "build_markdown",
    "build_sections",
    "check_format",
    "describe_machine",
    "describe_verdict",
    "draw_envelope",
    "draw_steps",
    "name_envelope",
    "write_report",
]
