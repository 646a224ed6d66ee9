"""The list of skills that is shown without a language model."""

from metier.agent.models import render_skill_list


def test_a_skill_without_a_description_is_listed_by_its_title() -> None:
    text = render_skill_list(
        [
            {"id": "glossary", "title": "Glossary", "description": ""},
            {"id": "report", "title": "Report", "description": "One page."},
        ],
        "en",
    )
    assert "- Glossary (/glossary)\n- Report (/report): One page." in text


def test_a_long_description_is_cut_between_words_and_a_title_is_not_repeated() -> None:
    latin = "word " * 23 + "beginning of the last one"
    chinese = "看覆盖，" * 40
    text = render_skill_list(
        [
            {"id": "latin", "title": "latin", "description": latin},
            {"id": "chinese", "title": "中文", "description": chinese},
        ],
        "en",
    )
    lines = text.splitlines()[1:]
    assert lines[0] == f"- /latin: {('word ' * 23).strip()}…"
    assert lines[1].startswith("- 中文 (/chinese): 看覆盖，")
    assert lines[1].endswith("看覆盖…")
