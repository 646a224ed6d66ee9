"""Tool `ingest_url_to_rag`: says how to attach a page instead."""

from metier.packs.office.analysis.script_tools import refuse_ingestion


def ingest_url_to_rag(url: str, language: str | None = None) -> dict:
    """脚本没有网络：说明怎样附上网页 · says how to attach a page instead."""
    return dict(refuse_ingestion(url=url, language=language))
