"""Messages that repeat an example of a skill, and questions about the meaning of a term."""

from metier.routing.text import ExampleIndex, Glossary
from metier.textsearch import fold
from tests.routing.support import text

EXPLAIN = text(
    "explain",
    group="radio",
    triggers=("弱覆盖的定义", "meaning of RSRP"),
    examples=("弱覆盖的含义", "RSRP的定义", "definition of pilot pollution"),
)
ANALYSE = text(
    "analyse", group="radio", triggers=("RSRP", "覆盖"), examples=("分析朝阳区的干扰", "Show me the dead zones")
)
OTHER = text("weekly", group="office", examples=("写一份周报",))
INDEX = ExampleIndex((EXPLAIN, ANALYSE, OTHER))

CASES = [
    ("弱覆盖是什么意思", "explain"),
    ("请问什么是弱覆盖？", "explain"),
    ("弱覆盖指的是什么", "explain"),
    ("RSRP是什么", "explain"),
    ("What does RSRP mean?", "explain"),
    ("what is pilot pollution", "explain"),
    ("干扰是什么意思", "explain"),  # a word of the group
    ("帮我分析朝阳区的干扰吧", "analyse"),
    ("show me the dead zones, please", "analyse"),
    ("写一份周报。", "weekly"),
    ("RSRP", None),  # a trigger is no message
    ("量子纠缠是什么意思", None),  # of another trade
    ("干扰的原因是什么", None),  # asks for a result
    ("这是什么意思", None),
    ("what does that mean", None),
    ("什么意思", None),
    ("", None),
    ("x" * 500, None),
]


def test_a_message_that_repeats_an_example_or_asks_for_a_meaning_has_its_skill() -> None:
    ids = (EXPLAIN.skill, ANALYSE.skill, OTHER.skill)
    wrong = []
    for message, wanted in CASES:
        match = INDEX.find(fold(message))
        found = ids[match.skill] if match else None
        if found != wanted:
            wrong.append((message, found, wanted))
    assert wrong == []


DOCUMENTED = Glossary((), {"radio": ("RSRP", "SINR", "弱覆盖", "weak coverage", "重叠覆盖度"), "office": ("定金",)})


def test_what_counts_how_it_is_measured_and_how_two_differ_is_asked_of_the_skill_that_explains() -> None:
    asked = (
        *(
            "RSRP多少算好",
            "SINR的门限是多少",
            "怎么才算弱覆盖",
            "弱覆盖和重叠覆盖有什么区别",
            "SINR怎么测的",
            "为什么会弱覆盖",
        ),
        *("what's a good RSRP?", "what counts as weak coverage", "difference between RSRP and SINR", "SINR是什么"),
        *("why does weak coverage happen", "how do you measure SINR", "no, tell me what weak coverage means instead"),
    )
    other = (
        "朝阳为什么会弱覆盖",
        "what causes the weak coverage in Chaoyang",
        "定金和订金的区别",
        "合同A和合同B的区别",
    )
    found = {words: INDEX.find(fold(words), DOCUMENTED) for words in (*asked, *other)}
    assert [words for words in asked if (match := found[words]) is None or match.skill != 0] == []
    assert [words for words in other if found[words] is not None] == []


def test_an_example_of_two_skills_decides_nothing() -> None:
    assert ExampleIndex((OTHER, text("report", examples=("写一份周报",)))).find("写一份周报") is None
