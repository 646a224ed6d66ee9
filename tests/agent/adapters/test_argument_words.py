"""Arguments of a call as people read them."""

from metier.agent.adapters import describe_arguments
from metier.json_values import JsonObject
from metier.tools import ToolSpec

SPEC = ToolSpec(
    "save",
    "Keeps an answer.",
    {
        "type": "object",
        "properties": {
            "field": {"type": "string", "enum": ["goal", "cadence"]},
            "pace": {"type": "string", "enum": ["daily"], "x-ui": {"labels": {"daily": {"zh": "每天", "en": "daily"}}}},
            "file": {"type": "string"},
            "rate": {"type": "number"},
        },
    },
)
GIVEN: JsonObject = {"field": "goal", "pace": "daily", "file": "attachments/001-合同.docx", "rate": 12000.0}


def _values(*, has_codes: bool) -> list[object]:
    told = describe_arguments(SPEC, GIVEN, "zh", has_codes=has_codes)
    return [one["value"] for one in told if isinstance(one, dict)]


def test_the_line_of_a_step_has_no_codes_paths_or_idle_decimals() -> None:
    assert _values(has_codes=False) == ["每天", "合同.docx", "12000"]


def test_who_approves_a_call_sees_every_value() -> None:
    assert _values(has_codes=True) == ["goal", "每天", "合同.docx", "12000"]


def test_a_default_that_nobody_gave_is_no_detail_of_a_step_but_of_a_call_that_shows_nothing_else() -> None:
    spec = ToolSpec(
        "apply",
        "Applies.",
        {
            "type": "object",
            "required": ["kinds"],
            "properties": {
                "kinds": {"type": "string", "default": "all"},
                "count": {"type": "integer", "default": 0},
                "rank": {"type": "string", "default": "listed"},
            },
        },
    )
    given: JsonObject = {"kinds": "all", "count": 0, "rank": "worst"}
    line = [one["value"] for one in describe_arguments(spec, given, "en", has_codes=False) if isinstance(one, dict)]
    assert line == ["all", "worst"]
    assert len(describe_arguments(spec, given, "en")) == 3
