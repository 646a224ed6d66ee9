"""The tools that skills declare, as plain functions: text and JSON in, JSON out. Scripts of the skills call them."""

from metier.packs.office.analysis.script_tools._sheets import detect_anomalies, parse_data
from metier.packs.office.analysis.script_tools._slides import check_consistency, map_placeholders, recommend_layouts
from metier.packs.office.analysis.script_tools._tenders import (
    build_checklist,
    build_timeline,
    check_bid,
    check_policies,
    list_policies,
    refuse_ingestion,
)
from metier.packs.office.analysis.script_tools._texts import (
    check_numbering,
    check_terms,
    detect_blanks,
    detect_decisions,
    detect_placeholders,
    detect_risks,
    extract_clauses,
    extract_speakers,
    format_answers,
    locate_questions,
    parse_questions,
    write_answers,
)

__all__ = [
    "build_checklist",
    "build_timeline",
    "check_bid",
    "check_consistency",
    "check_numbering",
    "check_policies",
    "check_terms",
    "detect_anomalies",
    "detect_blanks",
    "detect_decisions",
    "detect_placeholders",
    "detect_risks",
    "extract_clauses",
    "extract_speakers",
    "format_answers",
    "list_policies",
    "locate_questions",
    "map_placeholders",
    "parse_data",
    "parse_questions",
    "recommend_layouts",
    "refuse_ingestion",
    "write_answers",
]
