"""Copies the text files of a folder; what is left out is counted and named."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from metier.language import Language, Sentences, join_names
from metier.projects._files import StoredFile, is_binary, read_file, write_file
from metier.projects._ignore import IgnoreRule, is_ignored, read_rules
from metier.projects._problems import ProjectProblem

MAX_FILES: Final = 2_000
MAX_FILE_BYTES: Final = 1 << 20
MAX_TOTAL_BYTES: Final = 32 << 20
LeftOutReason = Literal["ignored", "hidden", "binary", "big", "link", "unreadable"]
_MAX_ENTRIES: Final = 50_000
_MAX_DEPTH: Final = 24
_MAX_NAMED: Final = 3
_IGNORE_FILE: Final = ".gitignore"
_GENERATED: Final = frozenset({"__pycache__", "node_modules", "venv", "env", "build.egg-info", "__MACOSX"})
_TEXTS: Final = Sentences(
    {
        "copied": ("Copied {count} files ({size} KB) from {name}.", "已从 {name} 复制 {count} 个文件（{size} KB）。"),
        "left_out": ("Left out: {parts}.", "没有复制：{parts}。"),
        "ignored": ("{count} ignored ({names})", "忽略的 {count} 个（{names}）"),
        "hidden": ("{count} hidden ({names})", "隐藏的 {count} 个（{names}）"),
        "binary": ("{count} binary ({names})", "二进制的 {count} 个（{names}）"),
        "big": ("{count} over 1 MB ({names})", "超过 1 MB 的 {count} 个（{names}）"),
        "link": ("{count} links ({names})", "链接 {count} 个（{names}）"),
        "unreadable": ("{count} unreadable ({names})", "读不了的 {count} 个（{names}）"),
    }
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file or folder that was not copied, and why."""

    path: str
    reason: LeftOutReason


@dataclass(slots=True)
class CopyReport:
    """What was copied: the files with their content, and what was left out."""

    files: dict[str, StoredFile] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    entries: int = 0

    @property
    def size_bytes(self) -> int:
        return sum(len(one.content) for one in self.files.values())

    def describe(self, name: str, language: Language) -> str:
        """The report in one or two sentences."""
        size = max(1, round(self.size_bytes / 1024))
        told = _TEXTS.render("copied", language, count=len(self.files), size=size, name=name)
        parts = [self._describe_reason(reason, language) for reason in dict.fromkeys(x.reason for x in self.left_out)]
        if not parts:
            return told
        return f"{told} {_TEXTS.render('left_out', language, parts=join_names(parts, language))}"

    def _describe_reason(self, reason: LeftOutReason, language: Language) -> str:
        paths = [one.path for one in self.left_out if one.reason == reason]
        names = join_names(paths[:_MAX_NAMED], language) + (" …" if len(paths) > _MAX_NAMED else "")
        return _TEXTS.render(reason, language, count=len(paths), names=names)


def copy_folder(source: Path, target: Path) -> CopyReport:
    """Copy the text files of a folder to a new place. Everything is read before the first file is written."""
    report = scan_folder(source)
    if not report.files:
        raise ProjectProblem("folder_empty", path=source.name or str(source))
    target.mkdir(parents=True, exist_ok=True)
    for path, one in report.files.items():
        write_file(target, path, one.content, one.mode | 0o600)
    return report


def scan_folder(folder: Path) -> CopyReport:
    """Read the text files of a folder within the limits."""
    if not folder.is_dir():
        raise ProjectProblem("folder_not_found", path=str(folder))
    report = CopyReport()
    total = 0
    for path in _walk(folder, (), (), report):
        one = _read(folder, path, report)
        if one is None:
            continue
        report.files[path] = one
        total += len(one.content)
        if len(report.files) > MAX_FILES:
            raise ProjectProblem("too_many_files", path=folder.name or str(folder), limit=MAX_FILES)
        if total > MAX_TOTAL_BYTES:
            raise ProjectProblem("too_large", path=folder.name or str(folder), limit=MAX_TOTAL_BYTES >> 20)
    return report


def _walk(root: Path, folders: tuple[str, ...], rules: tuple[IgnoreRule, ...], report: CopyReport) -> Iterator[str]:
    """Paths of the files to read, folder by folder; notes what is left out."""
    here = root.joinpath(*folders)
    try:
        entries = sorted(os.scandir(here), key=lambda one: one.name)
    except OSError as error:
        if not folders:
            raise ProjectProblem("folder_unreadable", path=str(root), why=error.strerror or "") from error
        report.left_out.append(LeftOut("/".join(folders), "unreadable"))
        return
    report.entries += len(entries)
    if report.entries > _MAX_ENTRIES:
        raise ProjectProblem("too_many_files", path=root.name or str(root), limit=MAX_FILES)
    rules = (*rules, *_read_ignore_file(root, folders))
    for entry in entries:
        names = (*folders, entry.name)
        reason = _find_reason(entry, names, rules)
        if reason is not None:
            report.left_out.append(LeftOut("/".join(names), reason))
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(root, names, rules, report)
        else:
            yield "/".join(names)


def _find_reason(entry: "os.DirEntry[str]", names: Sequence[str], rules: Sequence[IgnoreRule]) -> LeftOutReason | None:
    if entry.is_symlink():
        return "link"
    is_folder = entry.is_dir(follow_symlinks=False)
    skipped = find_skipped(entry.name)
    if skipped is not None:
        return skipped
    if len(names) > _MAX_DEPTH or is_ignored(rules, names, is_folder=is_folder):
        return "ignored"
    return None if is_folder or entry.is_file(follow_symlinks=False) else "link"


def find_skipped(name: str) -> LeftOutReason | None:
    """Why nothing of this name is ever copied: hidden, or generated by a program."""
    if name.startswith(".") and name != _IGNORE_FILE:
        return "hidden"
    return "ignored" if name in _GENERATED or name.endswith((".pyc", ".egg-info")) else None


def _read(folder: Path, path: str, report: CopyReport) -> StoredFile | None:
    reason: LeftOutReason = "unreadable"
    try:
        if (folder / path).lstat().st_size > MAX_FILE_BYTES:
            reason = "big"
        else:
            one = read_file(folder, path)
            if one is not None and not is_binary(one.content):
                return one
            reason = "binary" if one is not None else "unreadable"
    except (OSError, ProjectProblem):
        pass
    report.left_out.append(LeftOut(path, reason))
    return None


def _read_ignore_file(root: Path, folders: tuple[str, ...]) -> tuple[IgnoreRule, ...]:
    try:
        found = read_file(root, "/".join((*folders, _IGNORE_FILE)))
    except (OSError, ProjectProblem):
        return ()
    return () if found is None else read_rules(found.content[:100_000].decode("utf-8", "replace"), folders)
