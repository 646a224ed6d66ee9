"""A reference leads to a file of the skill, or says why not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills.read import resolve_reference
from tests.skills.support import codes, report

FILES = ("SYSTEM.md", "scripts/look.py", "références/概述.md")


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("SYSTEM.md", "SYSTEM.md"),
        ("./SYSTEM.md", "SYSTEM.md"),
        ("scripts/look.py", "scripts/look.py"),
        ("scripts\\look.py", "scripts/look.py"),
        ("scripts/../SYSTEM.md", "SYSTEM.md"),
        ("références/概述.md", "références/概述.md"),
    ],
)
def test_a_reference_inside_the_skill_is_found(reference: str, name: str) -> None:
    found = report()
    assert resolve_reference(reference, FILES, found) == name
    assert codes(found) == []


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("/etc/passwd", "path_not_relative"),
        ("\\\\server\\share", "path_not_relative"),
        ("~/x.md", "path_not_relative"),
        ("C:\\x.md", "path_not_relative"),
        ("file:///etc/passwd", "path_not_relative"),
        ("https://example.com/x.md", "path_not_relative"),
        ("data:text/plain,x", "path_not_relative"),
        ("..", "path_escapes"),
        ("../SYSTEM.md", "path_escapes"),
        ("scripts/../../x.py", "path_escapes"),
        ("..\\x.py", "path_escapes"),
        ("SYSTEM.md:evil", "file_name_invalid"),
        ("scripts/con", "file_name_invalid"),
        ("notes.", "file_name_invalid"),
        ("a\0b", "file_name_invalid"),
        ("x" * 300, "file_name_invalid"),
        ("system.md", "path_missing"),
        ("scripts", "path_missing"),
        ("", "path_missing"),
        (".", "path_missing"),
    ],
)
def test_any_other_reference_says_why_it_cannot_be_used(reference: str, code: str) -> None:
    found = report()
    assert resolve_reference(reference, FILES, found, line=3) is None
    assert [(finding.code, finding.line, finding.effect) for finding in found] == [(code, 3, "refused")]
    assert all(finding.hint for finding in found)


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("./\\~:aSYSTEM.md \0é")) | st.text())
def test_what_is_found_is_always_a_file_of_the_skill(reference: str) -> None:
    found = report()
    name = resolve_reference(reference, FILES, found)
    assert (name in FILES) != bool(codes(found))
