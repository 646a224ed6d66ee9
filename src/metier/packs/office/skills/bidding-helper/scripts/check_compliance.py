"""Tool `check_compliance`: the bid's answer to each requirement."""

from metier.packs.office.analysis.script_tools import check_bid


def check_compliance(tender_text: str, bid_text: str) -> dict:
    """逐条对照招标要求和投标响应 · the bid's answer to each requirement."""
    return dict(check_bid(tender_text=tender_text, bid_text=bid_text))
