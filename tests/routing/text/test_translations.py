from metier.routing.text import Translated, translate_words

KNOWN = {"会议": "meeting meetings", "会议室": "boardroom", "纪要": "minutes", "整理": "arrange"}


def test_the_longest_known_words_of_a_message_are_translated_each_once() -> None:
    found = translate_words("整理会议纪要，订会议室，整理一下", KNOWN)
    assert found == (
        Translated("整理", ["arrange"]),
        Translated("会议", ["meeting", "meetings"]),
        Translated("纪要", ["minutes"]),
        Translated("会议室", ["boardroom"]),
    )


def test_a_message_without_known_words_has_no_translation() -> None:
    assert translate_words("hello 你好", KNOWN) == ()
    assert translate_words("", KNOWN) == ()
