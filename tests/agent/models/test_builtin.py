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
    assert "- /glossary Glossary\n- /report Report: One page." in text
