"""Tools that answer with figures: values of a record, fault frequencies of a bearing."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from metier.packs.phm._velocity_words import has_velocity
from metier.packs.phm.bearings import read_bearing
from metier.packs.phm.conversation._arguments import (
    Asset,
    BearingName,
    Known,
    KnownVelocity,
    PartCode,
    Rpm,
    SummaryLanguage,
    Words,
)
from metier.packs.phm.conversation._assets import describe_asset, detect_language, load_asset, match_asset
from metier.packs.phm.conversation._velocity_zones import report_velocity
from metier.packs.phm.conversation._words import read_words, settle_bearing
from metier.packs.phm.requests import QUANTITIES, RecordPart, find_changes, list_quantities
from metier.packs.phm.values import describe_part, report_frequencies, report_indicators, report_values
from metier.tools import ToolContext, ToolResult, show_as

OwnAsset = Annotated[
    str,
    Field(
        max_length=200,
        description="对话中的数据，可为空 · record of the conversation, may be empty",
        json_schema_extra=show_as("数据", "Record", hidden=True),
    ),
]


def measure_record(
    context: ToolContext,
    asset: Asset,
    description: Words,
    *,
    part: PartCode = "",
    known_figures: Known = "",
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """计算数据的指标：有效值、峭度、峰值因子等。Compute values of a record: RMS, kurtosis, crest factor and others."""
    language, wanted = language or detect_language([description]), RecordPart.parse(part)
    record = load_asset(
        asset, context.workspace, fs=read_words(description).fs, channel=wanted.channel, language=language
    )
    title = describe_asset(asset, context.workspace, language)
    kept = [one for one in QUANTITIES if one in known_figures.split(",")]
    figures = list_quantities(description) or (tuple(kept) if find_changes(description) else ())
    label = describe_part(record, replace(wanted, low_hz=None, high_hz=None), language)
    return ToolResult(
        {
            "asset": asset,
            "title": title,
            "figures": ",".join(figures),
            "part": replace(wanted, low_hz=None, high_hz=None).code,
            "part_label": label,
            **report_values(record, figures, wanted, title, language),
        }
    )


def find_bearing_of_question(
    context: ToolContext,
    description: Words,
    known: Known = "",
    *,
    known_bearing: Known = "",
    known_rpm: Rpm | None = None,
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """找出问的是哪个轴承、多少转速。Find the bearing and speed that a question is about."""
    language, told = language or detect_language([description]), read_words(description)
    match = match_asset(description, context.workspace, known)
    names_machine = bool(match.asset) and match.source == "words"
    is_meant = names_machine or not (told.bearing or told.unknown_bearing)
    record = load_asset(match.asset, context.workspace) if match.asset and is_meant else None
    bearing, rpm = told.bearing, told.rpm
    if not told.unknown_bearing and not names_machine:  # the bearing and speed that were spoken of last
        bearing, rpm = bearing or known_bearing or None, rpm or known_rpm
    if record is not None and not told.unknown_bearing:
        bearing, rpm = bearing or record.bearing, rpm or record.rpm
    return ToolResult(
        {
            "asset": match.asset if record is not None else "",
            "bearing": bearing,
            "unknown_bearing": told.unknown_bearing or None,
            "lacks_bearing": not bearing and not told.unknown_bearing,
            "rpm": rpm,
            "language": language,
        }
    )


def compute_fault_frequencies(
    context: ToolContext,
    bearing: BearingName,
    description: Words,
    *,
    rpm: Rpm | None = None,
    asset: OwnAsset = "",
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """计算轴承的故障频率：BPFO、BPFI、BSF、FTF。Compute a bearing's fault frequencies: BPFO, BPFI, BSF, FTF."""
    language, found = language or detect_language([description]), read_bearing(settle_bearing(bearing) or bearing)
    own = load_asset(asset, context.workspace) if asset else None
    is_own_speed = own is not None and rpm is not None and rpm == own.rpm
    title = describe_asset(asset, context.workspace, language) if asset else ""
    is_own = own is not None and own.bearing is not None and read_bearing(own.bearing).orders == found.orders
    record = replace(own, rpm=rpm) if own is not None and is_own and is_own_speed else None
    return ToolResult(
        {
            "asset": asset or None,
            **report_frequencies(
                found, rpm, description, record=record, title=title, language=language, is_own_speed=is_own_speed
            ),
        }
    )


def rate_velocity(
    description: Words, known: KnownVelocity = None, language: SummaryLanguage | None = None
) -> ToolResult:
    """按机器类别查一个振动速度所在的区域。Look up the zone of a velocity of vibration by the class of the machine."""
    language = language or detect_language([description])
    judged = report_indicators(description, language)
    if judged is not None and not has_velocity(description):
        return ToolResult(judged)
    rated = report_velocity(description, known, language)
    summary = "\n\n".join(str(one["summary"]) for one in (rated, judged) if one is not None)
    return ToolResult({**rated, "summary": summary})
