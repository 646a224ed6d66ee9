"""Birth data: a form that tells what is wrong, places with zones, and the moment in clock and solar time."""

from metier.packs.life.birth._check import BirthMoment, Precision, check_birth, find_moment_at
from metier.packs.life.birth._find_place import PlaceMatch, find_place, is_same_place
from metier.packs.life.birth._form import BirthForm, build_form, check_form
from metier.packs.life.birth._info import HOURS, UNKNOWN, BirthInfo, BirthNote, BirthProblem, is_field
from metier.packs.life.birth._person import asks_correction, find_person, find_sex
from metier.packs.life.birth._places import Place, load_places
from metier.packs.life.birth._words import ANSWER_PATTERN, WORDS_PATTERN, read_birth_day, read_birth_words
from metier.packs.life.birth._zones import load_zone

__all__ = [
    "ANSWER_PATTERN",
    "HOURS",
    "UNKNOWN",
    "WORDS_PATTERN",
    "BirthForm",
    "BirthInfo",
    "BirthMoment",
    "BirthNote",
    "BirthProblem",
    "Place",
    "PlaceMatch",
    "Precision",
    "asks_correction",
    "build_form",
    "check_birth",
    "check_form",
    "find_moment_at",
    "find_person",
    "find_place",
    "find_sex",
    "is_field",
    "is_same_place",
    "load_places",
    "load_zone",
    "read_birth_day",
    "read_birth_words",
]
