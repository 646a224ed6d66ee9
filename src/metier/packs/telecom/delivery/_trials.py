"""What one other value of a parameter would do, computed on the twin; nothing is applied."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from metier.errors import UsageError
from metier.language import Language, Sentences, choose
from metier.packs.telecom._labels import PARAMETER_LABELS, bare_heading
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom.changes import WishedChange
from metier.packs.telecom.twin import INDICATORS, Cell, NetworkState, Parameter, ParameterChange

_FIELDS: Final[Mapping[Parameter, str]] = MappingProxyType(
    {
        "tilt": "electrical_tilt_deg",
        "azimuth": "azimuth_deg",
        "power": "power_dbm",
        "offset": "offset_db",
    }
)
_SHOWN: Final = ("RSRP均值", "SINR均值", "MR覆盖率", "下行PRB利用率")
_TEXTS: Final = Sentences(
    {
        "head": (
            "**{cell}, {parameter}: {before} → {after}**, tried on the digital twin. Nothing was applied.",
            "**{cell} 的{parameter}：{before} → {after}**，在数字孪生上试算，没有下发。",
        ),
        "cell": ("- This cell: {figures}", "- 本小区：{figures}"),
        "network": ("- All cells, mean: {figures}", "- 全部小区平均：{figures}"),
        "figure": ("{name} {before} → {after} {unit}", "{name} {before} → {after} {unit}"),
        "same": ("{parameter} of {cell} is {before} already.", "{cell} 的{parameter}现在就是 {before}。"),
        "beyond": (
            "{parameter} of {cell} is {before} and cannot be {after}: that is out of bounds. Nothing was changed.",
            "{cell} 的{parameter}现在是 {before}，不能设成 {after}，超出了可调范围。没有改动任何参数。",
        ),
        "unread": (
            "To try a value I need one cell by its id, one parameter (tilt, azimuth, power or offset) and the value, "
            "such as “what if the tilt of {example} is set to 6”. Nothing was changed.",
            "要试算一个取值，请说出一个小区编号、一个参数（下倾角、方位角、功率或偏置）和取值，"
            "例如「把{example}的下倾角改成6度会怎样」。现在没有改动任何参数。",
        ),
    }
)


def tell_trial(scenarios: LiveScenarios, name: str, trial: WishedChange, language: Language) -> str:
    """Figures of the cell and of all cells before and after a change; says what is missing or not possible."""
    scenario = scenarios.get_scenario(name)
    if not trial.is_whole or trial.parameter is None:
        return _TEXTS.render("unread", language, example=scenario.cells[0].id)
    state = scenarios.compute_state(name)
    cell = state.scenario.get_cell(trial.cell)
    before = _read_value(cell, trial.parameter)
    after = trial.to if trial.to is not None else before + (trial.by or 0.0)
    told = {"cell": cell.id, "parameter": PARAMETER_LABELS[trial.parameter].text(language), "before": f"{before:g}"}
    if after == before:
        return _TEXTS.render("same", language, **told)
    try:
        tried = scenarios.simulate(name, [ParameterChange(cell.id, trial.parameter, before, after)])
    except UsageError:
        return _TEXTS.render("beyond", language, after=f"{after:g}", **told)
    place = state.scenario.cell_index[cell.id]
    head = _TEXTS.render("head", language, after=f"{after:g}", **told)
    return "\n".join(
        [
            head,
            "",
            _TEXTS.render("cell", language, figures=_compare(state, tried, language, place)),
            _TEXTS.render("network", language, figures=_compare(state, tried, language, None)),
        ]
    )


def _compare(before: NetworkState, after: NetworkState, language: Language, place: int | None) -> str:
    """The shown indicators of one cell, or their means over all, before and after."""
    figures = []
    for one in (known for known in INDICATORS["cell", "root_cause"] if known.name in _SHOWN):
        values = [state.cell_values[one.field] for state in (before, after)]
        pair = [float(np.nanmean(some)) if place is None else float(some[place]) for some in values]
        written = {"before": f"{pair[0]:.{one.digits + 1}f}", "after": f"{pair[1]:.{one.digits + 1}f}"}
        figures.append(_TEXTS.render("figure", language, name=bare_heading(one, language), unit=one.unit, **written))
    return choose(language, en=", ", zh="，").join(figures)


def _read_value(cell: Cell, parameter: Parameter) -> float:
    return float(getattr(cell, _FIELDS[parameter]))
