"""Words and forms of a message that point to a kind of task: inputs of the task-type model beside its meaning."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.patterns import compile_later
from metier.textsearch import has_cjk

_MAX_CJK_CHARS: Final = 60
_MAX_CHARS: Final = 120
# What a message does not want says nothing about what it wants: 不要做PPT, without slides.
_DENIED: Final = compile_later(
    r"(?:不要|不用|不必|不需要|无需|别)[^，。；！？,;!?\n]*"
    r"|\b(?:without|don't|do not|never|no need to|nothing to)\s+\w+(?:\s+\w+)?",
    re.IGNORECASE,
)
_CUES: Final = tuple(
    compile_later(pattern, re.IGNORECASE)
    for pattern in (
        r"https?://|www\.|(?<![\w-])[\w-]{1,63}\.(?:com|org|net|info|edu|gov|cn|tw|hk|jp|uk|de|fr|eu|io|app|ai|test|example)\b",
        r"\.(?:csv|tsv|xlsx?|json|parquet|log)\b",
        r"\.(?:pptx?|docx?|pdf|md)\b",
        r"\.(?:py|js|ts|c|cpp|h|java|go|rs|sh|sql|rb|toml|yaml|patch|diff)\b",
        r"\b[a-z]+_[a-z_]+\b|\w\(\)|--[a-z]|\b\w+Error\b|traceback|out of range|\bexception\b"
        r"|null pointer|stack ?trace",
        r"ppt|幻灯|演示文稿|课件|片子|slides?\b|\bdeck\b|presentation|keynote",
        r"\bword\b|docx|\bpdf\b|文档|手册|合同|简历|海报|报告书?|纪要|邀请函|函\b|通知|文案|信\b|模板|启事"
        r"|告示|倡议|方案|立项书?|材料|稿|文章|说明书?|菜单|证书|预案|document|letter|memo|poster|flyer"
        r"|manual|handout|brochure|agreement|contract|resume|\bcv\b|certificate|template|report|notice|leaflet"
        r"|booklet|invitation"
        r"|proposal|newsletter|advert|speech|essay|article|guide\b",
        r"写[一个封份篇段首条几成]|拟[一个份条定]?|起草|撰写|编[一个写]|做[一个张份成套]|出[一个张份套]|生成"
        r"|制作|设计|draft|write|compose|create|prepare|design"
        r"|put together|make (?:me |a |an )",
        r"表格|[这张份两俩三]表|[每一两几该各]列|列[名数]|[每一两几空整]行|行数|sheet|column|rows?\b|table"
        r"|spreadsheet|csv|excel|数据|dataset|workbook",
        r"统计|汇总|平均|求和|总和|计算|算[一出下]|排序|排名|去重|合并|转成|转换|筛|透视|异常值|离群"
        r"|画.{0,6}图|折线|柱状|直方"
        r"|average|median|\bmean\b|sum\b|total|sort|group|pivot|merge|join|dedup|duplicate|plot|chart|histogram|outlier"
        r"|correlat|filter|count|calculate|compute|convert",
        r"网[页站址]|官网|链接|页面|首页|后台|网店|浏览|抓取|爬|截.?图|点[击开]|打开|登录|填|购物车|下单"
        r"|website|web ?page|\bsite\b"
        r"|(?<!one )(?<!two )(?<!three )\bpage\b|homepage|url|browse|screenshot|click|log ?in|sign me|checkout|basket"
        r"|cart\b|form\b|portal|scrape|scroll|subscribe",
        r"代码|函数|脚本|编译|报错|调试|重构|单测|测试|接口|模块|仓库|提交记录|补丁|变量|调用|源码|越界|死锁"
        r"|崩溃|内存泄漏|行号|程序"
        r"|bug|code|function|pull request|merge request|\bpr\b|linter?\b|imports?\b|java(?:script)?\b"
        r"|\bc\+\+|golang|typescript|source\b|compiler?|build fails|crash|script|compile|debug"
        r"|refactor|unit ?test|tests?\b|pytest|repo|module|class\b|loop|patch|commit|branch|api\b|cli\b|docker|\bci\b"
        r"|sql|regex|python|rust\b|git\b|implement",
        r"研究|调研|调查|趋势|现状|市场|行业|竞争|竞品|来源|出处|依据|证据|文献|论文|权威|观点|案例|对比|为什么|怎么看"
        r"|research|evidence"
        r"|sources?\b|cite|citing|references|studies|study|literature|experts?\b|market|industry|overview|compare"
        r"|pros and cons|dig|look into|find out|investigate|published",
        r"^(?:what|who|why|how|is|are|which|has|do|does)\b|[吗呢]?[?？]$|为什么|怎么|哪些|有没有|是不是",
        # Material of the user's own: figures that are there already.
        r"附件|附上|附的|上传|传[给了]你|发[给了]?你|文件在|贴[在给]|[这那]份|[这那]张|导出|流水|明细|账单"
        r"|记录|日志|读数|名单|台账|花名册"
        r"|attach|upload|\bexport|\bdump\b|this file|the file\b|\bhere(?:'s| is| are)\b"
        r"|\b(?:my|our) [\w ]{1,20}(?:log|records?|readings)\b"
        r"|statement|ledger|timesheet|\blogs?\b|readings|账本",
        # About a word, the assistant itself or what it did before.
        r"什么意思|是什么$|[叫读]什么|的缩写|怎么[说读念拼]|[有的]区别$|什么不同|你[会能]|你是|你叫"
        r"|\bstands? for\b|\bspell\b|\bsynonym|mean(?:s|ing)?\b"
        r"|\b(?:can|could|do|are) you (?:able|know|make|do|speak|read|browse|remember)\b|who are you|translate"
        r"|翻译|翻成",
        r"^(?:谢谢|多谢|感谢|辛苦|好的|好，|行[，。]|嗯|收到|不错"
        r"|thanks|thank you|thx|nice|great|ok\b|okay|cool|good job|well done)"
        r"|挺好|真好|辛苦了|收到了|看到了|looks (?:great|good|nice)|never ?mind|算了",
        # Devices, reminders and the skills of other packs.
        r"提醒|闹钟|叫醒|叫我|记住|记一下|导航去|空调|[的把]灯|播放|放首|定时|倒计时|remind|alarm|timer"
        r"|\bwake\b|turn (?:on|off|up|down)|\bplay\b"
        r"|RSRP|SINR|\bPRB\b|基站|小区|覆盖|干扰|切换失败|\bcells?\b|轴承|齿轮箱|包络|振动|bearing|gearbox"
        r"|pilot pollution",
        # Texts of everyday life, and blank forms.
        r"启事|[请假欠收]条|通告|公告|公示|协议|串词|誓词|贺[卡词]|致辞|发言|讲稿|推文|邮件|回函|须知|手册"
        r"|提纲|问卷|周报|日报|月报|年报|简报|标语|欢迎语|岗位描述|流程单|清单"
        r"|空白|样式|值[日班]表|排班表|课程表|打印|announce|\bvows?\b|\bsign\b|price list|minutes\b|one-pager"
        r"|handbook|checklist|invoice|\bpolicy\b"
        r"|terms of|\bemail\b|\breply\b|questionnaire|\bcards?\b|\bmenu\b|job ad|blank|printable|to print"
        r"|status (?:update|report)|weekly report|blog post|poem",
        # Parts of a program that are written in one line.
        r"正则|[个写段]\w{0,6}宏|crontab|makefile|dockerfile|配置文件|nginx|算法|建表|常量|实现|类型错误|注释"
        r"|加.?日志|命令行|前端|后端|数据库|索引|线程|并发|缓存"
        r"|regexp?\b|\bcron\b|macro|\bhook\b|workflow|endpoint|schema|\bddl\b|algorithm|\bparser?\b"
        r"|constants?\b|logging|type ?hints?|thread|cache\b|async",
        # Sites by name, and what is done with an account there.
        r"豆瓣|知乎|B站|微博|抖音|淘宝|京东|拼多多|闲鱼|美团|携程|贴吧|12306|公众号|论坛|门户|[Oo][Aa]上"
        r"|系统里|在线|网上(?:交|提交|预约|报名)|账号里|booking\b|hacker news"
        r"|wikipedia|amazon|ebay|\bforum\b|\bonline\b|their (?:shop|store|account|booking)|tracking page"
        r"|dropdown|cookie|pop-?up|web form",
        # What is known, said or true, with whoever says it.
        r"底细|扒一扒|摸[清底]|到底|靠谱|口碑|评价|来龙去脉|资料|玩家|份额|赛道|哪一步|真的吗|属实|核实|据说"
        r"|听说|政策|法规|监管|历史|背景|业界|同行|主流|各家"
        r"|is it true|fact.?check|lit check|data behind|players|what is known|known about"
        r"|what do (?:we|people|experts|reviewers|developers|analysts)|surveys?\b"
        r"|conflicting|contradict|regulation|state of|reviews? say|according to|settle a bet|reliable"
        r"|reputation|landscape|background",
    )
)


def remove_denied(message: str) -> str:
    """The message without what it refuses; as it is if nothing else is left."""
    kept = _DENIED.sub(" ", message).strip(" ，。,.;；")
    return kept or message


def names_things(message: str) -> bool:
    """Whether a message names a file, an address or code: then it is about something outside of itself."""
    return any(cue.search(message) for cue in _CUES[:5])


def compute_cues(message: str) -> NDArray[np.float64]:
    """One number for each cue that is in the message, its length, and a constant."""
    most = _MAX_CJK_CHARS if has_cjk(message) else _MAX_CHARS
    found = [float(bool(cue.search(message))) for cue in _CUES]
    return np.array([*found, min(len(message), most) / most, 1.0])
