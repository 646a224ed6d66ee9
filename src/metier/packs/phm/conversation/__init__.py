"""Tools of a conversation: find the record, diagnose it, follow a trend, screen a fleet, explain terms."""

from metier.packs.phm.conversation._assets import match_asset
from metier.packs.phm.conversation._tools import build_tools
from metier.packs.phm.conversation._words import MAX_RATE, MAX_RPM, read_words

__all__ = ["MAX_RATE", "MAX_RPM", "build_tools", "match_asset", "read_words"]
