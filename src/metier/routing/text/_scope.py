"""Scope that a description states: phrases it quotes, and what it says it is not for.

Public skill files say "Use when …", quote what people say ("A/B test," "split test"), and end with "Do not use for …"
or "For email, see emails". The last kind names other skills' subjects, so it counts against a skill and not for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from metier.patterns import compile_later
from metier.textsearch import has_cjk

_SENTENCE: Final = compile_later(
    r"[^.!?。！？；;\n]+(?:[.!?](?![\"'”’」』)]*(?:\s|$))[^.!?。！？；;\n]*)*[.!?。！？；;\n]*[\"'”’」』)]*\s*"
)
_EXCLUDES: Final = compile_later(
    r"""(?xi)
      \b(?:do\s+not|don'?t|never|not\s+to\s+be|should\s+not\s+be|must\s+not\s+be|cannot\s+be)\s+
      (?:used?|trigger|invoke|apply|activate)\b
    | (?P<tail>(?:^|[\s,(—–:-]+))not\s+(?:intended\s+|meant\s+|suitable\s+|suited\s+|designed\s+)?(?:for|when|if)\b
    | ^\s*(?:skip|avoid)\s+(?:this\b|(?:it\s+)?(?:for|when|if)\b|using\b)
    | ^\s*(?:for|if|when)\b[^,]{3,120},\s*(?:please\s+)?(?:see|use|prefer|try|consult|refer\s+to|go\s+to|invoke)\s+
    | \bout\s+of\s+scope\b | \bdoes\s+not\s+(?:handle|cover|support|apply|include|do)\b
    | 不(?:要|应|宜|可|能|得)?(?:适)?用[于在来] | 不适(?:用于|合)
    | (?:请)?勿用(?:于|在)? | 不(?:处理|负责|涉及|包括|包含|支持|涵盖|解决)
    | 不要(?:在|触发|使用|调用) | 不属于
    | (?:请|应|可|则)(?:改用|使用|转到|参见|参考|用|见)\s*[「“"'`a-z][^，。]{0,40}(?:技能|skill)?\s*[。.]?\s*$
    """
)
_QUOTED: Final = compile_later(
    r"[“「『](?P<curly>[^“”「」『』\n]{2,60})[”」』]"
    r'|(?<![\w"])"(?P<double>[^"\n]{2,60})"'
    r"|(?<![\w'])'(?P<single>[^'\n]{2,60}(?:'[a-z]{1,2}\b[^'\n]{0,40})?)'(?!\w)"
    r"|`(?P<code>[^`\n]{2,60})`"
)
_AROUND: Final = " ,.;:!?，。；：！？、…"
_AROUND_TAIL: Final = " ,(—–-"
_MAX_WORDS: Final = 7
_MAX_CJK_CHARS: Final = 14
_MAX_PHRASES: Final = 60
_MIN_CHARS: Final = 2


@dataclass(frozen=True, slots=True)
class StatedScope:
    """Description split by what it says: `covered` text, `phrases` quoted in it, and `excluded` sentences."""

    covered: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


def parse_scope(description: str) -> StatedScope:
    """Split a description; one that only excludes is covered as a whole."""
    covered: list[str] = []
    excluded: list[str] = []
    for sentence in _SENTENCE.findall(description):
        found = _EXCLUDES.search(sentence)
        # "Use for complex pages - not for single files": only what follows is excluded.
        kept = sentence[: found.start()] if found is not None and found["tail"] else "" if found else sentence
        covered.append(kept)
        excluded.append(sentence[len(kept) :])
    text = " ".join(part.strip() for part in covered if part.strip())
    if not any(char.isalnum() for char in text):
        return StatedScope(description, tuple(_find_phrases(description)))
    return StatedScope(
        text, tuple(_find_phrases(text)), tuple(one.strip(_AROUND_TAIL) for one in excluded if one.strip())
    )


def _find_phrases(text: str) -> Iterator[str]:
    found: dict[str, None] = {}
    for hit in _QUOTED.finditer(text):
        phrase = next(part for part in hit.groups() if part is not None).strip(_AROUND)
        if len(phrase) >= _MIN_CHARS and any(map(str.isalnum, phrase)) and _is_short(phrase):
            found[phrase] = None
    yield from list(found)[:_MAX_PHRASES]


def _is_short(phrase: str) -> bool:
    return len(phrase) <= _MAX_CJK_CHARS if has_cjk(phrase) else len(phrase.split()) <= _MAX_WORDS
