"""Runs of the bench on a server: started, streamed, saved and listed."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.clock import utc_now
from metier.errors import RecordNotFound
from metier.json_values import JsonObject
from metier.packs.office.planbench._cases import PlanCase, load_cases, load_stories
from metier.packs.office.planbench._drafters import Column, Drafter
from metier.packs.office.planbench._report import summarize_results
from metier.packs.office.planbench._run import PlanResult, run_case, run_story

__all__ = ["BenchChoice", "SavedRuns", "run_choice"]

_MAX_RUNS: Final = 100
_NAME: Final = re.compile(r"[\w.-]{1,120}")


@dataclass(frozen=True, slots=True)
class BenchChoice:
    """What is to be run: a set of cases or the stories, of one host or all, in one mode."""

    cases: str
    host: str
    mode: Column

    def list_cases(self) -> Sequence[PlanCase]:
        """Cases of the choice; none for stories."""
        if self.cases == "stories":
            return ()
        return [case for case in load_cases(self.cases) if self.host in ("all", case.host)]


def run_choice(choice: BenchChoice, draft: Drafter) -> Iterator[tuple[PlanResult, str]]:
    """Results with the request of each."""
    for case in choice.list_cases():
        yield run_case(case, choice.mode, draft), case.request
    if choice.cases == "stories":
        for story in load_stories():
            if choice.host not in ("all", story.host):
                continue
            for result, turn in zip(run_story(story, draft, choice.mode), story.turns, strict=True):
                yield result, turn.request or story.title


@dataclass(frozen=True, slots=True)
class SavedRuns:
    """Runs in a folder, one file each."""

    folder: Path

    def save(
        self, choice: BenchChoice, model: str, rows: Sequence[JsonObject], results: Sequence[PlanResult]
    ) -> JsonObject:
        """Write a run; its name says when and what."""
        at = utc_now().isoformat(timespec="seconds")
        name = f"{re.sub(r'[:+]', '', at)}-{choice.cases}-{choice.host}-{choice.mode}"
        run: JsonObject = {
            "name": name,
            "at": at,
            "set": choice.cases,
            "host": choice.host,
            "mode": choice.mode,
            "model": model,
            "summary": summarize_results(results),
            "results": list(rows),
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{name}.json").write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n", "utf-8")
        return run

    def list_runs(self) -> list[JsonObject]:
        """Saved runs without their results, newest first."""
        files = sorted(self.folder.glob("*.json"), reverse=True)[:_MAX_RUNS] if self.folder.is_dir() else []
        return [{name: value for name, value in self._load(file).items() if name != "results"} for file in files]

    def read(self, name: str) -> JsonObject:
        """One run with its results."""
        file = self.folder / f"{name}.json"
        if not _NAME.fullmatch(name) or not file.is_file():
            raise RecordNotFound(f"there is no run {name[:100]!r}", hint="GET /api/plan-bench lists them")
        return self._load(file)

    def _load(self, file: Path) -> JsonObject:
        run: JsonObject = json.loads(file.read_text("utf-8"))
        return run
