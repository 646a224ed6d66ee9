"""Tool `data_parser`: header, rows and kinds of columns."""

from metier.packs.office.analysis.script_tools import parse_data


def data_parser(doc_text: str = "", rows: list | None = None) -> dict:
    """读出表头、行数和列类型 · header, rows and kinds of columns."""
    return dict(parse_data(doc_text=doc_text, rows=rows or []))
