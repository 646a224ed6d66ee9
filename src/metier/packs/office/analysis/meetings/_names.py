"""Names of people as transcripts have them: surnames, titles, and words that only begin like a name."""

import re
from typing import Final

__all__ = ["NICKNAME", "is_person_name"]

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟"
    "汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪"
    "严牛温季俞章鲁葛伍韦申尤毕聂焦柳邢岳齐梅莫庄辛祝左谷祁舒耿牟詹关苗凌费纪靳盛童欧项曲裴席卫鲍霍翁甘景柏宁柯阮桂闵柴冉"
)
NICKNAME: Final = rf"(?:[小老][{_SURNAMES}]|阿(?![姨婆公])[\u4e00-\u9fff])"
_TITLES: Final = (
    r"[\u4e00-\u9fff]{0,4}(?:总|工|姐|哥|经理|主任|老师|部长|局长|处长|科长|校长|院长|"
    r"所长|书记|董事长|总监|主管|秘书|组长|队长|站长|店长|厂长)"
)
_PERSON: Final = re.compile(
    rf"{NICKNAME}|(?:[{_SURNAMES}]|欧阳|上官|司马|诸葛)[\u4e00-\u9fff]{{1,2}}|{_TITLES}|[A-Z][a-z]+(?: [A-Z][a-z]+)?"
)
_NO_PERSON: Final = re.compile(
    r"方案|项目|金额|周期|周报|周会|高度|高峰|范围|范例|程序|任务|安全|安排|安装|常见|常规|费用|毛利|余额|文件|文档|文字|温度|"
    r"温馨|万一|于是|成本|夏季|白班|金融|关于|关键|景区|左侧|许可|任意|任何|方向|方法|方式|马上|高级|高层|黄色|单价|单位|施工|"
    r"段落|石材|时间|易错|康复|管理|员工|总工|分工|竣工|完工|开工|化工|手工|汇总|[\u4e00-\u9fff]*(?:方案|项目|计划)"
)


def is_person_name(word: str) -> bool:
    """Whether a word is made like the name of a person and is no common word."""
    return _PERSON.fullmatch(word) is not None and _NO_PERSON.fullmatch(word) is None
