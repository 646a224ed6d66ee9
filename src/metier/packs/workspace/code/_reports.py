"""Results of the code tools in words and tables."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, join_names
from metier.packs.workspace.code._overview import Overview, is_test_file
from metier.packs.workspace.code._search import Hit
from metier.packs.workspace.code._test_run import TestRun
from metier.packs.workspace.code._texts import TEXTS
from metier.projects import ChangedFile, Project, render_diff

_MAX_NAMED: Final = 6
_MAX_FAILURES: Final = 20
_HEADINGS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "language": BilingualText("语言", "language"),
        "files": BilingualText("文件数", "files"),
        "lines": BilingualText("行数", "lines"),
        "file": BilingualText("文件", "file"),
        "command": BilingualText("命令", "command"),
        "line": BilingualText("行号", "line"),
        "kind": BilingualText("类别", "kind"),
        "text": BilingualText("内容", "text"),
        "test": BilingualText("测试", "test"),
        "place": BilingualText("位置", "place"),
        "reason": BilingualText("断言", "assertion"),
    }
)


def describe_overview(name: str, found: Overview, language: Language) -> JsonObject:
    """The overview as a paragraph and three tables."""
    shares = [
        TEXTS.render("language", language, name=one.name, lines=one.lines) for one in found.languages[:_MAX_NAMED]
    ]
    code = "tests" if found.test_files else "no_tests"
    tests = TEXTS.render(code, language, count=found.test_count, names=_join(found.test_files, language))
    entries = [f"`{one.command}`" for one in found.entry_points]
    told = TEXTS.render("entries" if entries else "no_entries", language, names=_join(entries, language))
    needed = found.dependencies
    summary = TEXTS.render(
        "overview",
        language,
        name=name,
        files=found.files,
        lines=found.lines,
        size=max(1, round(found.size_bytes / 1024)),
        languages=join_names(shares, language),
        tests=tests,
        entries=told,
        depends=TEXTS.render("depends", language, names=_join(needed, language)) if needed else "",
    )
    languages: list[list[JsonValue]] = [[one.name, one.files, one.lines] for one in found.languages]
    tables = [_table("languages_table", ("language", "files", "lines"), languages, language)]
    if found.entry_points:
        points: list[list[JsonValue]] = [[one.path, one.command] for one in found.entry_points]
        tables.append(_table("entries_table", ("file", "command"), points, language))
    tables.append(_table("largest_table", ("file", "lines"), [list(one) for one in found.largest], language))
    return {"summary": summary, "tables": list(tables), "test_files": list(found.test_files)}


def describe_hits(name: str, query: str, hits: Sequence[Hit], total: int, language: Language) -> JsonObject:
    """Found lines as a sentence and a table."""
    if not hits:
        return {"summary": TEXTS.render("not_found", language, query=query, name=name), "count": 0}
    shown = TEXTS.render("shown", language, shown=len(hits)) if total > len(hits) else ""
    files = len({one.path for one in hits})
    summary = TEXTS.render("found", language, query=query, count=total, files=files, shown=shown)
    rows: list[list[JsonValue]] = [[one.path, one.line, TEXTS.render(one.kind, language), one.text] for one in hits]
    table = _table("hits_table", ("file", "line", "kind", "text"), rows, language, query=query)
    return {"summary": summary, "count": total, "table": table}


def describe_run(project: Project, run: TestRun, language: Language) -> JsonObject:
    """A run of the tests: each failure with file, line and assertion."""
    skipped = TEXTS.render("skipped", language, count=run.skipped) if run.skipped else ""
    failed, total = len(run.failures), run.passed + len(run.failures)
    seconds = f"{run.elapsed_s:.1f}"
    touched = [one.path for one in project.find_changes() if is_test_file(one.path)]
    told: dict[str, JsonValue] = {
        "exit_code": run.exit_code,
        "ok": run.is_ok,
        "passed": run.passed,
        "failed": failed,
        "skipped": run.skipped,
        "tests_changed": list(touched),
        "failures": [{"test": x.test, "place": x.place, "reason": x.reason} for x in run.failures[:_MAX_FAILURES]],
    }
    values = {"name": project.name, "seconds": seconds, "skipped": skipped}
    if not failed:
        lines = [TEXTS.render("all_passed", language, passed=run.passed, **values)]
    else:
        verb = BilingualText("", "fails" if failed == 1 else "fail").text(language)
        lines = [TEXTS.render("some_failed", language, failed=failed, total=total, verb=verb, **values)]
        for one in run.failures[:_MAX_NAMED]:
            reason = one.reason.splitlines()[0] if one.reason else ""
            lines.append(TEXTS.render("failure", language, place=one.place, reason=reason))
        if failed > _MAX_NAMED:
            lines.append(TEXTS.render("more_failures", language, count=failed - _MAX_NAMED))
        rows: list[list[JsonValue]] = [[one.test, one.place, one.reason] for one in run.failures]
        told["table"] = _table("failures_table", ("test", "place", "reason"), rows, language)
    if touched:
        lines.append(TEXTS.render("tests_touched", language, names=_join(touched, language)))
    return {**told, "summary": "\n".join(lines)}


def describe_changes(project: Project, changes: Sequence[ChangedFile], language: Language) -> JsonObject:
    """What was changed in the copy, as a diff to read."""
    if not changes:
        return {"summary": TEXTS.render("no_changes", language, name=project.name), "changed": 0}
    counts = [one.count_lines() for one in changes]
    added, removed = sum(one[0] for one in counts), sum(one[1] for one in counts)
    told = TEXTS.render("changes", language, name=project.name, count=len(changes), added=added, removed=removed)
    fence = "````" if any("```" in line for one in changes for line in one.iter_diff()) else "```"
    return {"summary": f"{told}\n\n{fence}diff\n{render_diff(changes)}\n{fence}", "changed": len(changes)}


def join_paths(paths: Sequence[str], language: Language) -> str:
    """Some paths in a sentence; a long list is cut."""
    return _join([f"`{PurePosixPath(one)}`" for one in paths], language)


def _join(names: Sequence[str], language: Language) -> str:
    shown = join_names(names[:_MAX_NAMED], language)
    left = len(names) - _MAX_NAMED
    return shown if left <= 0 else TEXTS.render("more", language, names=shown, count=left)


def _table(
    title: str, keys: Sequence[str], rows: Sequence[Sequence[JsonValue]], language: Language, **values: str
) -> JsonObject:
    columns: list[JsonValue] = [{"key": key, "title": _HEADINGS[key].text(language)} for key in keys]
    return {"title": TEXTS.render(title, language, **values), "columns": columns, "rows": [list(row) for row in rows]}
