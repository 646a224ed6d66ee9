"""Texts of a skill that routing reads: names, descriptions, triggers, examples; never the body."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from metier.language import split_sentences
from metier.routing.text._scope import Exclusion, parse_scope
from metier.skills import Skill
from metier.textsearch import fold, has_cjk, id_to_words, to_simplified

_AROUND: Final = " -;；。."
_MIN_CHARS: Final = 8
_MIN_CJK_CHARS: Final = 4
_MAX_SENTENCES: Final = 12


@dataclass(frozen=True, slots=True)
class RoutingText:
    """Texts of one skill.

    `examples` are user messages, `about` its title and description, `labels` words for BM25 only, `names` what a
    message may call or refuse it by, `phrases` what its description quotes, `excluded` what it says it is not for.
    """

    skill: str
    group: str
    digest: str
    examples: tuple[str, ...]
    about: tuple[str, ...]
    labels: tuple[str, ...]
    triggers: tuple[str, ...]
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[Exclusion, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences of the description, or the title where there is none; none for a skill with examples.

        A message asks for one of the things that a description names, and is compared with each.
        """
        return () if self.examples else _list_sentences(self.about[-1]) if self.about else ()

    @property
    def all_texts(self) -> tuple[str, ...]:
        """Every text, for term counting."""
        return (*self.examples, *self.about, *self.labels)


def build_routing_text(skill: Skill) -> RoutingText:
    """Build the routing text of a skill; its digest changes if and only if examples, about, labels or phrases do."""
    examples = _dedupe(*skill.examples, *skill.intents, *skill.triggers)
    told = " ".join(part for part in (skill.description, skill.when_to_use) if part)
    scope = parse_scope(told)
    about = _dedupe(id_to_words(skill.title), scope.covered)
    hints = _iter_texts(skill.output.style_hints)
    labels = _dedupe(id_to_words(skill.id), skill.group, *skill.tags, skill.output.schema, " ".join(hints))
    triggers = _dedupe(*map(fold, skill.triggers))
    names = _dedupe(*triggers, *map(fold, (skill.id, id_to_words(skill.id), skill.title, id_to_words(skill.title))))
    phrases = tuple(phrase for phrase in _dedupe(*map(fold, scope.phrases)) if phrase not in triggers)
    whole = json.dumps([examples, about, labels, *([phrases] if phrases else [])], ensure_ascii=False)
    digest = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()
    return RoutingText(skill.id, skill.group, digest, examples, about, labels, triggers, names, phrases, scope.excluded)


def _list_sentences(description: str) -> tuple[str, ...]:
    parts = (part.strip(_AROUND) for part in split_sentences(description))
    told = _dedupe(*(part for part in parts if len(part) >= (_MIN_CJK_CHARS if has_cjk(part) else _MIN_CHARS)))
    return told[:_MAX_SENTENCES] if len(told) > 1 else (description,)


def _dedupe(*texts: str) -> tuple[str, ...]:
    """Distinct texts, in simplified characters as messages are."""
    return tuple(dict.fromkeys(to_simplified(text.strip()) for text in texts if text.strip()))


def _iter_texts(value: object) -> Iterator[str]:
    """Strings and keys inside a JSON value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _iter_texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _iter_texts(inner)
