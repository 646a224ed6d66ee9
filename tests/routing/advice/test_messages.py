"""Candidate messages of a skill: what its texts say people ask for."""

from metier.routing.advice import build_prompt, generate_exclusions, generate_messages, read_messages
from metier.routing.advice._requests import find_requests
from tests.routing.support import WEEKLY, skill


def test_a_description_holds_the_requests_that_people_make() -> None:
    wanted = {
        "When the user wants to plan, design, or implement an A/B test or experiment.": [
            "plan an A/B test or experiment",
            "implement an A/B test or experiment",
        ],
        "Use when working with quantum systems including: (1) kets (bras, spins), (2) gates.": [
            "working with quantum systems",
        ],
        "Computes a natal chart with ten bodies and reads it.": ["compute a natal chart with ten bodies and reads it"],
        "Query ClinVar. Search by gene, interpret classifications, annotate VCFs, for medicine.": [
            "query ClinVar",
            "search by gene",
            "interpret classifications",
            "annotate VCFs",
            "medicine",
        ],
        "按出生时间和地点排八字：真太阳时、十神，逐句注明依据，供反思。": ["按出生时间和地点排八字"],
        "当用户需要整理会议纪要、提取待办时使用。": ["整理会议纪要、提取待办"],
        "本技能用于分析小区的负荷，给出扩容建议。": ["分析小区的负荷，给出扩容建议"],
        "": [],
        "。！": [],
    }
    assert {text: [one.text for one in find_requests(text)] for text in wanted} == wanted


def test_messages_come_from_all_texts_of_a_skill_and_repeat_none_of_its_examples() -> None:
    made = skill(
        "ab-testing",
        title="A/B tests",
        description='Plan an A/B test. Use when the user says "split test" or "which version is better". Do not '
        "use for tracking events.",
        triggers=("multivariate test",),
        examples=("Plan an A/B test",),
    )
    found = generate_messages(made)
    assert {one.origin for one in found} == {"phrase", "trigger", "title"}
    texts = [one.text for one in found]
    assert "which version is better" in texts
    assert not any("tracking" in text for text in texts)
    assert [one.text for one in generate_exclusions(made)] == ["help me with tracking events"]
    assert generate_messages(made, max_count=2) == found[:2]


def test_a_model_is_asked_in_either_language_and_its_list_is_read() -> None:
    assert "Chinese" not in build_prompt(WEEKLY, "en")
    assert "中文" in build_prompt(WEEKLY, "zh")
    answer = "Here you go:\n1. 写周报\n- 帮我把这周的活儿捋一捋\n* “status for my boss”\n\n2) status for my boss"
    assert [one.text for one in read_messages(answer, WEEKLY)] == ["帮我把这周的活儿捋一捋", "status for my boss"]
