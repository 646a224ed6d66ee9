"""A request that comes again with other parts replaces what the first wrote: their blocks have one id."""

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan


def _block_id(said: str) -> object:
    plan = draft_plan(said, host="wps", language=language_of(said)).plan
    assert plan is not None
    actions = plan["actions"]
    assert isinstance(actions, list)
    (block,) = (one for one in actions if isinstance(one, dict) and one["op"] == "upsert_block")
    return block["block_id"]


@pytest.mark.parametrize(
    ("kind", "first", "changed"),
    [
        (
            "risk_list",
            "在文末插入风险清单，列为风险、影响、对策，3行",
            "末尾加风险表，4列：风险、等级、责任人、措施，空3行。",
        ),
        (
            "risk_register",
            "插入风险登记册，列为编号、风险、等级，3行",
            "要一张风险台账，放最后，列分别是风险、对策，留8个空行。",
        ),
        ("requirement_response", "插入应答表，列为需求、响应，3行", "做应答表。四列：编号、客户要求、是否满足、备注。"),
        ("checklist", "插入检查表，列为项目、结果，3行", "消防检查表一张，表头：部位、内容、是否合格，下面空7行。"),
        ("todo", "插入任务清单，列为任务、负责人，3行", "文末要一张任务清单，列为任务、负责人、时限，5行"),
        (
            "risk_register",
            "Insert a risk register with columns Risk, Impact and 3 rows.",
            "Could you insert a compact risk register? The column heads should be Ref, Hazard and Owner, 4 rows.",
        ),
        (
            "todo",
            "Insert a task list with columns Task, Owner and 3 rows.",
            "I need a to-do list in table form, four columns (Job, Who, By when, State) and six blank rows.",
        ),
        (
            "minutes",
            "插入会议纪要模板，包括时间、地点、决议",
            "文末加班组例会记录的空白样式。项目：日期、主持、结论。按此顺序。",
        ),
    ],
)
def test_a_changed_request_of_one_kind_replaces_the_block(kind: str, first: str, changed: str) -> None:
    assert [_block_id(first), _block_id(changed)] == [kind, kind]


def test_tables_of_no_kind_and_titled_ones_stand_beside_each_other() -> None:
    plain = ["插入表格，列为风险、影响，3行", "插入表格，列为任务、时限，3行"]
    titled = ["插入风险清单，标题为“一期”，列为风险、影响，3行", "插入风险清单，标题为“二期”，列为风险、影响，3行"]
    assert len({_block_id(one) for one in (*plain, *titled)}) == 4
