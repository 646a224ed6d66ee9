"""How many `SKILL.md` of public repositories load unchanged: `python -m benchmarks.public_skills FOLDER`.

FOLDER has a checkout or an unpacked package in each of its folders. Texts that occur several times count once, by their
best result. Nothing is written and no script runs.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

from metier.skills.read import ReadResult, SkillRoot, read_skill, scan_root

_Result: TypeAlias = Literal["not found", "refused", "untrusted", "loaded"]
_RESULTS: Final[tuple[_Result, ...]] = ("not found", "refused", "untrusted", "loaded")  # from worst to best


def measure(folder: Path) -> tuple[dict[str, tuple[_Result, Path]], Counter[str]]:
    """Result and place of each distinct text by its digest, and how often each code refused one."""
    best: dict[str, tuple[_Result, Path]] = {}
    reasons: Counter[str] = Counter()
    for root in sorted(one for one in folder.iterdir() if one.is_dir()):
        for file, reading in _read(root):
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            result = _judge(reading)
            if digest not in best or _RESULTS.index(result) > _RESULTS.index(best[digest][0]):
                best[digest] = (result, file)
            if reading is not None and result == "refused":
                reasons.update({one.code for one in reading.diagnostics if one.effect == "refused"})
    return best, reasons


def _read(root: Path) -> Iterator[tuple[Path, ReadResult | None]]:
    candidates = [one for one in scan_root(SkillRoot(root)).candidates if one.layout == "agent-skill"]
    found = {str(Path(one.location) / one.main_file): read_skill(one) for one in candidates}
    for file in sorted(root.rglob("*")):
        if file.name.lower() == "skill.md" and file.is_file() and not file.is_symlink():
            yield file, found.get(str(file))


def _judge(reading: ReadResult | None) -> _Result:
    if reading is None:
        return "not found"
    if reading.skill is None:
        return "refused"
    return "untrusted" if reading.skill.untrusted else "loaded"


def main() -> None:
    parser = argparse.ArgumentParser(description="How many SKILL.md of public repositories load unchanged.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    best, reasons = measure(folder)
    counted = Counter(result for result, _ in best.values())
    lines = [
        f"{len(best)} texts: {', '.join(f'{counted[one]} {one}' for one in reversed(_RESULTS))}",
        f"refused for: {dict(reasons)}",
        *(f"{result}: {file.relative_to(folder)}" for result, file in best.values() if result in _RESULTS[:2]),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
