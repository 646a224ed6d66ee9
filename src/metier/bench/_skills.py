"""Benchmark of loading and reloading skills, beside reading the same files with PyYAML and `os.walk`."""

import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import yaml

from metier.bench._corpus import write_corpus
from metier.bench._figures import Figure, median_ms
from metier.clock import unix_time
from metier.skills import SkillLibrary

SKILLS = 1000
_SEED_PATTERN = re.compile(r"^---\s*\n(.*?)\n---\s*\n", re.DOTALL)


def measure_skills() -> Iterator[Figure]:
    """Measure cold load, unchanged check, reload after one edit, and a pathological file."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_corpus(folder, SKILLS)
        _backdate(folder)
        yield _measure_cold(folder)
        yield from _measure_warm(folder)
    yield _measure_blank_lines()


def _backdate(folder: Path) -> None:
    """Set the modification times back an hour, so that the files count as settled."""
    then = unix_time() - 3600
    for home, _, names in os.walk(folder):
        for name in names:
            os.utime(Path(home, name), (then, then))
    time.sleep(0.06)  # ctime cannot be set back


def _measure_cold(folder: Path) -> Figure:
    def load() -> None:
        catalog = SkillLibrary.from_folders(folder).catalog()
        if len(catalog) != SKILLS:
            raise AssertionError(f"{len(catalog)} of {SKILLS} skills were loaded")

    load()  # imports of jsonschema and libyaml are not measured
    raw = median_ms(lambda: _read_raw(folder), times=3)
    return Figure("skills", f"cold load, {SKILLS} skills", median_ms(load, times=5), 2000, 5, raw, "PyYAML + json")


def _read_raw(folder: Path) -> None:
    """Read the same front matter and manifests with the bare libraries."""
    for home, _, names in os.walk(folder):
        for name in names:
            text = Path(home, name).read_text("utf-8")
            if name.endswith(".json"):
                json.loads(text)
            elif found := _SEED_PATTERN.match(text):
                yaml.safe_load(found[1])


def _measure_warm(folder: Path) -> Iterator[Figure]:
    library = SkillLibrary.from_folders(folder)
    library.catalog()
    walk = median_ms(lambda: _walk(folder), times=9)
    yield Figure(
        "skills", "look at unchanged skills", median_ms(library.catalog, times=9), 50, 9, walk, "os.walk + stat"
    )
    edited = folder / "flat_0.md"
    text, edits = edited.read_text("utf-8"), count()

    def edit_and_reload() -> None:
        edited.write_text(f"{text}\nedit {next(edits)}\n", "utf-8")
        library.catalog()

    taken = median_ms(edit_and_reload, times=9)
    yield Figure("skills", f"reload after one edit of {SKILLS}", taken, 50, 9, walk, "os.walk + stat")


def _walk(folder: Path) -> int:
    return sum(os.lstat(Path(home, name)).st_size for home, _, names in os.walk(folder) for name in names)


def _measure_blank_lines() -> Figure:
    text = "---\n" + "\n" * 32_000 + "name: x\n"
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary, "slow")
        home.mkdir()
        (home / "SKILL.md").write_text(text, "utf-8")

        def refuse() -> None:
            catalog = SkillLibrary.from_folders(temporary).catalog()
            if len(catalog) or not catalog.diagnostics:
                raise AssertionError("the file was not refused")

        taken = median_ms(refuse, times=9)
    raw = median_ms(lambda: _SEED_PATTERN.match(text), times=1)
    return Figure("skills", "refuse 32,000 blank lines", taken, 50, 9, raw, "lazy regular expression")
