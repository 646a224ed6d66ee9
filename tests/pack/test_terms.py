"""Terms of a pack are read from its documents and found by their words."""

from pathlib import Path

from metier.pack import find_terms, read_terms, split_compared


def test_a_question_names_terms_by_heading_or_synonym_and_latin_words_only_whole(tmp_path: Path) -> None:
    (tmp_path / "glossary.toml").write_text('groups = [["轴承", "bearing", "滚动轴承"]]', "utf-8")
    text = "# 一\n\n## 轴承（bearing）\n\n支承转轴。\n\nEnglish: Carries a shaft.\n\n## gear\n\n齿轮。\n"
    (tmp_path / "machines.md").write_text(text, "utf-8")
    bearing, gear = read_terms(tmp_path)
    assert (bearing.id, bearing.names) == ("machines#1", ("轴承", "bearing"))
    assert (bearing.text("zh"), bearing.text("en")) == ("支承转轴。", "Carries a shaft.")
    cases = {"什么是滚动轴承": bearing, "What is a Bearing?": bearing, "gear": gear, "gearbox": None, "电机": None}
    found = {
        asked: max(find_terms((bearing, gear), asked), key=lambda hit: hit.length, default=None) for asked in cases
    }
    assert {asked: hit and hit.term for asked, hit in found.items()} == cases


def test_a_hit_says_where_the_word_stands(tmp_path: Path) -> None:
    (tmp_path / "glossary.toml").write_text("groups = []", "utf-8")
    (tmp_path / "money.md").write_text("## 定金 · deposit\n\n甲。\n\n## 订金\n\n乙。\n", "utf-8")
    hits = find_terms(read_terms(tmp_path, "·"), "订金和定金")
    assert sorted((place, length, term.names[0]) for term, place, length in hits) == [(0, 2, "订金"), (3, 2, "定金")]


def test_two_things_are_compared_in_both_languages_and_endless_ones_are_not_searched() -> None:
    for question, two in (
        ("RSRP 和 SINR 有什么区别", ("RSRP", "SINR")),
        ("请问七杀与正官是不是一回事", ("七杀", "正官")),
        ("what is the difference between RSRP and SINR?", ("RSRP", "SINR")),
    ):
        assert split_compared(question) == two
        assert split_compared(f"{'和a' * 25_000}。{question}") == two
    assert split_compared("和a" * 25_000) == ()
    assert split_compared("a" * 50 + "和" + "b" * 50 + "的区别") == ()
