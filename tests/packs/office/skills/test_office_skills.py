"""The pack's skills: all of the original, complete in both languages, every declared tool a script that runs."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from runpy import run_path

import metier.packs.office
from metier.packs.office.analysis import TASKS
from metier.plans import read_sop
from metier.skills import Skill, SkillRoot
from metier.skills.read import read_skill, scan_root

FOLDER = Path(metier.packs.office.__file__).parent / "skills"
# The seventeen skills of the original and its twenty-five tools.
ORIGINAL = frozenset(
    {
        "answer-mode",
        "bidding-helper",
        "contract-review",
        "doc-analyzer",
        "doc-editor",
        "doc-formatter",
        "et-analyzer",
        "et-visualizer",
        "exam-answering",
        "finance-audit",
        "meeting-minutes",
        "policy-format",
        "ppt-creator",
        "ppt-outline",
        "ppt-review",
        "risk-register",
        "wpp-outline",
    }
)
TOOLS = frozenset(
    {
        "placeholder_detector",
        "position_calculator",
        "answer_writer",
        "generate_timeline",
        "check_compliance",
        "generate_checklist",
        "check_policy_update",
        "get_latest_policies",
        "ingest_url_to_rag",
        "clause_extractor",
        "risk_detector",
        "data_parser",
        "anomaly_detector",
        "fill_blank_detector",
        "question_parser",
        "answer_formatter",
        "speaker_extractor",
        "decision_detector",
        "numbering_checker",
        "terminology_checker",
        "layout_recommender",
        "placeholder_mapper",
        "consistency_checker",
        "recommend_layout",
        "get_placeholder_map",
    }
)

CHINESE = re.compile(r"[\u4e00-\u9fff]")
TRANSCRIPT = "周会 2026年3月4日\n王磊：先说预算。\n陈静：我下周五前提交预算表。\n王磊：会议决定下周一上线。"
CONTRACT = "合同\n甲方：远航有限公司\n第一条 定金为合同总价的30%。\n第二条 按第九条处理。\n第三条 数量____台。"
EXAM = "1. 叶是（　）\nA. 根\nB. 器官\n2. 水由氢和____组成。"
TENDER = "招标文件\n投标截止时间：2026年4月20日9时30分\n★1.1 具有建筑资质。\n1.2 人员不少于8人。"
DECK = "# 封面\n# 收入\n一季度收入32万元\n# 利润\n一季度收入33万元"
TABLE = [["编号", "金额"], ["A1", 10], ["A2", 12], ["A2", 11], ["A4", 9], ["A5", 10], ["A6", 900]]
# Arguments of a call and a word that its answer must have.
CALLS: dict[str, tuple[dict[str, object], str]] = {
    "answer_formatter": ({"doc_text": EXAM, "key_text": "1. B 2. 氧"}, "2 氧"),
    "answer_writer": ({"doc_text": EXAM, "key_text": "1. B"}, "answer_mode_apply"),
    "anomaly_detector": ({"rows": TABLE}, "outlier"),
    "check_compliance": ({"tender_text": TENDER, "bid_text": "投标文件\n1.2 人员6人。"}, "partial"),
    "check_policy_update": ({"doc_text": "根据《合同法》签订。"}, "replaced"),
    "clause_extractor": ({"doc_text": CONTRACT}, "远航有限公司"),
    "consistency_checker": ({"doc_text": DECK}, "number_conflict"),
    "data_parser": ({"rows": TABLE}, "number"),
    "decision_detector": ({"doc_text": TRANSCRIPT}, "2026-03-13"),
    "fill_blank_detector": ({"doc_text": EXAM}, "____"),
    "generate_checklist": ({"doc_text": TENDER}, "★"),
    "generate_timeline": ({"doc_text": TENDER, "today": "2026-04-10"}, "'days_left': 10"),
    "get_latest_policies": ({"topic": "合同"}, "民法典"),
    "get_placeholder_map": ({"doc_text": DECK}, "body"),
    "ingest_url_to_rag": ({"url": "https://example.org/a"}, "False"),
    "layout_recommender": ({"doc_text": DECK}, "layout"),
    "numbering_checker": ({"doc_text": "一、甲\n三、乙"}, "二、"),
    "placeholder_detector": ({"doc_text": "尊敬的{{姓名}}"}, "姓名"),
    "placeholder_mapper": ({"doc_text": DECK}, "title"),
    "position_calculator": ({"doc_text": EXAM, "labels": ["2"]}, "offset"),
    "question_parser": ({"doc_text": EXAM}, "choice"),
    "recommend_layout": ({"doc_text": DECK}, "layout"),
    "risk_detector": ({"doc_text": CONTRACT}, "deposit_over_20"),
    "speaker_extractor": ({"doc_text": TRANSCRIPT}, "陈静"),
    "terminology_checker": ({"doc_text": "登陆系统"}, "登录"),
}


@cache
def office_skills() -> dict[str, Skill]:
    found = [read_skill(candidate) for candidate in scan_root(SkillRoot(FOLDER, trusted=True)).candidates]
    problems = [f"{one.code}: {one.message}" for result in found for one in result.diagnostics]
    assert problems == []
    return {
        result.skill.id: result.skill for result in found if result.skill and result.skill.source.layout == "manifest"
    }


def test_the_skills_of_the_original_are_there_each_with_an_analysis_and_an_sop() -> None:
    skills = office_skills()
    assert set(skills) >= ORIGINAL
    assert set(skills) == set(TASKS)
    broken = {skill.id: list(read_sop(skill).problems) for skill in skills.values() if read_sop(skill).problems}
    assert broken == {}
    called = {skill.id: [step.get("call") for step in skill.sop if "call" in step] for skill in skills.values()}
    calls = {skill: [one for one in steps if one != "find_pattern"] for skill, steps in called.items()}
    assert all(steps[:2] == ["find_document", "propose_changes"] for steps in calls.values())
    assert {id for id, steps in calls.items() if steps[-1] != "write_document"} == {"doc-analyzer"}


def test_titles_descriptions_and_questions_are_complete_in_both_languages() -> None:
    wrong = []
    for skill in office_skills().values():
        asks = [step["ask"] for step in skill.sop if "ask" in step]
        for texts in (skill.titles, skill.descriptions, *asks):
            languages = {str(key): str(text) for key, text in texts.items()} if isinstance(texts, Mapping) else {}
            if set(languages) != {"zh", "en"} or not CHINESE.search(languages["zh"]):
                wrong.append((skill.id, languages))
        if sum(1 for text in skill.examples if not CHINESE.search(text)) < 2 or len(skill.examples) < 5:
            wrong.append((skill.id, {"examples": str(skill.examples)}))
    assert wrong == []


def test_every_tool_of_the_original_is_a_script_that_answers() -> None:
    declared = {tool.name: skill for skill in office_skills().values() for tool in skill.tools}
    assert set(declared) == TOOLS == set(CALLS)
    wrong = {}
    for name, skill in declared.items():
        script = skill.source.folder / "scripts" / f"{name}.py"
        arguments, word = CALLS[name]
        answer = str(run_path(str(script))[name](**arguments))
        if word not in answer:
            wrong[name] = answer
    assert wrong == {}
