"""Lines of a transcript as its writer meant them, without what exports of chats and meetings put around the words."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._dates import find_full_date
from metier.packs.office.analysis.meetings.records._rows import RecordRow, read_rows
from metier.packs.office.analysis.meetings.records._sections import RecordKind

__all__ = ["SourceLine", "read_source_lines"]

_CLOCK: Final = (
    r"(?:(?:上午|下午|中午|晚上|凌晨)\s?)?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s?[AaPp]\.?[Mm]\.?)?(?![:\d])"
)
_DAY: Final = r"(?:\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}日?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
_STAMP: Final = rf"(?:{_DAY}(?:,|\s)\s*{_CLOCK}|{_CLOCK},\s+{_DAY})"
_NAME: Final = r"(?P<name>[^\s:：<>\[\]()（），。,!?！？][^:：<>\[\]()（），。,!?！？]{0,23}?)"
_NUMBER: Final = r"(?:\s*[(（<]\S{1,40}[)）>])?"  # account or mail behind a name
# Forms in which one line has who speaks and the words.
_SPOKEN: Final = tuple(
    re.compile(form)
    for form in (
        r"^<v(?:\.\w+)*\s+(?P<name>[^>]{1,40})>(?P<text>.*?)(?:</v>)?$",
        rf"^[\[【(（]\s*{_NAME}\s+(?P<at>(?:{_DAY}\s+)?{_CLOCK})\s*[\]】)）]\s*[:：]?\s*(?P<text>.*)$",
        rf"^[\[(]?(?P<at>{_STAMP})[\])]?\s*(?:-\s+)?{_NAME}{_NUMBER}\s*[:：]\s*(?P<text>.*)$",
        rf"^{_NAME}{_NUMBER}\s*[\[(（]?(?P<at>{_STAMP})[\])）]?\s*[:：]\s*(?P<text>.*)$",
    )
)
# Forms in which the words stand on the lines below; a line with a day counts only where the form returns.
_ALONE: Final = tuple(
    re.compile(form)
    for form in (
        rf"^(?P<at>{_STAMP})\s+{_NAME}{_NUMBER}$",
        rf"^{_NAME}{_NUMBER}\s+(?P<at>{_STAMP}|{_CLOCK}(?<=[mM.]))$",
    )
)
_MIN_RETURNS: Final = 2
_TIME_ONLY: Final = re.compile(rf"^[\[(]?{_CLOCK}[\])]?(?:\s*-->\s*{_CLOCK}.*)?$|^WEBVTT\b.*")
_COUNTER: Final = re.compile(r"^\d{1,5}$|^[0-9a-f-]{36}(?:/\d+-\d+)?$")
# What a program says of the talk, and what is no words: a picture, a call, who came in.
_NOTICE: Final = re.compile(
    r"^[\[【<](?:图片|语音|视频|表情|动画表情|文件|链接|位置|红包|名片|小程序|聊天记录|引用|"
    r"image|photo|video|voice|file|sticker|media omitted|image omitted|[^\]>]{0,20} omitted)[^\]】>]{0,40}[\]】>]$|"
    r"^.{0,24}撤回了一条消息$|^.{0,60}(?:加入了?|退出了?|离开了?)(?:群聊|会议|本群)$|^.{0,24}(?:修改群名为|拍了拍).{0,40}$|"
    r"^.{1,40} (?:joined|left)(?: the (?:meeting|call|group|chat))?\.?$|^.{1,40} (?:started|stopped) (?:transcription|"
    r"recording)\.?$|^this message was deleted\.?$|^you deleted this message\.?$",
    re.IGNORECASE,
)
_HIDDEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_WIDE: Final = MappingProxyType(
    {0xFF01 + at: 0x21 + at for at in range(94) if chr(0x21 + at).isalnum() or chr(0x21 + at) in "-./%#@[]"}
)
_MENTION: Final = re.compile(r"@(?P<name>[^\s@，。,:：]{1,16})[\s\u2005]+")
_SPACED_NAME: Final = re.compile(r"(?<=[:：、，,])\s*([\u4e00-\u9fff])\s+([\u4e00-\u9fff])(?=\s*(?:$|[、，,]))")


class SourceLine(NamedTuple):
    """A line with the address of its piece: as it stands, its words, and who speaks if the form of the line says so.

    A row of a table of work or of decisions is one line with its `part`, who does it and when.
    """

    address: str
    line: str
    text: str
    name: str = ""
    time: str = ""
    day: date | None = None
    is_heading: bool = False
    part: RecordKind = ""
    who: str = ""
    when: str = ""


def read_source_lines(pieces: Sequence[TextPiece]) -> list[SourceLine]:
    """Every line that has words, in order."""
    lines = [line for piece in read_rows(pieces) for line in _split(piece)]
    return list(_read_forms(list(_drop_marks(lines))))


def _split(piece: TextPiece | RecordRow) -> Iterator[SourceLine]:
    if isinstance(piece, TextPiece):
        for line in piece.line.splitlines():
            if text := _clean(line):
                yield SourceLine(piece.address, line.strip(), text, is_heading=piece.kind == "heading")
        return
    row = SourceLine(piece.address, piece.line, _clean(piece.what) or piece.line)
    if piece.part == "said":
        yield row._replace(name=_clean(piece.who), time=piece.when)
    else:
        yield row._replace(part=piece.part, who=_clean(piece.who), when=_clean(piece.when))


def _clean(line: str) -> str:
    """The words in one width, without characters that nobody sees."""
    text = (
        _HIDDEN.sub("", line).replace("\u3000", " ").replace("\u00a0", " ").replace("**", "").translate(_WIDE).strip()
    )
    return _SPACED_NAME.sub(r"\1\2", _MENTION.sub(r"\g<name>，", text))


def _drop_marks(lines: Sequence[SourceLine]) -> Iterator[SourceLine]:
    """Lines without those that only a program wrote: times of subtitles, their counters, notices."""
    following = (*lines[1:], None)
    for line, after in zip(lines, following, strict=True):
        is_counter = after is not None and _COUNTER.match(line.text) is not None and "-->" in after.text
        if not (is_counter or _TIME_ONLY.match(line.text) or _NOTICE.match(line.text)):
            yield line


def _read_forms(lines: Sequence[SourceLine]) -> Iterator[SourceLine]:
    heads = [None if line.name or line.part else _match_any(_ALONE, line.text) for line in lines]
    is_chat = sum(one is not None for one in heads) >= _MIN_RETURNS
    for line, alone in zip(lines, heads, strict=True):
        is_read = bool(line.name or line.part)
        found = None if is_read else _match_any(_SPOKEN, line.text) or (alone if is_chat else None)
        if found is None:
            yield line
            continue
        groups = found.groupdict()
        said_at = groups.get("at") or ""
        text = (groups.get("text") or "").strip()
        if not _NOTICE.match(text):
            yield line._replace(text=text, name=found["name"].strip(), time=said_at, day=find_full_date(said_at))


def _match_any(forms: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next((match for form in forms if (match := form.match(text))), None)
