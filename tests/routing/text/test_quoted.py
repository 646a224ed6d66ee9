"""Names of files in a message."""

import pytest

from metier.routing.text import leave_out_file_names


@pytest.mark.parametrize(
    ("message", "rest", "names"),
    [
        ("诊断 B007_1.npz 的轴承", "诊断 的轴承", ("B007_1.npz",)),
        ("诊断B007_1.npz的轴承", "诊断 的轴承", ("B007_1.npz",)),
        ("Check fy26.q1-v2.XLSX for errors.", "Check for errors.", ("fy26.q1-v2.XLSX",)),
        ("compare a1.csv and b2.csv, then a1.csv again", "compare and , then again", ("a1.csv", "b2.csv")),
    ],
)
def test_a_message_without_its_files_is_what_is_asked(message: str, rest: str, names: tuple[str, ...]) -> None:
    assert leave_out_file_names(message) == (rest, names)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("用 Next.js 创建全栈应用", id="a product"),
        pytest.param("在 protocols.io 上管理实验方案", id="a site"),
        pytest.param("总结会议纪要.docx", id="a name in Chinese says what is in it"),
        pytest.param("see reports/q3.xlsx for what we need", id="a path is not cut in two"),
        pytest.param("convert to xlsx or csv please", id="kinds of files"),
        pytest.param("report.pdf", id="nothing else"),
        pytest.param("open report.pdf", id="too little else"),
        pytest.param("打开 report.pdf", id="too little else, in Chinese"),
        pytest.param("a.csvx b.docxs and more words", id="other endings"),
    ],
)
def test_what_is_no_file_or_all_there_is_stays(message: str) -> None:
    assert leave_out_file_names(message) == (message, ())
