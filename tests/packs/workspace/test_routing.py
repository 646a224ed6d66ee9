"""With the office pack beside it, new files are made here and the user's own documents are changed there."""

from pathlib import Path

from metier.pack import build_pack_glossary, find_installed_packs, pack_skill_roots
from metier.routing import open_router
from metier.settings import Settings
from metier.skills import SkillLibrary


def test_new_files_and_own_documents_are_told_apart(tmp_path: Path) -> None:
    packs = find_installed_packs().select(["office", "workspace"])
    catalog = SkillLibrary(roots=pack_skill_roots(packs)).catalog()
    router = open_router(Settings(storage_dir=tmp_path), glossary=build_pack_glossary(packs))
    cases = {
        "生成 PPT": ("pptx",),
        "把数据转换成xlsx": ("data-analysis",),
        "convert the data to xlsx": ("data-analysis",),
        "分析示例能耗数据": ("data-analysis",),
        "写封辞职信": ("docx",),
        "make slides of it": ("pptx",),
        "存成PDF": ("pdf",),
        "分析这个表": ("data-analysis",),
        "分析这份数据": ("data-analysis",),
        "分析一下这份数据": ("data-analysis",),
        "Analyse this data": ("data-analysis",),
        "按地区汇总金额": ("data-analysis",),
        "用示例提纲生成 PPT": ("pptx",),
        "create presentation.pptx": ("pptx",),
        "把分析结果做成PPT": ("pptx",),
        "生成 Word 文档": ("docx",),
        "生成 PDF": ("pdf",),
        "生成 Excel": ("xlsx",),
        "研究新能源汽车市场趋势，然后做成PPT": ("research", "pptx"),
        "把这份文档做成PPT": ("ppt-creator",),
        "用示例提纲做一份PPT": ("ppt-creator",),
        "make slides from the sample outline": ("ppt-creator",),
        "给这份方案列一个PPT大纲": ("ppt-outline",),
    }
    found = {message: router.route(message, catalog=catalog) for message in cases}
    router.close()
    assert {message: one.skills or (one.skill,) for message, one in found.items()} == cases
