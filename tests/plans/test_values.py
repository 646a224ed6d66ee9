"""Arguments with `$` inside."""

from metier.plans._values import Gap, resolve_template


def test_expressions_are_looked_up_at_any_depth_and_nothing_else_is_touched() -> None:
    found = resolve_template(
        {"q": "$.message", "list": [{"deep": "$.n"}], "price": "$$5", "t": "{{ 7*7 }} {message} $.n", "k": 3},
        {"message": "弱覆盖", "n": 1},
    )
    assert found.value == {
        "q": "弱覆盖",
        "list": [{"deep": 1}],
        "price": "$5",
        "t": "{{ 7*7 }} {message} $.n",
        "k": 3,
    }
    assert found.gaps == ()


def test_what_was_not_found_is_null_and_named() -> None:
    found = resolve_template({"a": [{"b": "$.x.y"}]}, {"message": ""})
    assert found.value == {"a": [{"b": None}]}
    assert found.gaps == (Gap(("a", 0, "b"), "$.x.y"),)


def test_a_value_that_looks_like_an_expression_is_not_looked_up_again() -> None:
    assert resolve_template("$.message", {"message": "$.secret", "secret": "s"}).value == "$.secret"
