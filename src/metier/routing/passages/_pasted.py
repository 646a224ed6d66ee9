"""Sentences of a long message by who says them: its author, or somebody whose mail or chat is pasted into it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

from metier.patterns import compile_later
from metier.routing.passages._asking import greets_others, puts_off
from metier.routing.passages._frames import is_closing, is_frame, is_header, is_signed, leave_out_code
from metier.textsearch import has_cjk

_MIN_CJK_CHARS: Final = 4
_MIN_LATIN_CHARS: Final = 12
_SENTENCE: Final = compile_later(r"[^.!?。！？\n]+(?:[.!?](?=\S)[^.!?。！？\n]*)*[.!?。！？]*")
_QUOTED: Final = compile_later(r"\s*(?:>\s*)+")
# Below such a line stands a mail of somebody else.
_REPLY: Final = compile_later(
    r"\s*(?:on\b.{5,160}\bwrote:|在.{4,80}写道[:：]?|.{0,60}\d{1,2}[:：]\d\d.{0,60}(?:wrote|写道)[:：]"
    r"|[-_=]{2,}\s*(?:original message|forwarded message|begin forwarded message|原始?邮件|转发的?邮件).*)\s*",
    re.IGNORECASE,
)
_SENDER: Final = compile_later(r"\s*(?:from|发件人)\s*[:：]", re.IGNORECASE)
_MIN_HEADERS: Final = 2  # From: and one more
# Lines of a chat: [09:12] Sam: …, 小山 09:12 …
_TIME: Final = r"(?:\d{2,4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ T,，]*)?\d{1,2}[:：]\d\d(?:[:：]\d\d)?(?:\s*[ap]\.?m\.?)?"
_SAID: Final = compile_later(
    rf"\s*(?P<time>[\[(（【]?\s*{_TIME}\s*[\])）】]?\s*[-–]?\s*)?<?(?P<name>[^\W\d][^:：\n<>\[\]()（）。，,.!?？！]{{0,24}})>?\s*[:：](?!//)\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_SPEAKER: Final = compile_later(
    rf"\s*(?P<name>[^\W\d][^:：\n。，,.!?？！]{{0,24}}?)\s+[\[(（【]?{_TIME}[\])）】]?\s*", re.IGNORECASE
)
_MIN_CHAT_LINES: Final = 3
_MYSELF: Final = frozenset(("me", "i", "myself", "我", "本人", "自己"))
_ITEM: Final = compile_later(r"\s*(?:\d{1,2}[.)、．）]|[（(]\d{1,2}[)）]|[-*•·–]\s)")
# A line of at least so many characters that ends amid a sentence goes on in the next one.
_MIN_WRAPPED_CHARS: Final = 40
_WRAPPED: Final = compile_later(r"(?<=[a-z0-9,;])[ \t]*\n[ \t]*(?=[a-z0-9(])")


class SaidSentence(NamedTuple):
    """Sentence of a message; `line` and `block` count its lines, and its paragraphs or contributions to a chat.

    `is_pasted`: somebody else says it. `to_others`: it stands below a greeting of several people.
    """

    text: str
    line: int
    block: int
    is_pasted: bool
    to_others: bool


class _SaidLine(NamedTuple):
    text: str
    block: int
    is_pasted: bool


def list_sentences(message: str) -> Sequence[SaidSentence]:
    """Sentences of a message with who says them, without headers, signatures and code."""
    lines = list(_read_chat(list(_read_mail(list(leave_out_code(message.split("\n")))))))
    found: list[SaidSentence] = []
    greeted = -1
    for at, line in enumerate(_unwrap(lines)):
        is_greeting = greets_others(line.text)
        texts = [one for one in (each[0].strip() for each in _SENTENCE.finditer(line.text)) if _has_content(one)]
        greeted = line.block if is_greeting and len(texts) <= 1 else greeted
        to_others = is_greeting or greeted == line.block
        found += [SaidSentence(text, at, line.block, line.is_pasted, to_others) for text in texts]
    return found


def leave_out_put_off(message: str) -> tuple[str, tuple[str, ...]]:
    """A message without the lists that its author puts off (这些先放着, leave those for now), and their lines."""
    lines = message.split("\n")
    is_item = [_ITEM.match(line) is not None for line in lines]
    if not any(is_item):
        return message, ()
    last = max((at for at, line in enumerate(lines) if not is_item[at] and puts_off(line)), default=0)
    left_out = {at for at, is_one in enumerate(is_item[:last]) if is_one}
    left_out |= {at - 1 for at in left_out if at and lines[at - 1].rstrip().endswith((":", "："))}
    kept = [line for at, line in enumerate(lines) if at not in left_out]
    return "\n".join(kept), tuple(lines[at].strip() for at in sorted(left_out & set(range(last))) if is_item[at])


def _read_mail(lines: Sequence[str]) -> Iterator[_SaidLine]:
    """Lines without headers and addresses; those that are quoted or stand below the header of a mail are pasted."""
    block, is_below, has_own, is_signed_off = 0, False, False, False
    for at, line in enumerate(lines):
        if not line.strip():
            block += 1
            continue
        quoted = _QUOTED.match(line)
        text = line[quoted.end() :] if quoted else line
        if _begins_mail(text, lines[at + 1 : at + 4]):
            is_below, block, is_signed_off = True, block + 1, False
        is_signed_off = is_closing(text) or (is_signed_off and is_signed(text))
        if not (is_signed_off or is_frame(text) or _REPLY.fullmatch(text)):
            has_own = has_own or not (quoted or is_below)
            yield _SaidLine(text, block, bool(quoted) or is_below)


def _begins_mail(text: str, following: Sequence[str]) -> bool:
    """Whether a mail of somebody else begins with this line that is not marked as quoted line by line."""
    if _REPLY.fullmatch(text):
        return _QUOTED.match(next((line for line in following if line.strip()), "")) is None
    headers = sum(map(is_header, following))
    return _SENDER.match(text) is not None and headers >= _MIN_HEADERS - 1


def _read_chat(lines: Sequence[_SaidLine]) -> Iterator[_SaidLine]:
    """Lines without the names of those who speak in a chat; what others say is pasted."""
    heads = [_SPEAKER.fullmatch(line.text) for line in lines]
    spoken = [None if head else _SAID.fullmatch(line.text) for line, head in zip(lines, heads, strict=True)]
    if not lines or not _is_chat(spoken, heads):
        yield from lines
        return
    blocks = count(lines[-1].block + 1)
    name, place, block = "", -1, -1
    for line, said, head in zip(lines, spoken, heads, strict=True):
        if found := said or head:
            name, place, block = found["name"].strip().lower(), line.block, next(blocks)
        if head is None:
            text = said["text"] if said else line.text
            is_said = place == line.block
            is_pasted = line.is_pasted or (is_said and name not in _MYSELF)
            yield _SaidLine(text, block if is_said else line.block, is_pasted)


def _is_chat(spoken: Sequence[re.Match[str] | None], heads: Sequence[re.Match[str] | None]) -> bool:
    """Whether lines are told by several speakers: most with the time, or one of them twice."""
    found = [one for one in (*spoken, *heads) if one is not None]
    names = Counter(one["name"].strip().lower() for one in found)
    timed = sum(one is not None and bool(one["time"]) for one in spoken) + sum(one is not None for one in heads)
    return len(found) >= _MIN_CHAT_LINES and (timed >= _MIN_CHAT_LINES or max(names.values()) > 1)


def _unwrap(lines: Sequence[_SaidLine]) -> Iterator[_SaidLine]:
    """Lines of a paragraph as one where a mail program broke its sentences."""
    kept: _SaidLine | None = None
    for line in lines:
        if kept is not None and kept[1:] == line[1:] and len(kept.text) >= _MIN_WRAPPED_CHARS:
            joined = f"{kept.text}\n{line.text}"
            if (text := _WRAPPED.sub(" ", joined, count=0)) != joined and "\n" not in text:
                kept = kept._replace(text=text)
                continue
        if kept is not None:
            yield kept
        kept = line
    if kept is not None:
        yield kept


def _has_content(text: str) -> bool:
    return len(text) >= (_MIN_CJK_CHARS if has_cjk(text) else _MIN_LATIN_CHARS)
