"""What a description states about its scope."""

from metier.routing.text import build_routing_text, correct_spelling, parse_scope
from tests.routing.support import skill


def test_a_description_is_split_into_what_it_covers_quotes_and_excludes() -> None:
    cases = {
        "Makes decks. Use when the user says \"pitch deck,\" or 'slides.' Do not use for sheets. Version 2.1 is new.": (
            ("pitch deck", "slides"),
            ("sheets",),
        ),
        "Plans tests. For tracking, see analytics.": ((), ("tracking",)),
        "Use for complex pages - not for single files.": ((), ("single files",)),
        "生成演示文稿。用户说“做个PPT”时使用。不适用于 Word 文档。": (("做个PPT",), ("Word 文档",)),
        "Don't worry, it handles whatever you paste.": ((), ()),
    }
    for text, (phrases, excluded) in cases.items():
        found = parse_scope(text)
        assert (found.phrases, tuple(one.text for one in found.excluded)) == (phrases, excluded), text
        assert not any(one in found.covered for one in excluded), text


def test_a_skill_in_traditional_characters_is_read_in_simplified_ones() -> None:
    assert build_routing_text(skill("a", title="週報", triggers=("寫週報",))).triggers == ("写周报",)


def test_only_words_that_nobody_knows_are_corrected() -> None:
    words = {"transfer": 1, "account": 2, "amount": 3, "money": 4, "scheme": 5, "reactor": 6}
    known = {"scanpy", "plot", "invoice", "invoicing", "refactoring"}
    cases = {
        "trasnfer to my acount": "transfer to my account",
        "the schema of LaminDB": "the schema of LaminDB",
        "scnapy plot": "scanpy plot",
        "转账 acount": "转账 account",
        "请转到acount里": "请转到account里",
        "Trasnfer it. Pllot it": "transfer it. plot it",
        "Plat and Clot say no": "Plat and Clot say no",
        "refactor it": "refactor it",  # the catalog has a longer form
        "invoic them": "invoice them",
    }
    for written, read in cases.items():
        assert correct_spelling(written, known, lambda: words)[0] == read, written


def test_a_rare_word_that_is_right_as_it_is_written_is_not_corrected_to_a_word_of_the_catalog_either() -> None:
    common, catalog = {"towel": 1, "level": 2, "slit": 3}, {"line", "sampling", "level", "corn"}
    rare = frozenset({"trowel", "lien", "sapling", "bevel", "silt"})
    for word in ("trowel", "lien", "sapling", "saplings", "bevel", "bevelled", "silt"):
        assert correct_spelling(word, catalog, lambda: common, lambda: rare) == (word, ()), word
    assert correct_spelling("towle slit", (), lambda: common, lambda: rare)[0] == "towel slit"
    assert correct_spelling("cron", (), lambda: {"corn": 1})[0] == "cron"  # a word of four letters may be any name


def test_a_letter_too_many_is_a_slip_only_where_it_is_doubled_a_key_beside_or_a_silent_e() -> None:
    words = {"bride": 1, "vanish": 2, "until": 3, "account": 4, "argument": 5, "leave": 6}
    stay = ("bridle", "varnish", "leaven")
    slips = {"untill": "until", "accopunt": "account", "arguement": "argument", "vanishh": "vanish"}
    for written, read in {**dict(zip(stay, stay, strict=True)), **slips}.items():
        assert correct_spelling(written, (), lambda: words)[0] == read, written
    assert correct_spelling("bridle", ("bride",), lambda: words)[0] == "bride"  # a word of the catalog may be meant
