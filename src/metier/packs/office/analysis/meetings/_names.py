"""Names of people as transcripts have them: surnames, titles, and words that only begin like a name."""

import re
from collections.abc import Collection
from typing import Final

__all__ = ["NICKNAME", "SELF", "SURNAMES", "is_owner", "is_person_name"]

SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟"
    "汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪"
    "严牛温季俞章鲁葛伍韦申尤毕聂焦柳邢岳齐梅莫庄辛祝左谷祁舒耿牟詹关苗凌费纪靳盛童欧项曲裴席卫鲍霍翁甘景柏宁柯阮桂闵柴冉闫岑喻褚佟邬阚匡巩骆戚栾卓屈冀卞"
)
NICKNAME: Final = rf"(?:[小老][{SURNAMES}]|阿(?![姨婆公])[\u4e00-\u9fff])"
# The speaker, but not `我们`, `我方` or `自我`.
SELF: Final = r"(?<!自)我(?![们方司国校院省市县村])"
_TITLES: Final = (
    r"[\u4e00-\u9fff]{0,4}(?:总|工|姐|哥|经理|主任|老师|部长|局长|处长|科长|校长|院长|"
    r"所长|书记|董事长|总监|主管|秘书|组长|队长|站长|店长|厂长)"
)
_PERSON: Final = re.compile(
    rf"{NICKNAME}|(?:[{SURNAMES}]|欧阳|上官|司马|诸葛)[\u4e00-\u9fff]{{1,2}}|{_TITLES}|[A-Z][a-z]+(?: [A-Z][a-z]+)?"
)
_NO_PERSON: Final = re.compile(
    r"方案|项目|金额|周期|周报|周会|高度|高峰|范围|范例|程序|任务|安全|安排|安装|常见|常规|费用|毛利|[\u4e00-\u9fff]{2}[率额费款]|余额|文件|"
    r"文档|文字|温度|"
    r"温馨|万一|于是|成本|夏季|白班|金融|关于|关键|景区|左侧|许可|任意|任何|方向|方法|方式|马上|高级|高层|黄色|"
    r"单价|单位|施工|"
    r"段落|石材|时间|易错|康复|管理|员工|总工|分工|竣工|完工|开工|化工|手工|汇总|[\u4e00-\u9fff]*(?:方案|项目|计划)"
)


def is_person_name(word: str) -> bool:
    """Whether a word is made like the name of a person and is no common word."""
    return _PERSON.fullmatch(word) is not None and _NO_PERSON.fullmatch(word) is None


_ROLE: Final = re.compile(
    r"(?:发言人|说话人|讲话人)\s?\d+|主持人|记录人|[A-Z][A-Za-z]+|[\u4e00-\u9fff]{0,8}(?:部|部门|科|处|组|中心|"
    r"委员会|委会|协会|局|"
    r"学院|所|队|办|办公室|站|班|经理|主任|部长|处长|科长|总监|主管|专员|助理|秘书|师傅|老师|工程师|设计师|会计|"
    r"出纳|书记|班长|组长|队长)|"
    r"(?:财务|行政|法务|人事|人力|运维|采购|销售|市场|研发|测试|客服|技术|产品|设计|后勤|物业|前台|质检|生产|"
    r"仓库|信息|安全)(?:部|部门|组|同事|这边|那边)?"
)
_NO_ROLE: Final = re.compile(
    r"(?:各|全|本|内|外|一)部|全部|内部|外部|各组|.*(?:到处|好处|用处|长处)|大家|你们|We|They|It|This|That|"
    r"There|You|Let"
)
_NO_NAME_END: Final = re.compile(r".*[是在的就也都已上曾没未不会要再先将吗吧了把被]")


def is_owner(word: str, known: Collection[str]) -> bool:
    """Whether a word names who can do work: somebody of the meeting, a name, or a role such as `财务部`."""
    if word in known:
        return True
    if _NO_ROLE.fullmatch(word) or (_NO_NAME_END.fullmatch(word) and not re.fullmatch(NICKNAME, word)):
        return False
    if any(word.startswith(name) and not _ROLE.fullmatch(word[len(name) :]) for name in known):
        return False
    return is_person_name(word) or _ROLE.fullmatch(word) is not None
