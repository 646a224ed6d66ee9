"""Names of columns under words of no meaning, so that no rule reads a part of a name for something else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import CHINESE
from metier.packs.office.drafting._blocks import digest_name
from metier.packs.office.drafting.columns._read import NamedColumns

__all__ = ["HiddenNames", "hide_names"]

# A first column of numbers is counted by its name.
_NUMBERS: Final = re.compile(r"序号|编号|No\.?|#", re.IGNORECASE)
# With two columns, Name and Phone: a colon leads to names in any case.
_LEAD_COMMA: Final = re.compile(r"[,，]\s*$")
_FIRST: Final = "龘靐齉爨"
_SECOND: Final = "灪麤虪饢"
_LETTERS: Final = "bcdfghjklmnpqrst"


@dataclass(frozen=True, slots=True)
class HiddenNames:
    """A request with other words for the names of its columns, and what these stand for."""

    text: str
    names: Mapping[str, str]

    def restore(self, text: str) -> str:
        """A text with the user's own words."""
        for hidden, name in self.names.items():
            text = re.sub(re.escape(hidden), name.replace("\\", r"\\"), text, flags=re.IGNORECASE)
        return text

    def put_back(self, value: JsonValue) -> JsonValue:
        """A part of a plan with the user's own words."""
        if isinstance(value, str):
            return self.restore(value)
        if isinstance(value, list | tuple):
            return [self.put_back(one) for one in value]
        if isinstance(value, dict):
            return {key: self.put_back(one) for key, one in value.items()}
        return value

    def put_back_plan(self, plan: JsonObject) -> JsonObject:
        """A plan with the user's own words, in blocks with the names that these words give them."""
        shown = cast("JsonObject", self.put_back(plan))
        before, after = plan["actions"], shown["actions"]
        if isinstance(before, list) and isinstance(after, list):
            for old, new in zip(before, after, strict=True):
                if isinstance(old, dict) and isinstance(new, dict) and "block_id" in old:
                    new["block_id"] = self._rename_block(str(old["block_id"]), str(old["title"]), str(new["title"]))
        return shown

    def _rename_block(self, block_id: str, old: str, new: str) -> str:
        """The name of a block with the digest of what it is called now."""
        kind, _, digest = block_id.partition(".")
        named = (old.partition(": ")[2], new.partition(": ")[2])
        return f"{kind}.{digest_name(named[1])}" if digest and digest == digest_name(named[0]) else block_id


def hide_names(request: str, columns: Sequence[NamedColumns]) -> HiddenNames:
    """The request with a word of no meaning for each name, between plain signs."""
    names: dict[str, str] = {}
    hidden: dict[str, str] = {}
    for name in (name for one in columns for name in one.names):
        if name not in hidden:
            hidden[name] = _rename(len(hidden), is_chinese=CHINESE.search(request) is not None)
            names[hidden[name]] = name
    text, end = "", len(request)
    for one in reversed(columns):
        sign = "、" if CHINESE.search(request) else ", "
        said = sign.join(name if _NUMBERS.fullmatch(name) else hidden[name] for name in one.names)
        text = f"{said}{_hide_again(request[one.end : end], hidden)}{text}"
        end = one.start
        if lead := _LEAD_COMMA.search(request[:end]):
            text, end = f": {text}", lead.start()
    return HiddenNames(f"{request[:end]}{text}", names)


def _hide_again(rest: str, hidden: Mapping[str, str]) -> str:
    """What follows a list with the same words for its names: 备注列留空."""
    for name, word in sorted(hidden.items(), key=lambda one: -len(one[0])):
        if len(name) > 1 and not _NUMBERS.fullmatch(name):
            edge = r"(?<![A-Za-z])" if name[:1].isascii() else ""
            rest = re.sub(rf"{edge}{re.escape(name)}(?![A-Za-z]|[为是:：])", word, rest)
    return rest


def _rename(number: int, *, is_chinese: bool) -> str:
    if is_chinese:
        return f"{_FIRST[number % 4]}{_SECOND[number // 4 % 4]}{_FIRST[number // 16 % 4]}{_FIRST}"
    return f"Q{_LETTERS[number % 16]}{_LETTERS[(number // 16 + number) % 16]}z{_LETTERS[number % 7]}k"
