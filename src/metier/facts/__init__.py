"""Facts of a conversation: named values that were settled once, with where each came from."""

from metier.facts._fact import (
    MAX_FACTS,
    Fact,
    FactOption,
    FactSource,
    FactSpec,
    FactType,
    fact_from_json,
    is_fact_name,
    make_fact,
    read_options,
)
from metier.facts._text import clean_fact_text

__all__ = [
    "MAX_FACTS",
    "Fact",
    "FactOption",
    "FactSource",
    "FactSpec",
    "FactType",
    "clean_fact_text",
    "fact_from_json",
    "is_fact_name",
    "make_fact",
    "read_options",
]
