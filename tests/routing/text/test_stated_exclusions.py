"""What a description says a skill is not for, in the wordings that authors use, and what only looks like it."""

import pytest

from metier.routing.text import ExclusionIndex, build_routing_text, parse_scope
from tests.routing.support import skill

EXCLUDED: dict[str, tuple[str, ...]] = {
    "Do not use for:\n- staff rotas\n- invoices": ("staff rotas", "invoices"),
    "Do not use for:\n  * staff rotas\n  * invoices\nUse when guests are named.": ("staff rotas", "invoices"),
    "Do not use it for: (1) staff rotas; (2) invoices. Works offline.": ("staff rotas", "invoices"),
    "Do not use for staff rotas; invoices; bookings.": ("staff rotas", "invoices", "bookings"),
    "## When NOT to use\n- staff rotas\n- invoices\n## Notes\nNeeds a calendar.": ("staff rotas", "invoices"),
    "NOT for:\n• staff rotas\nExamples: lunch next week": ("staff rotas",),
    "Out of scope: staff rotas, invoices.": ("staff rotas", "invoices"),
    "Anti-triggers: rota, invoice.": ("rota", "invoice"),
    "This is not the skill for: staff rotas, invoices, or bookings.": ("staff rotas", "invoices", "bookings"),
    "Excludes rodents and pigeons.": ("rodents", "pigeons"),
    "Plans all meals except breakfast.": ("breakfast",),
    "Plans meals (excluding breakfast) for canteens.": ("breakfast",),
    "Plans lunches, but not breakfasts.": ("breakfasts",),
    "It does not handle staff rotas.": ("staff rotas",),
    "Use for canteens, never for hospitals.": ("hospitals",),
    "Staff rotas are not covered.": ("Staff rotas are not covered",),
    "Should not be used for staff rotas.": ("staff rotas",),
    "For staff rotas, see rota-planner.": ("staff rotas",),
    "If the request is about invoices, do not use this skill.": ("the request is about invoices",),
    "不要用于：\n- 停车费\n- 水电费": ("停车费", "水电费"),
    "不适用于：\n1. 停车费\n2）水电费\n适用于：服务合同": ("停车费", "水电费"),
    "不要用于：停车费；水电费。支持批量。": ("停车费", "水电费"),
    "【不适用】婚宴、自助餐": ("婚宴", "自助餐"),
    "别用它写应急预案或排班表。": ("应急预案", "排班表"),
    "安排聚餐，婚宴除外。": ("婚宴",),
    "除婚宴外的宴会都可以。": ("婚宴",),
    "登记报修（不含电梯）。": ("电梯",),
    "禁止用于投诉。": ("投诉",),
    "不写合同和协议。": ("合同", "协议"),
    "遇到劳动纠纷时不要使用本技能。": ("遇到劳动纠纷",),
    "投诉请用投诉处理技能。": ("投诉请用投诉处理技能",),
    "仅用于食堂，不可用于婚宴。": ("婚宴",),
}
COVERED = (
    "It is not only for storage rooms but also for display cases.",
    "Use it even if the records do not include photographs.",
    "Use when a test does not apply or a build doesn't support Windows.",
    "Use when the cluster is not ready for traffic.",
    "Explains why a coupon does not apply.",
    "Finds services that do not trigger alarms.",
    "Handles refunds, including ones not covered by warranty.",
    "For long letters, use the template in assets.",
    "When asked for a reminder, use a polite tone.",
    'Use for words like "don\'t use my data" or "not for children".',
    "住户不用来物业中心也能预约。",
    "不仅用于小区，也用于屋顶花园。",
    "数据不包含全部月份时也能估算。",
    "排查打印机不支持双面打印的问题。",
    "检查哪些条款不适用于中小企业。",
    "解释优惠为什么不能用于特价商品。",
    "当用户说“不要用红色”时调整配色。",
)


@pytest.mark.parametrize(("told", "expected"), EXCLUDED.items())
def test_what_a_skill_is_not_for_is_found_item_by_item(told: str, expected: tuple[str, ...]) -> None:
    found = parse_scope(f"Plans menus. 制定菜单。\n{told}")
    assert tuple(one.text for one in found.excluded) == expected
    assert "制定菜单" in found.covered
    assert "This is" not in found.covered
    assert not any(one in found.covered for one in expected)


@pytest.mark.parametrize("told", COVERED)
def test_words_of_refusal_that_say_what_a_skill_is_for_stay_covered(told: str) -> None:
    found = parse_scope(f"Plans menus. 制定菜单。\n{told}")
    assert found.excluded == ()
    assert told in found.covered


@pytest.mark.parametrize(
    ("told", "excluded", "excepted"),
    [
        ("Not for invoices unless they are attached to a letter.", "pay the invoices", "invoices attached to a letter"),
        ("Do not use for hospitals, except for visitors.", "lunch in hospitals", "lunch for visitors of hospitals"),
        ("不处理电梯故障（除有人被困外）。", "电梯故障了", "电梯故障，有人被困"),
        ("不适用于报修，除非住户对结果不满意。", "我要报修", "报修的结果我不满意"),
    ],
)
def test_what_is_excepted_from_an_exclusion_is_covered(told: str, excluded: str, excepted: str) -> None:
    text = build_routing_text(skill("a", description=f"Answers letters. {told}"))
    index = ExclusionIndex([text])
    assert text.excluded[0].unless in " ".join(text.about)
    assert index.find(excluded)
    assert not index.find(excepted)
