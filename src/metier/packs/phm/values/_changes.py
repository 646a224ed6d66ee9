"""What another speed, bearing or part of the record changed in a diagnosis."""

from dataclasses import replace
from typing import Final

from metier.language import Language, Sentences, join_names
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.bearings import is_bearing
from metier.packs.phm.diagnosis import Diagnosis, name_of
from metier.packs.phm.loaders import Record
from metier.packs.phm.requests import RecordPart
from metier.packs.phm.values._parts import cut_record, describe_part

_TEXTS: Final = Sentences(
    {
        "changed": ("Changed: {what}.", "改动：{what}。"),
        "speed": ("speed {old} → {new} rpm", "转速 {old} → {new} rpm"),
        "bearing": ("bearing {old} → {new}", "轴承 {old} → {new}"),
        "part": ("part in use {old} → {new}", "使用的数据 {old} → {new}"),
        "whole": ("all of the record", "全部数据"),
        "verdict": (" Verdict: {old} → {new}.", "结论：{old} → {new}。"),
        "same": (" The verdict stays: {new}.", "结论不变：{new}。"),
        "name": ("{condition}, {fault}", "{condition}，{fault}"),
    }
)


def describe_change(
    record: Record, part: str, found: Diagnosis, before: tuple[str, str, str], language: Language
) -> str:
    """Which parameters differ from those of the analysis before, and what they do to the verdict.

    `record` is whole; the analysis before is made again with its own parameters.
    """
    rpm, bearing, part_before = before
    told = []
    if rpm and record.rpm is not None and float(rpm) != record.rpm:
        told.append(_TEXTS.render("speed", language, old=f"{float(rpm):g}", new=f"{record.rpm:g}"))
    if bearing and record.bearing and bearing != record.bearing:
        told.append(_TEXTS.render("bearing", language, old=bearing, new=record.bearing))
    if part != part_before:
        whole = _TEXTS.render("whole", language)
        old, new = (describe_part(record, RecordPart.parse(one), language) or whole for one in (part_before, part))
        told.append(_TEXTS.render("part", language, old=old, new=new))
    if not told:
        return ""
    text = _TEXTS.render("changed", language, what=join_names(told, language))
    same_channel = RecordPart.parse(part).channel == RecordPart.parse(part_before).channel
    if not same_channel or not rpm or not is_bearing(bearing):
        return text
    old_record = cut_record(record, RecordPart.parse(part_before), language)
    old_found = diagnose_record(replace(old_record, rpm=float(rpm), bearing=bearing))
    new_name, old_name = (_name(one, language) for one in (found, old_found))
    if new_name == old_name:
        return text + _TEXTS.render("same", language, new=new_name)
    return text + _TEXTS.render("verdict", language, old=old_name, new=new_name)


def _name(found: Diagnosis, language: Language) -> str:
    condition = name_of(found.condition, language)
    if found.verdict in ("normal", "unknown") and found.condition in ("normal", "undetermined"):
        return condition
    return _TEXTS.render("name", language, condition=condition, fault=name_of(found.verdict, language))
