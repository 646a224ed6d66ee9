"""Files a message may mean: those of the conversation, then the samples that come with the pack."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonValue
from metier.language import BilingualText, Language
from metier.names import suggest
from metier.packs.workspace.data._texts import TEXTS
from metier.patterns import compile_later
from metier.tools import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENDINGS: Final = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".json", ".jsonl")
_FOLDER: Final = Path(__file__).resolve().parent.parent / "samples" / "data"
_MAX_DEPTH: Final = 3
_MAX_FILES: Final = 200
_NUMBERED: Final = re.compile(r"^\d{3,9}-")
_OWN: Final = ("analysis-", "report-")
_SAMPLE_WORDS: Final = re.compile(r"(?i)示例|样例|sample|example|demo")
_FILE_NAME: Final = compile_later(
    r"(?:(?<![\w\u4e00-\u9fff.\-])|(?<=分析)|(?<=看看)|(?<=打开)|(?<=统计)|(?<=处理)|(?<=汇总)|(?<=清洗)|(?<=[把将用对从读看]))"
    r"[a-z0-9][a-z0-9_\-]*\.(?:csv|tsv|xlsx|xlsm|json|jsonl)(?![a-z0-9])",
    re.IGNORECASE,
)
# Before the name of a file that is to be written, not read.
_WRITES: Final = compile_later(
    r"(?:[存写做]成?[为到进入在]?|导出[为到成]?|输出[为到成]?|转[为成换]*|生成|叫做?|命名为|名为"
    r"|\b(?:save|saved|export|write|as|to|into|in|called|named|make|create))\W*$",
    re.IGNORECASE,
)
SAMPLES: Final["Mapping[str, BilingualText]"] = MappingProxyType(
    {
        "sales.zh.csv": BilingualText("示例销售数据", "Sample sales (Chinese)"),
        "sales.en.csv": BilingualText("示例销售数据（英文）", "Sample sales"),
        "energy.en.json": BilingualText("示例能耗数据", "Sample energy readings"),
    }
)
_WORDS: Final = MappingProxyType(
    {"sales.zh.csv": ("销售", "sales"), "sales.en.csv": ("sales", "销售"), "energy.en.json": ("energy", "能耗", "用电")}
)


@dataclass(frozen=True, slots=True)
class FileMatch:
    """File that a message means, empty if none; `source` is `words`, `step` or `assumption`, `count` of own files.

    One that `is_missing` is named, and is neither in the conversation nor a sample.
    """

    name: str
    source: str
    count: int
    is_missing: bool = False


def list_own_files(workspace: Path) -> list[Path]:
    """Tables of the conversation's folder, the newest last; attached copies of texts are left out."""
    found = [path for path in _walk(workspace, 1) if path.suffix.lower() in _ENDINGS]
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)[-_MAX_FILES:]


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    if not folder.is_dir() or folder.is_symlink():
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_file():
            yield path
        elif path.is_dir() and depth < _MAX_DEPTH and path.name != "text":
            yield from _walk(path, depth + 1)


def name_file(path: Path, workspace: Path) -> str:
    """Name by which people and tools call a file: its path in the folder."""
    return path.relative_to(workspace).as_posix()


def show_name(name: str) -> str:
    """Name without the folder and number under which an attached file is kept."""
    return _NUMBERED.sub("", name.rpartition("/")[2])


def match_file(message: str, workspace: Path, known: str, language: Language) -> FileMatch:
    """Find the file by its name in the message, then a sample by its words, then the known one, then the newest.

    A named file that is not there is returned by its name: no other one is taken for it.
    """
    lower = message.lower()
    own = [path for path in list_own_files(workspace) if not path.name.startswith(_OWN)]
    said = [(at, path) for path in own if (at := _find_name(lower, path)) >= 0]
    if said:
        first = min(at for at, _ in said)
        newest = [path for at, path in said if at == first][-1]
        return FileMatch(name_file(newest, workspace), "words", len(own))
    if _SAMPLE_WORDS.search(message):
        hits = [name for name, words in _WORDS.items() if any(word in lower for word in words)]
        fitting = [name for name in hits if f".{language}." in name] or hits
        return FileMatch((fitting or [f"sales.{language}.csv"])[0], "words", len(own))
    if missing := _find_missing(message):
        return FileMatch(missing, "words", len(own), is_missing=True)
    known = f"sales.{language}.csv" if known == "sales" else known
    if known in SAMPLES or known in {name_file(path, workspace) for path in list_own_files(workspace)}:
        return FileMatch(known, "step", len(own))
    if own:
        return FileMatch(name_file(own[-1], workspace), "assumption", len(own))
    return FileMatch("", "assumption", 0)


def _find_missing(message: str) -> str:
    """Name of a file that a message wants to have read; empty if it names none."""
    names = _FILE_NAME.finditer(message)
    return next((one[0] for one in names if not _WRITES.search(message[: one.start()])), "")


def _find_name(lower: str, path: Path) -> int:
    """Where a message names a file, with or without its ending; -1 if it does not."""
    shown = show_name(path.name).lower()
    places = [lower.find(word) for word in (shown, Path(shown).stem) if len(word) > 1]
    return max(places, default=-1)


def locate_file(name: str, workspace: Path, language: Language) -> Path:
    """Path of a file of the conversation or a sample; an error names what there is."""
    if name in SAMPLES:
        return _FOLDER / name
    own = {name_file(path, workspace): path for path in list_own_files(workspace)}
    shown = {show_name(one): path for one, path in own.items()}
    found = own.get(name) or shown.get(name)
    if found is None:
        names = [*shown, *SAMPLES]
        raise ToolError(
            TEXTS.render("no_file", language, name=name),
            code="not_found",
            hint=suggest(name, names) or ", ".join(names),
        )
    return found


def copy_sample(name: str, workspace: Path) -> None:
    """Put a sample into the conversation's folder, where code finds it; nothing for other files."""
    if name in SAMPLES and not (workspace / name).exists():
        workspace.mkdir(parents=True, exist_ok=True)
        copyfile(_FOLDER / name, workspace / name)


def list_options(workspace: Path, language: Language) -> list[JsonValue]:
    """Files to choose from."""
    own: list[JsonValue] = [
        {"value": name_file(path, workspace), "label": show_name(path.name)}
        for path in reversed(list_own_files(workspace))
    ]
    return [*own[:20], *({"value": name, "label": title.text(language)} for name, title in SAMPLES.items())]


def describe_file(name: str, language: Language) -> str:
    """Name of a file for people."""
    return SAMPLES[name].text(language) if name in SAMPLES else show_name(name)
