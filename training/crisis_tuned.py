"""`python -m training.crisis_tuned --data FOLDER`: tune the multilingual encoder for the crisis check; needs PyTorch.

All weights of the encoder but its token vectors are learned on from where the package has them, with one more row that
turns the vector of a text into a score. With `--top` only the layers above the convolutions are learned on, from the
weights that the package has of it: sentences that came later need a minute of processor time. The result runs in the
encoder's own graph. Some sentences of the tests are not among the material: what they tell stays a measurement.

With `--long` the same layers are learned on from whole messages of several sentences as well, and written to a file of
their own: blocks of long messages are scored by them, and short messages by what they were scored by before.
"""

import hashlib
import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from metier.cli.terminal import print_note
from metier.packs.life.safety import crisis_head, crisis_tuned, fold_words
from metier.routing import UseSource, load_use_source
from training.crisis import DATA, Sentence, read_sentences
from training.crisis_added import ADDED, NEWER, NEWEST, choose_sentences, read_sentences_by_kind

if TYPE_CHECKING:
    from torch import Tensor

Floats = NDArray[np.float32]
_SEED: Final = 7
_EPOCHS: Final = 4
_BATCH: Final = 48
_RATE: Final = 4e-4
_ROW_RATE: Final = 2e-3
_DECAY: Final = 0.01
_SMOOTHING: Final = 0.05
_TOKEN_DROPOUT: Final = 0.08
_DROPOUT: Final = 0.1
_ROW_DROPOUT: Final = 0.2
_MAX_TOKENS: Final = 256
_EPSILON: Final = 1e-6
# Width of each convolution filter and how many of its tokens precede the centre, as in `training/_use_graph.py`.
_FILTERS: Final = ((2, 0), (3, 1), (5, 2))
_INNER: Final = 256
# How often a plain sentence takes part in an epoch, and the weight of a sentence.
_OLD_SHARE, _PUBLIC_SHARE = 0.4, 0.3
_NEW_WEIGHT, _PUBLIC_WEIGHT = 2.0, 0.5
# Of the layers above the convolutions, which are all that `--top` learns.
_TOP: Final = ("cnn_W", "cnn_b", "d0", "d1", "p1", "d2", "d3", "p3")
_SCORING: Final = ("row", "bias")
_TOP_EPOCHS: Final = 2
_LONG_EPOCHS: Final = 3
_TOP_BATCH: Final = 96
_TOP_RATE: Final = 2e-4
_TOP_ROW_RATE: Final = 6e-4
_TOP_DROPOUT: Final = 0.2
_NEWEST_WEIGHT, _OLD_WEIGHT = 3.0, 0.6
# Whole messages of several sentences: what a block of a long message is scored by.
LONG: Final = DATA / "long_people.txt"


@dataclass(frozen=True, slots=True)
class TunedMaterial:
    """Sentences as token numbers, whether each is danger, its weight and its share of the epochs."""

    tokens: list[NDArray[np.int64]]
    wanted: Floats
    weights: Floats
    shares: Floats
    table: Floats


def run(argv: Sequence[str] | None = None) -> int:
    """Tune and write the weights."""
    parser = ArgumentParser(
        prog="python -m training.crisis_tuned", description="Tune the encoder for the crisis check."
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets, whose requests are plain")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--top", action="store_true", help="learn the shipped weights' top layers on, and only these")
    parser.add_argument("--long", action="store_true", help="learn these layers for blocks of long messages")
    asked = parser.parse_args(argv)
    source = load_use_source()
    out: Path = asked.out or (crisis_tuned.LONG_FILE if asked.long else crisis_tuned.TUNED_FILE)
    if asked.top or asked.long:
        by_kind = read_newest_first(asked.data) | ({"long": list(read_sentences(LONG))} if asked.long else {})
        material = build_material(source, by_kind)
        base = crisis_tuned.read_notes(crisis_tuned.TUNED_FILE)["sha256"]
        stored = crisis_head.read_arrays(crisis_tuned.TUNED_FILE, base)
        start = {name: one.astype(np.float32) for name, one in stored.items()}
        weights = tune_top(start, material, epochs=_LONG_EPOCHS if asked.long else _TOP_EPOCHS)
        learned = {name: one for name, one in weights.items() if not asked.long or name in (*_TOP, *_SCORING)}
        write_weights(out, learned, len(material.tokens), option="--long" if asked.long else "--top", base=base)
    else:
        material = build_material(source, read_sentences_by_kind(asked.data))
        write_weights(out, tune(source.weights, material), len(material.tokens))
    print_note(f"{len(material.tokens)} sentences: {out}")
    return 0


def read_newest_first(data: Path) -> dict[str, list[Sentence]]:
    """Sentences of `--top`: the newest, the other new ones, and a part of the old and the public ones."""
    newest, newer = ({one.text for one in read_sentences(*files)} for files in (NEWEST, (*ADDED, *NEWER)))
    found: dict[str, list[Sentence]] = {"newest": [], "other": [], "known": []}
    for one in choose_sentences(data):
        found["newest" if one.text in newest else "other" if one.text in newer else "known"].append(one)
    return found


def digest_newer() -> str:
    """SHA-256 of the sentences that only the tuned encoder has learned from."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in NEWER)).hexdigest()


def digest_long() -> str:
    """SHA-256 of the long messages."""
    return hashlib.sha256(LONG.read_bytes()).hexdigest()


def build_material(source: UseSource, by_kind: Mapping[str, Sequence[Sentence]]) -> TunedMaterial:
    """Token numbers and weights of the sentences; the table holds the token vectors that they use."""
    sentences = [(kind, one) for kind, listed in by_kind.items() for one in listed]
    ids = [np.array(source.cut(fold_words(one.text))[:_MAX_TOKENS], dtype=np.int64) for _, one in sentences]
    used = np.unique(np.concatenate(ids))
    kept = [(row, said) for row, said in zip(ids, sentences, strict=True) if len(row)]
    shares = {"old": _OLD_SHARE, "public": _PUBLIC_SHARE}
    weights = {"new": _NEW_WEIGHT, "public": _PUBLIC_WEIGHT, "newest": _NEWEST_WEIGHT, "long": _NEWEST_WEIGHT}
    weights["known"] = _OLD_WEIGHT
    return TunedMaterial(
        [np.searchsorted(used, row) for row, _ in kept],
        np.array([one.is_danger for _, (_, one) in kept], dtype=np.float32),
        np.array([weights.get(kind, 1.0) for _, (kind, _) in kept], dtype=np.float32),
        np.array([1.0 if one.is_danger else shares.get(kind, 1.0) for _, (kind, one) in kept], dtype=np.float32),
        source.look_up(used),
    )


def tune(start: Mapping[str, Floats], material: TunedMaterial, *, epochs: int = _EPOCHS) -> dict[str, Floats]:
    """Learn on from the encoder's weights; returns them with the row and the number that make a score."""
    import torch

    torch.manual_seed(_SEED)
    torch.set_flush_denormal(True)
    rng = np.random.default_rng(_SEED)
    learned = {name: torch.tensor(one).requires_grad_() for name, one in start.items()}
    row = {name: torch.zeros(size).requires_grad_() for name, size in (("row", learned["d3"].shape[1]), ("bias", 1))}
    groups = [{"params": list(learned.values())}, {"params": list(row.values())}]
    optimizer = torch.optim.AdamW(groups, lr=_RATE, weight_decay=_DECAY)
    batches = int(np.ceil(material.shares.sum() / _BATCH)) + 12
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [_RATE, _ROW_RATE], total_steps=epochs * batches, pct_start=0.1
    )
    table, every = torch.tensor(material.table), [*learned.values(), *row.values()]
    for epoch in range(epochs):
        total = 0.0
        for batch in choose_batches(material, rng):
            rows, mask = pad_rows([material.tokens[at] for at in batch], table)
            rows = rows * (torch.rand(mask.shape) > _TOKEN_DROPOUT)
            vectors = encode_rows(torch.nn.functional.dropout(rows, _DROPOUT), mask, learned, _DROPOUT)
            vectors = torch.nn.functional.dropout(vectors * crisis_tuned.SCALE, _ROW_DROPOUT)
            wanted = torch.tensor(material.wanted[batch] * (1 - _SMOOTHING) + _SMOOTHING / 2)
            losses = torch.nn.functional.binary_cross_entropy_with_logits(
                vectors @ row["row"] + row["bias"], wanted, reduction="none"
            )
            loss = (losses * torch.tensor(material.weights[batch])).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(every, 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss)
        print_note(f"epoch {epoch + 1}: {total / batches:.4f}")
    return {name: one.detach().numpy() for name, one in {**learned, **row}.items()}


def choose_batches(material: TunedMaterial, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Batches of sentences of about one length, in any order; of the plain ones their share."""
    chosen = np.flatnonzero(rng.random(len(material.shares)) < material.shares)
    lengths = np.array([len(material.tokens[at]) for at in chosen])
    chosen = chosen[np.argsort(lengths + rng.normal(0, 3, len(chosen)))]
    batches = [chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH)]
    return [batches[at] for at in rng.permutation(len(batches))]


def pad_rows(texts: Sequence[NDArray[np.int64]], table: "Tensor") -> "tuple[Tensor, Tensor]":
    """Token vectors of texts, padded with zeros, and a mask."""
    import torch

    sizes = torch.tensor([len(one) for one in texts])
    at = torch.zeros(len(texts), int(sizes.max()), dtype=torch.long)
    for place, one in enumerate(texts):
        at[place, : len(one)] = torch.from_numpy(one)
    mask = (torch.arange(at.shape[1])[None] < sizes[:, None]).float()[..., None]
    return table[at] * mask, mask


def encode_rows(rows: "Tensor", mask: "Tensor", weights: "Mapping[str, Tensor]", dropout: float = 0.0) -> "Tensor":
    """Vectors of texts, as the graph of `training/_use_graph.py` computes them."""
    return encode_pooled(pool_rows(rows, mask, weights, dropout), mask.sum(1).sqrt(), weights)


def pool_rows(rows: "Tensor", mask: "Tensor", weights: "Mapping[str, Tensor]", dropout: float = 0.0) -> "Tensor":
    """Rows of texts after the convolutions, summed over the tokens of a text and divided by the root of its length."""
    import torch
    from torch.nn.functional import dropout as drop
    from torch.nn.functional import layer_norm, pad, relu

    def normalize(found: "Tensor", gain: str, bias: str) -> "Tensor":
        return layer_norm(found, (found.shape[-1],), weights[gain], weights[bias], _EPSILON) * mask

    inner = normalize(rows @ weights["proj_W"] + weights["proj_b"], "ln_g_all", "ln_b_all")
    heard = [rows]
    for at, (size, before) in enumerate(_FILTERS):
        found = inner[..., _INNER * at : _INNER * (at + 1)]
        for step in ("1", "2"):
            padded = pad(found, (0, 0, before, size - 1 - before))
            seen = torch.cat([padded[:, start : start + rows.shape[1]] for start in range(size)], -1)
            made = relu(seen @ weights[f"w{step}.{at}"] + weights[f"b{step}.{at}"])
            found = (drop(made, dropout) + found) * mask
        heard.append(found)
    return normalize(torch.cat(heard, -1), "ln_g", "ln_b").sum(1) / torch.sqrt(mask.sum(1))


def encode_pooled(texts: "Tensor", roots: "Tensor", weights: "Mapping[str, Tensor]") -> "Tensor":
    """Vectors of texts of their pooled rows and the square roots of their lengths."""
    import torch
    from torch.nn.functional import relu

    texts = texts @ weights["cnn_W"] + roots * weights["cnn_b"]
    texts = relu(relu(texts @ weights["d0"]) @ weights["d1"] + texts @ weights["p1"])
    return torch.tanh(relu(texts @ weights["d2"]) @ weights["d3"] + texts @ weights["p3"])


def pool_all(weights: Mapping[str, Floats], material: TunedMaterial) -> "tuple[Tensor, Tensor]":
    """Pooled rows of all sentences and the square roots of their lengths; sentences of one length go together."""
    import torch

    table, held = torch.tensor(material.table), {name: torch.tensor(one) for name, one in weights.items()}
    order = np.argsort([len(one) for one in material.tokens], kind="stable")
    found: list[Tensor] = []
    with torch.no_grad():
        for start in range(0, len(order), _BATCH):
            rows, mask = pad_rows([material.tokens[at] for at in order[start : start + _BATCH]], table)
            found.append(pool_rows(rows, mask, held))
    back = torch.tensor(np.argsort(order))
    lengths = torch.tensor([float(len(one)) for one in material.tokens])
    return torch.cat(found)[back], torch.sqrt(lengths)[:, None]


def tune_top(start: Mapping[str, Floats], material: TunedMaterial, *, epochs: int) -> dict[str, Floats]:
    """Learn the layers above the convolutions on, from tuned weights; the others stay as they are."""
    import torch

    torch.manual_seed(_SEED)
    rng = np.random.default_rng(_SEED)
    texts, roots = pool_all(start, material)
    top = {name: torch.tensor(start[name]).requires_grad_() for name in _TOP}
    row = {name: torch.tensor(start[name]).requires_grad_() for name in _SCORING}
    batches, every = len(texts) // _TOP_BATCH + 1, [*top.values(), *row.values()]
    groups = [{"params": list(top.values())}, {"params": list(row.values())}]
    optimizer = torch.optim.AdamW(groups, lr=_TOP_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [_TOP_RATE, _TOP_ROW_RATE], total_steps=epochs * batches, pct_start=0.1
    )
    wanted = torch.tensor(material.wanted * (1 - _SMOOTHING) + _SMOOTHING / 2)
    for _ in range(epochs):
        order = rng.permutation(len(texts))
        for batch in (order[start : start + _TOP_BATCH] for start in range(0, len(order), _TOP_BATCH)):
            pooled = torch.nn.functional.dropout(texts[batch], _TOP_DROPOUT)
            vectors = torch.nn.functional.dropout(
                encode_pooled(pooled, roots[batch], top) * crisis_tuned.SCALE, _ROW_DROPOUT
            )
            losses = torch.nn.functional.binary_cross_entropy_with_logits(
                vectors @ row["row"] + row["bias"], wanted[batch], reduction="none"
            )
            optimizer.zero_grad()
            (losses * torch.tensor(material.weights[batch])).mean().backward()
            torch.nn.utils.clip_grad_norm_(every, 1.0)
            optimizer.step()
            schedule.step()
    return {**start, **{name: one.detach().numpy() for name, one in {**top, **row}.items()}}


def write_weights(
    file: Path, weights: Mapping[str, Floats], sentences: int, *, option: str = "", base: str = ""
) -> None:
    """Write the weights in half precision, and beside them their checksum and what they were learned from.

    `base` is the checksum of the weights that only the top layers were learned on from, as `option` asked.
    """
    halves = {name: one.astype(np.float16) for name, one in weights.items()}
    np.savez(file, allow_pickle=False, **halves)
    told = {
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "newer": digest_newer(),
        "sentences": str(sentences),
        "command": f"python -m training.crisis_tuned --data FOLDER {option}".strip(),
    }
    told |= ({"base": base} if base else {}) | ({"long": digest_long()} if option == "--long" else {})
    file.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(run())
