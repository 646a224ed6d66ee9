"""Wishes how data are shown or cut, said before there are any: 按月看, 画个饼图, "by region", "only 2024"."""

from typing import Final

from metier.patterns import compile_later
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 40
_STRIP: Final = " \t\r\n。.!！~～，,"
_LEAD_ZH: Final = (
    "(?:再|也|要|请|那|就|最好|还要|并且|另外|顺便|然后|我想|我要|想|帮我|给我|麻烦|希望|能不能|可以|结果|数据"
    "|[，,、]){0,5}"
)
_SHOW_ZH: Final = "(?:看|画|统计|汇总|分组|分析|展示|显示|比较|对比|排序|排列|排|分|算|列|做|表示)"
_END_ZH: Final = f"(?:来|{_SHOW_ZH}|出来|一下|图|表|吧|的|呢|就行|可以吗|好吗){{0,5}}"
_GROUP_ZH: Final = (
    "(?:年|季度?|月份?|周|星期|日|天|小时|地区|区域|区|省份?|城市|市|部门|科室|班组|班级|班|组|小组|类别|类型|类|品类"
    "|产品|商品|项目|客户|渠道"
    "|门店|店铺?|员工|人员?|销售员?|供应商|行业|设备|机器|站点|小区)"
)
_CHART_ZH: Final = "(?:饼|环形?|柱状?|柱形|条形|折线|曲线|散点|堆叠|堆积|面积|雷达|趋势|走势|热力|直方)"
_VIEW_ZH: Final = (
    rf"(?:按照?(?!计划|方案|建议|要求|规定|原样|上次|之前|[你我您说之这那])[^，,。改写删发做]{{1,8}}|(?:分|逐|每个?"
    rf"|各个?){_GROUP_ZH}){_END_ZH}"
    rf"|(?:画|做|用|换|改|来|要|出|生成|弄|以|{_SHOW_ZH}){{0,5}}(?:成|为|个|张|一个|一张|幅){{0,5}}{_CHART_ZH}图(?:的?(?:形式"
    rf"|方式))?{_END_ZH}"
    rf"|(?:只|仅|光)(?:看|要|分析|统计|画)(?!示例|样例|一个|这个)[^，,。]{{1,12}}"
    rf"|(?:看|列|要|取|只看){{0,5}}(?:前|top ?)\d{{1,3}}(?:名|个|条|位|项)?{_END_ZH}"
    rf"|(?:按)?(?:从高到低|从低到高|从大到小|从小到大|降序|升序){_END_ZH}"
    rf"|(?:看|算|要|统计)(?:一下|个)?(?:趋势|走势|变化|同比|环比|占比|分布|合计|总和|平均值?|排名){_END_ZH}"
)
_LEAD_EN: Final = (
    r"(?:(?:please|and|also|then|ok|i want(?: it)?|i'd like(?: it)?|can you|could you|make(?: it| me)?|show(?: it| "
    r"them| me)?|draw(?: it| me)?"
    r"|plot(?: it)?|sort(?: it| them)?|group(?: it| them)?|have it|give me|it|broken down|grouped|split|sorted|summed"
    r"|counted),? ){0,5}"
)
_CHART_EN: Final = "(?:pie|donut|doughnut|bar|column|line|scatter|stacked(?: bar)?|area|radar)"
_VIEW_EN: Final = (
    r"(?:by|per|for each|for every) (?!you\b|me\b|tomorrow\b|email\b|mail\b|then\b|now\b)[a-z]+(?: (?:and|or|then) "
    r"[a-z]+)?"
    rf"|(?:as |in |with |use )?(?:a |an |the )?{_CHART_EN}(?: (?:chart|graph|plot|diagram|bars)|s)"
    r"|(?:monthly|weekly|quarterly|yearly|annually|daily|hourly)|(?:the )?top \d{1,3}"
    r"|only (?!the sample|a sample|one\b|this\b|that\b)(?:the )?[a-z0-9]+(?: [a-z0-9]+)?"
    r"|(?:in )?(?:descending|ascending)(?: order)?|(?:highest|lowest|largest|smallest) first"
    r"|(?:the )?(?:trends?|averages?|totals?|shares?|distribution)(?: (?:by|per|over) [a-z]+)?"
)
_WISH: Final = compile_later(
    rf"{_LEAD_ZH}(?:{_VIEW_ZH})(?:[，,、]{_LEAD_ZH}(?:{_VIEW_ZH})){{0,5}}"
    rf"|{_LEAD_EN}(?:{_VIEW_EN})(?:,? (?:and )?{_LEAD_EN}(?:{_VIEW_EN})){{0,5}}(?:,? please)?"
)


def is_view_wish(message: str) -> bool:
    """Whether a whole message says only how data shall be shown or cut, and not which data or what else to do."""
    said = " ".join(to_simplified(message.strip(_STRIP)).replace("’", "'").lower().split())
    if not said or len(said) > _MAX_CHARS:
        return False
    return _WISH.fullmatch(said if said.isascii() else "".join(said.split())) is not None
