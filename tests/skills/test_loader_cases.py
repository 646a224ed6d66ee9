"""The 25 files on which nine loaders disagree: all that the standard's guide says to load is loaded, and right."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from metier.skills import CODES, SkillLibrary

CASES = Path(__file__).parent / "loader_cases"
TEXT = "# Steps\n\nDo the work."
INVOICES = "Checks invoices. Use when the user sends an invoice."
GIT_JQ_READ = ("Bash(git:*)", "Bash(jq:*)", "Read")


@dataclass(frozen=True)
class Loads:
    """What comes of a case."""

    case: str
    codes: tuple[str, ...] = ()
    id: str = "probe"
    title: str = ""
    description: str = INVOICES
    text: str = TEXT
    tools: tuple[str, ...] = ()
    metadata: dict[str, object] = field(default_factory=dict)
    version: str = ""
    by_model: bool = True


LOADED = (
    Loads("no-description", ("description_missing",), description="Do the work."),
    Loads("minimal"),
    Loads("all-six-fields", tools=GIT_JQ_READ, metadata={"author": "example-org"}, version="1.0"),
    Loads(
        "unquoted-colon",
        ("yaml_colon_quoted",),
        description="Use this skill when: the user sends an invoice",
    ),
    Loads("bom", ("bom_removed",)),
    Loads("crlf", ("line_ends_normalised",)),
    Loads("underscore-name", ("name_not_standard",), id="probe_two"),
    Loads("name-not-directory", ("name_not_folder",), id="other"),
    Loads("extra-fields", title="Invoices"),
    Loads("tools-list", tools=GIT_JQ_READ),
    Loads("tools-comma", tools=("Read", "Write", "Bash(git:*)")),
    Loads("nested-metadata", metadata={"author": "me", "links": {"home": "https://example.com", "count": 2}}),
    Loads("description-1500", ("description_too_long",), description="word " * 299 + "word!"),
    Loads("dashes-in-description", description="before --- after"),
    Loads("lower-case-file"),
    Loads("folded-scalar"),
    Loads("metadata-number", metadata={"build": "1.10"}, version="1.0"),
    Loads("no-name", ("name_missing",)),
    Loads("empty-body", text=""),
    Loads("no-newline-at-end", text=""),
    Loads("upper-case-name", ("name_not_standard",), id="Probe-Two"),
    Loads("flow-style"),
    Loads("disable-model-invocation", by_model=False),
    Loads(
        "chinese-name",
        id="网络优化",
        description="分析弱覆盖，用户提到信号差时使用。",
        text="# 步骤\n\n先查指标。",
    ),
)
REFUSED = {"duplicate-key": "yaml_duplicate_key"}


@pytest.mark.parametrize("expected", LOADED, ids=lambda expected: expected.case)
def test_a_skill_that_can_be_read_is_loaded_with_its_own_words(expected: Loads) -> None:
    catalog = SkillLibrary.from_folders(CASES / expected.case).catalog()
    (skill,) = catalog
    assert skill.id == expected.id
    assert skill.title == (expected.title or expected.id)
    assert skill.description == expected.description
    assert skill.instructions == expected.text
    assert skill.preapproved_tools == expected.tools
    assert skill.allowed_tools is None
    assert skill.metadata == expected.metadata
    assert skill.version == expected.version
    assert skill.invocation.by_model is expected.by_model
    assert skill.source.layout == "agent-skill"
    assert tuple(found.code for found in catalog.diagnostics) == expected.codes
    assert all(CODES[code].effect in ("repaired", "noted") for code in expected.codes)


@pytest.mark.parametrize("case", REFUSED)
def test_a_skill_that_nobody_can_read_right_is_refused(case: str) -> None:
    catalog = SkillLibrary.from_folders(CASES / case).catalog()
    assert len(catalog) == 0
    assert [found.code for found in catalog.diagnostics] == [REFUSED[case]]


def test_extra_fields_are_read_and_not_merely_allowed() -> None:
    skill = SkillLibrary.from_folders(CASES / "extra-fields").catalog()["probe"]
    assert (skill.title, skill.triggers, skill.priority) == ("Invoices", ("invoice", "bill"), 7)


def test_the_standards_tool_list_can_be_read_as_a_restriction() -> None:
    library = SkillLibrary.from_folders(CASES / "all-six-fields")
    library.allowed_tools_mode = "restrict"
    skill = library.catalog()["probe"]
    assert skill.allowed_tools == GIT_JQ_READ
    assert skill.preapproved_tools == ()


def test_every_case_is_in_the_table() -> None:
    assert {path.name for path in CASES.iterdir()} == {expected.case for expected in LOADED} | set(REFUSED)
    assert len(LOADED) + len(REFUSED) == 25
