"""Language rules over message and skill texts: terms, negation, follow-ups, several requests, named skills."""

from metier.routing.text._examples import ExampleIndex, ExampleMatch
from metier.routing.text._exclusions import ExclusionIndex
from metier.routing.text._glossary import Glossary, WordSynonyms
from metier.routing.text._named_skill import NamedSkill, SkillNames, find_named
from metier.routing.text._negation import Negation, parse_negation
from metier.routing.text._other_services import find_other_service
from metier.routing.text._phrases import is_follow_up, is_question, is_topic_change, is_uninformative, read_small_talk
from metier.routing.text._quoted import leave_out_file_names, leave_out_quoted
from metier.routing.text._scope import Exclusion, StatedScope, parse_scope
from metier.routing.text._skill_texts import RoutingText, build_routing_text
from metier.routing.text._spelling import (
    MAX_WORD_CHARS,
    MIN_WORD_CHARS,
    Correction,
    correct_spelling,
    is_known_word,
    list_stems,
)
from metier.routing.text._split_requests import RequestPart, has_request_verb, is_request_start, split_requests
from metier.routing.text._title_words import compute_title_share
from metier.routing.text._translations import Translated, translate_words
from metier.routing.text._triggers import TriggerIndex

__all__ = [
    "MAX_WORD_CHARS",
    "MIN_WORD_CHARS",
    "Correction",
    "ExampleIndex",
    "ExampleMatch",
    "Exclusion",
    "ExclusionIndex",
    "Glossary",
    "NamedSkill",
    "Negation",
    "RequestPart",
    "RoutingText",
    "SkillNames",
    "StatedScope",
    "Translated",
    "TriggerIndex",
    "WordSynonyms",
    "build_routing_text",
    "compute_title_share",
    "correct_spelling",
    "find_named",
    "find_other_service",
    "has_request_verb",
    "is_follow_up",
    "is_known_word",
    "is_question",
    "is_request_start",
    "is_topic_change",
    "is_uninformative",
    "leave_out_file_names",
    "leave_out_quoted",
    "list_stems",
    "parse_negation",
    "parse_scope",
    "read_small_talk",
    "split_requests",
    "translate_words",
]
