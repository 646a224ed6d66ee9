import subprocess
import sys

import pytest

import metier


def test_every_name_of_the_door_opens() -> None:
    assert all(getattr(metier, name) is not None for name in metier.__all__)
    assert dir(metier) == sorted(metier.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'metier' has no attribute 'Nothing'"):
        _ = metier.Nothing


@pytest.mark.parametrize(
    "heavy", ["sqlalchemy", "pydantic", "langchain_core", "rich", "jsonschema", "bpe_openai", "docx", "yaml"]
)
def test_starting_the_command_line_loads_nothing_heavy(heavy: str) -> None:
    program = f"import sys, metier, metier.cli; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
