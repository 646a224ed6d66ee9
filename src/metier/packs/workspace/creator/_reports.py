"""The checks of a draft in words, tables and as a preview."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, join_names, shorten_text
from metier.packs.workspace.creator._check import DraftCheck
from metier.packs.workspace.creator._texts import TEXTS
from metier.tools import Preview, PreviewColumn, PreviewRow, PreviewTotal
from metier.visible_text import visible_text

_MAX_CHARS: Final = 4_000
_HEADINGS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "message": BilingualText("用户的话", "message"),
        "should": BilingualText("应选中", "should choose it"),
        "chosen": BilingualText("选中", "chosen"),
        "result": BilingualText("结果", "result"),
        "skill": BilingualText("技能", "skill"),
        "why": BilingualText("原因", "why"),
        "severity": BilingualText("程度", "severity"),
        "finding": BilingualText("问题", "finding"),
    }
)
_COLUMNS: Final = (
    PreviewColumn("file", BilingualText("文件", "File")),
    PreviewColumn("content", BilingualText("内容", "Content"), role="new"),
)


def describe_check(check: DraftCheck, language: Language) -> JsonObject:
    """The result of the checks: a sentence, then evals, collisions and findings as tables."""
    passed, positive = sum(one.passed for one in check.evals), sum(one.should_trigger for one in check.evals)
    names = [one for one, _ in check.collisions]
    found = check.list_errors(language)
    errors = len(found)
    summary = TEXTS.render(
        "checked",
        language,
        title=check.skill.title_in(language),
        passed=passed,
        total=len(check.evals),
        positive=positive,
        negative=len(check.evals) - positive,
        findings=TEXTS.render(
            "findings" if check.findings else "no_findings",
            language,
            errors=errors,
            others=len(check.findings) - errors,
        ),
        collisions=TEXTS.render(
            "collisions" if names else "no_collisions", language, names=join_names(names[:5], language)
        ),
    )
    lines = [summary]
    if check.is_taken:
        lines.append(TEXTS.render("taken", language))
    if check.unknown_tools:
        lines.append(TEXTS.render("unknown_tools", language, names=join_names(check.unknown_tools, language)))
    return {
        "summary": "\n\n".join(lines),
        "installable": check.is_installable,
        "evals": len(check.evals),
        "passed": passed,
        "collisions": list(names),
        "errors": list(found),
        "tables": list(_build_tables(check, language)),
    }


def preview_install(
    check: DraftCheck, folder: str, texts: Mapping[str, str], digest: str, language: Language
) -> Preview:
    """The question before a skill is installed: its files, where they go, and what the checks say."""
    passed = sum(one.passed for one in check.evals)
    names = join_names([one for one, _ in check.collisions][:5], language)
    title = check.skill.title_in
    return Preview(
        BilingualText(
            f"将把技能「{title('zh')}」安装到 {folder}，批准后启用，可以撤销。",
            f"The skill {title('en')!r} would be installed in {folder}; active after approval, can be removed.",
        ),
        _COLUMNS,
        tuple(
            PreviewRow(path, {"file": path, "content": shorten_text(visible_text(text), _MAX_CHARS)})
            for path, text in texts.items()
        ),
        (
            PreviewTotal(BilingualText("触发用例通过", "Trigger evals passed"), f"{passed} / {len(check.evals)}"),
            PreviewTotal(BilingualText("冲突", "Collisions"), names or TEXTS.render("nothing", language)),
            PreviewTotal(BilingualText("版本", "Version"), digest[:12]),
        ),
    )


def _build_tables(check: DraftCheck, language: Language) -> Sequence[JsonValue]:
    evals: list[list[JsonValue]] = [
        [
            one.query,
            TEXTS.render("yes" if one.should_trigger else "no", language),
            one.chosen or TEXTS.render("nothing", language),
            TEXTS.render("passed" if one.passed else "failed", language),
        ]
        for one in check.evals
    ]
    tables = [_table("evals_table", ("message", "should", "chosen", "result"), evals, language)]
    collisions: list[list[JsonValue]] = [[name, " ".join(why)] for name, why in check.collisions]
    if collisions:
        tables.append(_table("collisions_table", ("skill", "why"), collisions, language))
    findings: list[list[JsonValue]] = [
        [TEXTS.render(f"severity_{one.severity}", language), one.text(language)] for one in check.findings
    ]
    if findings:
        tables.append(_table("findings_table", ("severity", "finding"), findings, language))
    return tables


def _table(title: str, keys: Sequence[str], rows: Sequence[Sequence[JsonValue]], language: Language) -> JsonObject:
    columns: list[JsonValue] = [{"key": key, "title": _HEADINGS[key].text(language)} for key in keys]
    return {"title": TEXTS.render(title, language), "columns": columns, "rows": [list(row) for row in rows]}
