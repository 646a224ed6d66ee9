"""Readings: sentences of rules that fired on a chart, with rule, facts and source. Tradition for reflection."""

from metier.packs.life.readings._facts import find_period
from metier.packs.life.readings._read import (
    TOPICS,
    ZODIAC_TOPICS,
    Sentence,
    find_contradictions,
    read_bazi,
    read_natal,
)
from metier.packs.life.readings._rules import ReadingRule, load_rules
from metier.packs.life.readings._words import describe_facts, melody_of, name_of

__all__ = [
    "TOPICS",
    "ZODIAC_TOPICS",
    "ReadingRule",
    "Sentence",
    "describe_facts",
    "find_contradictions",
    "find_period",
    "load_rules",
    "melody_of",
    "name_of",
    "read_bazi",
    "read_natal",
]
