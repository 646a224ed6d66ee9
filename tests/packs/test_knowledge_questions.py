"""Questions about the terms of a pack go to its skill that explains them, in whatever words, and are answered there."""

from metier.pack import build_pack_glossary, pack_skill_roots, select_packs
from metier.routing import Router
from metier.settings import Settings
from metier.skills import open_skill_library

ASKED = {
    "telecom_knowledge": (
        *(
            "RSRP是什么",
            "RSRP多少算弱",
            "弱覆盖和过覆盖的区别",
            "为什么会重叠覆盖",
            "SINR怎么测的",
            "PRB利用率多高算高负荷",
        ),
        *(
            "what's a good RSRP",
            "what counts as weak coverage",
            "difference between RSRP and SINR",
            "how is SINR measured",
        ),
        *("what is weak coverage", "why does overshoot happen"),
    ),
    "phm_knowledge": (
        "峭度多少算正常",
        "内圈故障和外圈故障的区别",
        "what's a normal kurtosis",
        "difference between RMS and kurtosis",
    ),
    "life_terms": ("七杀是什么", "大运和流年有什么不同", "what is a rising sign"),
    "office_knowledge": ("定金和订金一样吗", "what counts as a starred requirement", "违约金多少算高"),
    "workspace-knowledge": ("中位数和平均数的区别", "what counts as an outlier", "离群值是怎么算的"),
}


def test_a_question_about_a_term_goes_to_the_skill_that_explains_it() -> None:
    settings = Settings(skills_dir=(), packs=("all",))
    packs = select_packs(settings).found
    catalog = open_skill_library(settings, pack_skill_roots(packs)).catalog()
    router = Router(glossary=build_pack_glossary(packs))
    asked = [(skill, words) for skill, listed in ASKED.items() for words in listed]
    found = [(skill, words, router.route(words, catalog=catalog)) for skill, words in asked]
    wrong = [
        (words, one.verdict, one.skill) for skill, words, one in found if (one.verdict, one.skill) != ("auto", skill)
    ]
    assert wrong == []
