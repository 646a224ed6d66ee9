"""Reviews of contracts, sheets, exams and official documents: what they say, propose and leave alone."""

from datetime import date
from decimal import Decimal

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import TASKS, PageMeasures, Proposal, Reading, SheetCell, SheetCells, propose
from metier.packs.office.analysis._amounts import to_formal_amount
from metier.packs.office.plan import PLAN_VERSION, load_plan
from metier.patterns import read_chinese_integer

TODAY = date(2026, 3, 4)


def text_of(name: str, *lines: str) -> Reading:
    return Reading(name, "docx", tuple(TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)))


CONTRACT = text_of(
    "合同.docx",
    "采购合同",
    "甲方：远航设计有限公司",
    "乙方：恒木家具有限公司",
    "第一条 标的：办公桌50张，质量符合国家标准，2026年5月1日前送至甲方。",
    "第二条 总价人民币100,000元（大写：壹拾万元整）。",
    "第三条 甲方支付定金30,000元。",
    "第四条 违约责任：逾期的，每日按总价的1%支付违约金。",
    "第五条 争议由甲方所在地人民法院管辖，详见第九条。",
)


def test_amounts_in_words_and_figures_say_the_same() -> None:
    words = {"320000": "叁拾贰万元整", "6500.5": "陆仟伍佰元伍角整", "1000001": "壹佰万零壹元整"}
    assert {figure: to_formal_amount(Decimal(figure)) for figure in words} == words
    assert [read_chinese_integer(text) for text in ("壹佰贰拾陆万", "二十五", "一亿二千万", "元")] == [
        1_260_000,
        25,
        120_000_000,
        None,
    ]


def test_a_contract_comes_back_with_comments_and_redlines_and_never_says_there_is_no_risk() -> None:
    made = propose("contract-review", CONTRACT, today=TODAY, language="zh")
    assert [finding["rule"] for finding in made.findings] == [
        "deposit_over_20",
        "penalty_daily_high",
        "dead_reference",
    ]
    assert [action["op"] for action in made.actions] == ["add_comment"] * 3
    lines = [piece.text.replace("支付定金30,000元", "按总价的30%支付定金") for piece in CONTRACT.pieces]
    redlined = propose("contract-review", text_of("c", *lines), today=TODAY, language="zh").actions[0]
    assert (redlined["op"], redlined["track"]) == ("replace_text", True)
    assert "第586条" in str(made.actions[0]["text"])
    clean = propose(
        "contract-review", text_of("b", *[piece.text for piece in CONTRACT.pieces[:5]]), today=TODAY, language="zh"
    )
    for text in (made.summary, clean.summary):
        assert "没有风险" not in text
        assert "无风险" not in text
        assert "定金不超过" in text


ENGLISH_CONTRACT = (
    "Service Agreement",
    "This Agreement is made between Brightwater Ltd and Northgate LLC.",
    "1. Services",
    "The Provider delivers monthly reports. The fee is GBP 4,000 per month. Article 28 GDPR applies.",
    "2. Payment",
    "40% is due on signing and 70% is payable upon delivery. A late fee of 5% per day applies.",
    "3. Term",
    "The term begins on 1 March 2026 and ends on February 28, 2025. See clause 14 and Section 2.",
    "4. Law",
    "A dispute shall be settled by arbitration in London or brought before the courts of Leeds.",
    "Signature: ____________",
)


def test_a_contract_in_english_is_judged_by_its_own_words_and_not_by_rules_for_chinese_ones() -> None:
    for language in ("en", "zh"):
        made = propose("contract-review", text_of("a", *ENGLISH_CONTRACT), today=TODAY, language=language)
        assert [finding["rule"] for finding in made.findings] == [
            "payments_not_100",
            "late_rate_high",
            "dead_reference",
            "term_reversed",
            "arbitration_and_court",
        ]
        assert "470" not in str(made.tables), "no article of Chinese law"
        assert ("were not applied" if language == "en" else "没有套用") in made.summary


def test_instalments_in_english_are_added_up_whatever_says_when_they_are_due() -> None:
    pays = "2. Party A pays 60% before 5 January 2026 and 50% afterwards."
    found = propose("contract-review", text_of("c.docx", "Contract", pays), today=TODAY, language="en")
    assert "110" in str(found)


def test_a_sound_contract_in_english_has_no_findings() -> None:
    sound = (
        "40% is due on signing and 60% is payable upon delivery. Interest of 8% per year runs on late payment.",
        "The term runs from 1 March 2026 to 28 February 2027. Section 230 of the Act stays. Clause 2 holds.",
        "Disputes go to arbitration; an award may be enforced in any court, and either side may seek interim relief.",
        "The Client bears 50% of the costs and 20% of the taxes due.",
    )
    lines = [*ENGLISH_CONTRACT[:2], *(f"{number}. {text}" for number, text in enumerate(sound, 1))]
    made = propose("contract-review", text_of("a", *lines), today=TODAY, language="en")
    assert [finding["rule"] for finding in made.findings] == []


def test_a_document_of_the_wrong_kind_is_told_and_nothing_is_prepared() -> None:
    told = [
        propose("finance-audit", CONTRACT, today=TODAY, language="zh"),
        propose("contract-review", text_of("a", "今天天气很好。"), today=TODAY, language="zh"),
        propose("meeting-minutes", text_of("a", "今天天气很好。"), today=TODAY, language="zh"),
        propose("bidding-helper", text_of("a", "★1.1 具有建筑资质。"), today=TODAY, language="zh"),
        propose("exam-answering", text_of("a", "1. 叶是（　）", "A. 根", "B. 器官"), today=TODAY, language="zh"),
    ]
    assert [(bool(one.question), one.actions) for one in told] == [(True, ())] * len(told)


def test_a_page_is_measured_against_the_norm_and_the_levels_are_written_as_it_says() -> None:
    page = PageMeasures(210, 297, 25.4, 25.4, 31.8, 31.8)
    lines = text_of("通知", "关于检查的通知", "1、范围", "(1)系统", "2、内容")
    made = propose("policy-format", Reading("通知", "docx", lines.pieces, page=page), today=TODAY, language="zh")
    rules = [finding["rule"] for finding in made.findings]
    assert rules[:2] == ["page_margins", "page_grid"]
    assert [action.get("replace_text") for action in made.actions if action["op"] == "replace_text"] == [
        "一、",
        "（一）",
        "二、",
    ]
    good = PageMeasures(210, 297, 37, 35, 28, 26, 22, 28)
    right = propose("policy-format", Reading("通知", "docx", lines.pieces[:1], page=good), today=TODAY, language="zh")
    assert right.findings == ()


def _plan_of(made: Proposal) -> JsonObject:
    actions: list[JsonValue] = [*made.actions]
    return {"schema_version": PLAN_VERSION, "host_app": made.host, "meta": {"skill": made.task}, "actions": actions}


def test_every_task_gives_a_plan_that_loads_in_both_languages() -> None:
    sheet = SheetCells(
        "账",
        (
            *(SheetCell(f"{letter}1", name) for letter, name in zip("AB", ("月份", "金额"), strict=True)),
            *(SheetCell(f"A{row}", f"{row}月") for row in range(2, 6)),
            *(SheetCell(f"B{row}", row * 10.0) for row in range(2, 6)),
            SheetCell("A6", "合计"),
            SheetCell("B6", None, "SUM(B2:B4)"),
        ),
    )
    book = Reading("账.xlsx", "xlsx", sheets=(sheet,))
    problems = []
    for task in TASKS:
        for reading in (CONTRACT, book):
            for language in ("zh", "en"):
                made = propose(task, reading, message="把“甲方”改成“买方”", today=TODAY, language=language)
                loaded = load_plan(_plan_of(made), host=made.host) if made.actions else None
                if not made.summary or (loaded is not None and (loaded.problems or loaded.repairs)):
                    problems.append((task, reading.name, language, loaded))
    assert problems == []


def test_a_short_column_of_totals_shows_its_broken_row_and_its_typed_one() -> None:
    rows: list[tuple[str | int, ...]] = [
        ("科目", "一季度", "二季度", "合计"),
        ("人工", 1, 2, "=SUM(B2:C2)"),
        ("材料", 1, 2, "=SUM(B3:C3)"),
        ("差旅", 1, 2, "=SUM(B4:B4)"),
        ("其他", 1, 2, 25),
    ]
    cells = tuple(
        SheetCell(f"{'ABCD'[column]}{number}", None if str(value).startswith("=") else value, _formula(value))
        for number, row in enumerate(rows, 1)
        for column, value in enumerate(row)
    )
    made = propose(
        "finance-audit",
        Reading("预算", "xlsx", sheets=(SheetCells("预算", cells),)),
        today=TODAY,
        language="zh",
    )
    assert {(one["rule"], one["address"]) for one in made.findings} == {
        ("inconsistent_formula", "预算!D4"),
        ("constant_among_formulas", "预算!D5"),
    }


def _formula(value: object) -> str:
    return str(value) if str(value).startswith("=") else ""


def test_a_share_is_rewritten_only_where_nothing_else_hangs_on_it() -> None:
    head = ("采购合同", "甲方：远航设计有限公司", "乙方：恒木家具有限公司", "第一条 标的：办公桌50张。")
    lines = {
        "第二条 甲方支付合同总价30%的定金。": ("20%",),
        "第二条 甲方支付合同总价30%作为定金，即30,000元。": (None,),
        "第二条 甲方支付定金30,000元，即合同总价的30%。": (None,),
        "第二条 甲方支付合同总价30%作为定金；验收后支付合同总价的70%。": (None,),
        "第二条 乙方支付定金30,000元，为年租金的30%。": (),
    }
    found = {}
    for line in lines:
        made = propose("contract-review", text_of("a", *head, line), today=TODAY, language="zh")
        found[line] = tuple(
            next((action.get("replace_text") for action in made.actions if action["address"] == "p5"), None)
            for finding in made.findings
            if finding["rule"] == "deposit_over_20"
        )
    assert found == lines


def test_a_finding_over_several_lines_is_marked_with_words_of_its_own_line_and_a_missing_annex_is_told() -> None:
    lines = (
        "采购合同",
        "甲方：远航设计有限公司",
        "第一条 付款",
        "签约后支付30%。",
        "验收后支付60%。",
        "质保期满支付5%。",
    )
    made = propose(
        "contract-review", text_of("a", *lines, "第二条 规格详见附件三。", "附件一：规格"), today=TODAY, language="zh"
    )
    marks = {action["address"]: action.get("anchor_text") for action in made.actions}
    assert (marks["p4"], marks["p7"]) == ("30%", "附件三")


def test_headings_are_changed_at_their_places_and_not_in_a_block() -> None:
    headed = Reading("a", "docx", (TextPiece("p1", "总则", "heading", 1),))
    (action,) = propose("doc-formatter", headed, today=TODAY, language="zh").actions
    assert action["op"] == "normalize_headings"


def test_a_term_that_ends_before_it_begins_is_told() -> None:
    head = ("租赁合同", "甲方：云栖物业有限公司", "第一条 租期自2026年12月1日起至{end}止。")
    found = {}
    for end in ("2025年11月30日", "2028年11月30日"):
        made = propose("contract-review", text_of("a", *head[:2], head[2].format(end=end)), today=TODAY, language="zh")
        found[end] = "term_reversed" in {finding["rule"] for finding in made.findings}
    assert found == {"2025年11月30日": True, "2028年11月30日": False}


def test_formatting_without_headings_asks_and_the_sheet_of_an_earlier_audit_is_not_audited() -> None:
    asked = propose("doc-formatter", text_of("a", "各部门：", "年会定于12月举行。"), today=TODAY, language="zh")
    assert (asked.actions, "哪一项格式" in asked.question) == ((), True)
    values: tuple[str | int, ...] = ("金额", 1, "2", 3)
    ledger = SheetCells("一月", tuple(SheetCell(f"A{row}", value) for row, value in enumerate(values, 1)))
    own = SheetCells("核查结果", (SheetCell("A1", "单元格"), SheetCell("A2", None, "=1/0")))
    made = propose("finance-audit", Reading("台账", "xlsx", sheets=(ledger, own)), today=TODAY, language="en")
    assert {finding["address"] for finding in made.findings} <= {"一月!A3"}


def test_a_chart_is_of_the_kind_that_was_asked_for_or_the_reason_is_told() -> None:
    rows: tuple[tuple[str, str | int], ...] = (("部门", "金额"), ("销售", 10), ("财务", 20), ("销售", 30))
    cells = tuple(
        SheetCell(f"{'AB'[column]}{at}", value) for at, row in enumerate(rows, 1) for column, value in enumerate(row)
    )
    reading = Reading("a.xlsx", "xlsx", sheets=(SheetCells("表", cells),))
    asked = ("把金额画成饼图", "各部门的金额占比图")
    pie, shares = (propose("et-visualizer", reading, message=words, today=TODAY, language="zh") for words in asked)
    assert "饼图" in str(pie.tables)
    assert (shares.actions, "先按部门汇总" in shares.summary) == ((), True)


def test_a_deposit_is_compared_with_a_price_that_is_called_otherwise() -> None:
    lines = (
        "食材供应合同",
        "甲方：阳光小学",
        "乙方：绿源公司",
        "一、货款每月结算，全年预计306,000元。",
        "二、乙方缴纳定金100,000元。",
    )
    for deposit, is_high in (("100,000", True), ("50,000", False)):
        made = propose(
            "contract-review",
            text_of("c", *(line.replace("100,000", deposit) for line in lines)),
            today=TODAY,
            language="zh",
        )
        assert ("deposit_over_20" in [finding["rule"] for finding in made.findings]) is is_high
