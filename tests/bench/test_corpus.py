import random

from metier.bench._corpus import make_english_messages, make_english_skills


def test_a_thousand_english_skills_have_names_and_ten_examples_of_their_own() -> None:
    skills = make_english_skills(1000)
    said = [example for skill in skills for example in skill.examples]
    assert len({skill.id for skill in skills}) == 1000
    assert len(set(said)) == 10_000
    assert all(text.isascii() for text in said)


def test_messages_are_repeatable_and_never_an_example() -> None:
    examples = {example for skill in make_english_skills(1000) for example in skill.examples}
    for in_steps in (False, True):
        asked, again = (make_english_messages(random.Random(5), 50, in_steps=in_steps) for _ in range(2))
        assert asked == again
        assert examples.isdisjoint(asked)
