import random

from metier.bench._corpus import make_english_messages, make_english_skills, make_long_messages


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


def test_a_longer_message_has_its_words_and_its_request_at_any_place() -> None:
    asked, again = (make_long_messages(random.Random(5), 40, words=40) for _ in range(2))
    assert asked == again
    assert all(40 <= len(message.split()) < 60 for message in asked)
    requests = [message.capitalize() + "." for message in make_english_messages(random.Random(5), 40)]
    assert all(request in message for request, message in zip(requests, asked, strict=True))
    places = {message.index(request) for request, message in zip(requests, asked, strict=True)}
    assert 0 in places
    assert len(places) > 3
