"""Figures of records and bearings that a conversation asks for, and the part of a record they are of."""

from metier.packs.phm.values._changes import describe_change
from metier.packs.phm.values._fault_frequencies import report_frequencies
from metier.packs.phm.values._indicators import report_indicators
from metier.packs.phm.values._parts import (
    choose_channel,
    cut_record,
    describe_band_left_out,
    describe_left_out,
    describe_part,
    join_used,
)
from metier.packs.phm.values._record_values import report_values

__all__ = [
    "choose_channel",
    "cut_record",
    "describe_band_left_out",
    "describe_change",
    "describe_left_out",
    "describe_part",
    "join_used",
    "report_frequencies",
    "report_indicators",
    "report_values",
]
