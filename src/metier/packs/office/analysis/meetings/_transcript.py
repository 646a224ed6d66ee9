"""Transcripts in three forms: `发言人1：…`, `发言人1 00:12:03` with the words below, or no names at all."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.meetings._names import is_person_name
from metier.packs.office.analysis.meetings.records import (
    RecordKind,
    SectionReader,
    SourceLine,
    cut_mark,
    cut_symbols,
    read_fields,
    read_source_lines,
    split_numbered,
)

__all__ = ["Utterance", "list_attendees", "list_hosts", "list_speakers", "read_transcript"]

_TIME: Final = r"\d{1,2}:\d{2}(?::\d{2})?(?![:\d]\d)"
_NUMBERED: Final = r"(?:发言人|说话人|讲话人|[Ss]peaker|SPEAKER)\s?(?:\d{1,3}|[A-Z])(?![A-Za-z\d])"
_NAME: Final = (
    rf"{_NUMBERED}|[\u4e00-\u9fff·]{{1,6}}(?: [\u4e00-\u9fff]{{1,4}}|[A-Z][a-z]{{1,11}}|[A-Z\d])?|"
    r"[A-Z][a-z]{1,11}[\u4e00-\u9fff]{1,3}|"
    r"[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){0,2}|[A-Z][a-z]{2,11} [a-z]{3,11}"
)
# A colon stands behind the name or its time: `发言人1：…`, `Carla 00:00:14: …`, `SPEAKER 2 00:00:21 …`.
_INLINE: Final = re.compile(
    rf"^(?:[\[（(]?(?P<before>{_TIME})[\]）)]?\s*)?(?P<name>{_NAME})\s*"
    rf"(?:(?:[\(（\[]?(?P<time>{_TIME})[\)）\]]?)?\s*[:：]|\s[\(（\[]?(?P<at>{_TIME})[\)）\]]?\s)\s*(?P<text>.*)$"
)
# A role, with a name or alone: `馆长 陶`, `Stage manager`.
_TWO_WORDS: Final = re.compile(r"[A-Z][a-z]+ [a-z]+|[\u4e00-\u9fff·]+ [\u4e00-\u9fff]+")
_TIMED: Final = re.compile(rf"^[\[（(](?P<time>{_TIME})[\]）)]\s*(?P<text>\S.*)$")
_STAMPED: Final = re.compile(
    rf"^(?:[\[（(]?(?P<before>{_TIME})[\]）)]?\s+)?(?P<name>{_NAME})(?:\s*[\[（(]?(?P<time>{_TIME})[\]）)]?)?$"
)
# Words before a colon that are a label and not a person.
_LABELS: Final = re.compile(
    r"(?:会议)?(?:时间|日期|地点|主题|名称|议题|议程|内容|记录|纪要|主持|主持人|记录人|参会人?员?|出席人?员?|"
    r"参加人?员?|"
    r"与会人?员?|列席人?员?|缺席人?员?|附件|备注|说明|结论|决定|决议|待办|事项|行动项|背景|目的|目标|要求|注意|"
    r"问题|建议|问|答|注|按|附|例|"
    r"总结|其他|下一步|通知|各位|大家)[一二三四五六七八九十\d]*|议题.*|第.*|到会|责任人|负责人|责任部门|完成时间|期限|"
    r"[\u4e00-\u9fff]{0,4}(?:情况|结果|结论|事项|意见|建议|措施|名单|背景|要求|标准|进度|原因|议题|说明)"
)
_ROLES: Final = re.compile(r"(?:会议)?(?:主持人?|记录人|主席|召集人)|Chair|Host|Moderator")
_ENGLISH_LABELS: Final = re.compile(
    r"(?:date|time|place|location|attendees|participants|present|agenda|topic|subject|minutes|decisions?|"
    r"actions?|notes?|"
    r"action items?|next steps?|summary|project|meeting)",
    re.IGNORECASE,
)
_ATTENDEES: Final = re.compile(
    r"^(?:参会人?员?|出席人?员?|参加人?员?|与会人?员?|参会|出席|到会|到场|在场|attendees|participants|"
    r"present)\s*[:：]\s*(?P<names>.+)$"
    r"|^(?:参会人?员?|出席|到场|在场|到会|与会)[:：\s]\s*(?P<bare>[\u4e00-\u9fff]{1,4}(?:[\s、，,]+[\u4e00-\u9fff]{1,4})+)$",
    re.IGNORECASE,
)
_HOSTS: Final = re.compile(
    r"^(?:会议)?(?:主持人?|记录人?|主席|召集人|chair|host|moderator)\s*[:：]\s*(?P<names>.+)$", re.IGNORECASE
)
_LISTED: Final = re.compile(r"[^，。！？、,.!?\s]{1,12}(?:、[^，。！？、,.!?\s]{1,12})+|[\d.,]+\s?[%％元万亿人个家]?")
_MIN_TURNS: Final = 2
_MIN_NAME: Final = 2


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one person said without a break; `speaker` is empty where the transcript has no names.

    `part` says where in a written record the line stands, empty for what is said; `who` and `when` are the cells beside
    an item of a table. `day` is the day on which a chat has it.
    """

    speaker: str
    text: str
    address: str
    line: str
    time: str = ""
    part: RecordKind = ""
    who: str = ""
    when: str = ""
    day: date | None = None


def read_transcript(pieces: Sequence[TextPiece]) -> tuple[Utterance, ...]:
    """Split a transcript into what was said, one entry a line of the source; lists of a record come item by item."""
    lines = read_source_lines(pieces)
    names = _find_names([line.text for line in lines if not line.name]) | {line.name for line in lines if line.name}
    found: list[Utterance] = []
    sections = SectionReader()
    speaker, time, day = "", "", None
    for line in lines:
        head = _match_head(line, names, is_listed=sections.kind == "todo")
        if head is not None:
            speaker, time, text = head
            day = line.day or day
            sections.leave()
            if text:
                found.append(Utterance(speaker, text, line.address, line.line, time, day=day))
            continue
        if found and (fields := read_fields(line.text)) and found[-1].part in ("decision", "todo"):
            found.append(_add_fields(found.pop() if found[-1].part == "todo" else found[-1], line.line, *fields))
            continue
        part = line.part or sections.read(line.text, is_heading=line.is_heading, is_spoken=bool(speaker))
        if part:
            speaker = ""
            found += _list_items(line, part, time)
            continue
        timed = _TIMED.match(line.text) if not speaker else None
        time = timed["time"] if timed else time
        found.append(Utterance(speaker, timed["text"] if timed else line.text, line.address, line.line, time, day=day))
    return tuple(found)


def _add_fields(item: Utterance, line: str, who: str, when: str) -> Utterance:
    """An item with who does it until when, which stand on a line below it."""
    return replace(item, part="todo", line=f"{item.line} / {line}", who=who, when=when)


def _list_items(line: SourceLine, part: RecordKind, time: str) -> list[Utterance]:
    """The items that one line of a record holds: `1. …；2. …` are two."""
    is_list = part in ("decision", "todo")
    texts = [cut_mark(text) for text in split_numbered(line.text)] if is_list else [line.text]
    return [Utterance("", text, line.address, line.line, time, part, line.who, line.when) for text in texts]


def _find_names(lines: list[str]) -> frozenset[str]:
    """People who speak: a word before a colon counts when it returns, or when it stands with a time."""
    turns: Counter[str] = Counter()
    certain: set[str] = set()
    loose: set[str] = set()
    roles: Counter[str] = Counter()
    for line in lines:
        if (match := _INLINE.match(line)) and _ROLES.fullmatch(match["name"]):
            roles[match["name"]] += _speaks(match)
        elif (match := _INLINE.match(line)) and not _is_label(match["name"]) and not _lists(match):
            turns[match["name"]] += 1
            is_loose = not _is_plain(match)
            if (match["time"] or match["before"] or re.match(_NUMBERED, match["name"])) and not is_loose:
                certain.add(match["name"])
            elif is_loose:
                loose.add(match["name"])
        elif (match := _STAMPED.match(line)) and (match["time"] or match["before"]) and not _is_label(match["name"]):
            certain.add(match["name"])
    # In a talk with several speakers a name that appears once is a speaker too.
    returning = {name for name, count in turns.items() if count >= _MIN_TURNS}
    if returning:
        certain.update(returning, (name for name in turns if name not in loose or _drop_role(name, turns) != name))
    # `主持人：王磊` is a heading of the record; who says several things is a speaker.
    certain.update(name for name, count in roles.items() if count >= _MIN_TURNS)
    return frozenset(certain | _find_single(lines))


def _find_single(lines: list[str]) -> set[str]:
    """Names of a talk in which everybody may speak once: two people at least, and most of the lines are theirs."""
    heads = [match for line in lines if (match := _INLINE.match(line))]
    said = [match for match in heads if _speaks(match)]
    names = {match["name"] for match in said}
    records = [match for match in heads if match not in said and len(lines) > len(said)]
    return names if len(names) >= _MIN_TURNS and 2 * len(said) >= len(lines) - len(records) else set()


def _speaks(match: re.Match[str]) -> bool:
    """Whether a line is what a person says; a role with names behind it is a heading of the record."""
    name, text = match["name"], match["text"].strip()
    if _ROLES.fullmatch(name):
        parts = [part for part in re.split(r"[、，,;；\s]+", text.rstrip("。")) if part]
        return any(not re.fullmatch(r"[\u4e00-\u9fff]{2,4}|[A-Z][A-Za-z. ]+", part) for part in parts)
    return bool(text) and is_person_name(name) and not _is_label(name)


def _lists(match: re.Match[str]) -> bool:
    """Whether a label stands before a list or a number: `重点客户：华泰、中远`, `毛利率：34.5%`."""
    is_list = _LISTED.fullmatch(match["text"].strip()) is not None
    return is_list and not (match["time"] or match["before"] or is_person_name(match["name"]))


def _is_plain(match: re.Match[str]) -> bool:
    """Whether one line is enough to name a person; `Quick question: …` and `会议 14:00 开始` must return."""
    name = match["name"]
    return _TWO_WORDS.fullmatch(name) is None and (not match["at"] or re.match(_NUMBERED, name) is not None)


def _drop_role(name: str, names: Collection[str]) -> str:
    """`馆长 陶` is 陶, and 财务方姐 is 方姐, if 陶 and 方姐 speak too."""
    ends = (name.rsplit(maxsplit=1)[-1], *(name[at:] for at in (2, 3, 4) if len(name) >= at + _MIN_NAME))
    return next((end for end in ends if end != name and end in names), name)


def _is_label(name: str) -> bool:
    return bool(_LABELS.fullmatch(name) or _ENGLISH_LABELS.fullmatch(name))


def _match_head(line: SourceLine, names: frozenset[str], *, is_listed: bool) -> tuple[str, str, str] | None:
    """Who speaks, when, and the words; in a list of work a name before a colon only says whose it is."""
    if line.name:
        return line.name, line.time, line.text
    if line.part:
        return None
    match = _INLINE.match(line.text)
    if match and match["name"] in names and not (is_listed and not (match["before"] or match["time"] or match["at"])):
        name = _drop_role(match["name"], names)
        return name, match["before"] or match["time"] or match["at"] or "", match["text"].strip()
    match = _STAMPED.match(line.text)
    if match and (match["time"] or match["before"]) and match["name"] in names:
        return match["name"], match["time"] or match["before"] or "", ""
    return None


def list_speakers(said: Iterable[Utterance]) -> tuple[tuple[str, int], ...]:
    """Speakers in the order of their first words, with how often they spoke."""
    turns: Counter[str] = Counter()
    last = ""
    for utterance in said:
        if utterance.speaker and (utterance.speaker != last or utterance.time):
            turns[utterance.speaker] += 1
        last = utterance.speaker
    return tuple(turns.items())


def list_attendees(said: Iterable[Utterance]) -> tuple[str, ...]:
    """Names on a line such as `参会人员：…`."""
    for utterance in said:
        if utterance.part != "todo" and (match := _ATTENDEES.match(cut_symbols(utterance.text))):
            # Blanks part names only where nothing else does: `Anna, Mr Chen` are two people.
            listed = (match["names"] or match["bare"]).rstrip("。. ")
            marks = r"[、,，;；]\s*" if re.search(r"[、,，;；]", listed) else r"\s+"
            return tuple(
                name.strip(" @*")
                for name in re.split(marks, listed)
                if name.strip("。.@* ") and not re.match(r"\D{0,2}\d", name.strip())
            )
    return ()


def list_hosts(said: Iterable[Utterance]) -> tuple[str, ...]:
    """Names on a heading such as `主持人：王强`."""
    heads = (_HOSTS.match(cut_symbols(one.text)) for one in said if not one.speaker and one.part != "todo")
    parts = (part.strip("。. ") for head in heads if head for part in re.split(r"[、,，;；]\s*", head["names"]))
    return tuple(name for name in parts if is_person_name(name))
