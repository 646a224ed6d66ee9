import metier.errors
from metier.errors import MetierError

CLASSES = [item for item in vars(metier.errors).values() if isinstance(item, type) and issubclass(item, MetierError)]


def test_every_error_is_public() -> None:
    assert [item.__name__ for item in CLASSES if item.__name__ not in metier.errors.__all__] == []


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [item.code for item in CLASSES]
    assert len(codes) == len(set(codes))


def test_every_error_is_drawn_in_the_tree() -> None:
    drawn = metier.errors.__doc__ or ""
    assert [item.__name__ for item in CLASSES if item.__name__ not in drawn] == []


def test_the_tree_tells_the_exit_code_of_each_branch() -> None:
    expected = {"UsageError": 2, "NotFound": 3, "Refused": 4, "InvalidInput": 5, "Unavailable": 6, "Conflict": 1}
    assert {name: getattr(metier.errors, name).exit_code for name in expected} == expected


def test_an_error_prints_its_sentence_and_carries_its_hint() -> None:
    error = MetierError("no skill 'x'", hint="did you mean 'y'?")
    assert str(error) == "no skill 'x'"
    assert error.to_json() == {"code": "failed", "message": "no skill 'x'", "hint": "did you mean 'y'?"}
