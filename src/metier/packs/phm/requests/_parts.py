"""The part of a record that a message wants to be used: seconds or samples, a channel, a band of frequencies."""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.packs.phm.requests._numbers import NUMBER, read_number
from metier.patterns import compile_later

Span = Literal["seconds", "samples", "share"]

_SECOND: Final = r"(?:毫秒|秒钟?|(?:milli)?seconds?|msecs?|secs?|ms|s)(?![a-z/²^])"
_UNIT: Final = rf"({_SECOND}|(?:个)?(?:样本|采样)?点(?:数据)?|个样本|samples?|points?)"
_TO: Final = r"\s*(?:-|–|—|~|～|到|至|to|and|until)\s*"
_BETWEEN: Final = compile_later(
    rf"(?i)(?:从|自|在|第|\bfrom\b|\bbetween\b"
    rf"|\bseconds?\b)?\s*第?\s*{NUMBER}\s*{_UNIT}?{_TO}第?\s*{NUMBER}\s*{_UNIT}(?:之间|以内|内)?"
    rf"|\bseconds\s+{NUMBER}{_TO}{NUMBER}"
)
_FIRST: Final = compile_later(
    rf"(?i)(?:[最]?([前后]|开头|开始|头|末尾|最后|中间)|\b(first|initial|last|final|middle)\b)的?\s*{NUMBER}?\s*{_UNIT}"
)
_HALF: Final = compile_later(r"(?i)([前后])(?:一?半)(?:段|部分|程)?|\b(first|second|last)\s+half\b")
_OPEN: Final = compile_later(
    rf"(?i)(?:从\s*)?第?\s*{NUMBER}\s*{_UNIT}\s*(以后|之后|往后|开始|起|以前|之前)"
    rf"|\b(after|before|from)\s+(?:the\s+)?(?:second\s+)?{NUMBER}\s*{_UNIT}(?:\s+(?:on(?:wards?)?))?"
)
_DROPPED: Final = compile_later(
    r"(?i)(?:去掉|除去|除了|扔掉|丢掉|跳过|舍去|剔除|不要|不用|不看|忽略|\b(?:skip|drop|ignor|exclud|discard|remov"
    r"|without|leav)\w*)"
    r"\s*(?:out\s+)?(?:the\s+)?$"
)
_BAND: Final = compile_later(
    rf"(?i){NUMBER}\s*(k?hz|千?赫兹?)?{_TO}{NUMBER}\s*(k?hz|千?赫兹?)(?:的?(?:频带|频段|带通|范围|之间))?"
)
_EDGE: Final = compile_later(
    rf"(?i)(低于|小于|高于|大于|\bbelow|\babove|\bup\s+to|\bunder|\bover)\s*{NUMBER}\s*(k?hz|千?赫兹?)"
    rf"|{NUMBER}\s*(k?hz|千?赫兹?)\s*(以下|以上)"
)
_PASSES: Final = compile_later(rf"(?i)(低通|高通|low[- ]?pass|high[- ]?pass)\D{{0,8}}{NUMBER}\s*(k?hz|千?赫兹?)")
_CHANNEL: Final = compile_later(
    r"(?i)(?:通道|\bchannel\b|\bch(?=[ .:#_]?\d))\s*(?:no\.?|number|#|号|named|名为|为|是"
    r"|[:：_])?\s*[“\"'「]?([a-z0-9][\w.-]{0,30}"
    r"|[一二三四五六七八九](?![个些种]))|第\s*(\d{1,2}|[一二三四五六七八九])\s*(?:个|号)?(?:通道|路)"
    r"|(?<![a-z0-9])(\d{1,2}|[一二三四五六七八九])\s*号?通道|(?<![a-z0-9_])([a-z][\w-]{0,30})\s*(?:通道"
    r"|\bchannel\b)(?!\s*\d)"
    r"|\b(first|second|third|fourth)\s+channel\b|(?<![a-z0-9])([xyz])\s*(?:方向|-?\s?direction\b|-axis\b)"
)
_NO_NAME: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "which",
        "what",
        "each",
        "every",
        "all",
        "both",
        "same",
        "other",
        "another",
        "one",
        "of",
        "is",
        "are",
        "has",
        "have",
        "and",
        "or",
        "in",
        "on",
        "for",
        "with",
        "per",
        "only",
        "vibration",
        "use",
        "using",
        "its",
        "my",
    ]
)
_ORDINALS: Final = ("first", "second", "third", "fourth")
_WHOLE: Final = compile_later(
    r"(?i)(?:全部|整个|整条|整段|完整)的?(?:数据|记录|时长|信号|长度)|全长|\b(?:whole|entire|full"
    r"|complete)\s+(?:record|signal|data|length|file)\b"
)
# What is said to be wanted alone or left out, up to the next clause: told if nothing reads it.
_ONLY: Final = compile_later(
    r"(?i)(?:只用|只看|只取|只做|只要|只分析|只考虑|仅用|仅看|仅取|仅做|仅对|仅|不要|不用|不做|别做|忽略|排除|剔除"
    r"|去掉|不加|不带|不滤|不)"
    r"[^，。；,;.?？!！]{1,30}"
    r"|\b(?:only|just|without|ignor(?:e|ing)|exclud(?:e|ing)|but\s+not|no)\b[^,;.?!，。；？！]{1,50}"
)
_RESTRICTS: Final = compile_later(
    r"(?i)滤波|不滤|加窗|窗函数|汉宁|窗|包络|频谱|谐波|边带|秒|段|通道|频[带段率]|驱动端|自由端|方向|轴向|径向|点"
    r"|样本|数据"
    r"|\b(?:filter\w*|window\w*|hann\w*|envelope|spectr\w+|harmonics?|side\s*bands?|seconds?|channel|band|samples?"
    r"|data|part|section"
    r"|races?|whiten\w*|kurtogram|detrend\w*|averag\w+)\b"
)
# A diagnosis of a bearing is one of envelope spectra: what asks for that alone leaves nothing out.
_ENVELOPE: Final = compile_later(
    r"(?i)[只仅](?:用|看|做)?包络(?:谱|解调|分析)?|\bonly\s+(?:the\s+|an\s+)?envelope(?:\s+(?:spectrum|analysis))?\b"
    r"|\b(?:the\s+)?envelope(?:\s+spectrum)?\s+only\b"
)


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A part of a record; `start` and `end` count from the end where negative, and None is the record's own."""

    span: Span = "seconds"
    start: float | None = None
    end: float | None = None
    channel: str = ""
    low_hz: float | None = None
    high_hz: float | None = None

    def __bool__(self) -> bool:
        return self != RecordPart()

    @property
    def has_window(self) -> bool:
        return self.start is not None or self.end is not None

    @property
    def has_band(self) -> bool:
        return self.low_hz is not None or self.high_hz is not None

    @property
    def code(self) -> str:
        """The part as a text that `parse` reads; empty for a whole record."""
        fields = (self.span, self.start, self.end, self.channel, self.low_hz, self.high_hz)
        return "|".join("" if one is None else str(one) for one in fields) if self else ""

    @staticmethod
    def parse(code: str) -> "RecordPart":
        """The part of its code."""
        if not code:
            return RecordPart()
        span, start, end, channel, low, high = code.split("|")
        numbers = [float(one) if one else None for one in (start, end, low, high)]
        known: Span = "samples" if span == "samples" else "share" if span == "share" else "seconds"
        return RecordPart(known, numbers[0], numbers[1], channel, numbers[2], numbers[3])


def read_part(message: str) -> tuple[RecordPart, str]:
    """The part that a message asks for, and the message without the words that did."""
    if _WHOLE.search(message):
        message = _WHOLE.sub(" ", message)
    part, rest = _read_band(message)
    part, rest = _read_channel(part, rest)
    return _read_window(part, rest)


def wants_whole(message: str) -> bool:
    """Whether a message asks for the whole record again."""
    return _WHOLE.search(message) is not None


def join_parts(known: RecordPart, told: RecordPart) -> RecordPart:
    """The part known before with what is told now in its place."""
    joined = known
    if told.has_window:
        joined = replace(joined, span=told.span, start=told.start, end=told.end)
    if told.channel:
        joined = replace(joined, channel=told.channel)
    return replace(joined, low_hz=told.low_hz, high_hz=told.high_hz) if told.has_band else joined


def list_part_words(message: str) -> list[str]:
    """The words of a message that ask for a part of a record."""
    every = (_BAND, _PASSES, _EDGE, _OPEN, _BETWEEN, _FIRST, _HALF)
    found: list[str] = []
    for pattern in every:
        if (hit := pattern.search(message)) is not None:
            found.append(hit[0].strip())
            message = message[: hit.start()] + " " + message[hit.end() :]
    part, rest = _read_channel(RecordPart(), message)
    if part.channel:
        found += [one[0].strip() for one in _CHANNEL.finditer(message) if one[0] not in rest]
    return found


def list_left_out(message: str) -> list[str]:
    """Restrictions in the words of a message that nothing here reads: they are told, never dropped silently."""
    _, rest = read_part(message)
    rest = _ENVELOPE.sub(" ", rest)
    found = (one[0].strip() for one in _ONLY.finditer(rest))
    return [one for one in found if _RESTRICTS.search(one) and len(re.sub(r"\W", "", one)) > 2]


def _read_window(part: RecordPart, message: str) -> tuple[RecordPart, str]:
    for pattern, read in ((_OPEN, _from_open), (_BETWEEN, _from_between), (_FIRST, _from_first), (_HALF, _from_half)):
        if (found := pattern.search(message)) is None:
            continue
        window = read(found)
        if window is None:
            continue
        if _DROPPED.search(message, 0, found.start()):
            window = _invert(window)
            if window is None:
                continue
        span, start, end = window
        return replace(part, span=span, start=start, end=end), message[: found.start()] + " " + message[found.end() :]
    return part, message


_Window = tuple[Span, float | None, float | None]


def _from_between(found: re.Match[str]) -> _Window | None:
    if found[5] is not None:
        return "seconds", read_number(found[5]), read_number(found[6])
    span, factor = _read_unit(found[4])
    first = _read_unit(found[2])[1] if found[2] else factor
    return span, read_number(found[1]) * first, read_number(found[3]) * factor


def _from_open(found: re.Match[str]) -> _Window | None:
    number, unit, word = (found[1], found[2], found[3]) if found[1] else (found[5], found[6], found[4].lower())
    span, factor = _read_unit(unit)
    at = read_number(number) * factor
    return (span, None, at) if word in ("以前", "之前", "before") else (span, at, None)


def _from_first(found: re.Match[str]) -> _Window | None:
    word = (found[1] or found[2]).lower()
    span, factor = _read_unit(found[4])
    if found[3] is None and (span == "samples" or found[1]):
        return None
    count = (read_number(found[3]) if found[3] else 1.0) * factor
    if word in ("中间", "middle"):
        return None
    return (span, -count, None) if word in ("后", "末尾", "最后", "last", "final") else (span, 0.0, count)


def _from_half(found: re.Match[str]) -> _Window | None:
    is_late = found[1] == "后" or (found[2] or "").lower() in ("second", "last")
    return ("share", 0.5, None) if is_late else ("share", 0.0, 0.5)


def _invert(window: _Window) -> _Window | None:
    """What is left when a window at one end is dropped; None for one in the middle."""
    span, start, end = window
    if end is None and start is not None:
        return span, 0.0, start
    return (span, end, None) if start == 0.0 else None


def _read_unit(text: str) -> tuple[Span, float]:
    plain = text.lower()
    if "点" in plain or "样本" in plain or plain.startswith(("sample", "point")):
        return "samples", 1.0
    return "seconds", 0.001 if plain.startswith(("毫", "m")) else 1.0


def _read_band(message: str) -> tuple[RecordPart, str]:
    part = RecordPart()
    if found := _BAND.search(message):
        factor = _hz(found[4])
        part = RecordPart(
            low_hz=read_number(found[1]) * (_hz(found[2]) if found[2] else factor),
            high_hz=read_number(found[3]) * factor,
        )
    elif found := _PASSES.search(message):
        value = read_number(found[2]) * _hz(found[3])
        is_low = found[1].lower().startswith(("低", "low"))
        part = RecordPart(high_hz=value) if is_low else RecordPart(low_hz=value)
    elif found := _EDGE.search(message):
        value = read_number(found[2] or found[4]) * _hz(found[3] or found[5])
        word = (found[1] or found[6]).lower()
        is_high_edge = word in ("低于", "小于", "以下", "below", "under") or word.startswith("up")
        part = RecordPart(high_hz=value) if is_high_edge else RecordPart(low_hz=value)
    if found is None:
        return part, message
    return part, message[: found.start()] + " " + message[found.end() :]


def _hz(unit: str) -> float:
    return 1000.0 if unit.lower().startswith(("k", "千")) else 1.0


def _read_channel(part: RecordPart, message: str) -> tuple[RecordPart, str]:
    for found in _CHANNEL.finditer(message):
        name = next(one for one in found.groups() if one)
        if found[5]:
            name = str(_ORDINALS.index(name.lower()) + 1)
        elif (found[4] and name.lower() in _NO_NAME) or (found[1] and name.lower() in _NO_NAME):
            continue
        elif len(name) == 1 and not name.isascii():
            name = f"{read_number(name):.0f}"
        return replace(part, channel=name), message[: found.start()] + " " + message[found.end() :]
    return part, message
