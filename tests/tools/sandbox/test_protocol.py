import io

from hypothesis import given
from hypothesis import strategies as st

from metier.tools.sandbox._protocol import Job, pack, unpack

TEXTS = st.text(st.characters(exclude_categories=()), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(arguments=st.dictionaries(TEXTS, VALUES, max_size=4), source=TEXTS)
def test_a_job_arrives_as_it_was_sent(arguments: dict[str, object], source: str) -> None:
    arrived = unpack(io.BytesIO(pack(Job("/w", source=source, arguments=arguments))))
    assert arrived is not None
    assert (arrived.source, arrived.arguments, arrived.folder) == (source, arguments, "/w")


@given(cut=st.integers(0, 200))
def test_half_a_job_is_none(cut: int) -> None:
    assert unpack(io.BytesIO(pack(Job("/w"))[:cut])) is None
