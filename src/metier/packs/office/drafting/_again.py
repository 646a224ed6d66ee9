"""Words that say that the same request twice makes no second copy, as it does anyway."""

from typing import Final

__all__ = ["AGAIN"]

_EDGE: Final = r"(?:^|(?<=[,，。;；:、\s(]))"
_STOP: Final = r"(?=[,，。;；!)\s]|$)"
_RUN: Final = r"(?:重?(?:新)?(?:运行|执行|操作|点击?|按|跑|生成|插入?|提交|发送?|做|弄|来|用|触发)|重来|重跑|重复)"
_TIMES: Final = r"(?:第?[一二两三几]|好几|多)[遍次回下]"
_ORDER: Final = (
    r"(?:同一?[个条]?|这[个条]?|本|该|此|同样的?|一样的?)(?:个|条)?(?:命令|指令|请求|要求|操作|脚本|计划|步骤)"
)
_IF: Final = (
    r"(?:请|但|并且?|而且|那)*(?:如果?|要是|若是?|倘若|当|就算|即使|即便|哪怕|万一|以后|后面|之后|下次|回头|日后|今后|无论)*"
    r"(?:我们?|你|有人|别人|谁)?(?:不小心|手滑|误|要|需要|又|再|还)*"
)
# A second run: 重复运行时, 跑第二遍的时候, 同一个命令执行两次, 多跑几次.
_SECOND: Final = (
    rf"(?:{_IF}(?:{_ORDER})?(?:被)?(?:再|重复|反复|多次|第二次|再次|二次|又|多)+(?:地)?(?:去)?{_RUN}?(?:了|上|过)?(?:{_TIMES})?"
    rf"|{_IF}(?:{_ORDER})?(?:被)?{_RUN}(?:了|上|过)?(?:第二|两|二|多|好几|几)[遍次回](?:以上)?|{_IF}重(?:跑|复|做|新运行|新执行))"
    rf"(?:{_ORDER})?(?:的话|的时候|时候?|之后|后)?"
)
_NOT: Final = r"(?:不得|不要|不能|不许|不可以?|别|勿|不会|不应|无需|不用|避免|禁止|防止|不准|不必)"
_ADD: Final = r"(?:插入?|加|添加?|新增|增加|增|生成|出现|产生|画|建|做|放|弄|多出|冒|变|搞|写|来|重复|多)"
_ONE: Final = r"(?:这)?(?:一|1|唯一(?:的)?一?)[个张份]"
# No second one: 别再多插一个, 不得再插入, 避免重复插入, 别画多了.
_NO_SECOND: Final = (
    rf"(?:也|都|就|均|还|仍|请|并|可|给我)*{_NOT}(?:给我)?(?:再|又|重复|另外|额外|多|再次|有)*{_ADD}{{1,2}}(?:进去|入)?"
    rf"(?:出)?(?:一?[个张份]|第[二2][个张份]|[两2][个张份]|新的?|别的|重复的?)?(?:表格?|一样的)?(?:来|出来|多了|了)?"
    rf"|(?:也|都|就|请)*(?:{_NOT})重复"
)
# Just one: 保持一张就行, 只插一次, 文档里也只出现一张, 整篇只能有一个.
_IN: Final = r"(?:本|这份|整篇|整个|全)?(?:文档|文件|文章|全文|文中|正文|整篇|通篇|里面?)?(?:里面?|中|内)?"
_JUST_ONE: Final = (
    rf"(?:也|都|就|还|仍|请|还是|始终)*(?:确保|保证|保持)?{_IN}(?:也|都|就|还|仍|始终|永远)*(?:只|仅|保持|唯)(?:能|许|要|会|该|需|准|可|应|允许)?"
    rf"(?:有|出现|保留|留|存在|插入?|画|建|放|做|加|是|显示|保持)?(?:{_ONE}|一[次遍回])(?:新)?(?:空白?)?(?:表格?)?(?:就?[行好够成]|就可以|即可|足够)?(?:了|吧)?"
    rf"|(?:也|都|就)*(?:只|就)(?:插入?|画|建|放|做|加|要)?一[次遍回](?:就?[行好够])?(?:了|吧)?|[只仅]此一[个张份]"
    rf"|(?:插入?|画|建|放|做|加)一[次遍回]就?(?:行|好|够|可以)了?"
)
# What a second run does with the first: 跳过, 更新原来那张.
_KEEPS: Final = (
    r"(?:就|请|则|直接|自动|也)*(?:跳过|忽略|(?:只)?(?:更新|覆盖|替换|沿用|保留)(?:掉)?(?:原来|之前|原有|已有|现有|旧|原先)?的?(?:那?[个张份])?(?:表格?)?)"
    r"(?:就?[行好]|即可)?(?:了|吧)?"
)
_THERE: Final = (
    rf"(?:若|如果?|要是)?{_IN}(?:表格?)?(?:已经?|原来就)(?:存在|有了?)(?:这[个张份]?表格?|一[个张份])?(?:的话|时)?"
)
_AGAIN_ZH: Final = (
    rf"{_EDGE}(?:{_SECOND}|{_THERE})[,，]?\s*(?:{_NO_SECOND}|{_JUST_ONE}|{_KEEPS})"
    rf"(?:[,，]\s*(?:{_NO_SECOND}|{_JUST_ONE}))?{_STOP}"
    rf"|{_EDGE}(?:{_NO_SECOND}|{_JUST_ONE}){_STOP}|{_EDGE}(?:{_NOT})?重(?:跑|复运行|复执行)(?:也)?(?:{_NOT}|不)重复{_STOP}"
)
_TWICE: Final = r"(?:again|twice|a second time|more than once|repeatedly|once more|another time|over again)"
_IF_EN: Final = (
    rf"(?:(?:if|when|whenever|even if|even when|should|in case) [^.;,]{{0,60}}?\b(?:{_TWICE}|re-?run|"
    rf"repeated)\b(?: by (?:mistake|accident))?"
    rf"|(?:running|repeating|executing|sending) (?:it|this|that|the \w+)(?: {_TWICE})?)"
)
_NO_SECOND_EN: Final = (
    r"(?:please |then |just |it |this |that |you |there )*"
    r"(?:do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|may not|never|no need to|can['’]?t|cannot|avoid|"
    r"must be no|should be no|no)\s?"
    r"(?:insert(?:ing)?|add(?:ing)?|put(?:ting)?|create|make|making|give me|have|produce|duplicate|repeat|"
    r"be)?(?: in| up)?"
    r"(?: (?:it|another|a second|second|a duplicate|duplicates?|one more|a new|any more|more))?"
    r"(?: (?:one|table|copy|tables|copies|of it|of them))*(?: (?:in|there|here|again|twice|a second time))*"
)
_JUST_ONE_EN: Final = (
    r"(?:please |and |but |just |there |it |i |we |should |must |may |only |want |need |keep |be |is |stay |at )*"
    r"(?:(?:just|only) (?:the )?one|one is (?:enough|plenty)|once is enough|once only|only once|just once|a single one)"
    r"(?: (?:table|copy|of (?:it|them)|please|in the document))*"
)
_EDGE_EN: Final = r"(?:^|(?<=[,.;:(] )|(?<=[,.;:(]))\s*(?:and |but |so |then )*"
_STOP_EN: Final = r"(?=\s*(?:[,.;!)]|$))"
_AGAIN_EN: Final = (
    rf"(?:{_EDGE_EN}|\s(?:and|but) ){_IF_EN},? (?:{_NO_SECOND_EN}|{_JUST_ONE_EN}){_STOP_EN}"
    rf"|{_EDGE_EN}{_JUST_ONE_EN}{_STOP_EN}"
)
AGAIN: Final = (
    _AGAIN_ZH,
    _AGAIN_EN,
    (
        r"(?:若|如果|如|要是)?(?:文档里|表格?)?已经?(?:存在|有了?)(?:的话)?[,，]?(?:则|请|"
        r"就|便)?(?:不要|不|别|勿|无需)(?:再次?|重复)*(?:插入?|添加|加|新增|放|做|弄|建|来)"
    ),
    r"(?:and )?(?:if|unless|when) it (?:is )?already (?:exists?|there)[^.;]*",
    (
        r"(?:并|且|而且|但)?(?:再次|重复|多次|二次|反复|再)(?:运行|执行|"
        r"操作|点击|跑|生成|插入)?(?:的?时候?|一?次|时)?也?(?:也?只能有一[个张份]|"
        r"[,，]?(?:请|也)?(?:不要|不能|不得|不可|别|勿)(?:再)?(?:重复|"
        r"多出|新增|增加)?(?:插入|添加|生成|出现)?(?:一[个张份]|第二[个张份])?)"
    ),
    (
        r"[^,，。;:]{0,8}(?:又|再|重复|多)(?:点|按|跑|执行|运行|试|来|操作)(?:了|上)?(?:一?[遍次回下])?(?:的话|"
        r"时|了)?[,，]?\s*"
        r"(?:也|还是|就|请)*(?:保持|只有?|仍是|仍然是|还是)?(?:一[个张份])?(?=[,，。;]|$)"
    ),
    r"[,，]?\s*(?:也|可|就)?(?:别|不要|不能|不许|不会)(?:给我)?(?:再)?(?:冒|多|生|蹦|变|弄|插|长|出)(?:现|"
    r"出)?(?:第二|两|重复|好几|多)?(?:[个张份])?(?:出)?来?(?=[,，。;]|$)",
    r"[,，]?\s*(?:别|不要|不能)?越[插加点放]越多|(?:放|插|加|做)一次就(?:行|够|好)了?",
    r"(?:请|也)?(?:不要|不能|不得|不可|别|勿|避免)(?:再)?重复(?:插入|添加|生成|出现)?",
    r"(?:并)?保证(?:只有|唯一)一?[个张份]?|只保留一[个张份]",
    (
        r"(?:and )?(?:make|be) sure (?:that )?(?:it|there)(?: is|'s|’s)?(?: not|"
        r"n't|n’t)? ?(?:is ?n.?t )?(?:duplicated?|only one|doubled)[^.;]*"
    ),
    (
        r"(?:and )?(?:running|run|executing|repeating|doing)\b[^.;]*?\b(?:again|"
        r"twice)\b[^.;]*?\b(?:must not|should not|shouldn.t|may not|never|"
        r"won.t|mustn.t)\b[^.;]*"
    ),
    (
        r"(?:and |but )?(?:it )?(?:must not|should not|shouldn.t|do not|"
        r"don.t|never)[^.;]{0,20}?\b(?:duplicate|double|repeat)[^.;]*"
        r"|(?:and |but )?(?:do not|don.t|must not|should not|never) (?:insert|add|create|make) (?:it|one|"
        r"another)(?: one| table)? "
        r"(?:a second time|again|twice)\b"
    ),
    (
        r"(?:and |but )?(?:if|when|even if) (?:i|we|you|someone|it|(?:this|the) (?:request|order|command|"
        r"prompt))(?: is| ever| accidentally)* (?:run|runs|do|"
        r"does|click|clicks|press|"
        r"presses|insert|inserts)\b[^.;]*\b(?:twice|again|a second time|more than once)\b[^.;]*"
    ),
    r"(?:and )?(?:without|no) (?:duplicates|duplication|doubling)[^.;]*",
    r"(?:and |but )?(?:only )?once(?: only)?,? even[^.;]*",
)
