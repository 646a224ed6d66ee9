"""Language rules over message and skill texts: terms, negation, follow-ups, several requests, named skills."""

from metier.routing.text._examples import ExampleIndex, ExampleMatch
from metier.routing.text._glossary import Glossary
from metier.routing.text._named_skill import NamedSkill, SkillNames, find_named
from metier.routing.text._negation import Negation, parse_negation
from metier.routing.text._other_services import find_other_service
from metier.routing.text._phrases import is_follow_up, is_small_talk, is_topic_change, is_uninformative
from metier.routing.text._skill_texts import RoutingText, build_routing_text
from metier.routing.text._split_requests import RequestPart, split_requests
from metier.routing.text._triggers import TriggerIndex

__all__ = [
    "ExampleIndex",
    "ExampleMatch",
    "Glossary",
    "NamedSkill",
    "Negation",
    "RequestPart",
    "RoutingText",
    "SkillNames",
    "TriggerIndex",
    "build_routing_text",
    "find_named",
    "find_other_service",
    "is_follow_up",
    "is_small_talk",
    "is_topic_change",
    "is_uninformative",
    "parse_negation",
    "split_requests",
]
