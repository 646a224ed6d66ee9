"""Messages that name their skill: `/weekly-report last week`, 切换到周报, "use weekly-report"."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from metier.names import is_command
from metier.patterns import compile_later
from metier.skills import Skill

_ASKS_LIST = compile_later(
    r"(?:请问|那么?)?(?:[你您]|这里|这个系统)?(?:都|还|到底|究竟)?(?:会|能|可以)(?:帮我)?(?:做|干|处理)?些?"
    r"(?:什么|啥|哪些)(?:事情?|工作)?[呢呀啊]?[？?。]*"
    r"|(?:请问)?(?:[你您]|这里)?(?:现在|目前)?[都总]?(?:一共|总共)?有(?:哪些|什么|啥|多少[个项种]?|几[个项种])"
    r"(?:技能|功能|能力|本事)[呢啊]?[？?]*|(?:列出|看看|显示)(?:所有|全部)?的?技能"
    r"|what (?:else )?(?:can|could) (?:you|i) do(?: here| for me)?[?.]*|what are you able to do[?.]*"
    r"|(?:list|show)(?: me)?(?: all)?(?: the| your)? skills|(?:what|which|how many) skills"
    r" (?:do you have|are there|are available|can i use)(?: here| now)?[?.]*",
    re.IGNORECASE,
)
_SLASH = compile_later(r"[/／](?P<name>[^\s/／]*)(?=\s|$)")
_VERB = compile_later(
    r"(?:请|麻烦你?|帮我|给我|我想|我要|现在|那就)*(?:切换到|切换为|切换成|切到|换成|换到|改用|使用|启用|激活|用)\s*"
)
_VERB_LATIN = compile_later(r"(?:please\s+)?(?:use|switch\s+to|activate|run)\s+(?:the\s+)?", re.IGNORECASE)
_LATIN_THEN_HAN = r"(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])"
_STOP = compile_later(rf"[，。,.!！?？:：;；、\s]|{_LATIN_THEN_HAN}|(?:这个|这项)?技能|skill\b", re.IGNORECASE)
# In English a space does not end a name: "use research methods" must not select the skill `research`.
_STOP_LATIN = compile_later(r"[,.!?:;\n]|\s+(?:to|for)\s|\s+skill\b", re.IGNORECASE)
_AROUND = " \t\r\n\"'`“”‘’「」『』《》"
_BETWEEN = compile_later(r"\A[\s\"'”’」』》，。,.!！?？:：;；、]*(?:(?:to|for)\s+)?", re.IGNORECASE)
_MAX_NAME_CHARS = 80
_MAX_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class NamedSkill:
    """Message that names a skill, or asks for the list (`wants_list`), or has a slash before an unknown name.

    `rest` is the message without the command; `suggestions` are the ids most similar to an unknown `typed_name`.
    """

    skill: str
    rest: str
    typed_name: str
    wants_list: bool = False
    suggestions: tuple[str, ...] = ()


class SkillNames:
    """Lookup of skills by id or title, ignoring case, width and separators; ids take precedence."""

    def __init__(self, skills: Iterable[Skill]) -> None:
        self._ids: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._exact: set[str] = set()
        for skill in skills:
            self._exact.add(skill.id)
            self._ids.setdefault(_normalize_name(skill.id), skill.id)
            for title in (skill.title, *skill.titles.values()):
                self._titles.setdefault(_normalize_name(title), skill.id)

    def find(self, name: str) -> str | None:
        """Find the id of the skill with this name."""
        name = name.strip(_AROUND)
        if name in self._exact:
            return name
        key = _normalize_name(name)
        return (self._ids.get(key) or self._titles.get(key)) if key else None

    def suggest(self, name: str) -> tuple[str, ...]:
        """Suggest similar ids: those with this prefix first, then close matches."""
        key = _normalize_name(name[:_MAX_NAME_CHARS])
        known = {**self._titles, **self._ids}
        begin = sorted(known[other] for other in self._ids if key and other.startswith(key))
        alike = (known[other] for other in get_close_matches(key, known, n=_MAX_SUGGESTIONS))
        return tuple(dict.fromkeys((*begin[:_MAX_SUGGESTIONS], *alike)))[:_MAX_SUGGESTIONS]


def find_named(message: str, names: SkillNames) -> NamedSkill | None:
    """Find the skill a message names; None if it names none.

    A slash alone, or "what can you do", asks for the list. Only exact names count: "use a hammer", 用心写一份报告
    and a path such as `/etc/hosts` name nothing.
    """
    message = message.strip()
    if message in ("/", "／") or _ASKS_LIST.fullmatch(message):
        return NamedSkill("", "", "", wants_list=True)
    if is_command(message):
        found = _match_longest(message[1:], _STOP, names)
        slash = _SLASH.match(message)
        if found or not slash or not slash["name"]:
            return found
        return NamedSkill("", message, slash["name"], suggestions=names.suggest(slash["name"]))
    for verb, stop in ((_VERB, _STOP), (_VERB_LATIN, _STOP_LATIN)):
        if (said := verb.match(message)) and (named := _match_longest(message[said.end() :], stop, names)):
            return named
    return None


def _match_longest(text: str, stop: re.Pattern[str], names: SkillNames) -> NamedSkill | None:
    """Match the longest prefix of a text that is a skill name and ends at a separator."""
    head = text[: _MAX_NAME_CHARS + 1]
    cuts = [(found.start(), found.end()) for found in stop.finditer(head)]
    if len(text) <= _MAX_NAME_CHARS:
        cuts.append((len(text), len(text)))
    for end, after in reversed(cuts):
        skill = names.find(text[:end])
        if skill is not None:
            return NamedSkill(skill, _BETWEEN.sub("", text[after:], count=1).strip(), text[:end].strip(_AROUND))
    return None


def _normalize_name(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\s_\-–—]+", "", plain)
