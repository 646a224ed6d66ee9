"""What is applied now, and what applying or undoing parameters would change, for the person who approves it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, write_count
from metier.packs.telecom._figures import format_value
from metier.packs.telecom._labels import PARAMETER_LABELS, choose_text, gain_unit
from metier.packs.telecom._live_scenarios import AppliedStep, LiveScenarios, Recommendation
from metier.packs.telecom.changes import ChangeBounds
from metier.packs.telecom.delivery._selected import select_bounded
from metier.packs.telecom.twin import Gain, ParameterChange, Scenario
from metier.store import LOCAL_USER
from metier.tools import Preview, PreviewColumn, PreviewRow, PreviewTotal, ToolError

ROWS: Final = "rows"
NOT_SIMULATED: Final = "not_simulated"
_NEW_VALUE: Final = "after"
# Bounds of the values that an approver may give; the twin checks them again.
_EDIT: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        "tilt": {"type": "number", "minimum": 0, "maximum": 20},
        "azimuth": {"type": "number", "minimum": 0, "maximum": 360},
        "power": {"type": "number", "minimum": 10, "maximum": 60},
        "offset": {"type": "number", "minimum": -12, "maximum": 12},
    }
)
_COLUMNS: Final = (
    PreviewColumn("site", BilingualText("站点", "Site")),
    PreviewColumn("cell", BilingualText("小区", "Cell")),
    PreviewColumn("parameter", BilingualText("参数", "Parameter")),
    PreviewColumn("before", BilingualText("原值", "Before"), role="old"),
    PreviewColumn(_NEW_VALUE, BilingualText("新值", "After"), role="new"),
)
_GAIN: Final = PreviewColumn("gain", BilingualText("预期增益", "Expected gain"))
_GAIN_UNIT: Final = PreviewColumn("unit", BilingualText("增益单位", "Unit of the gain"))


class ChosenRow(BaseModel):
    """A change that the approver chose, with the new value if it was edited."""

    model_config = ConfigDict(extra="forbid")

    id: str
    after: float | None = None


ChosenRows = Annotated[
    list[ChosenRow] | None,
    Field(max_length=2000, description="由批准人选择，请留空 · chosen by the approver, leave out"),
]


def describe_in_force(steps: Sequence[AppliedStep], user: str, language: Language) -> str:
    """That applied parameters are in force, since when and by whom, for the reader `user`; empty if there are none."""
    if not steps:
        return ""
    count = sum(len(one.changes) for one in steps)
    at = "" if steps[-1].at is None else f" {steps[-1].at:%Y-%m-%d %H:%M} UTC"
    # Without accounts everybody is the local user, so nobody can be named.
    names = dict.fromkeys(one.user for one in steps if one.user not in ("", LOCAL_USER))
    by_zh = "、".join("你" if one == user else f"用户 {one}" for one in names)
    told_zh = f"{at} 下发，下发人：{by_zh}" if by_zh else f"{at} 下发"
    by_en = ", ".join("you" if one == user else f"the user {one}" for one in names)
    return choose_text(
        language,
        f"**注意：这是已下发参数之后的网络。**{count} 处参数在用（最近一次{told_zh}）。"
        "数字孪生由本服务器的所有用户共用。说「撤销参数」可以撤销最近一次下发。",
        f"**Note: this is the network with applied parameters.** In force: {write_count(count, 'parameters')} (last "
        f"applied{at or ' earlier'}{f' by {by_en}' if by_en else ''}). The digital twin is shared by all users of this "
        "server. “Undo the parameters” takes the last ones back.",
    )


def preview_application(scenarios: LiveScenarios, name: str, bounds: ChangeBounds, language: Language) -> Preview:
    """Every change that would be applied, with the gain of the whole network; raises `ToolError` if there is none."""
    found = require_recommendation(scenarios, name, language)
    scenario = scenarios.get_scenario(name)
    chosen, limits = select_bounded(scenarios, name, found.changes, bounds)
    if not chosen and limits is not None:
        raise _refuse_empty(len(found.changes), limits, language)
    changes = [one for one in name_changes(found.changes) if one[1] in chosen]
    touched = len({one.cell for _, one in changes})
    gains = () if limits is not None else tuple(map(_gain_total, found.gains))
    of_zh, of_en = (
        (f"（推荐 {len(found.changes)} 处）", f" of {len(found.changes)}") if limits is not None else ("", "")
    )
    only_zh, only_en = (f"限定：{limits.zh}。", f" Limited to: {limits.en}.") if limits is not None else ("", "")
    return Preview(
        BilingualText(
            f"将把 {len(changes)} 处参数{of_zh}写入数字孪生「{scenario.title_zh}」的 {touched} 个小区，可以撤销。"
            f"{only_zh}",
            f"{write_count(len(changes), 'parameters')}{of_en} in {write_count(touched, 'cells')} of the digital twin "
            f"{scenario.title_en!r} would change; this can be undone.{only_en}",
        ),
        (*_COLUMNS, _GAIN, _GAIN_UNIT),
        tuple(_row(scenario, id, one) for id, one in changes),
        (*_count_totals([one for _, one in changes]), *gains),
        chosen_as=ROWS,
    )


def _refuse_empty(count: int, limits: BilingualText, language: Language) -> ToolError:
    return ToolError(
        choose_text(
            language,
            f"推荐的 {count} 处改动中没有符合限定的（{limits.zh}），没有改动任何参数。",
            f"None of the {write_count(count, 'recommended changes')} is within these limits ({limits.en}); nothing "
            "was changed.",
        ),
        code="nothing_to_apply",
    )


def preview_undo(scenarios: LiveScenarios, name: str, language: Language) -> Preview:
    """Every change of the last application, taken back."""
    changes, scenario = scenarios.last_step(name), scenarios.get_scenario(name)
    if not changes:
        raise ToolError(
            choose_text(
                language,
                f"{scenario.title_zh}没有正在使用的下发参数，无需撤销。",
                f"No applied parameters are in force for {scenario.title_en}; there is nothing to undo.",
            ),
            code="nothing_to_undo",
        )
    back = [(id, replace(one, before=one.after, after=one.before)) for id, one in name_changes(changes)]
    return Preview(
        BilingualText(
            f"将撤销「{scenario.title_zh}」最近一次下发的 {len(back)} 处参数。",
            f"The {len(back)} parameters applied last to {scenario.title_en!r} would be taken back.",
        ),
        _COLUMNS,
        tuple(replace(_row(scenario, id, one), edit={}) for id, one in back),
        _count_totals(changes),
    )


def require_recommendation(scenarios: LiveScenarios, name: str, language: Language) -> Recommendation:
    """What a simulation recommends for the scenario as it is now; raises `ToolError` if there is none."""
    found = scenarios.find_recommendation(name)
    if found is None:
        raise ToolError(
            describe_missing_simulation(scenarios, name).text(language),
            code=NOT_SIMULATED,
            hint=choose_text(language, "先仿真，再下发", "simulate first, then apply"),
        )
    if not found.changes:
        raise ToolError(
            choose_text(language, "仿真没有推荐任何调整。", "The simulation recommends no change."),
            code="nothing_to_apply",
        )
    return found


def describe_missing_simulation(scenarios: LiveScenarios, name: str) -> BilingualText:
    """Why there is nothing to apply: never simulated, or changed by an application since."""
    scenario, applied = scenarios.get_scenario(name), len(scenarios.applied_changes(name))
    if applied:
        return BilingualText(
            f"{scenario.title_zh}已下发 {applied} 处参数，之后还没有重新仿真，没有新的可下发的参数。",
            f"{scenario.title_en}: parameters in force: {applied}. The network was not simulated since they were "
            "applied, so there is nothing new to apply.",
        )
    return BilingualText(
        f"{scenario.title_zh}还没有仿真结果，没有可下发的参数。",
        f"{scenario.title_en} has not been simulated yet, so there is nothing to apply.",
    )


def select_changes(
    named: Sequence[tuple[str, ParameterChange]], rows: Sequence[ChosenRow] | None
) -> tuple[ParameterChange, ...]:
    """The changes that an approver chose by their ids, with edited values; all of them without a choice."""
    known = dict(named)
    if rows is None:
        return tuple(known.values())
    unknown = [row.id for row in rows if row.id not in known]
    if unknown:
        raise ToolError(f"no such changes: {', '.join(unknown[:5])}", code="unknown_rows")
    return tuple(
        known[row.id] if row.after is None else replace(known[row.id], after=row.after, gain=0.0) for row in rows
    )


def name_changes(changes: Sequence[ParameterChange]) -> list[tuple[str, ParameterChange]]:
    """Changes with an id each: cell, parameter, and the other cell of a neighbour relation."""
    named: dict[str, ParameterChange] = {}
    for one in changes:
        id = f"{one.cell}.{one.parameter}" + (f".{one.after}" if one.parameter == "neighbour" else "")
        named[id if id not in named else f"{id}.{len(named)}"] = one
    return list(named.items())


def _row(scenario: Scenario, id: str, change: ParameterChange) -> PreviewRow:
    cell = scenario.get_cell(change.cell)
    values: dict[str, JsonValue] = {
        "site": cell.site,
        "cell": cell.id,
        "parameter": PARAMETER_LABELS[change.parameter].to_json(),
        "before": "–" if change.before == "" else change.before,
        _NEW_VALUE: "–" if change.after == "" else change.after,
        "gain": round(change.gain, 2) if change.gain else None,
        "unit": gain_unit(change).to_json() if change.gain else None,
    }
    edit = {_NEW_VALUE: _EDIT[change.parameter]} if change.parameter in _EDIT else {}
    return PreviewRow(id, values, edit)


def _count_totals(changes: Sequence[ParameterChange]) -> tuple[PreviewTotal, ...]:
    counted = Counter[str](one.parameter for one in changes)
    return tuple(PreviewTotal(label, counted[kind]) for kind, label in PARAMETER_LABELS.items() if counted[kind])


def _gain_total(gain: Gain) -> PreviewTotal:
    before, after = (format_value(value, "", gain.digits) for value in (gain.before, gain.after))
    return PreviewTotal(BilingualText(gain.name_zh, gain.name_en), f"{before} → {after}", gain.unit)
