"""Lines of a message that nobody says: headers, signatures, disclaimers, and code between fences."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.patterns import compile_later
from metier.routing.passages._asking import is_asking

_HEADER: Final = compile_later(
    r"\s*(?:from|to|cc|bcc|sent|date|subject|reply-to|发件人|收件人|抄送|主题|时间|日期|发送时间)\s*[:：](?:(?![.!?。！？;；]\s).){0,160}",
    re.IGNORECASE,
)
_SUBJECT: Final = compile_later(r"\s*(?:re|fwd?|回复|答复|转发)\s*[:：].{0,60}", re.IGNORECASE)
_CONTACT: Final = compile_later(r"(?:[^|｜]*[|｜]){2}|\s*--\s*$|.*\+\d[\d ()-]{7,}\s*$")
# What a messenger writes above a copied chat: 群聊的聊天记录, 李敏和王强的聊天记录.
_CHAT_TITLE: Final = compile_later(
    r"\s*(?:[\[【]?\s*(?:群聊|[^，。,.:：]{1,20}(?:和|与|、)[^，。,.:：]{1,20})的?聊天记录\s*[\]】]?|chat\s+(?:history|log|transcript)\b.{0,40})\s*[:：]?\s*",
    re.IGNORECASE,
)
_DISCLAIMER: Final = compile_later(
    r"(?=.*(?:\be-?mail\b|\bmessage\b|\battachments?\b|邮件|信息|附件)).*"
    r"(?:\bconfidential\b|\bprivileged\b|\bintended\s+(?:recipient|only|solely)|\bin\s+error\b|保密|机密|误收|误发|指定的?收件人)",
    re.IGNORECASE,
)
_THIS: Final = compile_later(
    r"\W*(?:[\w ]{0,25}[:：]\s*)?(?:(?:this|the)\s+(?:e-?mail|message|information)\b|[此本该](?:电子)?(?:邮件|信息))",
    re.IGNORECASE,
)
_CLOSING: Final = compile_later(
    r"\s*(?:(?:with\s+)?(?:(?:kind|best|warm)(?:est)?\s+)?(?:regards|wishes)|best|cheers|(?:yours\s+)?sincerely|yours(?:\s+\w+)?"
    r"|(?:many\s+)?thanks(?:\s+(?:and\s+regards|a\s+lot|again|in\s+advance))?|thank\s+you|此致|敬礼|祝好|顺颂商祺|祝商祺|谢谢|多谢|以上)\s*[,，.!。！~～]*\s*",
    re.IGNORECASE,
)
_MAX_SIGNED_CHARS: Final = 60
_SENTENCE_END: Final = ("。", "！", "？", ".", "!", "?")
_FENCES: Final = ("```", "~~~")


def is_header(text: str) -> bool:
    """Whether a line is the header of a mail: From: …, 主题：…."""
    return _HEADER.fullmatch(text) is not None


def is_frame(text: str) -> bool:
    """Whether a line frames what is said: a header, an address, a disclaimer, the title of a copied chat."""
    is_title = (_CHAT_TITLE.fullmatch(text) or _SUBJECT.fullmatch(text)) is not None and not is_asking(text)
    return is_title or is_header(text) or _CONTACT.match(text) is not None or _is_disclaimer(text)


def _is_disclaimer(text: str) -> bool:
    return _THIS.match(text) is not None and _DISCLAIMER.match(text) is not None


def is_closing(text: str) -> bool:
    """Whether a line closes a mail: Kind regards, 祝好."""
    return _CLOSING.fullmatch(text) is not None


def is_signed(text: str) -> bool:
    """Whether a line below the closing of a mail is part of its signature: short, no sentence, and asks for nothing."""
    return len(text) <= _MAX_SIGNED_CHARS and not text.rstrip().endswith(_SENTENCE_END) and not is_asking(text)


def leave_out_code(lines: Sequence[str]) -> Iterator[str]:
    """Lines with blank ones for what stands between fences, up to the end where a fence stays open."""
    is_code = False
    for line in lines:
        is_fence = line.lstrip().startswith(_FENCES)
        yield "" if is_fence or is_code else line
        is_code = is_code != is_fence


def has_code(message: str) -> bool:
    """Whether a line of a message begins a block of code."""
    return any(line.lstrip().startswith(_FENCES) for line in message.split("\n"))
