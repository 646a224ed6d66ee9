"""Written records and exports: lines as their writer meant them, headed lists, tables, and items of work."""

from metier.packs.office.analysis.meetings.records._exports import SourceLine, read_source_lines
from metier.packs.office.analysis.meetings.records._listed import (
    ListedWork,
    read_fields,
    read_listed_work,
    read_noted_work,
)
from metier.packs.office.analysis.meetings.records._sections import (
    RecordKind,
    SectionReader,
    cut_mark,
    cut_symbols,
    split_numbered,
)

__all__ = [
    "ListedWork",
    "RecordKind",
    "SectionReader",
    "SourceLine",
    "cut_mark",
    "cut_symbols",
    "read_fields",
    "read_listed_work",
    "read_noted_work",
    "read_source_lines",
    "split_numbered",
]
