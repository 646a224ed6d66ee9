"""The project of a conversation: copied from a folder, or the sample; and how far this turn's edits went."""

import json
import tempfile
import tomllib
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from metier.json_values import JsonInvalid, load_json
from metier.language import BilingualText, Language
from metier.packs.workspace.code._problems import CodeProblem
from metier.projects import Project, ProjectProblem, add_project, open_project

SAMPLE: Final = "sample"
SAMPLE_TITLE: Final = BilingualText("示例项目", "sample project")
MAX_ROUNDS: Final = 5
_SAMPLE_FILE: Final = Path(__file__).resolve().parent.parent / "samples" / "project.toml"
_ROUNDS: Final = "rounds.json"


@dataclass(frozen=True, slots=True)
class TurnRounds:
    """Edits of one turn: how many times the tests ran after an edit, and what the user allowed at its beginning."""

    turn: str
    rounds: int = 0
    is_edited: bool = False
    may_change_tests: bool = False


def find_project(storage: Path, workspace: Path) -> Project | None:
    """The project of a conversation; None if it has none."""
    return open_project(storage, workspace)


def require_project(storage: Path, workspace: Path) -> Project:
    """The project of a conversation, or a problem that says how to bring one."""
    found = open_project(storage, workspace)
    if found is None:
        raise ProjectProblem("no_project")
    return found


def use_sample(storage: Path, workspace: Path, language: Language) -> Project:
    """Make the sample the project of a conversation; one that is there already stays as it is."""
    known = open_project(storage, workspace)
    if known is not None and known.sample:
        return known
    files = tomllib.loads(_SAMPLE_FILE.read_text("utf-8"))["files"]
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = Path(folder) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        workspace.mkdir(parents=True, exist_ok=True)
        add_project(storage, workspace, Path(folder), name=SAMPLE_TITLE.text(language), sample=SAMPLE)
    return require_project(storage, workspace)


def start_turn(project: Project, turn: str, *, may_change_tests: bool) -> None:
    """Begin to count the edits of a turn. Only the first call of a turn counts: it has the user's own words."""
    if read_rounds(project, turn) is None:
        _save(project, TurnRounds(turn, may_change_tests=may_change_tests))


def check_edit(project: Project, turn: str, path: str, *, is_test: bool) -> None:
    """Raise a problem if this turn may not edit the file: a test that nobody asked to change, or too many rounds."""
    known = read_rounds(project, turn) or TurnRounds(turn)
    if is_test and not known.may_change_tests:
        raise CodeProblem("tests_protected", path=path)
    if known.rounds >= MAX_ROUNDS:
        raise CodeProblem("rounds_used", limit=MAX_ROUNDS)
    _save(project, replace(known, is_edited=True))


def count_run(project: Project, turn: str) -> int:
    """Count a run of the tests after an edit; returns the rounds of this turn."""
    known = read_rounds(project, turn) or TurnRounds(turn)
    if known.is_edited:
        known = replace(known, rounds=known.rounds + 1, is_edited=False)
        _save(project, known)
    return known.rounds


def read_rounds(project: Project, turn: str) -> TurnRounds | None:
    """What is known of this turn; None if it is a new one."""
    try:
        found = load_json((project.state / _ROUNDS).read_text("utf-8"))
    except (OSError, JsonInvalid):
        return None
    if not isinstance(found, dict) or found.get("turn") != turn:
        return None
    rounds = found.get("rounds")
    return TurnRounds(
        turn,
        rounds if isinstance(rounds, int) else MAX_ROUNDS,
        found.get("is_edited") is True,
        found.get("may_change_tests") is True,
    )


def _save(project: Project, rounds: TurnRounds) -> None:
    (project.state / _ROUNDS).write_text(json.dumps(asdict(rounds)), "utf-8")
