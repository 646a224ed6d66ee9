"""A text that is packed away comes back as it was."""

from hypothesis import given, settings
from hypothesis import strategies as st

from metier.skills import Text


@settings(deadline=None)
@given(st.text() | st.text(min_size=1).map(lambda text: text * 1100))
def test_a_text_comes_back_as_it_was(text: str) -> None:
    kept = Text(text)
    assert str(kept) == text
    assert kept == Text(text)
    assert hash(kept) == hash(Text(text))


def test_a_text_is_not_a_string() -> None:
    assert Text("a") != "a"
    assert Text("a") != Text("b")
    assert repr(Text("x" * 100)) == f"Text('{'x' * 40}')"
