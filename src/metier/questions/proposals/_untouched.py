"""Doubts whether something is changed beside what is shown: 公章没动吧, 会不会把附件弄坏, "does the header stay?"."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, choose
from metier.patterns import compile_later
from metier.questions._results import Answer
from metier.questions.proposals._findings import ProposedRows, find_rows
from metier.questions.proposals._places import find_places
from metier.questions.proposals._proposal_sentences import PROPOSAL_SENTENCES
from metier.textsearch import to_simplified

_SUBJECT_ZH: Final = r"(?P<{name}>[^，,。；;？?！!]{{1,24}}?)"
_CHANGE_ZH: Final = (
    "改动|改变|改掉|改错|改坏|改乱|修改|变动|变化|影响|弄坏|弄乱|搞坏|搞乱|破坏|丢失|覆盖|动|改|变|碰|乱|坏|丢|删"
)
_DONE_ZH: Final = "(?:到|过|掉|了|的|一下){0,2}"
_ASK_ZH: Final = "(?:(?:吗|吧|么|是吧|对吧|对吗|是吗|呢|啊|呀){0,2})"
_WILL: Final = "(?:会不会|会(?![议计员场])|有没有|是不是|是否|没有?|不会|未)"
_ALSO_ZH: Final = "(?:也|都|还|一起|一并|被|会|再|真的|应该){0,3}"
_WHO_ZH: Final = "(?:它|你|这|这样|那|批准后?|写入后?|应该|确定)?"
_KEEP_ZH: Final = "保持不变|保持原样|原样|不变|保留|还在|照旧|不受影响"
_ZH: Final = compile_later(
    "|".join(
        (
            rf"{_SUBJECT_ZH.format(name='a')}{_ALSO_ZH}{_WILL}{_ALSO_ZH}(?:{_CHANGE_ZH}){_DONE_ZH}{_ASK_ZH}",
            rf"{_WHO_ZH}{_WILL}{_ALSO_ZH}[把将给]?{_SUBJECT_ZH.format(name='b')}给?(?:{_CHANGE_ZH}){_DONE_ZH}{_ASK_ZH}",
            rf"{_WHO_ZH}{_WILL}{_ALSO_ZH}(?:{_CHANGE_ZH}){_DONE_ZH}{_SUBJECT_ZH.format(name='c')}{_ASK_ZH}",
            rf"{_SUBJECT_ZH.format(name='d')}{_ALSO_ZH}(?:{_KEEP_ZH}){_ASK_ZH}",
            rf"(?:真的|确定|一定)(?:要|会|得)(?:{_CHANGE_ZH}){_DONE_ZH}{_SUBJECT_ZH.format(name='e')}{_ASK_ZH}",
        )
    )
)
_CHANGED_EN: Final = (
    "touched|changed|affected|broken|damaged|overwritten|deleted|modified|lost|messed up|altered|unchanged|untouched"
    "|intact|kept|the same|as (?:it is|they are)|safe"
)
_CHANGE_EN: Final = "touch|change|affect|break|damage|overwrite|delete|modify|lose|mess up|alter"
_KEEP_EN: Final = "stays?|remains?|survives?"
_SAME_EN: Final = "(?: (?:unchanged|untouched|intact|the same|there|as (?:it is|they are|it was|they were))){0,2}"
_TAIL_EN: Final = (
    "(?: too| as well| then| please)?(?:,? (?:right|correct|ok(?:ay)?|yes|is it|are they|will it|does it))?"
)
_ASKS_EN: Final = "(?:will|does|do|did|would|is|are|was|were|has|have)"
_NOT_EN: Final = (
    "(?:(?:did|do|does|would|have|is|are|was|were) not|(?:did|do|does|wo|would|have|is|are|was|were)n't|will not)"
)
_SUBJECT_EN: Final = r"(?P<{name}>[^,.;?!]{{1,60}}?)"
_EN: Final = compile_later(
    "|".join(
        (
            rf"{_ASKS_EN} (?:you|it|this|that|the step) (?:also |not |just )?(?:{_CHANGE_EN})"
            rf" {_SUBJECT_EN.format(name='a')}{_TAIL_EN}",
            rf"{_ASKS_EN} {_SUBJECT_EN.format(name='b')}(?: (?:be|get|been|also|still|not|really)){{0,3}}"
            rf" (?:{_CHANGED_EN}|(?:{_KEEP_EN}){_SAME_EN}){_TAIL_EN}",
            rf"(?:you|it|this) {_NOT_EN} (?:{_CHANGE_EN}) {_SUBJECT_EN.format(name='c')}{_TAIL_EN}",
            rf"{_SUBJECT_EN.format(name='d')} {_NOT_EN}(?: be)? (?:{_CHANGED_EN}|{_CHANGE_EN}){_TAIL_EN}",
            rf"{_SUBJECT_EN.format(name='e')} (?:will )?(?:{_KEEP_EN}|is|are){_SAME_EN}{_TAIL_EN}",
        )
    ),
    re.IGNORECASE,
)
_ASKING_ZH: Final = compile_later(r"(?:[？?]|[吗吧么呢])$|会不会|有没有|是不是|是否")
_ASKING_EN: Final = compile_later(rf"\?$|,? (?:right|correct|ok(?:ay)?|yes|is it|are they)$|^{_ASKS_EN}\b")
# Words around a subject, taken off one by one.
_LEAD: Final = compile_later(
    r"^(?:那么?|请问|可是|但是?|所以|这样|这份?|那份?|我的?|你|它|文件里?|文档里?|的|里面?|中|也|都|还"
    r"|(?:the|my|our|your|any(?: of the)?|all(?: of the)?|so|and|but) )"
)
_END: Final = compile_later(r"(?:内容|部分|文字|也|都|还|是|会|应该|有|被|的)$")
_MAX_TRIMS: Final = 6
# Pronouns, modal words and question words: what is asked is something else.
_NO_SUBJECT: Final = compile_later(
    r"it|that|this|them|they|these|those|you|there|[这那它要得]|必须|需要|.*(?:什|啥|哪|谁|多少|几).*"
    r"|(?:what|which|who|how|why|where)\b.*",
    re.IGNORECASE,
)
_OTHERS: Final = compile_later(
    r"(?:其他|其它|别的?|其余|剩下|另外|另|余下)的?(?:地方|部分|内容|东西|章节|条款|段落|文字|数据|行|列|格子?|页|处)?"
    r"|原文|(?:整个|全部)?(?:文件|文档|合同|表格|原件|附件)|(?:any|every|no)thing(?: else)?"
    r"|(?:the )?(?:rest|others?|(?:other|original) \w+|file|document|attachment|original)",
    re.IGNORECASE,
)
_WIDE: Final = compile_later(r"全文|全部|所有|整个|整份|整张|\b(?:whole|entire|all)\b", re.IGNORECASE)
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_MAX_CHARS: Final = 60


def read_untouched(message: str) -> str | None:
    """What a whole message doubts is left alone; empty for everything else, None for another message."""
    said = " ".join(to_simplified(message.strip()).replace("’", "'").split())
    bare = said.strip(_STRIP)
    if len(said) > _MAX_CHARS:
        return None
    if bare.isascii():
        found = _EN.fullmatch(bare) if _ASKING_EN.search(said.lower()) else None
    else:
        found = _ZH.fullmatch("".join(bare.split())) if _ASKING_ZH.search(said) else None
    subject = next((one for one in found.groupdict().values() if one), "").strip() if found is not None else ""
    subject = _trim(subject)
    if not subject or _NO_SUBJECT.fullmatch(subject):
        return None
    return "" if _OTHERS.fullmatch(subject) else subject


def _trim(subject: str) -> str:
    for _ in range(_MAX_TRIMS):
        subject = _END.sub("", _LEAD.sub("", subject)).strip()
    return subject


def answer_untouched(subject: str, proposal: ProposedRows, language: Language) -> Answer:
    """Which of the proposed rows touch a subject; what no row names stays."""
    rows = _find_touched(subject, proposal) if subject else ()
    total = len(proposal.table.rows)
    told = []
    if subject and rows:
        told.append(_say("touched", language, subject=subject, count=len(rows), rows=_name(rows, language)))
    elif subject:
        told.append(_say("untouched", language, subject=subject, count=total))
    told.append(_say("only_rows", language, count=total))
    wide = tuple(at for at, row in enumerate(proposal.table.rows) if at not in rows and row and _is_wide(row[0]))
    if wide:
        told.append(_say("wide_rows", language, rows=_name(wide, language)))
    return Answer(choose(language, zh="", en=" ").join(told), found=bool(rows) or not subject)


def _find_touched(subject: str, proposal: ProposedRows) -> tuple[int, ...]:
    """Rows at a place of this name, or with the words of the subject in one of their cells."""
    if places := find_places(subject):
        found = find_rows(places, proposal)
        return () if found.is_missing else (*found.rows, *(one for one in found.others if one not in found.rows))
    word = subject.casefold()
    return tuple(at for at, row in enumerate(proposal.table.rows) if any(word in _read_cell(cell) for cell in row))


def _read_cell(cell: JsonValue) -> str:
    return to_simplified(cell).casefold() if isinstance(cell, str) else ""


def _is_wide(place: JsonValue) -> bool:
    return isinstance(place, str) and _WIDE.search(place) is not None


def _name(rows: Sequence[int], language: Language) -> str:
    return choose(language, zh="、", en=", ").join(str(at + 1) for at in rows)


def _say(code: str, language: Language, **values: object) -> str:
    return PROPOSAL_SENTENCES.render(code, language, **values)
