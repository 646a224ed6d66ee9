"""Tools that answer with figures: values of a record, fault frequencies of a bearing."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from metier.packs.phm.bearings import read_bearing
from metier.packs.phm.conversation._arguments import Asset, BearingName, Known, PartCode, Rpm, SummaryLanguage, Words
from metier.packs.phm.conversation._assets import describe_asset, detect_language, load_asset, match_asset
from metier.packs.phm.conversation._fault_frequencies import report_frequencies
from metier.packs.phm.conversation._record_values import report_values
from metier.packs.phm.conversation._words import read_words
from metier.packs.phm.requests import RecordPart, list_quantities
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
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """计算数据的指标：有效值、峭度、峰值因子等。Compute values of a record: RMS, kurtosis, crest factor and others."""
    language, wanted = language or detect_language([description]), RecordPart.parse(part)
    record = load_asset(asset, context.workspace, fs=read_words(description).fs, channel=wanted.channel, language=language)
    title = describe_asset(asset, context.workspace, language)
    return ToolResult(
        {"asset": asset, "title": title, **report_values(record, list_quantities(description), wanted, title, language)}
    )


def find_bearing_of_question(
    context: ToolContext, description: Words, known: Known = "", language: SummaryLanguage | None = None
) -> ToolResult:
    """找出问的是哪个轴承、多少转速。Find the bearing and speed that a question is about."""
    language, told = language or detect_language([description]), read_words(description)
    match = match_asset(description, None if told.bearing and told.rpm else context.workspace, known)
    uses_record = bool(match.asset) and not (told.bearing and told.rpm and match.source != "words")
    record = load_asset(match.asset, context.workspace) if uses_record else None
    bearing = told.bearing or (record.bearing if record is not None and not told.unknown_bearing else None)
    return ToolResult(
        {
            "asset": match.asset if record is not None else "",
            "bearing": bearing,
            "unknown_bearing": told.unknown_bearing or None,
            "lacks_bearing": not bearing and not told.unknown_bearing,
            "rpm": told.rpm or (record.rpm if record is not None else None),
            "is_own_speed": record is not None and told.rpm is None,
            "title": describe_asset(match.asset, context.workspace, language) if record is not None else "",
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
    language, found = language or detect_language([description]), read_bearing(bearing)
    own = load_asset(asset, context.workspace) if asset else None
    is_own_speed = own is not None and rpm is not None and rpm == own.rpm
    title = describe_asset(asset, context.workspace, language) if asset else ""
    is_own = own is not None and own.bearing is not None and read_bearing(own.bearing).orders == found.orders
    record = replace(own, rpm=rpm) if own is not None and is_own and is_own_speed else None
    return ToolResult(
        {
            "asset": asset or None,
            **report_frequencies(found, rpm, description, record, title, language, is_own_speed=is_own_speed),
        }
    )
