"""Messages about one text are read word by word, in whatever order and words; a demand more is asked about."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_rows, list_steps


def _texts(request_: str) -> list[str]:
    draft = draft_plan(request_, host="wps", language=language_of(request_))
    assert draft.plan is not None, draft.question
    steps = list_steps(draft.plan)
    cells = [cell for one in steps for row in list_rows(one) for cell in row]
    return [*(str(one.get("text", "")) for one in steps), *cells]


@pytest.mark.parametrize(
    ("request_text", "written"),
    [
        (
            "做个纪要模板放在全文最后，标题“安委会会议纪要”。按会议时间、会议地点、议定事项的顺序各起一个标题，正文空着。",
            ["# 安委会会议纪要", "## 会议时间", "## 会议地点", "## 议定事项"],
        ),
        (
            "写一份工程例会纪要的模板，要有参建单位、进度情况、质量安全。",
            ["# 工程例会纪要", "## 参建单位", "## 进度情况", "## 质量安全"],
        ),
        (
            "文末加个“项目评审会纪要”，下面留出评审专家、评审意见、整改要求三项给大家填。",
            ["# 项目评审会纪要", "## 评审专家", "## 评审意见", "## 整改要求"],
        ),
        (
            "What I need is a blank minutes template at the end: Chair, Apologies, Topics, Decisions.",
            ["# Meeting minutes", "## Apologies", "## Topics", "## Decisions"],
        ),
        (
            "新写一份护理周报，标题艺术字显示“护理周报”，三大部分为护理质量、不良事件、下周重点，每部分都有自己的标题。",
            ["护理周报", "## 护理质量", "## 不良事件", "## 下周重点"],
        ),
        (
            'Draft a weekly report: word art title "Team Status", then sections Highlights, Risks and Next Steps.',
            ["Team Status", "## Highlights", "## Risks", "## Next Steps"],
        ),
        (
            "I need the quarter boiled down to three bullets: revenue up 12 percent; two hires made; lease renewed.",
            ["# Summary", "revenue up 12 percent\ntwo hires made\nlease renewed"],
        ),
        (
            "我要的是三点式小结：第一，任务完成；第二，问题已整改；第三，经验已推广。",
            ["# 总结", "1. 任务完成\n2. 问题已整改\n3. 经验已推广"],
        ),
        (
            "附上一个附录，标题是“附录A 设备清单”，下面编上号列出服务器、交换机、防火墙，一行一个，放在文末。",
            ["# 附录A 设备清单", "1. 服务器\n2. 交换机\n3. 防火墙"],
        ),
        (
            'Append "Appendix B - Equipment" at the end and number the items below it: Laptop, Projector, Screen.',
            ["# Appendix B - Equipment", "1. Laptop\n2. Projector\n3. Screen"],
        ),
        ("图还没画好，先占个位，标上“图8 设备接线图”。", ["［图片占位］", "图8 设备接线图"]),
        (
            'We don\'t have the photo yet, so put a placeholder in with "Figure 1 Site View" under it.',
            ["[Picture placeholder]", "Figure 1 Site View"],
        ),
        (
            "写个加粗标题“联系方式”，换行写“电话：8888666”，再换行写“地址：人民路1号”。",
            ["# 联系方式", "电话：8888666\n地址：人民路1号"],
        ),
        ("打开文档第一眼就要看到横幅“消防安全 重于泰山”，所以请放在文档最开头。", ["消防安全 重于泰山"]),
    ],
)
def test_a_message_about_one_text_is_written_in_whatever_words(request_text: str, written: list[str]) -> None:
    texts = _texts(request_text)
    assert [one for one in written if one not in texts] == []


def test_an_outline_has_the_levels_that_are_said() -> None:
    request_ = "帮忙做个三级标题结构的提纲，题目写“智慧水务建设方案”，标题带编号，正文不用写。"
    levels = {one.split(" ")[0] for one in _texts(request_) if one.startswith("#")}
    assert levels == {"#", "##", "###"}


@pytest.mark.parametrize(
    "request_text",
    [
        "在文末写一份会议纪要模板，包括时间、地点、议题，每项下面写两句示例。",
        "在文末写两份会议纪要模板，包括时间、地点、议题。",
        "在文末写一份会议纪要模板，四个部分：时间、地点、议题。",
        "在文末加会议纪要模板，时间、地点、议题，议题要放在最前面。",
        "生成一份周报，艺术字标题“项目周报”，艺术字用红色，分本周工作、存在问题、下周计划。",
        "生成一份周报，不要艺术字，标题“项目周报”，分本周工作、存在问题、下周计划。",
        "生成一份四级大纲，主题为“智慧园区”。",
        "生成一份三级大纲，主题为“智慧园区”，不要编号。",
        "生成一份三级大纲，主题为“智慧园区”和“智慧城市”。",
        "在文档开头插入横幅“安全生产”，绿色的。",
        "在文档开头插入横幅“安全生产”，在结尾再来一条。",
        "写三点总结：营收增长；成本持平；新开门店，第二点加粗。",
        "三点总结：成本下降；收入上升；风险可控，写成一段话",
        "在文末添加附录“附录一 资料清单”，列出执照、证书、报表，不要编号。",
        "在文末另起一页添加附录“附录一 资料清单”，编号列出执照、证书、报表。",
        "插入图片占位框，图题“图1 架构”放在图上方。",
        "插入图片占位框，图题“图1 架构”，宽8厘米。",
        "插入加粗标题“背景”，下面三行：“甲方立项。”“年底验收。”",
        "插入加粗标题“背景”，下面两行：“甲方立项。”“年底验收。”也加粗。",
        "插入不加粗的标题“背景”，下面两行：“甲方立项。”“年底验收。”",
        "把标题“背景”加粗，下面加两行：“甲方立项。”“年底验收。”",
        "Add a minutes template at the end with Date, Place and Decisions in alphabetical order.",
        "Add a minutes template at the end with five sections: Date, Place and Decisions.",
        'Set up a weekly report, WordArt "Lab", sections Results, Plans, and mention that Tom is on leave.',
        'Put a banner "Hello" at the top and another at the end.',
        "Write a summary of three points: a rose; b fell; c stayed the same; bold the first.",
        'Add an appendix "Appendix A" at the end with a numbered list of License, Permit and Plan in reverse order.',
        'Insert two picture placeholders with the caption "Figure 1".',
        'Insert a picture placeholder with the caption "Figure 1" above it.',
        'Make the heading "Scope" bold and add the lines "One is here." and "Two is there."',
    ],
)
def test_a_demand_that_the_text_would_not_meet_is_asked_about(request_text: str) -> None:
    draft = draft_plan(request_text, host="wps", language=language_of(request_text))
    assert draft.plan is None, json.dumps(draft.plan, ensure_ascii=False)
