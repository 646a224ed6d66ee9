"""The corpus: eighty documents, a third saved by LibreOffice, those held out frozen by digest."""

import hashlib
from pathlib import Path

from metier.packs.office.figures import SPLITS, read_corpus, tally_corpus

CORPUS = Path(__file__).parents[1] / "corpus"
DIGESTS = {
    "held_out": "8c970b0646c6f3b3c72a7061d113b794fdcf30d7b8c7122f2801b3312f17d8f6",
    "held_out_2": "0b93a5b464b3edf541cab6707ca922c7fc3f54732333bb8bc10b36cff4e4b27f",
}


def test_the_held_out_documents_are_as_they_were_before_the_rules() -> None:
    found = {name: hashlib.sha256((CORPUS / f"{name}.txt").read_bytes()).hexdigest() for name in DIGESTS}
    assert found == DIGESTS
    documents = [document for split in SPLITS for document in read_corpus(CORPUS, split)]
    saved = [document for document in documents if "saved" in document.head]
    assert len(documents) >= 40
    assert len(saved) * 3 >= len(documents)
    assert [one.name for one in saved if not list((CORPUS / "saved").glob(f"{one.name}.*"))] == []


def test_every_planted_defect_of_the_development_half_is_found_and_nothing_else() -> None:
    tallies = [tally for split in SPLITS[:3] for tally in tally_corpus(CORPUS, split)]
    assert {tally.tool: tally.missed + tally.extra for tally in tallies if tally.missed or tally.extra} == {}
