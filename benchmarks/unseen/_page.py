"""Page of the left-out comparison."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_PEERS = ("BM25", "char TF-IDF", "USE-m + LR", "MiniLM + LR", "both + LR", "plain recipe")
_HARDER = ("as it is", "two typos", "after 60 words", "after 250 words", "before 250 words", "amid 250 words")
_HEAD = """# Routing on catalogs nobody fitted to

```sh
python -m benchmarks.unseen --data DIR --before OTHER/src --messages {messages} --out DIR
```

The tables come from that command. A catalog is what a router is told of skills: names, descriptions, three examples
(`few`), ten (`many`), or none to ten (`mixed`). All routers get the same skills and the same messages; {removed}. The
maps that ship were learned from the training parts of the sets marked *seen*: on them the figures flatter. Described
catalogs are public skill files that no map has seen, though their messages are part of what the probabilities were
fitted to. A figure of 130 messages has a standard error of three to four points.
"""


def write_page(
    file: Path, rows: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]], *, messages: int
) -> None:
    """Write the page: catalogs that no map has seen first."""
    earlier = {_key(row): row for row in before}
    ordered = sorted(rows, key=lambda row: (bool(row["seen"]), str(row["catalog"])))
    removed = "some skills are taken out, and their messages are for a neighbour that is not there"
    parts = [_HEAD.format(messages=messages, removed=removed)]
    parts.append(_write_first(ordered, earlier))
    parts.append(_write_verdicts(ordered, earlier))
    parts.append(_write_harder(ordered, earlier))
    file.write_text("\n".join(parts), "utf-8")


def _key(row: Mapping[str, Any]) -> tuple[str, str]:
    return str(row["catalog"]), str(row["told"])


def _name(row: Mapping[str, Any]) -> str:
    return f"{row['catalog']}, {row['told']}{' (seen)' if row['seen'] else ''}"


def _write_first(rows: Sequence[Mapping[str, Any]], earlier: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    lines = [
        "## First choice right, in %",
        "",
        f"| catalog | Metier | before | {' | '.join(_PEERS)} | ahead of the best |",
    ]
    lines.append("| --- | --: | --: |" + " --: |" * (len(_PEERS) + 1))
    for row in rows:
        old = earlier.get(_key(row), {}).get("first", "–")
        peers = " | ".join(str(row["peers"].get(name, "–")) for name in _PEERS)
        ahead = "–" if row.get("lead") is None else f"{row['lead']:+} ± {row['lead_error']}"
        lines.append(f"| {_name(row)} | **{row['first']}** | {old} | {peers} | {ahead} |")
    return "\n".join([*lines, ""])


def _write_verdicts(rows: Sequence[Mapping[str, Any]], earlier: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    names = ("calibration", "by_chance", "auto", "right_in_auto", "wrong_auto", "none", "removed_auto", "split")
    titles = (
        "calibration error",
        "by chance",
        "auto",
        "right in auto",
        "wrong auto",
        "none",
        "neighbour removed: auto",
        "split",
    )
    lines = ["## How sure it is, in % (before in brackets)", "", f"| catalog | {' | '.join(titles)} |"]
    lines.append("| --- |" + " --: |" * len(titles))
    for row in rows:
        old = earlier.get(_key(row), {})
        cells = " | ".join(f"{row[name]} ({old.get(name, '–')})" for name in names)
        lines.append(f"| {_name(row)} | {cells} |")
    return "\n".join([*lines, ""])


def _write_harder(rows: Sequence[Mapping[str, Any]], earlier: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    lines = ["## Sixty messages made harder, in % (before in brackets)", "", f"| catalog | {' | '.join(_HARDER)} |"]
    lines.append("| --- |" + " --: |" * len(_HARDER))
    for row in rows:
        old = earlier.get(_key(row), {}).get("harder", {})
        cells = " | ".join(f"{row['harder'].get(name, '–')} ({old.get(name, '–')})" for name in _HARDER)
        lines.append(f"| {_name(row)} | {cells} |")
    return "\n".join([*lines, ""])
