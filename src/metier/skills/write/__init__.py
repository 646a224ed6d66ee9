"""A skill to a folder of the open standard; conversion; scaffolds."""

from metier.skills.write._agent_skill import escape_dashes, quote_yaml
from metier.skills.write._convert import Conversion, ConversionRefusal, convert
from metier.skills.write._scaffold import scaffold

__all__ = [
    "Conversion",
    "ConversionRefusal",
    "convert",
    "escape_dashes",
    "quote_yaml",
    "scaffold",
]
