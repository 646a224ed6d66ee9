"""Steps of several edits in one order: words first, then what is found by words, each as the words are by then."""

import re
from collections.abc import Sequence
from itertools import pairwise

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.orders.documents import DocumentView

__all__ = ["arrange_steps"]

_FOUND_BY = ("anchor_text", "expected", "find_text")


def arrange_steps(steps: Sequence[JsonObject], view: DocumentView) -> list[JsonObject] | None:
    """The steps in the order in which each finds its place; None if two of them change the same words."""
    replaced = [one for one in steps if one["op"] == "replace_text"]
    merged = _merge(replaced, view)
    if merged is None:
        return None
    others = [_follow(one, merged, view) for one in steps if one["op"] != "replace_text"]
    deleted = {str(at) for one in others if one["op"] == "delete_paragraphs" for at in _list(one.get("addresses"))}
    touched = [
        str(at)
        for one in (*merged, *others)
        if one["op"] != "delete_paragraphs"
        for at in (*_list(one.get("addresses")), *(one[name] for name in ("address", "before", "after") if name in one))
    ]
    gone = {one.text.strip() for one in view.all if one.address in deleted}
    if deleted & set(touched) or any(one.get("find_text") in gone for one in others):
        return None
    return [*merged, *others]


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _merge(replaced: Sequence[JsonObject], view: DocumentView) -> list[JsonObject] | None:
    """Changes of one line as one step; those of all lines come first and are minded by them."""
    texts = {one.address: one.text for one in view.all}
    everywhere = [one for one in replaced if not one.get("address")]
    made: list[JsonObject] = list(everywhere)
    for address in dict.fromkeys(str(one["address"]) for one in replaced if one.get("address")):
        own = [one for one in replaced if one.get("address") == address]
        text = texts.get(address, "")
        if len(own) == 1 and not any(str(one["find_text"]) in text for one in everywhere):
            made.append(own[0])
            continue
        spans = sorted(_span(one, text) for one in own)
        if any(text.count(str(one["find_text"])) != 1 for one in own) or any(
            a[1] > b[0] or a[0] == b[0] for a, b in pairwise(spans)
        ):
            return None
        line = text
        for start, end, new in reversed(spans):
            line = f"{line[:start]}{new}{line[end:]}"
        old = text
        for one in everywhere:
            old, line = (_put(part, one) for part in (old, line))
        made.append({**own[0], "find_text": old, "replace_text": line})
    return made


def _span(step: JsonObject, text: str) -> tuple[int, int, str]:
    """The stretch of a line that a step changes, without what stays at its ends."""
    old, new = str(step["find_text"]), str(step.get("replace_text", ""))
    at = text.find(old)
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - head
    tail = next((n for n in range(most) if old[len(old) - 1 - n] != new[len(new) - 1 - n]), most)
    while head and re.match(r"[\w.,]", old[head - 1], re.ASCII):
        head -= 1  # whole words and numbers: two changes of one of them are no two places
    while tail and re.match(r"[\w.,]", old[len(old) - tail], re.ASCII):
        tail -= 1
    return at + head, at + len(old) - tail, new[head : len(new) - tail]


def _put(text: str, step: JsonObject) -> str:
    old, new = str(step["find_text"]), str(step.get("replace_text", ""))
    if step.get("whole_word"):
        return re.sub(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])", lambda _: new, text)
    return text.replace(old, new)


def _follow(step: JsonObject, replaced: Sequence[JsonObject], view: DocumentView) -> JsonObject:
    """A step with the words by which it finds its place as they are after the replacements."""
    made = dict(step)
    for name in _FOUND_BY:
        value = made.get(name)
        if isinstance(value, str):
            made[name] = _now(value, replaced, view)
        elif isinstance(value, list):
            made[name] = [_now(str(one), replaced, view) for one in value]
    return made


def _now(text: str, replaced: Sequence[JsonObject], view: DocumentView) -> str:
    own = {one.address for one in view.all if one.text.strip() == text.strip() or text in one.text}
    for one in replaced:
        if not one.get("address") or one["address"] in own:
            text = _put(text, one)
    return text
