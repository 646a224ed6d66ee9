"""Wishes to see, export or delete all that is stored about oneself: the place where a person does it is named."""

import re
from typing import Final

from metier.language import Language, Sentences

# Whole messages about all data of the speaker: 删掉我的数据表里的第三行 is about a table.
_ASKS: Final = re.compile(
    r"(?:请|麻烦|帮我|我(?:想|要|希望)|能不能|可以|能|把|将|你|现在|立即|马上|都|一下|[，,\s])*"
    r"(?:(?:删除?掉?|删光|清除|清空|清理掉?|抹掉|擦除|销毁|忘掉|忘记|导出|下载)(?:一下|所有|全部|你|这里|这儿)*"
    r"(?:关于|有关|存的|保存的|记得的|记住的)*我的?(?:(?:所有|全部|一切|个人|存的|保存的)的?)*"
    r"(?:数据|资料|信息|档案|记录|隐私|一切|所有东西|事)(?:和(?:数据|资料|信息|记录|对话))?"
    r"|我的?(?:(?:所有|全部|一切|个人)的?)+(?:数据|资料|信息|档案|记录)(?:都|全|全部|通通)*"
    r"(?:给我)?(?:删除?掉?|删光|清除|清空|抹掉|销毁|导出|下载))"
    r"(?:掉|了|吧|好吗|可以吗|行吗|吗)*"
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
# One thing of the speaker that shall be forgotten, and questions what is stored about them.
_ONE_ITEM: Final = re.compile(
    r"(?:请|麻烦|帮我|把|你|都|[，,\s])*(?:忘掉|忘记|忘了|删除?掉?|清除|抹掉)我的?"
    r"(?:生日|出生(?:信息|日期|时间|地点|资料)?|生辰八?字?|名字|姓名|住?址|地址|电话(?:号码)?|手机号码?|邮箱|偏好)(?:信息)?(?:吧|了|好吗|可以吗)*"
    r"|(?:(?:please|can you|could you|now|just) )*(?:forget|delete|erase|remove) my "
    r"(?:birthday|birth ?(?:date|day|data|time|place|info|details)|date of birth|name|address|phone(?: number)?|e-?mail"
    r"(?: address)?|preferences)(?: please)?",
    re.IGNORECASE,
)
_SEES: Final = re.compile(
    r"(?:请问?|那|你|您|系统|现在|都|还|到底|[，,\s])*(?:记得|记住了?|知道|了解|存了?|保存了?|收集了?|记录了?|有)(?:了|关于|有关|到|下)*我的?"
    r"(?:些|(?:哪些|什么|多少)(?:样的)?)(?:个人)?(?:信息|资料|数据|事情?|东西|内容|什么)?(?:呢|啊|吗)*"
    r"|(?:请|帮我|我(?:想|要)|给我|让我|[，,\s])*(?:看看|看一下|看下|查看|看|打开|显示|列出)(?:一下|你)*(?:关于|存的|保存的|记得的)*"
    r"我的(?:个人)?(?:资料|档案|个人信息|隐私数据)|我的(?:个人)?(?:资料|档案|个人信息)(?:在哪里?|在什么地方|怎么看|有哪些)"
    r"|(?:(?:please|so|and|now) )*(?:what|which (?:data|information|facts)|how much|what (?:data|information))"
    r" (?:do|did|have) you (?:(?:actually|already|still) )?"
    r"(?:know|remember|stored?|saved?|have|keep|kept|hold|got)"
    r"(?: stored| saved| on file)?(?: (?:about|of|on) me)"
    r"|(?:(?:please|can you|could you|i want to|i'd like to) )*(?:show|see|view|open)(?: me)? "
    r"(?:my (?:own |personal )?(?:profile|stored data|personal data|personal information)"
    r"|what you (?:know|have|remember|store) (?:about|of|on) me)"
    r"|where (?:is|are|do i (?:find|see)) my (?:profile|stored data|personal data|personal information)",
    re.IGNORECASE,
)
_DELETES: Final = re.compile(r"删|清|抹|擦|销毁|忘|delete|erase|remove|wipe|clear|forget|purge", re.IGNORECASE)
_STRIP_CHARS: Final = " \t\n。.!！~，,?？"
_SENTENCES: Final = Sentences(
    {
        "own_data": (
            "Nothing was deleted. What is stored about you stands under [My data](#my-data), at the bottom of the side "
            "bar: you can correct it, export it and delete all of it there. Conversations are deleted in their list, "
            "each with its own menu. On the command line: `metier profile export` and `metier profile delete`.",
            "现在什么都没有删除。系统记得的关于您的内容都在[我的资料](#my-data)里（侧栏下方），可以在那里改正、导出和全部删除；"
            "对话在对话列表的菜单里逐个删除。命令行：`metier profile export`、`metier profile delete`。",
        ),
        "own_data_seen": (
            "What is stored about you stands under [My data](#my-data), at the bottom of the side bar: you can see it, "
            "correct it, export it and delete it there. On the command line: `metier profile show` and `metier profile "
            "export`.",
            "系统记得的关于您的内容都在[我的资料](#my-data)里（侧栏下方），可以在那里查看、改正、导出和删除。"
            "命令行：`metier profile show`、`metier profile export`。",
        ),
    }
)


def asks_about_own_data(message: str) -> bool:
    """Whether a message says, and says only, that data of the speaker shall be shown, handed over or deleted."""
    told = " ".join(message.split()).strip(_STRIP_CHARS)
    return any(one.fullmatch(told) for one in (_ASKS, _ONE_ITEM, _SEES))


def point_to_own_data(message: str, language: Language) -> str:
    """Where a person sees, exports and deletes what is stored about them; after a wish to delete, that nothing was."""
    return _SENTENCES.render("own_data" if _DELETES.search(message) else "own_data_seen", language)
