"""Roles of paragraphs: what is the title, and which level its headings have."""

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.formats import list_roles


def read_roles(*lines: str) -> list[str]:
    """The role of each line; `1 …` and `2 …` are lines in Heading 1 and Heading 2."""
    pieces = [
        TextPiece(f"p{at}", line[2:], kind="heading", level=int(line[0]), style=f"heading {line[0]}")
        if line[:2] in ("1 ", "2 ", "3 ")
        else TextPiece(f"p{at}", line)
        for at, line in enumerate(lines, 1)
    ]
    roles = {piece.address: role for role, found in list_roles(pieces).items() for piece in found}
    return [roles.get(piece.address, "") for piece in pieces]


def test_headings_below_a_title_in_heading_1_begin_with_the_first_level() -> None:
    lines = (
        "1 Annual Safety Report",
        "This report covers 2025.",
        "2 Incidents",
        "There were four.",
        "3 Minor",
        "Three.",
    )
    assert read_roles(*lines) == ["title", "body", "heading1", "body", "heading2", "body"]
    official = (
        "1 关于开展卫生运动的通知",
        "各科室：",
        "现通知如下。",
        "2 一、总体要求",
        "预防为主。",
        "2 二、安排",
        "三月完成。",
    )
    assert read_roles(*official) == ["title", "recipient", "body", "heading1", "body", "heading1", "body"]


def test_headings_keep_their_level_if_the_title_has_no_heading_or_others_share_it() -> None:
    assert read_roles("年度总结", "1 一、完成情况", "已完成。") == ["title", "heading1", "body"]
    shared = ("1 Annual Report", "1 Incidents", "There were four.", "2 Minor", "Three.")
    assert read_roles(*shared)[2:] == ["body", "heading2", "body"]
