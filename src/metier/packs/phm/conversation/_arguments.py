"""Arguments of the pack's tools: types, limits, and their names for people."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from metier.language import Language
from metier.packs.phm.conversation._assets import ASSET_LABELS
from metier.packs.phm.conversation._severity_reports import CLASS_LABELS
from metier.packs.phm.conversation._words import MAX_RATE, MAX_RPM
from metier.textsearch import to_simplified
from metier.tools import show_as

Words = Annotated[
    str,
    AfterValidator(to_simplified),
    Field(
        min_length=1,
        max_length=1000,
        description="用户的话 · the user's words",
        json_schema_extra=show_as("要找的数据", "Looked for"),
    ),
]
Asset = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="数据名称 · name of the record",
        json_schema_extra=show_as("数据", "Record", labels=ASSET_LABELS),
    ),
]
Known = Annotated[
    str,
    Field(
        max_length=200,
        description="对话中已确定的数据 · settled before",
        json_schema_extra=show_as("已知数据", "Known record", hidden=True),
    ),
]
Rpm = Annotated[
    float,
    Field(
        gt=0,
        le=MAX_RPM,
        description="转速 · shaft speed in rpm",
        json_schema_extra=show_as("转速（rpm）", "Speed (rpm)"),
    ),
]
Rate = Annotated[
    float,
    Field(
        gt=0,
        le=MAX_RATE,
        description="采样率 · sampling rate in Hz",
        json_schema_extra=show_as("采样率（Hz）", "Sampling rate (Hz)"),
    ),
]
BearingName = Annotated[
    str,
    Field(
        min_length=2,
        max_length=80,
        description="型号，或 球数,球径,节径,接触角 · name, or balls,ball_d,pitch_d,contact_deg",
        json_schema_extra=show_as("轴承型号", "Bearing"),
    ),
]
Impossible = Annotated[
    tuple[Literal["rpm", "fs"], ...],
    Field(
        max_length=2,
        description="用户说了不可能的值，需要再问 · told with a value that cannot be: left empty to be asked for",
        json_schema_extra=show_as("不可能的值", "Impossible values", hidden=True),
    ),
]
Teeth = Annotated[
    int,
    Field(
        ge=3,
        le=2000,
        description="齿数 · teeth of the gear",
        json_schema_extra=show_as("齿数", "Teeth"),
    ),
]
SignalUnit = Annotated[
    Literal["g", "m/s2", "mm/s2", "m/s", "mm/s", "um", "mm"],
    Field(
        description="采样值的单位 · unit of the samples",
        json_schema_extra=show_as(
            "采样值的单位", "Unit of the samples", labels={"m/s2": "m/s²", "mm/s2": "mm/s²", "um": "µm"}
        ),
    ),
]
MachineClass = Annotated[
    Literal["I", "II", "III", "IV", "group1-rigid", "group1-flexible", "group2-rigid", "group2-flexible"],
    Field(
        description="机器类别 · machine class of ISO 10816-1 or group of ISO 20816-3",
        json_schema_extra=show_as(
            "机器类别", "Machine class", labels={name: label.to_json() for name, label in CLASS_LABELS.items()}
        ),
    ),
]
WithReport = Annotated[
    bool,
    Field(
        description="是否写带图的报告文件 · also write a report file with pictures",
        json_schema_extra=show_as("写报告文件", "Write a report file"),
    ),
]
KnownVelocity = Annotated[
    float | None,
    Field(
        description="已知的振动速度（mm/s） · velocity known before, in mm/s",
        json_schema_extra=show_as("已知的振动速度（mm/s）", "Known velocity (mm/s)"),
    ),
]
SummaryLanguage = Annotated[
    Language,
    Field(
        description="摘要的语言 · language of the summary",
        json_schema_extra=show_as("语言", "Language", hidden=True),
    ),
]
PartCode = Annotated[
    str,
    Field(
        max_length=120,
        description="要用的部分 · part of the record: seconds|start|end|channel|low_hz|high_hz",
        json_schema_extra=show_as("要用的部分", "Part of the record", hidden=True),
    ),
]
Before = Annotated[
    tuple[str, str, str],
    Field(
        description="上次的转速、轴承和部分 · speed, bearing and part of the analysis before",
        json_schema_extra=show_as("上次的参数", "Parameters before", hidden=True),
    ),
]
IsKnown = Annotated[
    bool,
    Field(
        description="对话中已在看这份数据 · whether the conversation was about this record before",
        json_schema_extra=show_as("已在看", "In use before", hidden=True),
    ),
]
