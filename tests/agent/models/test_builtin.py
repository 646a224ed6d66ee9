"""What is offered without a language model."""

from langchain_core.messages import HumanMessage

from metier.agent.models import BuiltinModel, render_offer


def test_a_skill_without_a_description_is_listed_by_its_title() -> None:
    skills = [
        {"id": "glossary", "title": "Glossary", "description": ""},
        {"id": "report", "title": "Report", "description": "One page."},
    ]
    text = render_offer({"skills": skills}, "en")
    assert "- Glossary\n- Report: One page." in text


def test_a_long_description_is_cut_between_words_and_a_title_is_not_repeated() -> None:
    latin = "word " * 23 + "beginning of the last one"
    chinese = "看覆盖，" * 40
    skills = [
        {"id": "latin", "title": "latin", "description": latin},
        {"id": "chinese", "title": "中文", "description": chinese},
    ]
    text = render_offer({"skills": skills}, "en")
    lines = text.splitlines()[1:]
    assert lines[0] == f"- /latin: {('word ' * 23).strip()}…"
    assert lines[1].startswith("- 中文: 看覆盖，")
    assert lines[1].endswith("看覆盖…")


def test_a_pack_is_offered_with_its_example_before_the_skills_of_no_pack() -> None:
    pack = {"title": "办公文档", "description": "读懂并改写文档。", "example": "整理会议纪要"}
    skill = {"id": "own", "title": "自己的", "description": ""}
    text = render_offer({"packs": [pack], "skills": [skill], "skill_count": 12}, "zh")
    assert "- 办公文档：读懂并改写文档。例如「整理会议纪要」\n\n" in text
    assert text.index("办公文档") < text.index("自己的") < text.index("共有 12 项技能")


def test_in_the_middle_of_a_skill_it_says_where_that_stands_instead_of_listing_what_else_there_is() -> None:
    offer = {"skills": [{"id": "own", "title": "自己的", "description": ""}], "language": "zh"}
    last = {"title": "轴承诊断", "finding": "内圈损伤"}
    notes = ({**offer, "last": last}, {**offer, "last": None})
    asked = [HumanMessage("要不要通知老王", additional_kwargs={"metier": note}) for note in notes]
    within, first = (BuiltinModel().invoke([one]).text for one in asked)
    assert "刚才「轴承诊断」的结果：内圈损伤" in within
    assert "自己的" not in within
    assert "自己的" in first
    assert "语言模型" in within
