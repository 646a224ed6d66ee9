"""Tools that apply recommended parameters and take them back, with approval."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field

from metier.language import BilingualText, Language
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom._scene_tool import ScenarioId
from metier.packs.telecom._scenes import list_place_names
from metier.packs.telecom.changes import ChangeBounds, ChangeRequest, Rank, asks_for_trial, read_trial
from metier.packs.telecom.changes import read_change_request as read_request
from metier.packs.telecom.delivery._previews import ChosenRows, preview_application, preview_undo
from metier.packs.telecom.delivery._reports import apply_recommended, check_cells, report_simulated, undo_last
from metier.packs.telecom.delivery._trials import tell_trial
from metier.packs.telecom.twin import Parameter
from metier.textsearch import to_simplified
from metier.tools import ALWAYS, FunctionTool, Preview, SideEffect, ToolContext, ToolResult, function_tool

_TIMEOUT_S: Final = 180.0
_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"writes"})
_APPLY_TITLE: Final = BilingualText("下发参数", "Apply parameters")
_UNDO_TITLE: Final = BilingualText("撤销参数", "Undo parameters")
_CHECK_TITLE: Final = BilingualText("检查仿真结果", "Check the simulation")
_READ_TITLE: Final = BilingualText("确定下发或撤销", "Settle what to apply or undo")


CellNames = Annotated[list[str], Field(max_length=200, description="只处理这些小区，留空为全部 · only these cells")]
WithoutCells = Annotated[list[str], Field(max_length=200, description="不处理这些小区 · not these cells")]
OnlyParameters = Annotated[
    list[Parameter], Field(max_length=5, description="只处理这些参数，留空为全部 · only these kinds of parameters")
]
Count = Annotated[int, Field(ge=0, le=200, description="只要前几个，0为不限 · only the first, 0 for all")]
RankedBy = Annotated[Rank, Field(description="按什么排前几个 · what the first are ranked by")]
SummaryLanguage = Annotated[Language, Field(description="摘要的语言 · language of the summary")]


def build_delivery_tools(scenarios: LiveScenarios) -> tuple[tuple[FunctionTool, BilingualText], ...]:
    """Tools that apply and undo parameters, and those that read what is wanted and what there is, with their titles."""
    return (_build_apply_tool(scenarios), _APPLY_TITLE), *_build_other_tools(scenarios)


def _build_apply_tool(scenarios: LiveScenarios) -> FunctionTool:

    def apply_parameters(
        *,
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        cells: CellNames = [],  # noqa: B006 - pydantic copies a default
        without_cells: WithoutCells = [],  # noqa: B006 - as above
        parameters: OnlyParameters = [],  # noqa: B006 - as above
        count: Count = 0,
        rank: RankedBy = "listed",
        rows: ChosenRows = None,
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """把推荐参数写入数字孪生，需要人工批准，可以撤销。Put the recommended parameters into force, with approval."""
        live = scenarios.with_progress(context, language)
        bounds = ChangeBounds(tuple(cells), tuple(without_cells), tuple(parameters), count, rank)
        return ToolResult(apply_recommended(live, digitaltwins_id, bounds, rows, language, user=context.user))

    def preview_application_of(
        *,
        digitaltwins_id: ScenarioId,
        cells: CellNames = [],  # noqa: B006 - pydantic copies a default
        without_cells: WithoutCells = [],  # noqa: B006 - as above
        parameters: OnlyParameters = [],  # noqa: B006 - as above
        count: Count = 0,
        rank: RankedBy = "listed",
        rows: ChosenRows = None,
        language: SummaryLanguage = "zh",
    ) -> Preview:
        del rows  # the approver chooses among all
        bounds = ChangeBounds(tuple(cells), tuple(without_cells), tuple(parameters), count, rank)
        check_cells(scenarios, digitaltwins_id, bounds)
        return preview_application(scenarios, digitaltwins_id, bounds, language)

    return function_tool(
        apply_parameters, approval=ALWAYS, effects=_WRITES, timeout_s=_TIMEOUT_S, preview=preview_application_of
    )


def _build_other_tools(scenarios: LiveScenarios) -> tuple[tuple[FunctionTool, BilingualText], ...]:
    def preview_undo_of(digitaltwins_id: ScenarioId, language: SummaryLanguage = "zh") -> Preview:
        return preview_undo(scenarios, digitaltwins_id, language)

    def check_simulation(digitaltwins_id: ScenarioId, language: SummaryLanguage = "zh") -> ToolResult:
        """查询场景有没有可下发的仿真结果。Tell whether a scenario has simulated parameters that can be applied."""
        return ToolResult(report_simulated(scenarios, digitaltwins_id, language))

    def undo_parameters(
        digitaltwins_id: ScenarioId,
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """撤销最近一次写入数字孪生的参数，需要人工批准。Take the last applied parameters back, with approval."""
        return ToolResult(undo_last(scenarios, digitaltwins_id, language))

    def read_change_request(
        digitaltwins_id: ScenarioId,
        message: Annotated[str, AfterValidator(to_simplified), Field(max_length=4000)],
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """读出要下发、要撤销还是只是询问，以及限定了哪些。Read what is wanted: apply, undo or know; of what."""
        scenario = scenarios.get_scenario(digitaltwins_id)
        if asks_for_trial(message):
            told = tell_trial(scenarios, digitaltwins_id, read_trial(message, scenario), language)
            tried = ChangeRequest(applies=False, undoes=False, asks=False, told=told)
            return ToolResult({"digitaltwins_id": digitaltwins_id, **tried.to_json()})
        found = read_request(message, language, scenario, list_place_names(scenario))
        check_cells(scenarios, digitaltwins_id, found.bounds)
        return ToolResult({"digitaltwins_id": digitaltwins_id, **found.to_json()})

    back = function_tool(undo_parameters, effects=_WRITES, undoes="apply_parameters", preview=preview_undo_of)
    check = function_tool(check_simulation, idempotent=True, effects=_READS)
    read = function_tool(read_change_request, idempotent=True, effects=_READS)
    return (back, _UNDO_TITLE), (check, _CHECK_TITLE), (read, _READ_TITLE)
