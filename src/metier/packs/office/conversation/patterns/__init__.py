"""Files that are the pattern of the work: templates of slides and samples of formatting."""

from metier.packs.office.conversation.patterns._find import (
    NO_PATTERN,
    choose_pattern,
    find_pattern,
    find_patterned_work,
    wants_kept_slides,
)
from metier.packs.office.conversation.patterns._looks import add_looks
from metier.packs.office.conversation.patterns._templates import put_on_template

__all__ = [
    "NO_PATTERN",
    "add_looks",
    "choose_pattern",
    "find_pattern",
    "find_patterned_work",
    "put_on_template",
    "wants_kept_slides",
]
