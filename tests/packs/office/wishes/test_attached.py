"""What people say beside a file that they attached goes to the skill for a file of its kind, and nothing else does."""

from pathlib import Path

import pytest

from metier.attachments import add_attachment
from metier.pack import ClaimedSkill
from metier.packs.office import claim, fallback_claim
from metier.workspaces import WorkspaceQuota
from tests.packs.office.wishes.samples import make_sample

_TABLE = Path(__file__).with_name("attached.tsv")
_ROWS = [line.split("\t") for line in _TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A conversation's folder for each file that is attached."""
    made: dict[str, Path] = {}
    for name in {file for _, file, _ in _ROWS}:
        folder = tmp_path_factory.mktemp("talk")
        content = make_sample(name, tmp_path_factory.mktemp("file"))
        add_attachment(folder, name, content, max_bytes=1 << 24, quota=WorkspaceQuota())
        made[name] = folder
    return made


@pytest.mark.parametrize(("message", "file", "skill"), _ROWS, ids=[f"{file}: {message}" for message, file, _ in _ROWS])
def test_a_message_beside_a_file_goes_to_the_skill_for_it(
    message: str, file: str, skill: str, folders: dict[str, Path]
) -> None:
    """`-` stands for a message that is left to the router, or that the program answers itself."""
    found = claim(message, folders[file]) or fallback_claim(message, folders[file])
    assert (found.skill if isinstance(found, ClaimedSkill) else found or "-") in skill.split("|")


def test_what_a_file_is_taken_for_is_told_with_the_words_that_say_so(folders: dict[str, Path]) -> None:
    found = claim("what is wrong with contract.docx?", folders["contract.docx"])
    assert isinstance(found, ClaimedSkill)
    told = "“contract.docx” is attached, by its words a contract (contract, Party A, Party B)"
    assert found.because.text() == told
    assert found.because.text("zh") == "附上的「contract.docx」从用词看是合同（contract、Party A、Party B）"


def test_a_message_that_names_no_file_is_no_order_before_the_router_was_asked(folders: dict[str, Path]) -> None:
    assert claim("总结一下", folders["通知.docx"]) == ""
    assert claim("总结一下这份通知", folders["通知.docx"]) != ""


def test_of_two_files_of_different_kinds_none_is_guessed(folders: dict[str, Path], tmp_path: Path) -> None:
    for name in ("budget.xlsx", "launch.pptx"):
        content = make_sample(name, tmp_path)
        add_attachment(tmp_path / "talk", name, content, max_bytes=1 << 24, quota=WorkspaceQuota())
    assert fallback_claim("anything wrong?", tmp_path / "talk") == ""
    found = fallback_claim("anything wrong with the slides?", tmp_path / "talk")
    assert isinstance(found, ClaimedSkill)
    assert found.skill == "ppt-review"


@pytest.mark.parametrize(
    ("message", "skill"),
    [
        ("新建四周时间线页：第1周启动、第2周开发、第3周测试、第4周发布。", "document_edit"),
        ("插入报价表：笔记本电脑 数量5 单价6800；显示器 数量5 单价1500，并计算合计。", "document_edit"),
        ("Insert an audit checklist table with the columns Item, Standard, Result and Remark.", "document_edit"),
        (
            "Write a summary of three points: revenue grew by 12 percent; costs stayed flat; two sites opened.",
            "document_edit",
        ),
        ("朝阳、海淀、丰台的弱覆盖", ""),
        ("make a plan for me, please", ""),
        ("整理会议纪要", ""),
        ("列出结论、待办", ""),
    ],
)
def test_without_a_file_only_what_says_all_of_something_new_is_for_the_skill_that_writes(
    message: str, skill: str, tmp_path: Path
) -> None:
    assert fallback_claim(message, tmp_path) == skill
