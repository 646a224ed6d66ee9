"""A part of a record in words: seconds, samples, halves, channels and bands are read, and the rest is named."""

import pytest

from metier.packs.phm.requests import RecordPart, join_parts, list_left_out, list_part_words, read_part

PARTS = {
    "只用前2秒": "seconds|0.0|2.0|||",
    "从1秒到3秒": "seconds|1.0|3.0|||",
    "1-3秒": "seconds|1.0|3.0|||",
    "后半段呢": "share|0.5||||",
    "去掉前1秒": "seconds|1.0||||",
    "前24000个点": "samples|0.0|24000.0|||",
    "using only the first 2 seconds": "seconds|0.0|2.0|||",
    "between 1 and 3 s": "seconds|1.0|3.0|||",
    "the last 1.5 s only": "seconds|-1.5||||",
    "skip the first second": "seconds|1.0||||",
    "the first 500 ms": "seconds|0.0|0.5|||",
    "only 500-2000 Hz": "seconds||||500.0|2000.0",
    "0.5 到 2 kHz": "seconds||||500.0|2000.0",
    "只看通道2": "seconds|||2||",
    "use channel 2": "seconds|||2||",
    "用第二个通道": "seconds|||2||",
    "DE_acc channel": "seconds|||DE_acc||",
}


@pytest.mark.parametrize(("message", "code"), PARTS.items(), ids=list(PARTS))
def test_a_part_of_a_record_is_read_from_words(message: str, code: str) -> None:
    part, _ = read_part(message)
    assert part.code == code
    assert RecordPart.parse(code) == part


@pytest.mark.parametrize(
    "message", ["诊断1号泵的轴承", "at 1797 rpm", "check the bearing of fan 2", "采样率 12000 Hz", "轴承换成6203"]
)
def test_a_message_without_a_part_has_none(message: str) -> None:
    assert not read_part(message)[0]
    assert list_left_out(message) == []


@pytest.mark.parametrize(
    "message", ["诊断轴承，不滤波", "diagnose the bearing without filter", "只看二次谐波", "only the side bands"]
)
def test_a_restriction_that_nothing_reads_is_named(message: str) -> None:
    assert len(list_left_out(message)) == 1


@pytest.mark.parametrize(
    "message", ["只做包络分析", "only the envelope spectrum", "只用前2秒", "only the first 2 seconds"]
)
def test_a_restriction_that_is_kept_is_not_named_as_left_out(message: str) -> None:
    assert list_left_out(message) == []


def test_what_is_told_later_replaces_its_own_kind_only() -> None:
    known, told = read_part("通道2，前2秒")[0], read_part("从1秒到3秒")[0]
    assert join_parts(known, told) == RecordPart("seconds", 1.0, 3.0, "2")


def test_the_words_that_ask_for_a_part_are_told_as_they_were_said() -> None:
    assert list_part_words("筛查全部设备，只用通道2，前2秒") == ["前2秒", "通道2"]
