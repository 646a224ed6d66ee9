"""Figures of the office pack, `metier bench office --data DIR`: recall and precision of every tool on the corpus."""

from metier.packs.office.figures._corpus import SPLITS, CorpusDocument, PlantedMark, read_corpus, save_with_libreoffice
from metier.packs.office.figures._measure import ToolTally, measure, tally_corpus

__all__ = [
    "SPLITS",
    "CorpusDocument",
    "PlantedMark",
    "ToolTally",
    "measure",
    "read_corpus",
    "save_with_libreoffice",
    "tally_corpus",
]
