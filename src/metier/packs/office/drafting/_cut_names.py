"""Names that were cut out of a request at the wrong place: with words of the sentence, or without their own."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["is_cut_wrong", "list_lost_leads"]

# No name has such a sign or begins or ends with such words, wherever it stands in a list.
_CONNECTED: Final = re.compile(
    r".*[+＋→].*|.*[/|].*[/|].*|.*[行列]数?\s*\d+|"
    r"(?:又一|[要得需](?:填(?!报)|写|列(?!支)|有|放)|列名|表头|分别|依次|应该|第[一二三四五六七八九]列|表[一二三]|先写|再写|(?:英文|中文)(?=[\sA-Za-z])|"
    r"然后|接着|还有|以及|包括|包含|其中|下面|底下|里面|一共|总共|共(?=[一二两三四五六七八九十几\d])|需要|"
    r"(?:先|再|就|都|还|也|给|帮|让)(?:来|有|要|得|写|填|列|放|是|把|让|叫|给|加上|加个|加一|做个|做一|我|你|咱)|"
    r"也|[这那](?:个|些|几|样|里)|[你您咱她]|我(?:们|想|要|需)|分成|分为|写上|填上|列出|放上|叫做?|名叫|称为|来个|弄|搞|做个|做成|"
    r"是(?!否|非)|有[个一几])\s*\S.*|"
    r".*(?:=.*|一直到.*|各占(?:一列)?|是列|做列|为列|都要有|[\u4e00-\u9fff]{2}[这那])|"
    r".+(?:做|弄|画|建|编|排|列|整|搞)(?:成|个|张|一张|出)?[^、]{0,6}表|"
    r".+(?:的话|就行|就好|即可|等等|什么的|之类的?|这些|那些|[这那][几两三四五六]?[个项列样栏]|都有|都要|都得有|也要|也得有|一[列栏]|"
    r"(?<![酒网茶])吧|[呢啊哦嘛呗哈])|"
    r"(?:cols|should|namely|called|named|columns?|headings?|are|is|with|and|the|having|has|including|covering|"
    r"listing|using|say(?:s|ing)?|it|its|please|then|also|or|these|those|that|which|i|we|you|as|in english)\s.*|"
    r".+\s(?:are|as|is|please|thanks|columns?|headings?|rows?|across|respectively|and|or)"
)
# Words that a name may have too: they are of the sentence only where no sign of the list parts the name from it.
_LEADS: Final = re.compile(
    r"(?:明细|数据|从|共|先|再|要|得|把|让|给|就|都|还|这|那|我|帮|列|有|为)\S.*|"
    r"(?i:read(?:s|ing)?|have|will|must|put|use|plus|just|be|being|for|should|the|with|it)\s.*"
)
_ENDS: Final = re.compile(
    r".*\s(?:for|in|on|at|to|of|with|down|along|each|too|only)|.*\s(?:as|are|for|down|across|along)\s.*"
)
_ADVERBS: Final = tuple("先再就都")
_LIST_SIGNS: Final = tuple("、;；:：(（/|[【\n")
_SAYS: Final = re.compile(r"(?:[是为叫含]|\b(?:columns?|headings?|headers?|fields?|are|is))\s*$", re.IGNORECASE)
_AFTER: Final = re.compile(r"\s*(?:[、,，;；。.)）/|\]】\n]|and\b|和|$)")
_INNER: Final = re.compile(r".*[,，;；。!！?？]\s*\S.*")
# One character that stands where a name begins, so that it may be the name's own: 列是有货数量.
_LOST: Final = re.compile(r"(?:[是为叫]|:\s*)([\u4e00-\u9fff])(?=([^,，、。;:!?()\[\]\n]+)、)")


def is_cut_wrong(request: str, name: str, others: Sequence[str] = ()) -> bool:
    """Whether an unquoted name of a column, a row or a part has words of the sentence that it was taken from.

    `others` are the names beside it: a comma after one of them parts a list, any other comma parts sentences.
    """
    if _INNER.fullmatch(name) or _CONNECTED.fullmatch(name):
        return True
    start = max(request.find(name), 0)
    before, after = request[:start].rstrip(" "), request[start + len(name) :]
    is_listed = before.endswith(_LIST_SIGNS) or (
        before.endswith((",", "，")) and before.rstrip(',， "”').endswith(tuple(one for one in others if one))
    )
    is_said = _SAYS.search(before) is not None and not name.startswith(_ADVERBS)
    if _LEADS.fullmatch(name) and not is_listed and not is_said:
        return True
    return _ENDS.fullmatch(name) is not None and _AFTER.match(after) is None


def list_lost_leads(request: str, written: Sequence[str]) -> Iterator[str]:
    """Names of the request whose first character was taken for a word of the sentence: 货数量 of 列是有货数量、单价."""
    for found in _LOST.finditer(request):
        if found[2].strip() in written and found[1] + found[2].strip() not in written:
            yield found[1] + found[2].strip()
