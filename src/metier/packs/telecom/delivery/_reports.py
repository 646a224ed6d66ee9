"""What applying and taking back does to the twin, and what is told about it."""

from collections.abc import Sequence
from typing import Final

from metier.errors import UsageError
from metier.json_values import JsonObject
from metier.language import Language, write_count
from metier.packs.telecom._charts import build_parameters_table
from metier.packs.telecom._labels import choose_text
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom.changes import ChangeBounds
from metier.packs.telecom.delivery._previews import (
    ChosenRow,
    describe_missing_simulation,
    name_changes,
    require_recommendation,
    select_changes,
)
from metier.packs.telecom.delivery._selected import select_bounded
from metier.packs.telecom.twin import NetworkState

_WEAK: Final = "弱覆盖栅格(%)"


def report_simulated(scenarios: LiveScenarios, name: str, language: Language) -> JsonObject:
    """Whether the scenario as it is now was simulated, and how many changes that recommends."""
    found, scenario = scenarios.find_recommendation(name), scenarios.get_scenario(name)
    if found is None:
        why = describe_missing_simulation(scenarios, name).text(language)
        summary = choose_text(language, f"{why}没有改动任何参数。", f"{why.rstrip('.')}; nothing was changed.")
    else:
        count = len(found.changes)
        summary = choose_text(
            language, f"已有仿真结果，推荐 {count} 处调整。", f"Simulated: {write_count(count, 'changes')} recommended."
        )
    return {
        "digitaltwins_id": scenario.id,
        "simulated": found is not None,
        "applied": bool(scenarios.applied_changes(name)),
        "changes": 0 if found is None else len(found.changes),
        "summary": "" if found is not None else summary,
        "message": summary,
        "status": _describe_status(
            len(scenarios.applied_changes(name)), 0 if found is None else len(found.changes), language
        ),
    }


def _describe_status(in_force: int, recommended: int, language: Language) -> str:
    applied = choose_text(
        language,
        f"现在有 {in_force} 处下发的参数在用；说「撤销参数」可以撤销最近一次下发。"
        if in_force
        else "现在没有下发的参数在用。",
        f"In force: {write_count(in_force, 'applied parameters')}; “undo the parameters” takes the last ones back."
        if in_force
        else "No applied parameters are in force.",
    )
    offered = choose_text(
        language,
        f"仿真推荐了 {recommended} 处改动，还没有下发；说「下发参数」会先列出全部改动请你批准，下发后可以撤销。",
        f"The simulation recommends {write_count(recommended, 'changes')}, not applied yet; “apply the parameters” "
        "lists all for approval first, and that can be undone.",
    )
    return f"{applied}{choose_text(language, '', ' ')}{offered}" if recommended else applied


def apply_recommended(
    scenarios: LiveScenarios,
    name: str,
    bounds: ChangeBounds,
    rows: Sequence[ChosenRow] | None,
    language: Language,
    *,
    user: str = "",
) -> JsonObject:
    """Apply the changes of the last simulation, or those of them that were chosen, and report the resulting network."""
    check_cells(scenarios, name, bounds)
    found = require_recommendation(scenarios, name, language)
    fit, _ = select_bounded(scenarios, name, found.changes, bounds)
    changes = select_changes([one for one in name_changes(found.changes) if one[1] in fit], rows)
    if not changes:
        raise UsageError("there is nothing to apply", hint="the simulation recommends no change within these limits")
    before = scenarios.compute_state(name)
    scenarios.apply(name, changes, user)
    out, scenario = len(found.changes) - len(changes), before.scenario
    left_zh, left_en = (
        (f"（推荐 {len(found.changes)} 处，{out} 处未下发）", f" of {len(found.changes)}") if out else ("", "")
    )
    title = choose_text(language, "已下发的参数", "parameters in force")
    effect = compute_effect(before, scenarios.compute_state(name))
    return {
        "digitaltwins_id": scenario.id,
        "applied": len(changes),
        "left_out": out,
        "effect": effect,
        "summary": f"{_tell_effect(effect, language)}\n\n"
        + choose_text(
            language,
            f"已把 {len(changes)} 处参数写入数字孪生「{scenario.title_zh}」{left_zh}；说「撤销参数」可以撤销。",
            f"{len(changes)}{left_en} parameters were applied to the digital twin “{scenario.title_en}”; say 'undo the "
            "parameters' to take them back.",
        ),
        "tables": [build_parameters_table(changes, title, language)],
    }


def check_cells(scenarios: LiveScenarios, name: str, bounds: ChangeBounds) -> None:
    """Raise `UsageError` for cells that the scenario does not have."""
    scenario = scenarios.get_scenario(name)
    unknown = {*bounds.cells, *bounds.without_cells} - {cell.id for cell in scenario.cells}
    if unknown:
        known = ", ".join(cell.id for cell in scenario.cells[:6])
        raise UsageError(f"no such cells: {', '.join(sorted(unknown))[:200]}", hint=f"cells of the scenario: {known} …")


def undo_last(scenarios: LiveScenarios, name: str, language: Language) -> JsonObject:
    """Undo the last applied step."""
    changes, scenario = scenarios.undo(name), scenarios.get_scenario(name)
    left = len(scenarios.applied_changes(name))
    rest_zh, rest_en = (
        (f"仍有 {left} 处在用", f"still in force: {left}") if left else ("没有参数在用", "none is in force now")
    )
    return {
        "digitaltwins_id": scenario.id,
        "undone": len(changes),
        "left": left,
        "summary": choose_text(
            language,
            f"已撤销「{scenario.title_zh}」的 {len(changes)} 处参数，{rest_zh}。",
            f"{len(changes)} parameters of “{scenario.title_en}” were taken back; {rest_en}.",
        ),
    }


def _tell_effect(effect: dict[str, dict[str, float]], language: Language) -> str:
    """One sentence with the figures of the whole network, as the twin computes them before and after."""
    weak, level = effect[_WEAK], effect["RSRP"]
    better = weak["after"] < weak["before"]
    zh, en = ("减少", "fewer") if better else ("没有减少", "no fewer")
    return choose_text(
        language,
        f"**弱覆盖栅格{zh}**，{weak['before']} % → {weak['after']} %，栅格平均RSRP {level['before']} → "
        f"{level['after']} dBm（数字孪生计算）。",
        f"**{en.capitalize()} weak grid points**, {weak['before']} % → {weak['after']} %, mean RSRP over the grid "
        f"{level['before']} → {level['after']} dBm, as the twin computes it.",
    )


def compute_effect(before: NetworkState, after: NetworkState) -> dict[str, dict[str, float]]:
    """Four numbers of the whole network, before and after."""
    import numpy as np

    fields = (("rsrp", "RSRP"), ("sinr", "SINR"), ("dl_rate", "下行速率"))
    told = {
        name: {
            "before": round(float(np.nanmean(before.grid_values[field])), 2),
            "after": round(float(np.nanmean(after.grid_values[field])), 2),
        }
        for field, name in fields
    }
    weak = [round(float(np.mean(one.grid_values["rsrp"] < -110.0)) * 100, 2) for one in (before, after)]
    return {**told, _WEAK: {"before": weak[0], "after": weak[1]}}
