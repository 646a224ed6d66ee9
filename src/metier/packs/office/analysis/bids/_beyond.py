"""What a line of the bid says beyond the requirement: a holder, a hedge, a condition, an exception, another value."""

import re
from collections.abc import Iterator
from typing import Final

from metier.packs.office._request_text import CHINESE
from metier.packs.office.analysis.bids._marks import cut_answered_marks, cut_marks
from metier.packs.office.analysis.bids._quantities import compare_quantities, cut_limits, find_quantities, is_comparable
from metier.packs.office.analysis.meetings._names import is_person_name

__all__ = ["find_beyond"]

_TITLES: Final = (
    "服务|技术|商务|实施|培训|售后|方案|部分|产能|进度|人员|团队|资质|资格|业绩|报价|工期|质保|保修|交货|交付|供货|安装|"
    "调试|验收|质量|安全|设备|硬件|软件|参数|指标|响应|承诺|保障|措施|时间|期限|配置|财务|信誉|认证|组织|管理|施工|项目"
)
# Who answers, that it answers, and where the proof is; every other word may take something back.
_HARMLESS: Final = re.compile(
    r"我公司|我单位|我方|我司|本公司|本单位|投标人|供应商|响应人|投标单位|本项目|本次|本投标|所投(?:产品|设备)?|所供|所提供|"
    r"无条件|完全|全部|均可|严格|按照?(?:招标文件)?要求|招标文件|满足|符合|承诺|保证(?!金)|提供|具有|具备|拥有|持有|取得|获得|通过|"
    r"达到|支持|采用|配备|配置|设有|设置|实现|确保|同意|接受|"
    r"无负偏离|无偏离|正偏离|无差异|优于|人民币|大写|小写|元整|以上|以内|之内|设备|产品|系统|证书|证明(?:材料|文件)?|有效|现有|"
    r"(?:详)?见(?:本)?附件|(?:复印件|扫描件|报告|文件)?附后|附(?:有)?(?:报告|证书|复印件|扫描件)|复印件|扫描件|日历天|自然日|"
    r"(?:(?:详)?见)?(?:投标文件|响应文件)?第\s*\d+\s*页|针对|关于|对于|要求(?=[，,：:])|"
    r"整体|总体|部署|布设|拟派(?:出|驻)?|拟投入|投入|安排|指派|派驻|派出|配有|备有|设立|建立|共计|合计|总计|目前|额定|标称|实际(?=为|达)|经验丰富|[单双]面扫描|"
    rf"^(?:{_TITLES}){{1,3}}[：:]|"
    r"[的了为是在于和与及并且已均也皆其达至有附内]"
)
# That it answers: before or behind all else, for behind a value `响应` is work (`2小时内响应` is not `2小时内到场`).
_ANSWERS: Final = re.compile(
    r"(?:^|(?<=[，,；;。：:\s]))(?:我方|我司|我公司|我单位|投标人|供应商|完全|全部|均|无条件|予以)*响应(?=[，,；;。：:\s]|$|招标|要求|文件|本)"
)
# How often and how long, said in values alone, where the requirement does not say it: `每次半天`.
_DETAIL: Final = re.compile(
    r"(?<=[，,；;])每[次天日周人班](?:半|[一两二三四五六七八九十]|\d+)个?(?:天|小时|课时|班|次|人)(?=[，,；;。]|$)"
)
# Who holds the post that is asked for: `项目经理李强，具有…`.
_HOLDER: Final = re.compile(
    r"(?:经理|负责人|工程师|总监|设计师|主管|组长|主任)([\u4e00-\u9fff]{2,3})(?=[，,；;（(]|具有|具备|持有|持|为|有|先生|女士)"
)
# The day from which a period counts by custom, which gains the bidder nothing.
_STARTS: Final = tuple(
    (re.compile(subject), re.compile(rf"自?(?:{start})(?:之日|之时)?[后起]?(?:计算?)?"))
    for subject, start in (
        ("质保|保修|维保|保质", "(?:设备|项目|系统|货物)?(?:最终)?(?:竣工)?验收合格|(?:竣工|最终)验收"),
        ("工期|交货|交付|供货|到货|完工|服务期", "合同(?:签订|签署|生效)|签订合同|签约"),
        ("响应|到场|到达|现场|修复|维修|故障", "(?:接到|收到)(?:故障|报修|用户|采购人)?(?:通知|报修|电话|报障|请求)"),
        ("有效期", "(?:投标|响应|递交)?(?:文件)?(?:递交)?截止|开标|投标截止"),
    )
)
# A clause that only gives more: `，免费提供备品备件`.
_GIFT: Final = re.compile(
    r"(?<=[，,；;])(?:并|还|同时|且)?(?:免费|赠送|附赠)"
    r"(?:提供|上门|现场|送货|供货|备品|备件|配件|耗材|易耗品|附件|工具|资料|手册|软件|系统|固件|版本|升级|更新|维护|维修|保养|检修|"
    r"巡检|检测|培训|安装|调试|运输|装卸|搬运|技术|支持|咨询|服务|售后|电话|远程|全年|全程|专用|配套|随机|[和与及、的等])+(?=[，,；;。]|$)"
)
# A clause that tells how the answered value is provided: `，均签订劳动合同`, `，分三个片区`, `，设24小时值班电话`.
_HOW: Final = re.compile(
    r"(?<=[，,；;])(?:均已?|分[一二两三四五六七八九十\d]+个?|设(?:有|立|置)?|配(?:有|备)?)"
    r"(?:签订|劳动|合同|社保|持证|上岗|片区|区域|小组|团队|站点|网点|办事处|服务|值班|电话|热线|专线|专[人职]|专业|全职|"
    r"工程师|技术|技师|人员|客服|经理|负责人|联系人|项目|现场|驻场|维修|维护|运维|巡检|售后|备件|仓库|车辆|工具|设备|中心|"
    r"全国|本地|当地|\d|[一二两三四五六七八九十]|小时|[个名人处台套组区班位部支]|的)+(?=[，,；;。]|$)"
)
_IN_REQUIREMENT: Final = re.compile(r"[后前起时上下个全每须应需可]")
_ENGLISH_HARMLESS: Final = re.compile(
    r"an?|the|is|are|has|have|holds?|be|been|shall|will|we|our|us|of|for|in|on|at|and|with|its?|this|that|to|by|"
    r"provide[ds]?|offer(?:s|ed)?|supplier|bidder|contractor|tenderer|complies|comply|fully|meets?|commits?|enclosed|"
    r"attached|see|annex|certificate|product|device|system|equipment"
)
_RUN: Final = re.compile(r"[^\W_]+(?:[ \-.][A-Za-z]+)*")
_NO_LATIN: Final = re.compile(r"[^A-Za-z\d]")
_NO_NUMBER: Final = re.compile(r"[^A-Za-z\d.]|\.(?!\d)")
_ENDING: Final = re.compile(r"(?:ing|ed|es|s)$")
_MAX_QUOTED: Final = 12


def find_beyond(asked: str, said: str) -> str:
    """The first words of an answer that neither the requirement nor the harmless words account for."""
    rest = cut_limits(_cut_answered_values(asked, cut_answered_marks(asked, said)))
    known = set(_list_known(asked, said))
    left = "".join(" " if at in known else letter for at, letter in enumerate(rest))
    match = _RUN.search(left)
    if match is None:
        return ""
    # One letter alone says little: `收费` is quoted and not `收`, `USB2.0` and not `2`.
    start, end = match.start(), max(match.end(), match.start() + 2)
    if match[0][0].isascii():
        start = max((one.end() for one in _NO_LATIN.finditer(said, 0, start)), default=0)
        end = next((one.start() for one in _NO_NUMBER.finditer(said, match.end())), len(said))
    return said[start:end][: _MAX_QUOTED * (2 if match[0].isascii() else 1)].strip()


def _cut_answered_values(asked: str, said: str) -> str:
    """The answer without the values that meet one that is asked for."""
    wanted = find_quantities(cut_marks(asked))
    rest = said
    for one in reversed(find_quantities(said)):
        if any(is_comparable(other, one) and compare_quantities(other, one, asked) == "meets" for other in wanted):
            rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    return rest


def _list_known(asked: str, said: str) -> Iterator[int]:
    """Places of the letters that stand in pairs in the requirement, of harmless words and of words asked for."""
    for at in range(len(said) - 1):
        pair = said[at : at + 2]
        if pair in asked and all(map(CHINESE.match, pair)):
            yield from (at, at + 1)
    forms = [start for subject, start in _STARTS if subject.search(asked)] + [_GIFT, _HOW, _ANSWERS, _HARMLESS]
    for match in _HOLDER.finditer(said):
        if is_person_name(match[1]):
            yield from range(*match.span(1))
    if "每" not in asked:
        forms.append(_DETAIL)
    for form in forms:
        yield from (at for match in form.finditer(said) for at in range(match.start(), match.end()))
    yield from (match.start() for match in _IN_REQUIREMENT.finditer(said) if match[0] in asked)
    words = {_ENDING.sub("", word) for word in re.findall(r"[a-z]+", asked.lower())}
    for match in re.finditer(r"[A-Za-z]+", said):
        word = match[0].lower()
        if _ENGLISH_HARMLESS.fullmatch(word) or _ENDING.sub("", word) in words:
            yield from range(match.start(), match.end())
