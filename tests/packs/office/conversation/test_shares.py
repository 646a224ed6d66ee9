"""A message that names several documents changes in each only what is said of it."""

from pathlib import Path

import pytest
from docx import Document

from metier.packs.office.wishes import remove_names
from tests.packs.office.turns import OfficeTurns

_in_one_loop = pytest.mark.asyncio(loop_scope="module")

_MEETING = ("各部门：", "联系人：张敏", "电话：010-88886666")
_SAFETY = ("检查时间：5月10日", "联系人：李强，电话：010-66668888。")
_ANN = ("Contact: Ann Reed", "Phone: 555-1000")
_BO = ("Contact: Bo Lind", "Phone: 555-2000", "Inspection date: 4 June 2026")


def _write(folder: Path, name: str, lines: tuple[str, ...]) -> Path:
    document = Document()
    document.add_heading(name.removesuffix(".docx"), 0)
    for one in lines:
        document.add_paragraph(one)
    document.save(str(folder / name))
    return folder / name


def _write_pairs(folder: Path) -> dict[str, list[Path]]:
    folder.mkdir()
    zh = [_write(folder, "会议通知.docx", _MEETING), _write(folder, "安全通知.docx", _SAFETY)]
    return {"zh": zh, "en": [_write(folder, "A.docx", _ANN), _write(folder, "B.docx", _BO)]}


@pytest.mark.parametrize(
    "message",
    [
        "把@会议通知.docx 的电话改成010-12345678，@安全通知.docx 的检查时间改成6月1日",
        "把会议通知.docx的电话改成010-12345678，安全通知.docx的检查时间改成6月1日",
        "把@安全通知.docx的检查时间改成6月1日，然后把@会议通知.docx的电话改成010-12345678",
    ],
    ids=["mentions", "names", "other way round"],
)
@_in_one_loop
async def test_each_clause_is_written_to_the_document_that_it_names(
    turns: OfficeTurns, tmp_path: Path, message: str
) -> None:
    played = await turns.play(message, _write_pairs(tmp_path / "files")["zh"])
    assert played.lines["会议通知.docx"][-1] == "电话：010-12345678"
    assert played.lines["安全通知.docx"][-2:] == ["检查时间：6月1日", _SAFETY[1]]


@pytest.mark.parametrize(
    "message",
    [
        "change the phone in @A.docx to 555-3000 and the inspection date in @B.docx to 9 June 2026",
        "in A.docx change 555-1000 to 555-3000, and in B.docx change 4 June 2026 to 9 June 2026",
        "change A.docx's phone to 555-3000, then change the inspection date in B.docx to 9 June 2026",
    ],
    ids=["one verb", "names", "possessive"],
)
@_in_one_loop
async def test_english_clauses_are_written_to_the_documents_that_they_name(
    turns: OfficeTurns, tmp_path: Path, message: str
) -> None:
    played = await turns.play(message, _write_pairs(tmp_path / "files")["en"])
    assert played.lines["A.docx"][-2:] == ["Contact: Ann Reed", "Phone: 555-3000"]
    assert played.lines["B.docx"][-3:] == [*_BO[:2], "Inspection date: 9 June 2026"]


@_in_one_loop
async def test_what_is_said_of_two_documents_side_by_side_is_done_in_both(turns: OfficeTurns, tmp_path: Path) -> None:
    played = await turns.play("@会议通知.docx 和@安全通知.docx 的标题都加粗", _write_pairs(tmp_path / "files")["zh"])
    assert set(played.written) == {"会议通知.docx", "安全通知.docx"}


@pytest.mark.parametrize(
    "message",
    [
        "把@会议通知.docx 的标题改成@安全通知.docx 的标题",
        "把@另一份.docx 的电话改成010-1",
        "把会议通知.docx的联系人和安全通知.docx的联系人互换",
        "把会议通知.docx和安全通知.docx的标题对调",
        "除了安全通知.docx，会议通知.docx标题加粗",
        "会议通知.docx的电话改成010-1，安全通知.docx的检查时间改成6月1日，两个文件都加页码",
        "标题都居中，会议通知.docx的电话改成010-1，安全通知.docx的检查时间改成6月1日",
        "会议通知.docx的电话改成010-1，缺席.docx的标题加粗，安全通知.docx的检查时间改成6月1日",
        "把会议通知.docx最后加一段：详见安全通知.docx",
    ],
    ids=[
        *("from one to the other", "not here", "exchanged", "titles exchanged", "all but one", "both besides"),
        *("all before", "one missing", "named in a text"),
    ],
)
@_in_one_loop
async def test_what_relates_two_documents_or_names_one_that_is_not_here_writes_nothing(
    turns: OfficeTurns, tmp_path: Path, message: str
) -> None:
    played = await turns.play(message, _write_pairs(tmp_path / "files")["zh"])
    assert not played.written
    assert played.texts


@_in_one_loop
async def test_of_three_documents_the_last_is_told_as_left(turns: OfficeTurns, tmp_path: Path) -> None:
    pairs = _write_pairs(tmp_path / "files")
    message = "把@会议通知.docx 的电话改成010-1，@安全通知.docx 的检查时间改成6月1日，@A.docx 的标题加粗"
    played = await turns.play(message, [*pairs["zh"], pairs["en"][0]])
    assert set(played.written) == {"会议通知.docx", "安全通知.docx"}
    assert "@A.docx 标题加粗" in played.said


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("sort budget.xlsx by amount", "sort it by amount"),
        ("change budget.xlsx's phone to 5", "change the phone to 5"),
        ("make the titles of @budget.xlsx red", "make the titles red"),
        ("@budget.xlsx#B2 set to 5", "set to 5"),
        ("budget.xlsx: bold the header", "bold the header"),
        ("把@budget.xlsx的表头加粗", "把表头加粗"),
    ],
)
def test_the_name_of_a_file_is_no_word_of_what_is_asked(message: str, plain: str) -> None:
    assert remove_names(message, ["budget.xlsx"]) == plain


@_in_one_loop
@pytest.mark.parametrize(
    ("first", "then", "changed"),
    [
        pytest.param(
            "把@会议通知.docx 的电话改成010-12345678", "把“张敏”改成“王丽”", ("会议通知.docx", "王丽"), id="zh"
        ),
        pytest.param("In @A.docx change 555-1000 to 555-9000", 'change "Ann" to "Amy"', ("A.docx", "Amy"), id="en"),
    ],
)
async def test_the_document_that_was_written_last_is_meant_when_none_is_named(
    turns: OfficeTurns, tmp_path: Path, first: str, then: str, changed: tuple[str, str]
) -> None:
    files = _write_pairs(tmp_path / "files")["zh" if changed[0].startswith("会") else "en"]
    played = await turns.play(then, files, first)
    name, word = changed
    assert word in "\n".join(played.lines[name])
