"""What each paragraph of a document is: title, addressee, heading of a level, body, signature, date, cell."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal, get_args

from metier.packs.office._pieces import TextPiece

__all__ = ["ROLES", "ParagraphRole", "list_roles"]

ParagraphRole = Literal[
    "title",
    "recipient",
    "heading1",
    "heading2",
    "heading3",
    "heading4",
    "body",
    "signature",
    "date",
    "header_cell",
    "cell",
    "header",
    "footer",
]
ROLES: Final[tuple[ParagraphRole, ...]] = get_args(ParagraphRole)
_CHINESE: Final = "[一二三四五六七八九十百]{1,4}"
_LEVELS: Final = (
    (1, re.compile(rf"(?:{_CHINESE}[、.．]|第{_CHINESE}[章部编])")),
    (2, re.compile(rf"[（(]{_CHINESE}[)）]")),
    (3, re.compile(r"\d{1,2}(?:[.．](?!\d)|、)")),
    (4, re.compile(r"[（(]\d{1,2}[)）]|[⑴-⒇]")),
)
_HEADINGS: Final[Mapping[int, ParagraphRole]] = MappingProxyType(
    {1: "heading1", 2: "heading2", 3: "heading3", 4: "heading4"}
)
_DATE: Final = re.compile(
    r"(?:\d{4}|[〇○零一二三四五六七八九]{4})\s*年\s*[\d一二三四五六七八九十]{1,3}\s*月"
    r"\s*[\d一二三四五六七八九十]{1,3}\s*日"
)
_DOCUMENT_NUMBER: Final = re.compile(r".{0,20}[〔\[（(【]\s*\d{4}\s*[〕\])）】].{0,8}号")
_AGENCY: Final = re.compile(r".{2,30}(?:文件|委员会|人民政府|办公室)")
_IMPRINT: Final = re.compile(r"(?:抄送|主送|印发|主题词|签发人)\s*[:：]|.{2,30}\d{4}年\d{1,2}月\d{1,2}日\s*印发")
_ENDS: Final = "。；;！!？?，,、"
_MAX_TITLE, _MAX_HEADING, _MAX_RECIPIENT, _MAX_SIGNATURE = 60, 40, 80, 30
_HEAD_LINES: Final = 8
_TAIL_LINES: Final = 8
_ADDRESSEE: Final = re.compile(
    r"各|全体|尊敬的|(?:局|部|委|厅|办|院|所|公司|集团|单位|处|科|室|政府|中心|学校|大学|学院|中学|小学|医院|"
    r"企业|[乡镇县市区村州省]|街道|社区|部门|"
    r"组|站|队|行|会|团|馆|厂|店|同志|先生|女士|老师|同学|同事|员工|主任|书记|经理|[处科局校院厂所]长|家长|业主|"
    r"朋友|代表)(?:们)?(?:（[^）]*）)?[：:]$"
)
_ANNOUNCES: Final = re.compile(
    r"[。；;]|如下|以下|下列|(?:根据|按照|依据|为了?|经)(?=.{4})|现将|现就|关于|附件|事项|(?:说明|清单|材料|"
    r"名单|目录|范围|内容|情况|问题|标准|程序|流程|措施|意见|建议|结果)[：:]$|要求[：:]|(?:时间|地点|电话|"
    r"联系人|主题)[：:]"
)
_PAGE_NUMBER: Final = re.compile(r"[\W\d_]*|(?:第|Page)\s*\d*\s*(?:页)?.*", re.IGNORECASE)
_CELL: Final = re.compile(r"t\d+\.r(\d+)\.c\d+$")


def list_roles(pieces: Sequence[TextPiece]) -> Mapping[ParagraphRole, tuple[TextPiece, ...]]:
    """Pieces by role; the head and the foot of an official document that have no role are left out."""
    found: dict[ParagraphRole, list[TextPiece]] = defaultdict(list)
    for piece in pieces:
        if piece.kind == "cell" and piece.text.strip() and (cell := _CELL.match(piece.address)):
            found["header_cell" if cell[1] == "1" else "cell"].append(piece)
        elif piece.kind in ("header", "footer") and not _PAGE_NUMBER.fullmatch(piece.line.strip()):
            found["header" if piece.kind == "header" else "footer"].append(piece)
    lines = [one for one in pieces if one.kind in ("heading", "paragraph") and one.line.strip()]
    title, start = _find_title(lines)
    found["title"] += title
    lines = _lift_headings(lines, title, start)
    end = len(lines)
    dated = next((at for at in range(end - 1, max(start, end - _TAIL_LINES) - 1, -1) if _is_date(lines[at])), None)
    for at in range(start, end):
        role = _tell_role(lines, at, start, dated)
        if role is not None:
            found[role].append(lines[at])
    return {role: tuple(found[role]) for role in ROLES if found[role]}


def _lift_headings(lines: Sequence[TextPiece], title: Sequence[TextPiece], start: int) -> list[TextPiece]:
    """The lines, with Heading 2 as the first level where the title alone is in Heading 1."""
    levels = [one.level for one in lines[start:] if one.kind == "heading" and one.level]
    top = max((one.level or 0 for one in title if one.kind == "heading"), default=0)
    if not top or min(levels, default=0) <= top:
        return list(lines)
    return [
        replace(one, level=one.level - top) if one.kind == "heading" and one.level and at >= start else one
        for at, one in enumerate(lines)
    ]


def _tell_role(lines: Sequence[TextPiece], at: int, start: int, dated: int | None) -> ParagraphRole | None:
    text = lines[at].line.strip()
    if _IMPRINT.match(text) or (dated is not None and at > dated and _AGENCY.fullmatch(text)):
        return None
    if at == dated:
        return "date"
    if dated is not None and at == dated - 1 and _is_signature(lines[at]):
        return "signature"
    if at - start <= 1 and _is_recipient(text) and not _level_of(lines[at]):
        return "recipient"
    return _HEADINGS.get(_level_of(lines[at]), "body")


def _find_title(lines: Sequence[TextPiece]) -> tuple[list[TextPiece], int]:
    """Lines of the title, and where the text behind them begins."""
    styled = [at for at, one in enumerate(lines[:_HEAD_LINES]) if one.style.lower() in ("title", "标题", "文档标题")]
    if styled:
        return [lines[at] for at in styled], styled[-1] + 1
    at = 0
    while at < min(len(lines), _HEAD_LINES) and _is_head(lines[at].line.strip()):
        at += 1
    if at >= len(lines) or not _is_title(lines[at]):
        return [], at
    first = at
    addressed = next(
        (n for n in range(at + 1, min(len(lines), at + 4)) if _is_recipient(lines[n].line.strip())), at + 1
    )
    while at < addressed and _is_title(lines[at]):
        at += 1
    return list(lines[first:at]), at


def _is_recipient(text: str) -> bool:
    """`各县区局，市直各单位：`, but not `现将有关事项通知如下：`."""
    if not text.endswith(("：", ":")) or len(text) > _MAX_RECIPIENT:
        return False
    return _ANNOUNCES.search(text) is None and _ADDRESSEE.search(text) is not None


def _is_head(text: str) -> bool:
    return _DOCUMENT_NUMBER.fullmatch(text) is not None or re.fullmatch(r".{2,30}文件", text) is not None


def _is_title(piece: TextPiece) -> bool:
    text = piece.line.strip()
    is_plain = text[-1:] not in _ENDS and not text.endswith(("：", ":"))
    return is_plain and len(text) <= _MAX_TITLE and not _typed_level(text) and not _is_date(piece)


def _is_date(piece: TextPiece) -> bool:
    return _DATE.fullmatch(piece.line.strip()) is not None


def _is_signature(piece: TextPiece) -> bool:
    text = piece.line.strip()
    return len(text) <= _MAX_SIGNATURE and text[-1:] not in (*_ENDS, "：", ":") and not _level_of(piece)


def _level_of(piece: TextPiece) -> int:
    """Level of a heading by its style, else by a typed number before a short line."""
    if piece.kind == "heading" and piece.level:
        return min(piece.level, 4)
    text = piece.line.strip()
    return _typed_level(text) if len(text) <= _MAX_HEADING and text[-1:] not in _ENDS else 0


def _typed_level(text: str) -> int:
    return next((level for level, form in _LEVELS if form.match(text)), 0)
