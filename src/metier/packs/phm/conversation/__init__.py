"""Tools of a conversation: find the record, diagnose it, follow a trend, screen a fleet, explain terms."""

from metier.packs.phm.conversation._assets import match_asset
from metier.packs.phm.conversation._tools import build_tools

__all__ = ["build_tools", "match_asset"]
