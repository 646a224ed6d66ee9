"""Wishes to see, export or delete all that is stored about oneself: the place where a person does it is named."""

import re
from typing import Final

from metier.language import Language, Sentences
from metier.patterns import compile_later

# Whole messages about all data of the speaker: 删掉我的数据表里的第三行 is about a table.
_ASKS: Final = compile_later(
    r"(?:请|麻烦|帮我|我(?:想|要|希望)|能不能|可以|能|把|将|你|现在|立即|马上|都|一下|[，,\s])*"
    r"(?:(?:删除?掉?|删光|清除|清空|清理掉?|抹掉|擦除|销毁|忘掉|忘记|导出|下载)(?:一下|所有|全部|你|这里|这儿)*"
    r"(?:关于|有关|存的|保存的|记得的|记住的)*我的?(?:(?:所有|全部|一切|个人|存的|保存的)的?)*"
    r"(?:数据|资料|信息|档案|记录|隐私|一切|所有东西|事)(?:和(?:数据|资料|信息|记录|对话))?"
    r"|(?:忘掉|忘记|删除?掉?|清除|抹掉)我的?(?:生日|出生(?:日期|时间|地点|信息|资料)|姓名|名字|年龄|生辰)"
    r"|(?:都|还)*(?:记得|记住了?|知道|了解|存了?|保存了?|有)(?:关于)?我的?(?:哪些|什么|些什么|啥)"
    r"(?:信息|资料|数据|事情?|东西|内容)?"
    r"|(?:都|还)*(?:记得|记住了?|知道|存了?|保存了?|有)我的?(?:生日|出生(?:日期|时间|地点|信息|资料)|姓名|名字|年龄|生辰|星座)"
    r"|我的?(?:(?:所有|全部|一切|个人)的?)+(?:数据|资料|信息|档案|记录)(?:都|全|全部|通通)*"
    r"(?:给我)?(?:删除?掉?|删光|清除|清空|抹掉|销毁|导出|下载))"
    r"(?:掉|了|吧|好吗|可以吗|行吗|吗|呢)*"
    r"|(?:and |so )?what (?:else )?(?:do|did|have) you (?:know|knew|remember|stored?|saved?|kept|keep|got|have)"
    r"(?: (?:about|of|on) me| of my data)"
    r"|(?:do|did|have|can) you (?:still )?(?:know|remember|stored?|saved?|have|kept|keep|got) my"
    r" (?:birthday|date of birth|name|age|star sign|birth (?:date|data|time|place|details))(?: (?:stored|saved|still))?"
    r"|(?:please )?(?:forget|delete|erase|remove) my (?:birthday|date of birth|name|age"
    r"|birth (?:date|data|time|place|details))"
    r"|(?:(?:please|can you|could you|would you|i want to|i'd like to|i would like to|how (?:do|can) i|now|just) )*"
    r"(?:delete|erase|remove|wipe|clear|forget|purge|export|download)"
    r"(?: (?:all|everything|every|any)(?: of)?)*"
    r"(?: my(?: (?:own|personal|private|stored|saved))* (?:data|information|info|records|profile)"
    r"(?: (?:about|of|on) me)?"
    r"| (?:(?:the )?(?:data|information)|that|what)?(?: ?(?:you|it) (?:know|knows|have|has|stored?|remember|keep))?"
    r" ?(?:about|of|on) me)"
    r"(?: (?:please|now|completely|for good|from here|from this system|that you have|you have))*",
    re.IGNORECASE,
)
_STRIP_CHARS: Final = " \t\n。.!！~，,?？"
_DELETES: Final = re.compile(
    r"删|清[除空理]|抹|擦|销毁|忘|\b(?:delete|erase|remove|wipe|clear|forget|purge)\b", re.IGNORECASE
)
_SENTENCES: Final = Sentences(
    {
        "not_deleted": ("Nothing was deleted. ", "现在什么都没有删除。"),
        "own_data": (
            "What is stored about you stands under [My data](#my-data), at the bottom of the side bar: you can see it, "
            "correct it, export it and delete all of it there. Conversations are deleted in their list, each with its "
            "own menu. On the command line: `metier profile export` and `metier profile delete`.",
            "系统记得的关于你的内容都在[我的资料](#my-data)里（侧栏下方），可以在那里查看、改正、导出和全部删除；"
            "对话在对话列表的菜单里逐个删除。命令行：`metier profile export`、`metier profile delete`。",
        ),
    }
)


def asks_about_own_data(message: str) -> bool:
    """Whether a message says, and says only, that data about the speaker shall be told, handed over or deleted."""
    return _ASKS.fullmatch(" ".join(message.split()).strip(_STRIP_CHARS)) is not None


def point_to_own_data(message: str, language: Language) -> str:
    """Where a person sees, exports and deletes what is stored; a wish to delete is told that nothing was deleted."""
    done = _SENTENCES.render("not_deleted", language) if _DELETES.search(message) else ""
    return f"{done}{_SENTENCES.render('own_data', language)}"
