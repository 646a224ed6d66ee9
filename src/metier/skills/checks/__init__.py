"""Is this text, name, schema or archive safe to take in? Pure functions."""

from metier.skills.checks._archives import ARCHIVE_SUFFIXES, inspect_archive, is_archive, is_path_escape
from metier.skills.checks._hidden_text import HiddenText, find_hidden_text, remove_zero_width
from metier.skills.checks._injection import find_suspicious_wording
from metier.skills.checks._names import (
    describe_lookalikes,
    file_name_problem,
    fold,
    has_homoglyphs,
    id_problem,
    normalize_name,
    standard_name_problem,
)
from metier.skills.checks._schemas import check_schema, check_schemas_together

__all__ = [
    "ARCHIVE_SUFFIXES",
    "HiddenText",
    "check_schema",
    "check_schemas_together",
    "describe_lookalikes",
    "file_name_problem",
    "find_hidden_text",
    "find_suspicious_wording",
    "fold",
    "has_homoglyphs",
    "id_problem",
    "inspect_archive",
    "is_archive",
    "is_path_escape",
    "normalize_name",
    "remove_zero_width",
    "standard_name_problem",
]
