"""A bid against a requirement: values, ranges, grades, standards and negations decide, words alone never comply."""

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.bids import compare_bid, find_requirements


def judge(asked: str, said: str) -> str:
    tender = [TextPiece("p1", f"★1.1 {asked}")]
    bid = [TextPiece("p1", "某项目投标文件"), TextPiece("p2", f"1.1 {said}")]
    (answer,) = compare_bid(find_requirements(tender), bid)
    return answer.status


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("投标人须具有市政公用工程施工总承包一级资质。", "我公司具有市政公用工程施工总承包二级资质。"),
        ("供应商应具备测绘乙级及以上资质。", "我司具备测绘丙级资质。"),
        ("项目负责人须具有高级工程师职称。", "项目负责人具有中级工程师职称。"),
        ("信用等级须为AAA级，信用等级证书有效。", "信用等级为AA级，信用等级证书附后。"),
        ("投标人须具有安全生产许可证。", "我公司没有安全生产许可证。"),
        ("设备支持断电保护功能。", "设备不支持断电保护功能。"),
        ("投标人须取得质量管理体系认证证书。", "质量管理体系认证证书尚未取得。"),
        ("通过ISO9001质量管理体系认证。", "通过ISO14001环境管理体系认证。"),
        ("焊缝质量符合GB50205验收规范。", "焊缝质量符合GB50300验收规范。"),
        ("外壳防护达到IP65。", "外壳防护达到IP54。"),
        ("设备工作温度范围-20℃~60℃。", "设备工作温度范围-10℃~60℃。"),
        ("设备工作温度零下30℃至50℃。", "设备工作温度-20℃至50℃。"),
        ("供电电压范围180V~240V。", "供电电压范围200V-240V。"),
        ("合同签订后60日内交货。", "合同签订后75日内交货。"),
        ("交货期不超过2周。", "交货期为20天。"),
        ("故障响应时间不超过1小时。", "故障响应时间90分钟。"),
        ("质保期不少于2年。", "质保期18个月。"),
        ("投标有效期90天。", "投标有效期60天。"),
        ("注册资本5000万元以上。", "注册资本3000万元。"),
        ("管材重量不少于1.5吨。", "管材重量1200kg。"),
        ("投标保证金不少于5万元。", "投标保证金40000元。"),
        ("保证金应于2026年3月20日前缴纳。", "保证金已于2026年3月25日缴纳。"),
        ("The warranty shall be at least 24 months.", "The warranty is 12 months."),
        ("The device supports remote restart.", "The device does not support remote restart."),
    ],
)
def test_a_plain_failure_deviates(asked: str, said: str) -> None:
    assert judge(asked, said) == "partial"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("投标人须具有市政公用工程施工总承包一级资质。", "我公司具有市政公用工程施工总承包一级资质。"),
        ("供应商应具备测绘乙级及以上资质。", "我司具备测绘甲级资质。"),
        ("通过ISO9001质量管理体系认证。", "我司已通过ISO9001质量管理体系认证，证书附后。"),
        ("设备工作温度范围-20℃~60℃。", "设备工作温度范围-25℃~65℃。"),
        ("合同签订后60日内交货。", "合同签订后45天内交货。"),
        ("交货期不超过2周。", "交货期为10天。"),
        ("故障响应时间不超过1小时。", "故障响应时间30分钟。"),
        ("质保期不少于2年。", "质保期36个月。"),
        ("质保期不少于24个月。", "我方承诺质保期不少于36个月。"),
        ("注册资本5000万元以上。", "注册资本1.2亿元。"),
        ("系统可用性不低于99.9%。", "系统可用性达到99.95%。"),
        ("支持IPv6。", "设备支持IPv6。"),
        ("注册资金不低于人民币800万元。", "注册资金为1,000万元。"),
        ("The warranty shall be at least 24 months.", "The warranty shall be 3 years."),
        ("外壳防护达到IP65。", "外壳防护达到IP65，附报告。"),
    ],
)
def test_what_the_values_prove_complies(asked: str, said: str) -> None:
    assert judge(asked, said) == "comply"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("投标人须具有安全生产许可证。", "我公司具有安全生产许可证。"),
        ("投标人须具有独立法人资格。", "我方为独立法人，营业执照附后。"),
        ("质保期不少于24个月。", "质保期完全响应招标文件。"),
        ("质保期不少于24个月。", "质保期不少于24个月。"),
        ("投标人近三年无重大违法记录。", "我公司近三年无重大违法记录。"),
        ("建筑工程施工总承包一级资质。", "市政公用工程施工总承包一级资质。"),
        ("网络安全等保三级测评。", "网络安全等保二级测评。"),
        ("投标人须取得质量管理体系认证证书。", "质量管理体系认证证书正在办理。"),
        ("交货期不超过10个工作日。", "交货期为12天。"),
        ("符合GB50300-2013验收标准。", "符合GB50300验收标准。"),
        ("具有一级资质和类似业绩。", "我公司具有一级资质。"),
        ("付款期限30天。", "付款期限45天。"),
        ("项目经理须有5年以上经验。", "公司有20年经验，项目经理业务熟练。"),
    ],
)
def test_words_alone_or_what_cannot_be_compared_is_left_to_a_person(asked: str, said: str) -> None:
    assert judge(asked, said) == "unsure"


def test_the_row_of_a_table_answers_with_the_cells_behind_the_requirement_that_it_quotes() -> None:
    tender = [TextPiece("p1", "2.1 质保期不少于24个月。"), TextPiece("p2", "2.2 交货期不超过30天。")]
    rows = (("序号", "招标要求", "投标响应"), ("1", "质保期不少于24个月", "12个月"), ("2", "交货期不超过30天", "25天"))
    bid = [TextPiece(f"t1.r{r}.c{c}", word, "cell") for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1)]
    answers = compare_bid(find_requirements(tender), bid)
    assert [(one.status, one.piece.text if one.piece else "") for one in answers] == [
        ("partial", "12个月"),
        ("comply", "25天"),
    ]


def test_a_bid_that_contradicts_itself_is_left_to_a_person() -> None:
    tender = [TextPiece("p1", "★响应时间不超过4小时。")]
    bid = [TextPiece("p1", "现场响应时间3小时。"), TextPiece("p2", "现场响应时间6小时。")]
    (answer,) = compare_bid(find_requirements(tender), bid)
    assert answer.status in ("unsure", "partial")


def test_how_long_a_bid_stands_and_the_deposit_are_requirements_without_a_number() -> None:
    lines = ("投标有效期：自开标之日起90日。", "投标保证金：人民币5万元。", "本项目不接受联合体。")
    found = find_requirements(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1))
    assert [one.text for one in found] == list(lines[:2])


def compare_lines(asked: str, *lines: str) -> tuple[str, str]:
    tender = [TextPiece("p1", f"★1.1 {asked}")]
    bid = [TextPiece(f"p{at}", line) for at, line in enumerate(("某项目投标文件", *lines), 1)]
    (answer,) = compare_bid(find_requirements(tender), bid)
    return answer.status, answer.reason


@pytest.mark.parametrize(
    ("asked", "said", "words"),
    [
        ("须具有建筑工程施工总承包二级及以上资质。", "我公司的合作单位具有建筑工程施工总承包一级资质。", "合作单位"),
        ("须具有建筑工程施工总承包二级及以上资质。", "母公司具有建筑工程施工总承包一级资质。", "母公司"),
        ("项目经理须具有一级建造师。", "项目副经理具有一级建造师。", "副"),
        ("须具有ISO9001认证。", "曾具有ISO9001认证。", "曾"),
        ("须具有ISO9001认证。", "申请了ISO9001认证。", "申请"),
        ("须具有一级建造师。", "承诺中标后取得一级建造师。", "中标后"),
        ("支持IPv6。", "后续版本支持IPv6。", "后续版本"),
        ("The bidder has ISO 27001 certification.", "The bidder seeks ISO 27001 certification.", "seeks"),
        ("产品须为国产设备，质保3年。", "产品为进口设备，质保3年。", "进口"),
        ("项目经理1名，专职。", "项目经理1名，兼职。", "兼职"),
        ("质保期内免费维修，质保期3年。", "质保期内收费维修，质保期3年。", "收费"),
        ("免费质保期不少于3年。", "质保期3年，第一年免费。", "第一年"),
        ("安装人员不少于5人，须持证。", "安装人员5人，2人持证。", "2人"),
        ("设备接口采用USB3.0。", "设备接口采用USB2.0，USB3.0需另购。", "USB2.0"),
        ("防水等级IP67。", "防水等级IP65（IP67选配）。", "IP65"),
        ("每月巡检1次。", "每季度巡检1次。", "季度"),
        ("使用寿命不少于10年。", "设计使用寿命10年，实测8年。", "设计"),
        ("质保期不少于3年。", "质保期3年，其中电池质保1年。", "中电池"),
        ("质保期不少于2年。", "质保期可达2年。", "可"),
        ("质保期不少于3年。", "质保期最长3年。", "最长"),
        ("质保期不少于3年。", "质保期原则上3年。", "原则上"),
        ("质保期不少于3年。", "质保期3年（需另行付费）。", "需另行付费"),
        ("交货期不超过30天。", "交货期预计30天左右。", "预计"),
        ("交货期不超过30天。", "交货期30天，节假日顺延。", "节假日顺延"),
        ("须通过ISO9001认证，证书在有效期内。", "已通过ISO9001认证，证书有效期至2020年1月。", "2020年1月"),
    ],
)  # fmt: skip
def test_words_beyond_the_requirement_are_quoted_and_left_to_a_person(asked: str, said: str, words: str) -> None:
    tender = [TextPiece("p1", f"★1.1 {asked}")]
    bid = [TextPiece("p1", "某项目投标文件"), TextPiece("p2", f"1.1 {said}")]
    (answer,) = compare_bid(find_requirements(tender), bid)
    assert (answer.status, answer.reason) == ("unsure", "beyond")
    assert words in answer.words


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("工期不超过180日历天。", "工期150天。"),
        ("信用等级AA级及以上。", "信用等级AAA级。"),
        ("误差不超过±0.5%。", "误差±0.3%。"),
        ("质保期不少于2年。", "质保期：自验收合格之日起两年。"),
        ("交货期不超过30天。", "交货期：合同签订后20天。"),
        ("项目经理须具有一级建造师。", "项目经理李建国，具有一级建造师，证书附后。"),
        ("提供操作培训不少于2次。", "提供操作培训3次，每次半天。"),
    ],
)
def test_a_short_answer_and_what_is_said_by_custom_comply(asked: str, said: str) -> None:
    assert judge(asked, said) == "comply"


def test_a_short_line_with_the_same_number_is_found() -> None:
    assert judge("投标有效期为递交投标文件截止之日起90日历天。", "投标有效期为60日历天。") == "partial"


def test_all_lines_that_speak_of_the_same_agree_or_a_person_decides() -> None:
    tender = [TextPiece("p1", "★1.1 质保期不少于3年。")]
    lines = ("某项目投标文件", "1.1 质保期3年。", "5.6 质保期1年。")
    bid = [TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1)]
    (answer,) = compare_bid(find_requirements(tender), bid)
    assert (answer.status, answer.reason) == ("unsure", "conflict")
    assert answer.piece is not None
    assert answer.other is not None
    assert (answer.piece.line, answer.other.line) == lines[1:]


def test_a_line_that_quotes_the_requirement_is_no_answer_by_itself() -> None:
    asked = "质保期不少于3年。"
    assert compare_lines(asked, "1.1 质保期不少于3年。……12", "质保期2年。") == ("partial", "quantity")
    assert compare_lines(asked, "1.1 针对“质保期不少于3年”，我方仅能提供2年。") == ("partial", "quantity")


def test_a_row_may_quote_the_requirement_behind_its_answer() -> None:
    tender = [TextPiece("p1", "1.1 质保期不少于3年。")]
    for words, status in (("质保期1年", "partial"), ("质保期不少于3年", "unsure")):
        bid = [TextPiece("t1.r2.c1", words, "cell"), TextPiece("t1.r2.c2", "质保期不少于3年。", "cell")]
        (answer,) = compare_bid(find_requirements(tender), bid)
        assert answer.status == status


@pytest.mark.parametrize(
    ("asked", "said", "status"),
    [
        ("内存不低于16GB。", "内存32GB。", "comply"),
        ("内存不低于16GB。", "内存8GB。", "partial"),
        ("前端摄像机不少于20台。", "前端摄像机18台。", "partial"),
        ("等保测评不少于2次。", "等保测评3次。", "comply"),
        ("响应时间不超过30分钟，到场时间不超过2小时。", "响应时间30分钟，到场时间2小时。", "comply"),
        ("响应时间不超过30分钟，到场时间不超过2小时。", "响应时间2小时，到场时间30分钟。", "partial"),
    ],
)
def test_a_particle_within_a_noun_is_a_part_of_it(asked: str, said: str, status: str) -> None:
    assert judge(asked, said) == status


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("中标后30日内交货。", "中标后30日后交货。"),
        ("合同签订后30日内交货。", "合同签订30日之后交货。"),
        ("须于2026年3月20日前到账。", "于2026年3月20日后到账。"),
        ("Delivery within 30 days.", "Delivery after 30 days."),
    ],
)
def test_after_a_limit_is_not_within_it(asked: str, said: str) -> None:
    assert judge(asked, said) != "comply"


@pytest.mark.parametrize(
    "said",
    [
        "质保期3年，设用户违规使用则作废。",
        "质保期3年，配件自理。",
        "质保期3年，分三年续签。",
        "质保期3年，免费服务终止于付款逾期。",
        "质保期3年，免费维修一次。",
        "质保期3年，均归用户承担。",
    ],
)
def test_a_further_clause_that_may_take_something_back_is_left_to_a_person(said: str) -> None:
    assert judge("质保期不少于3年。", said) == "unsure"


@pytest.mark.parametrize(
    "said", ["质保期3年，免费上门服务。", "质保期3年，配专职工程师。", "质保期3年，设24小时值班电话。"]
)
def test_a_further_clause_that_only_gives_takes_nothing_back(said: str) -> None:
    assert judge("质保期不少于3年。", said) == "comply"


@pytest.mark.parametrize(
    ("asked", "said", "status"),
    [
        ("投标报价不超过100万元。", "投标报价98万元（不含税）。", "unsure"),
        ("投标报价不超过100万元（含税）。", "投标报价98万元（不含税）。", "partial"),
        ("投标报价不超过100万元（不含税）。", "投标报价98万元（不含税）。", "comply"),
        ("报价不超过50万元。", "报价45万元，不包括运费。", "unsure"),
    ],
)
def test_what_is_excluded_denies_only_what_was_asked_for(asked: str, said: str, status: str) -> None:
    assert judge(asked, said) == status


@pytest.mark.parametrize(
    ("asked", "said", "status"),
    [
        ("质保期不少于3年。", "质保期：原厂1年+延保2年。", "unsure"),
        ("质保期不少于3年。", "质保期1+2年。", "unsure"),
        ("质保期不少于3年。", "质保期1年，另赠2年。", "unsure"),
        ("质保期不少于3年。", "质保期1年，延保1年。", "partial"),
        ("内存不低于16GB。", "内存8GB+8GB。", "unsure"),
        ("交货期不超过30天。", "交货期为生产20天+运输15天。", "unsure"),
    ],
)
def test_values_that_are_added_up_are_quoted_and_never_decide_alone(asked: str, said: str, status: str) -> None:
    assert judge(asked, said) == status


@pytest.mark.parametrize(
    ("asked", "said", "status"),
    [
        ("交货期不超过90天。", "交货期4个月。", "partial"),
        ("交货期不超过90天。", "交货期2个月。", "comply"),
        ("交货期不超过90天。", "交货期3个月。", "unsure"),
        ("质保期不少于3个月。", "质保期100天。", "comply"),
        ("硬盘不低于1TB。", "硬盘500GB。", "partial"),
        ("硬盘不低于1TB。", "硬盘1000GB。", "unsure"),
        ("测量精度不低于±0.5%。", "测量精度±0.8%。", "unsure"),
        ("误差不大于0.5%。", "误差不大于0.3%。", "comply"),
    ],
)
def test_units_of_two_kinds_decide_where_no_reading_of_them_says_otherwise(asked: str, said: str, status: str) -> None:
    assert judge(asked, said) == status


def lay_out(table: str, *rows: tuple[str, ...]) -> list[TextPiece]:
    return [
        TextPiece(f"{table}.r{r}.c{c}", word, "cell") for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1)
    ]


def test_answering_in_time_is_not_being_there_in_time() -> None:
    tender = [TextPiece("p1", "★1.1 接到报修2小时内到场。")]
    bid = lay_out("t1", ("序号", "招标要求", "投标响应"), ("1.1", "接到报修2小时内到场", "我方2小时内响应"))
    (answer,) = compare_bid(find_requirements(tender), bid)
    assert (answer.status, answer.words) == ("unsure", "响应")
    assert judge("接到报修2小时内到场。", "我方响应。") == "unsure"


def test_rows_of_a_table_with_requirements_are_requirements_and_scores_are_none() -> None:
    asked = lay_out(
        "t1",
        ("序号", "名称", "技术要求", "数量"),
        ("1", "服务器", "内存不低于64GB", "2台"),
        ("2", "★质保", "不少于3年", ""),
    )
    scores = lay_out("t2", ("序号", "评分项", "评分要求", "分值"), ("1", "业绩", "每个得2分", "10"))
    found = list(find_requirements([*asked, *scores]))
    assert [(one.label, one.text, one.is_starred) for one in found] == [
        ("1", "服务器：内存不低于64GB", False),
        ("2", "质保：不少于3年", True),
    ]


@pytest.mark.parametrize(
    ("asked", "said", "status"),
    [
        ("The contract shall run for 24 months.", "The contract runs for 24 months.", "comply"),
        ("The supplier must hold an ISO 22000 certificate.", "We hold an ISO 22000 certificate.", "comply"),
        ("The supplier must deliver within 10 days.", "We deliver within 10 days.", "comply"),
        ("The supplier must deliver within 10 days.", "We deliver within 14 days.", "partial"),
        (
            "The supplier must hold an ISO 22000 certificate.",
            "Our subcontractor holds an ISO 22000 certificate.",
            "unsure",
        ),
        (
            "The supplier must hold an ISO 22000 certificate.",
            "We will hold an ISO 22000 certificate next year.",
            "unsure",
        ),
        ("The supplier shall repair faults within 4 hours.", "We should repair faults within 4 hours.", "unsure"),
        ("无线接入点不少于260个。", "本项目共部署无线接入点272个。", "unsure"),
        ("质保期不少于36个月。", "整体质保期三年。", "comply"),
        ("质保期不少于36个月。", "主要部件质保期三年。", "unsure"),
    ],
)
def test_parties_and_modals_ask_for_nothing_by_themselves(asked: str, said: str, status: str) -> None:
    requirements = find_requirements([TextPiece("p0", "招标文件 Tender"), TextPiece("p1", f"1. {asked}")])
    (answer,) = compare_bid(requirements, [TextPiece("p0", "投标文件 Bid"), TextPiece("p1", said)])
    assert answer.status == status
