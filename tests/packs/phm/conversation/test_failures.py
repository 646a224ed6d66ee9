"""Failures of the pack's tools are told in the language of the call."""

from pathlib import Path

import pytest

from metier.packs.phm.conversation._failures import tell_failures
from metier.packs.phm.conversation._tools import describe_record
from metier.tools import ToolContext, ToolError


@pytest.mark.parametrize(
    ("language", "said", "advised"),
    [
        ("zh", "「cut.mat」无法读取：文件不完整或已损坏（详情：", "请重新复制或导出这个文件"),
        ("en", "'cut.mat' cannot be read: the file is cut off or damaged (", "copy or export the file again"),
    ],
)
def test_a_file_that_is_cut_off_is_told_in_the_language_of_the_call(
    tmp_path: Path, language: str, said: str, advised: str
) -> None:
    (tmp_path / "cut.mat").write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"\x0e\x00\x00\x00\xff")
    with pytest.raises(ToolError) as told:
        tell_failures(describe_record)(ToolContext(tmp_path), "cut.mat", language=language)
    assert (told.value.failure.message[: len(said)], told.value.failure.hint) == (said, advised)


def test_a_record_that_is_not_there_is_told_in_chinese(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"没有数据「x\.mat」"):
        tell_failures(describe_record)(ToolContext(tmp_path), "x.mat", language="zh")
