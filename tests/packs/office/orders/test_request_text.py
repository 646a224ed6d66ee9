"""Patterns of the rules are compiled once, however many there are."""

import re

import pytest

from metier.packs.office._request_text import RequestText


def test_a_pattern_of_the_rules_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`re` itself keeps 512, fewer than the rules have: most were compiled anew for each order."""
    text = RequestText("把“六个月”改成“十二个月”")
    assert text.has("改成")
    re.purge()
    monkeypatch.setattr("re._compiler.compile", None)
    assert text.has("改成")
    assert text.take("改成")
