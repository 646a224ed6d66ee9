"""Requests in other signs and words than the rules know are read in plainer ones, never with other content."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.restate import Restated, open_dashes, restate
from metier.packs.office.plan import HostApp


def _draft(request: str, host: HostApp) -> str:
    draft = draft_plan(request, host=host, language=language_of(request))
    assert draft.plan is not None, draft.question
    return json.dumps(draft.plan["actions"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("host", "request_text", "written"),
    [
        ("wps", "插一张巡检表，列名分别叫“点位”“读数”“巡检人”，留4行", ['"点位", "读数", "巡检人"', '"rows": 5']),
        ("wps", "要一张借阅表，列：书名；借阅人；归还日期。留六行。", ['"书名", "借阅人", "归还日期"', '"rows": 7']),
        ("wps", "加一张表，列有任务/牵头部门/时限，共五行", ['"任务", "牵头部门", "时限"', '"rows": 6']),
        ("wps", "插个签到表呗，就一行表头，姓名 单位 电话 签名", ['"姓名", "单位", "电话", "签名"', '"rows": 1']),
        (
            "wps",
            "Insert a table - Room, Guest, Nights - with four blank rows.",
            ['"Room", "Guest", "Nights"', '"rows": 5'],
        ),
        (
            "wps",
            "Add a table. The headings should be No., Clause, Compliant (Y/N), Evidence. Two rows to fill in.",
            ['"No.", "Clause", "Compliant (Y/N)", "Evidence"'],
        ),
        ("wps", "做张卫生检查表，项目、标准、得分三列，连表头一共7行", ['"rows": 7']),
        ("wps", "插入检查表，列为项目、标准、得分，表头之外共十二行。", ['"rows": 13']),
        (
            "wps",
            "要两张表，先一张仪器名称、型号、位置的，后面再来一张借用人、借出日期的",
            ['"仪器名称", "型号", "位置"', '"借用人", "借出日期"'],
        ),
        (
            "wps",
            "客户催价格了，列个表：A3纸 3箱 每箱200；笔 10支 每支2，把总金额也算出来。",
            ['"A3纸", "3箱", "200"', '"笔", "10支", "2"', '"620"'],
        ),
        ("wps", "兹需领料登记表一份，栏目为日期、物料、领料人，表头之下空白行二十行，请予插入。", ['"rows": 21']),
        ("wps", "文末加附录，标题“附录一 依据”，下面1、2、3编号写国标、行标、企标。", ["1. 国标\\n2. 行标\\n3. 企标"]),
        ("wps", "写个三点小结：一是能耗下降，二是遗留问题剩余五项，三是全年零事故。", ["剩余五项", "全年零事故"]),
        ("wps", "1. 在文末加一张表\n2. 列：物料、库位、盘点人\n3. 空4行", ['"物料", "库位", "盘点人"', '"rows": 5']),
        ("wps", "热烈祝贺新厂投产，这句话做成横幅，放在文档最上面", ['"热烈祝贺新厂投产"', "start_of_document"]),
        (
            "wps",
            "The lease was signed; the keys arrive in May; the old office closes in June. Put these in as a summary.",
            ["1. The lease was signed\\n2. The keys arrive in May\\n3. The old office closes in June"],
        ),
        (
            "wpp",
            "停电——备用电源；漏水——抽水泵。以上两条做成一页风险与对策。",
            ['"停电", "备用电源"', '"漏水", "抽水泵"'],
        ),
        (
            "wpp",
            "Could you add an agenda slide with these three items: Minutes, Money, Next meeting?",
            ["Minutes\\nMoney\\nNext meeting"],
        ),
        ("wps", "报价：\n铝窗 20扇 单价680\n纱门 4樘 单价230\n最后要有合计", ['"20扇"', '"4樘"', '"14,520"']),
        (
            "wps",
            "报价，品名、数量、单价如下：桌，2，300；椅，4，90。给出合计。",
            ['"品名", "数量", "单价", "金额"', '"960"'],
        ),
        ("et", "录入周一到周三的访客：34、41、29，再加一个折线图", ['"周一", "34"', '"周三", "29"']),
        (
            "et",
            "列一张表：部门、计划、完成、差额。一部 300 280；二部 250 265。差额是计划减完成，公式算。",
            ["=B2-C2", '"265"'],
        ),
        (
            "et",
            "各办事处接待人次报上：城东三百二十，城西二百八十五。请据此绘制柱状图一幅。",
            ['"城东", "320"', '"城西", "285"'],
        ),
        ("et", "做个预算表，列为项目、预算、实际、差额：水费 100 80；电费 200 230，差额是实际减预算", ["=C2-B2"]),
        (
            "wps",
            "帮我插个表，字段如下：\n1. 编号\n2. 名称\n3. 保养人\n留10行",
            ['"编号", "名称", "保养人"', '"rows": 11'],
        ),
        ("wps", "【急】文末追加：风险台账（编号/风险事件/处置），8行", ['"编号", "风险事件", "处置"', '"rows": 9']),
        (
            "wps",
            "Two tables, one after the other: first Name, Role; then Milestone, Due date, Status.",
            ['"Name", "Role"', '"Milestone", "Due date", "Status"'],
        ),
        ("wps", "Make me a quote: 3 cameras at 450 each, 2 tripods at 80 each. Show the total.", ['"1,510"']),
        ("et", "排个甘特表，8周，任务依次是立项→采购→安装→交付", ['"立项"', '"交付"', '"第8周"']),
        ("et", "录一下一到三月的产量：1200、1150、1300，再出个折线图", ['"一月", "1200"', '"三月", "1300"']),
        ("wpp", "新加一页只突出一个数字：3.2亿，底下小字“全年营业收入”", ['"3.2亿"', '"全年营业收入"']),
        ("et", "做个simple的Gantt表，任务：调研、施工、验收，一共8周", ['"第8周"', '"施工"']),
        (
            "wpp",
            "加一页经营风险。汇率波动，对策是提前锁汇；客户拖款，对策是预收货款。",
            ['"汇率波动", "提前锁汇"', '"客户拖款"'],
        ),
        (
            "wpp",
            "New slide with risks and what we do about them. Data loss: Nightly backups. Fire: Second site.",
            ['"Data loss", "Nightly backups"', '"Fire", "Second site"'],
        ),
        ("wpp", "目录页加一下，三条，团队介绍；去年回顾；需要的支持", ["团队介绍\\n去年回顾\\n需要的支持"]),
    ],
)
def test_a_request_in_other_signs_and_words_is_carried_out(
    host: HostApp, request_text: str, written: list[str]
) -> None:
    made = _draft(request_text, host)
    assert [one for one in written if one not in made] == []


@pytest.mark.parametrize(
    ("host", "request_text"),
    [
        ("wps", "做个表，列是姓名、部门（可选）、职务"),
        ("wps", "先插一张表（项目、金额），再插一张表（日期、经办人），再加一列备注"),
        ("wps", "插一张表，列：书名；借阅人；归还日期，表头标红，留六行。"),
        ("wps", "插一张表，列：书名；借阅人；归还日期；按日期排序"),
        ("wps", "加一张表，列有任务/牵头部门/时限/居中显示，共五行"),
        ("wps", "插个签到表，姓名 单位 电话 签名 居中，3行"),
        ("wps", "帮我插个表，字段如下：\n- 编号\n- 名称\n- 表头加粗\n- 留10行"),
        ("wps", "要两张表，先一张名称、型号的，后面再来一张借用人、日期的，第一张要三行第二张五行"),
        ("wps", "做两个表：表一（学号、姓名、班级），表二（日期、事由、审批人），表二放前面"),
        ("wps", "公司规定表头用公司模板，请插入风险清单，列为风险、措施，3行"),
        ("wps", "插入一张能在手机上看的值班表，列为日期、姓名，3行"),
        ("wps", "插入一张隔行变色的值班表，列为日期、姓名，3行"),
        ("wps", "报价单：鼠标20个，每个45元；键盘20个，每个99元，含税合计"),
        ("wps", "三点总结：成本下降；收入上升；风险可控，写成一段话"),
        ("et", "做预算表：房租 100 90；水电 50 60，差额用公式，最后一行合计"),
        ("et", "各部门加班时长取平均汇总一下：一组 12、二组 8、一组 6"),
    ],
)
def test_a_demand_beside_what_is_restated_is_asked_about(host: HostApp, request_text: str) -> None:
    assert draft_plan(request_text, host=host, language="zh").plan is None


def test_no_text_is_written_in_words_that_the_user_did_not_say() -> None:
    kept = Restated("请插入检查清单表")
    assert kept.keeps_words({"actions": [{"op": "insert_text", "text": "备注"}]}, "插个checklist")
    assert not kept.keeps_words({"actions": [{"op": "insert_text", "text": "检查清单表"}]}, "插个checklist")


def test_a_plain_request_is_left_as_it_is() -> None:
    said = "插入一个表格，列为日期、收入、支出，共3行。"
    assert restate(said).text == said


@pytest.mark.parametrize("piece", ["插入表格，列为甲/乙、", " ", "预算 ", "a - b, "])
def test_a_long_text_is_not_restated(piece: str) -> None:
    said = piece * 1_000
    assert restate(said).text == open_dashes(said) == said


def test_two_names_with_brackets_never_share_a_block() -> None:
    plans = [_draft(f"插个表，表头：编号、结果({one})、备注，2行", "wps") for one in ("是/否", "Y/N")]
    assert '"结果(是/否)"' in plans[0]
    assert '"结果(Y/N)"' in plans[1]
    assert json.loads(plans[0])[0]["block_id"] != json.loads(plans[1])[0]["block_id"]


@pytest.mark.parametrize(
    "said", ["Risks: late vendor - second source, fire - insurance", "Call it Phase 1 - draft", "2024 - 2026 budget"]
)
def test_dashes_that_open_no_list_stay(said: str) -> None:
    assert open_dashes(said) == said
