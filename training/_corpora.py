"""Training parts of the labelled sets as corpora for `training.learn`."""

from collections.abc import Iterable
from pathlib import Path

from benchmarks.routing import LabelledSet, is_for_learning, load_sets, name_to_words, read_metatool_rows
from training._corpus import OUT_OF_SCOPE, Corpus


def load_corpora(data: Path) -> tuple[Corpus, ...]:
    """Load every set in the folder without the messages the comparison asks."""
    sets = load_sets(data)
    # The sets share sentences: 470 of the 1,076 test messages of HWU64 are in the training part of another set.
    asked = frozenset(
        message for labelled in sets for message in (*(said for said, _ in labelled.test), *labelled.outside)
    )
    return tuple(_build_corpus(labelled, data, asked) for labelled in sets if not labelled.only_asked)


def _build_corpus(labelled: LabelledSet, data: Path, asked: frozenset[str]) -> Corpus:
    pairs = _read_metatool(data) if labelled.family == "metatool" else labelled.train
    messages: dict[str, list[str]] = {}
    for message, intent in pairs:
        if message not in asked:
            messages.setdefault(intent, []).append(message)
    about = {intent: _list_about(intent, labelled) for intent in messages}
    said = {intent: tuple(found) for intent, found in sorted(messages.items())}
    strange = (*labelled.training_outside, *labelled.tuning_outside)
    outside = tuple(message for message in strange if message not in asked)
    if outside:
        said[OUT_OF_SCOPE] = outside
    return Corpus(labelled.name, labelled.family, said, about, labelled.chinese)


def _list_about(intent: str, labelled: LabelledSet) -> tuple[str, ...]:
    told = labelled.descriptions.get(intent, "")
    return (told,) if labelled.chinese else (name_to_words(intent), *([told] if told else []))


def _read_metatool(data: Path) -> Iterable[tuple[str, str]]:
    return [row for row in read_metatool_rows(data / "metatool") if is_for_learning(row[0])]
