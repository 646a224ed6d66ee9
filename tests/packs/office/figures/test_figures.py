"""The corpus: forty-eight documents, a third saved by LibreOffice, the held-out half frozen."""

import hashlib
from pathlib import Path

import pytest

from metier.packs.office.figures import read_corpus, tally_corpus

CORPUS = Path(__file__).parents[1] / "corpus"
HELD_OUT_DIGEST = "8c970b0646c6f3b3c72a7061d113b794fdcf30d7b8c7122f2801b3312f17d8f6"


def test_the_held_out_half_is_as_it_was_before_the_rules() -> None:
    assert hashlib.sha256((CORPUS / "held_out.txt").read_bytes()).hexdigest() == HELD_OUT_DIGEST
    halves = [read_corpus(CORPUS, split) for split in ("development", "held_out")]
    documents = [document for half in halves for document in half]
    saved = [document for document in documents if "saved" in document.head]
    assert len(documents) >= 40
    assert len(saved) * 3 >= len(documents)
    assert [one.name for one in saved if not list((CORPUS / "saved").glob(f"{one.name}.*"))] == []


def test_every_planted_defect_of_the_development_half_is_found_and_nothing_else() -> None:
    pytest.importorskip("metier.packs.office.slides")
    tallies = tally_corpus(CORPUS, "development")
    assert {tally.tool: tally.missed + tally.extra for tally in tallies if tally.missed or tally.extra} == {}
