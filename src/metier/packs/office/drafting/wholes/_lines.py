"""Single lines told in running words: a banner, a place for a picture, and a bold heading with its lines."""

from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.drafting.lines import write_banner, write_picture
from metier.packs.office.drafting.templates import write_heading
from metier.packs.office.drafting.wholes._lists import ToldList
from metier.packs.office.drafting.wholes._scan import Grammar
from metier.packs.office.drafting.wholes._words import (
    COUNTER_ZH,
    PLAIN_EN,
    PLAIN_ZH,
    TITLE_ZH,
    compile_token,
    compile_tokens,
)

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.drafting._blocks import DraftBlock
    from metier.packs.office.drafting.wholes._slots import ToldSlots

__all__ = ["BANNERS", "HEADINGS", "PICTURES", "write_told_banner", "write_told_heading", "write_told_picture"]

_BANNER_ZH: Final = compile_tokens(
    r"(?:(?:上面|里面|内容|文字|字样|标语)*(?:就|请|要)?(?:写成?|为|是|印|打|写的是)?(?:着|上|成|的?是|为|"
    rf":)*)?\s*(?P<text>{QUOTED})(?:这)?(?:几|[两三四五六七八九十\d]+)?(?:个(?:大)?字|句话)?",
    r"(?:(?:上面|里面)?写(?:着|上|的是|成)?|(?:内容|文字|字样)(?:写成|为|是|写)?)\s*:?\s"
    rf"*(?P<text>(?![着上成])[^,，。;:!\"{CONSUMED}]{{4,40}})(?=[。!]?$)",
    r"(?:醒目的?|显眼的?|大的?|红色的?|通栏的?|大红)*(?P<is_banner>横幅)(?:样式的?)?(?:标语)?(?:上|"
    r"里)?(?:(?:就|请)?写)?(?:\s*:?\s+|:)(?P<text>(?!标语|内容|文字|写)[^,，。;:!\"]{4,40})(?=[。!]?$)",
    r"(?:醒目的?|显眼的?|大的?|红色的?|通栏的?|大红)*(?P<is_banner>横幅)(?:样式的?)?(?:标语)?(?:上)?|标语|"
    r"给(?:这份)?文档(?=加)",
    r"(?:我|大家)?(?:想|要)?(?:让)?(?:我们?|大家|读者|人)?(?:一)?打开(?:文档|"
    r"文件)?(?:的)?(?:第一眼)?(?:就)?(?:要|能)?(?:看到|看见)|所以(?=请|放|把|要)|位置|(?:这|那)句话|做成|"
    r"这(?:几|[两三四五六七八九十\d]+)个字",
    PLAIN_ZH,
)
_BANNER_EN: Final = compile_tokens(
    r"(?:(?:it should |it must |that |which |with the |the )?(?:says?|reads?|read|say|saying|reading|text|"
    rf"words?|wording|slogan|message|line)(?: is| of)?[:,]?\s*)?(?P<text>{QUOTED})",
    r"(?:an? |the )?(?:big |large |bold |eye-catching |red )*(?P<is_banner>banner)(?: line)?|that goes|goes|"
    r"the first thing (?:readers|people|everyone|they) (?:should )?sees? should be|(?:as|with) a|on top|slogan",
    r"it should|with the words|with the text",
    PLAIN_EN,
)
BANNERS: Final = (
    Grammar("banner", _BANNER_ZH, frozenset({"is_banner"})),
    Grammar("banner", _BANNER_EN, frozenset({"is_banner"})),
)


def write_told_banner(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of a banner; None without its text."""
    text = slots.texts.get("text", "")
    return write_banner(text, language) if text else None


_CAPTION_ZH: Final = r"(?:图题|图注|题注|图名|图的?名[字称]|(?:图的?)?标题|名[字称]|图的?说明)"
_BELOW_ZH: Final = (
    r"(?:(?:并且?|再|同时|在)?(?:框|图|图片|它|占位框)?(?:的)?(?:正?下[面方边]?|底下|之下|下)(?:的|请|要|再|"
    r"并)?(?:居中)?)"
)
_PENDING_ZH: Final = (
    r"(?:[\u4e00-\u9fff]{0,8}(?:图片?|照片|图纸))(?:我|我们)?(?:还|现在|暂时|目前|要)?(?:没有?|未|下周|下个?月"
    r"|明天|晚点|之后|以后|回头|稍后|后面|过几天)"
    r"(?:再|才|会|我|才能)*(?:画|拍|出|给|到|拿到?|有|做|定|补|放|换|插|发|提供|收到)(?:好|上去?|出来|来|到|了"
    r"|呢|的)*(?=[,，。;]|$)"
)
_PICTURE_ZH: Final = compile_tokens(
    rf"{_BELOW_ZH}?(?:配上?|带上?|加上?|并)?(?:{_CAPTION_ZH}|注明|标注|标明|标上|写上?|写着|"
    r"写明)+(?:要)?(?:居中)?(?:请|就|要|先)?(?:用|叫做?|写成?|写上|写着|为|是|作|做|标为|:)*\s*(?P<caption>"
    rf"{QUOTED})",
    rf"{_BELOW_ZH}?(?:{_CAPTION_ZH})(?:请|就)?(?:用|叫做?|写成?|写上|为|是|作|:)*\s*(?P<caption>图\s*[\d"
    rf"一二三四五六七八九十]+(?:[-–.]\d+)?[^,，。;:\"{CONSUMED}]{{1,24}})(?=[,，。;]|$)",
    r"(?P<is_place>(?:待补|空白?|备用)?的?(?:图片|照片|插图|配图|图)?的?(?:占位(?:框|符|图|区域|块)?|预留框))",
    r"(?P<is_place>(?:放|贴|插|配)(?:一?张)?(?:图片?|照片|插图)的?(?:位置|地方|空间|框|区域))|"
    r"(?P<is_place1>(?:空(?:白)?的?)?(?:图片|照片|插图|图)的?(?:位置|空位|框|区域|空框)(?:[一1]处)?)",
    rf"(?P<is_place>(?:先)?(?:预留|留出|空出|留)(?:好)?{COUNTER_ZH}?(?:图片|照片|插图|图)(?=[,，。;]|的))|"
    r"(?P<is_place1>(?:先)?占(?:一?个|住)?位置?|(?:先)?留(?:一?个|块)?框)",
    rf"(?P<caption>{QUOTED})(?:的)?(?=图片|照片|图)|(?:这里)?(?:要|需要|需)(?:配|放|插|有)?一张(?:图片?|"
    r"照片)(?=[,，])|给(?:示意|流程|结构)?图(?=留)",
    _PENDING_ZH,
    r"(?:先)?用(?=占位)|代替|先空出|一块|图片占位|(?:先)?占位|居中|带|这个位置|在?当前位置|框(?=[,，。]|下|$)|"
    r"把图题写好|图题写好|待补图片的|下面的?|的图片|处|题",
    PLAIN_ZH,
)
# The picture that is still to come.
_PENDING_EN: Final = (
    r"(?:so )?(?:(?:we|i) (?:don['’]t|do not) (?:have|get) (?:the|a|any) |no )(?:photo|picture|image|drawing|"
    r"figure|diagram)s? yet(?=\W|$)|"
    r"(?:the )?(?:photo|picture|diagram|drawing|image|figure|map|plan)s? (?:is|are|will be|comes?|arrives?|"
    r"isn['’]t|is not|hasn['’]t|has not|will) "
    r"(?:still |not |only |yet |being |be |been )*(?:drawn|taken|made|missing|ready|finished|done|delivered|"
    r"come|arrive|follow|later|next week|tomorrow|arrived|added)(?: (?:yet|later|next week|tomorrow|"
    r"soon))?(?=[.,;]|$)"
)
_PICTURE_EN: Final = compile_tokens(
    r"(?:with |and |give it |it |under it |below it |underneath |below |beneath it |beneath |the |its |"
    r"a )*(?:captioned|caption(?: it)?(?: below| underneath)?|titled?|labelled|label)(?: is| reads?| reading|"
    rf" should be| of| as|:|,)*\s*(?P<caption>{QUOTED})(?: (?:below|underneath|under|beneath)\b(?: it)?)?",
    rf"(?:and |with )?(?P<caption>{QUOTED}) (?:underneath|under|below|beneath)\b(?: it)?",
    _PENDING_EN,
    r"(?:an? |the )?(?:empty |blank |dummy )?(?P<is_place>(?:(?:picture|image|photo|"
    r"figure) )?placeholder)(?: for (?:it|an? (?:photo|picture|image|figure|diagram)))?(?: (?:box|frame|"
    r"picture|image))?",
    r"(?:an? |the )?(?:empty |blank |some )*(?P<is_place>(?:frame|box|room|space|spot|place|area) for (?:an?|"
    r"the) (?:picture|photo|image|figure|drawing|diagram))(?: (?:that )?i['’]ll add later)?",
    r"(?:an? )?(?:empty |blank |dummy )(?P<is_place>(?:picture|image|photo|figure)(?: (?:box|frame))?)|"
    r"(?P<is_place1>(?:picture|image|photo) (?:box|frame))",
    r"at this point|for now|goes|for it|that (?:i|we)['’]ll (?:add|insert) later|to be added later|reads",
    PLAIN_EN,
)
PICTURES: Final = (
    Grammar("picture", _PICTURE_ZH, frozenset({"is_place"})),
    Grammar("picture", _PICTURE_EN, frozenset({"is_place"})),
)


def write_told_picture(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of a place for a picture; None without its caption."""
    caption = slots.texts.get("caption", "")
    return write_picture(caption, language) if caption else None


_LINE: Final = (
    r"(?:(?:另起一行|换行|下一行|再下一行|第[一二三四五]行|一行|一句|接下来一行|on the (?:next|first|"
    r"second) line|on the line after that|one line|next line)[,，]?(?:再|是|写|写上|为|写的是|says?|reads?|:)*"
    rf"\s*)?{QUOTED}"
)
_JOIN: Final = r"\s*(?:[,，、;；/.。]|和|与|以及|及|then|and(?: then)?|or|再(?=下一行|换行|一行|写|\")|写|\s)*\s*"
_LINES_ZH: Final = (
    r"(?:(?:标题|其|它)?(?:的)?(?:之?下面?|下方|底下|后面|下边|接下来|紧接着|随后|然后|接着|下|之下|正文|内容|"
    r"其中|后)|(?:再|是|为|写|放|跟|加|有|接|带|各占|占|分|写上|写着|列|上|着|请|要|另起|依次|分别|起|附|就)|"
    rf"(?P<count>(?<!第){COUNT})(?:个|小|短)?(?:行|句|段)(?:正文|文字|内容|话|字)?|(?P<is_line>各占?一行)|正文|"
    r"内容|文字|话|的|,|，|:)\s*"
)


def _read_quotes(text: RequestText, at: int, is_bare: bool) -> ToldList | None:
    """Quotations from a place on, each a line of its own."""
    del is_bare
    found = _QUOTES.match(text.mask, at)
    if found is None:
        return None
    items = tuple(one.text for one in text.quotes if found.start() <= one.start < found.end())
    return ToldList(items, found.end()) if items else None


_QUOTES: Final = compile_token(rf"{_LINE}(?:{_JOIN}{_LINE})*")
_BOLD_ZH: Final = (
    r"(?:请|都|要|得|并|且|用|以|为|是|采用|做成|设置?|字体?|字要|格式|字)*(?P<is_bold>加粗|粗体|黑体加粗|"
    r"粗黑体)(?:显示|字体?|的|处理)?"
)
_HEADING_ZH: Final = compile_tokens(
    rf"{_BOLD_ZH}的?(?:大|小|主)?标题\s*(?:要)?(?:叫做?|写|为|是|:|写着|上|写上|内容|文字)*\s*(?P<title>"
    rf"{QUOTED})(?:[两三四五六七八九十\d]个字)?",
    rf"(?:大|小|主)?标题\s*(?:叫做?|写|为|是|:|写着|上|写上|内容|文字)*\s*(?P<title>{QUOTED}"
    r")(?:[两三四五六七八九十\d]个字)?",
    rf"(?P<title>{QUOTED})(?:这)?(?:[两三四五六七八九十\d]个字)?(?:请|要|用|以)*(?:(?P<is_bold>加粗|"
    r"粗体))?(?:来)?(?:做|作为?|当|为)(?:小|大)?标题",
    *TITLE_ZH[1:2],
    _BOLD_ZH,
    r"(?:大|小|主)?标题(?=要|加粗|[,，]|粗|用|之|下)|醒目的?|(?:上面)(?=放|加|写)|叫|内容(?=是|为)|(?:这里|"
    r"此处)|每(?:句|行)?各?占?一行|各占一行|行(?=[。,，]|$)|[两三四二]行|在(?=标题)|写?",
    PLAIN_ZH,
)
_LINES_EN: Final = (
    r"(?:(?:with|and|then|followed by|below|under|beneath|underneath|after|it|that|there|should be|are|go|goes"
    r"|come|comes|the|these|this|following|put|two|add|write|has|have|having|in|of text|text|short|on|is|"
    rf"(?P<count>{COUNT}) (?:short |plain )?(?:lines?|sentences?|paragraphs?)|lines?|sentences?|paragraphs?|"
    r"each|own)\b[,:]?\s*)[:\-–—]?\s*"
)
_BOLD_EN: Final = r"(?:in |\()?(?P<is_bold>bold)(?:ed)?(?: type| letters| print)?\)?"
_HEADING_EN: Final = compile_tokens(
    rf"(?:an? |the )?{_BOLD_EN} (?:heading|headline|title|section heading)(?: (?:that )?(?:says|saying|reads|"
    rf"reading|called|named|titled)| of)?[:,]?\s*(?P<title>{QUOTED})",
    r"(?:an? |the )?(?:section )?(?:heading|headline|title|headed)(?: (?:that )?(?:says|saying|reads|reading|"
    rf"called|named|titled))?[:,]?\s*(?P<title>{QUOTED})",
    rf"(?P<title>{QUOTED}) as (?:an? |the )?(?:(?P<is_bold>bold) )?(?:heading|headline|title)",
    rf"(?:an? |the )?(?:heading|headline|title),? {_BOLD_EN},?(?: reading| saying| that (?:says|reads))?\s"
    rf"*(?P<title>{QUOTED})",
    _BOLD_EN,
    r"each on (?:its|their) own line|one per line|on separate lines|underneath|below that|below|section|type|"
    r"lines?|that says",
    PLAIN_EN,
)
HEADINGS: Final = (
    Grammar(
        "heading", _HEADING_ZH, frozenset({"is_bold"}), compile_token(_LINES_ZH), _read_quotes, frozenset({"title"})
    ),
    Grammar(
        "heading", _HEADING_EN, frozenset({"is_bold"}), compile_token(_LINES_EN), _read_quotes, frozenset({"title"})
    ),
)


def write_told_heading(slots: "ToldSlots", language: "Language") -> "DraftBlock | None":
    """The block of a bold heading with lines; None where one is missing or the lines are not as many as are said."""
    title = slots.texts.get("title", "")
    if not title or not slots.items or slots.counts - {1, len(slots.items)}:
        return None
    return write_heading(title, slots.items, language)
