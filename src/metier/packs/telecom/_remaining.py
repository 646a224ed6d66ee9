"""Cells that a simulation does not free of the problem of its scenario, and what is recommended for each."""

from metier.json_values import JsonValue
from metier.language import Language
from metier.packs.telecom._labels import PARAMETER_LABELS, choose_text, title_table
from metier.packs.telecom._reports import list_evidence
from metier.packs.telecom.twin import RootCause, TuningResult, find_root_causes


def find_remaining(run: TuningResult) -> RootCause | None:
    """The finding of the problem that the scenario has, as it is after the changes; None if no cell has it."""
    aim = run.before.scenario.problem
    return next((one for one in find_root_causes(run.after, aim) if one.kind == aim and one.cells), None)


def summarise_remaining(run: TuningResult, found: RootCause | None, language: Language) -> str:
    """How many cells still have the problem, and how many of them nothing is recommended for."""
    if found is None:
        return ""
    count, idle = len(found.cells), len(set(found.cells) - {one.cell for one in run.changes})
    return choose_text(
        language,
        f"**仍未解决**：仿真后仍有 {count} 个小区有「{found.title_zh}」，其中 {idle} 个没有推荐改动。",
        f"**Not solved yet**: {found.title_en.lower()} is left in the simulation in this number of cells: {count}; "
        f"no change is recommended for {idle} of them.",
    )


def build_remaining_table(run: TuningResult, found: RootCause | None, language: Language) -> list[JsonValue]:
    """The table of these cells, the worst first: what they measure, and what is recommended for each."""
    if found is None:
        return []
    changed: dict[str, list[str]] = {}
    for one in run.changes:
        label = PARAMETER_LABELS[one.parameter].text(language).partition("(")[0].strip()
        changed.setdefault(one.cell, []).append(label)
    comma, none = choose_text(language, "、", ", "), choose_text(language, "无", "none")
    rows: list[JsonValue] = [
        {"cell": cell, "evidence": told, "changes": comma.join(dict.fromkeys(changed.get(cell, ()))) or none}
        for cell, told in list_evidence(found, language).items()
    ]
    heads = (
        ("cell", "小区id", "cell"),
        ("evidence", "仿真后", "after the simulation"),
        ("changes", "推荐改动", "recommended changes"),
    )
    columns: list[JsonValue] = [{"key": key, "title": choose_text(language, zh, en)} for key, zh, en in heads]
    title = choose_text(language, "仿真后仍未解决的小区", "cells not solved yet in the simulation")
    return [title_table({"title": title, "columns": columns, "rows": rows})]
