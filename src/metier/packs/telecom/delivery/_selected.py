"""Which of the recommended changes an order means, computed on the network, and how to say that to the approver."""

from collections.abc import Iterable, Sequence
from typing import Final

from metier.language import BilingualText, write_count
from metier.packs.telecom._labels import PARAMETER_LABELS, indicator_heading
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom._scenes import TOPIC_INDICATORS
from metier.packs.telecom.changes import RANKS_CELLS, ChangeBounds
from metier.packs.telecom.twin import Indicator, NetworkState, ParameterChange, find_indicators

_MAX_NAMED: Final = 6


def select_bounded(
    scenarios: LiveScenarios, name: str, changes: Sequence[ParameterChange], bounds: ChangeBounds
) -> tuple[tuple[ParameterChange, ...], BilingualText | None]:
    """The changes within the bounds, in their order, and what bounds them; None if nothing does."""
    if not bounds:
        return tuple(changes), None
    ranked = _rank_cells(scenarios, name, changes, bounds) if bounds.count and bounds.rank in RANKS_CELLS else None
    fit = [
        one
        for one in changes
        if bounds.has_cell(one.cell)
        and (not bounds.parameters or one.parameter in bounds.parameters)
        and (ranked is None or one.cell in ranked)
    ]
    if bounds.count and ranked is None:
        fit = _first_changes(fit, bounds)
    return tuple(fit), _describe(scenarios, name, bounds, ranked, fit)


def _first_changes(fit: list[ParameterChange], bounds: ChangeBounds) -> list[ParameterChange]:
    if bounds.rank == "listed":
        return fit[: bounds.count]
    chosen = sorted(fit, key=lambda one: one.gain, reverse=bounds.rank == "gain")[: bounds.count]
    return [one for one in fit if one in chosen]


def _rank_cells(
    scenarios: LiveScenarios, name: str, changes: Sequence[ParameterChange], bounds: ChangeBounds
) -> tuple[str, ...]:
    """The first cells within the bounds: worst as the network is now, or those that a simulation improves.

    A cell that improves only by changes of its neighbours has nothing to apply, so it is not among these.
    """
    indicator, before = _measure(scenarios, name), scenarios.compute_state(name)
    if bounds.rank == "worst":
        rows = before.build_cell_table([indicator.name], worst_first=True).rows
        return tuple(str(one[0]) for one in rows if bounds.has_cell(str(one[0])))[: bounds.count]
    after = _read_values(scenarios.simulate(name, changes), indicator)
    changed = {one.cell for one in changes if not bounds.parameters or one.parameter in bounds.parameters}
    sign = -1.0 if indicator.better == "lower" else 1.0
    gained = {
        cell: sign * (after[cell] - value)
        for cell, value in _read_values(before, indicator).items()
        if cell in after and cell in changed and bounds.has_cell(cell)
    }
    if bounds.rank == "least_improved":  # a cell that gets worse, or stays, is none that improves
        gained = {cell: value for cell, value in gained.items() if value > 0}
    return tuple(sorted(gained, key=lambda cell: gained[cell], reverse=bounds.rank == "improved"))[: bounds.count]


def _measure(scenarios: LiveScenarios, name: str) -> Indicator:
    return find_indicators("cell", TOPIC_INDICATORS[scenarios.get_scenario(name).problem].compare[:1])[0]


def _read_values(state: NetworkState, indicator: Indicator) -> dict[str, float]:
    rows = state.build_cell_table([indicator.name]).rows
    return {str(one[0]): float(one[-1]) for one in rows if isinstance(one[-1], int | float)}


def _describe(
    scenarios: LiveScenarios,
    name: str,
    bounds: ChangeBounds,
    ranked: Sequence[str] | None,
    fit: Sequence[ParameterChange],
) -> BilingualText:
    """The bounds in words, with the cells that were found and those of them without a change."""
    parts = [_name_cells(bounds), *_name_parameters(bounds)]
    if bounds.count:
        parts.append(_describe_rank(_measure(scenarios, name), bounds, ranked or ()))
    meant = ranked if ranked is not None else bounds.cells
    idle = [one for one in meant if one not in {change.cell for change in fit}]
    if idle:
        parts.append(
            BilingualText(f"其中没有推荐改动的：{_list(idle, '、')}", f"without such a change: {_list(idle, ', ')}")
        )
    told = [one for one in parts if one is not None]
    return BilingualText("；".join(one.zh for one in told), "; ".join(one.en for one in told))


def _name_cells(bounds: ChangeBounds) -> BilingualText | None:
    if bounds.cells:
        return BilingualText(f"只下发小区 {_list(bounds.cells, '、')}", f"only the cells {_list(bounds.cells, ', ')}")
    if bounds.without_cells:
        out = bounds.without_cells
        return BilingualText(f"不含小区 {_list(out, '、')}", f"without the cells {_list(out, ', ')}")
    return None


def _name_parameters(bounds: ChangeBounds) -> Iterable[BilingualText]:
    if bounds.parameters:
        labels = [PARAMETER_LABELS[one] for one in bounds.parameters]
        yield BilingualText(
            f"只下发{'、'.join(one.zh for one in labels)}", f"only {', '.join(one.en for one in labels)}"
        )


def _describe_rank(indicator: Indicator, bounds: ChangeBounds, ranked: Sequence[str]) -> BilingualText:
    zh, en = indicator_heading(indicator, "zh"), indicator_heading(indicator, "en")
    count = bounds.count
    few, cells_zh, cells_en = write_count(count, "cells"), _list(ranked, "、"), _list(ranked, ", ")
    match bounds.rank:
        case "worst":
            return BilingualText(f"现在{zh}最差的 {count} 个小区：{cells_zh}", f"{few} worst now by {en}: {cells_en}")
        case "improved":
            return BilingualText(
                f"有推荐改动的小区中，仿真后{zh}改善最大的 {count} 个：{cells_zh}",
                f"of the cells with a change, the {few} that improve most in {en} in the simulation: {cells_en}",
            )
        case "least_improved":
            return BilingualText(
                f"有推荐改动的小区中，仿真后{zh}改善最小的 {count} 个：{cells_zh}",
                f"of the cells with a change, the {few} that improve least in {en} in the simulation: {cells_en}",
            )
        case "listed":
            return BilingualText(f"推荐参数表的前 {count} 条", f"the first {write_count(count, 'rows')} of the table")
        case "gain" | "least_gain":
            zh, en = ("最大", "highest") if bounds.rank == "gain" else ("最小", "lowest")
            return BilingualText(
                f"预期增益{zh}的 {count} 条",
                f"the {write_count(count, 'changes')} with the {en} expected gain",
            )


def _list(names: Sequence[str], between: str) -> str:
    shown = between.join(names[:_MAX_NAMED])
    return f"{shown} …({len(names)})" if len(names) > _MAX_NAMED else shown
