"""Which attached file a message takes as the pattern of another: a template for slides, a sample of formatting."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from metier.packs.office.conversation._documents import ConversationDocument, DocumentKind, list_documents
from metier.packs.office.conversation._problems import DocumentProblem

__all__ = [
    "PatternMatch",
    "choose_pattern",
    "find_pattern",
    "find_patterned_work",
    "wants_kept_slides",
]

SLIDES: Final = "ppt-creator"
FORMATTING: Final = "doc-formatter"
NO_PATTERN: Final = "none"
ATTACHED: Final = "attached"
_FIRST_MARK: Final = 0xE000  # private use: no message has these signs
_NAME: Final = '[“"《「]?(?P<name>[\ue000-\uf8ff])[”"》」]?'
_FOLLOW_ZH: Final = "照着?|按照?|参照|参考|仿照?|依照|比照|套用?|套上|沿用|采用|使用|用|以|和|跟|与|同|像|学"
_WHOSE_ZH: Final = r"(?:附[上件]的?|上传的|我们?的?|公司的?|单位的?|这[份个]|那[份个])*"
_LOOK_ZH: Final = "格式|样式|版式|排版|版面|风格|样子|外观|字体|模板|模版|母版|主题|一样|一致|相同"
_ROLE_ZH: Final = r"(?:[作做当为](?:为|作|成)?(?:模板|模版|母版|样本|样板|范本|参照|参考|标准|准))"
_LOOK_EN: Final = "format(?:ting)?|styles?|look|layout|design|theme|fonts?"
_ROLE_EN: Final = r"as (?:the |a |an |our |my )?(?:template|sample|model|reference|example|pattern)"
_LIKE_EN: Final = "like|following|same as|the way|(?:to )?match(?:es|ing)?|modell?ed (?:on|after)|based on"
_BOTH: Final = (
    rf"(?:{_FOLLOW_ZH}){_WHOSE_ZH}{_NAME}(?:这[份个])?(?:里|中|上)?(?:面)?的?(?:{_LOOK_ZH}|{_ROLE_ZH})",
    rf"{_NAME}{_ROLE_ZH}",
    rf"(?:照着?|参照|参考|仿照?|依照|比照|按照?){_WHOSE_ZH}{_NAME}(?:来|重新|把|将|给|去)*(?:排|调整?格式|改格式|设置?格式|做格式)",
    rf"(?:{_LOOK_ZH})(?:要|都|就|请|统一)*(?:{_FOLLOW_ZH}){_WHOSE_ZH}{_NAME}",
    rf"(?:套用?|沿用|复制|照搬){_WHOSE_ZH}{_NAME}的?(?:{_LOOK_ZH})",
    rf"\b(?:{_LOOK_EN}) (?:of|from|as in|in|used in|like) (?:the |my |our )?{_NAME}",
    rf"{_NAME}(?:'s|’s) (?:{_LOOK_EN})",
    rf"{_NAME} {_ROLE_EN}",
    rf"\b(?:{_LIKE_EN})(?: in)? (?:the |my |our )?{_NAME}",
)
# Beside a text that becomes slides a presentation has one part more to play.
_TEMPLATE: Final = (
    rf"(?:{_FOLLOW_ZH}|选|选用){_WHOSE_ZH}(?:模板|模版|母版)?{_NAME}",
    rf"(?:模板|模版|母版|版式)(?:是|为|用|选|[:：])*{_NAME}",
    rf"\b(?:onto|on|using|use|with|apply|applying|in|from) (?:the |my |our )?(?:template |file )?{_NAME}",
    rf"\btemplate(?: is|:)? {_NAME}",
)
_INTO: Final = (
    r"(?:加到|加进|加入|放到?进?|插入到?|插到|追加到?|写进|写入|写到|并入|接[在到]|合并到|续在)[^，。；,;]{0,6}?[\ue000-\uf8ff]"
    r"|[\ue000-\uf8ff](?:的)?(?:后面|末尾|最后|里面?)(?:再)?(?:加|插|追加|写|放)"
    r"|\b(?:add|insert|append|merge|paste)\b[^.;]*\b(?:to|into|in|at the end of)\b[^.;]{0,20}[\ue000-\uf8ff]"
)
_UNNAMED: Final = (
    rf"(?:{_FOLLOW_ZH}|有)[^，。；,;]{{0,6}}(?:模板|模版|母版|版式|样本|样板|范本|范文)"
    r"|\b(?:onto|on|using|use|with|apply|in|like|follow(?:ing)?|match(?:ing)?)"
    r" (?:the |my |our |a |an |attached |company |corporate )*(?:template|sample|model|master)\b"
)
_UNNAMED_SAMPLE: Final = (
    rf"(?:{_FOLLOW_ZH}){_WHOSE_ZH}(?:样本|样板|范本|范文|样文|样稿)"
    r"|\b(?:like|as in|following|match(?:ing)?|same as|style of|format of|look of) (?:the |my |our |a |an |attached )*"
    r"(?:sample|model|reference)\b"
)
_REFUSED: Final = (
    r"(?:不用?|不要|别|无需|不必|不需要?)(?:再|去)?(?:套用?|用|使用|按|照)?[^，。；,;]{0,4}(?:模板|模版|母版)"
    r"|默认(?:的)?(?:版式|模板|样式)"
    r"|\b(?:without|no|not on|not using|don't use|do not use) (?:a |the |any |my |our )?template\b"
    r"|\bdefault (?:look|layout|template|design)\b"
)
_MAKES_SLIDES: Final = (
    r"(?:做|转|生成|制作|变|改|弄|整理|转换|出|写)(?:成|为|出|换成)?(?:一?[份个套])?[^，。；,;]{0,4}(?:ppt|幻灯片|演示|slides)"
    r"|\b(?:make|turn|create|convert|build|generate|produce|put|transform)\b[^.;]*\b(?:slides?|decks?|presentations?|powerpoint|pptx)\b"
)
_FORMATS: Final = (
    r"排版|格式|样式|版式|版面|字体|外观|样子|一样|排一?[下遍好]|[\ue000-\uf8ff]排"
    r"|\b(?:format\w*|styl\w+|layout|looks?|match)\b"
)
_OTHER_WORK: Final = (
    r"填|每[行一人]|名单|合并|审查|核对|纪要|翻译|总结|\b(?:fill|merge|rows?|review|translate|summar\w+)\b"
)
_MAX_CHARS: Final = 200
_KEPT: Final = (
    r"(?:保留|留着|留下|不要?删除?|别删除?)[^，。；,;]{0,8}(?:页|幻灯片|示例)"
    r"|\bkeep (?:the |its |all |all the )?(?:sample |existing |original |template |template's |old )*"
    r"(?:slides?|pages?)\b"
)


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """The file that a message takes as the pattern; `is_unclear` if one may be meant and the words do not say which."""

    document: ConversationDocument | None = None
    is_unclear: bool = False


def find_pattern(words: str, workspace: Path, kind: DocumentKind) -> PatternMatch:
    """The attached file of a kind that the words name as template or sample of the work.

    A presentation beside a text is unclear where the words say neither that it is the template nor that it is not.
    """
    documents = list_documents(workspace)
    said = _mark_names(words, documents)
    forms = (*_BOTH, *(_TEMPLATE if kind == "pptx" else ()))
    known = [one for one in documents if one.kind == kind and not one.id.startswith("documents/")]
    is_into = kind == "pptx" and re.search(_INTO, said) is not None
    if re.search(_REFUSED, _fold(words)):
        return PatternMatch()
    if not is_into:
        for form in forms:
            for hit in re.finditer(form, said):
                found = documents[ord(hit["name"]) - _FIRST_MARK]
                if found in known:
                    return PatternMatch(found)
    if kind == "pptx":
        is_said = not is_into and re.search(_UNNAMED, said) is not None and len(known) == 1
        return PatternMatch(known[0]) if is_said else PatternMatch(is_unclear=bool(known))
    named = [one for at, one in enumerate(documents) if chr(_FIRST_MARK + at) in said]
    others = [one for one in known if one not in named]
    if re.search(_UNNAMED_SAMPLE, said) is None:
        return PatternMatch()
    is_one = len(others) == 1 and any(one.kind == kind for one in named)
    return PatternMatch(others[0]) if is_one else PatternMatch(is_unclear=True)


def find_patterned_work(words: str, workspace: Path) -> tuple[str, ConversationDocument | None] | None:
    """Skill and pattern of a message that orders slides on a template, or a document in the look of another.

    No pattern: a sample is spoken of, and it is not clear which file it is.
    """
    if len(words) > _MAX_CHARS or not (documents := list_documents(workspace)):
        return None
    said = _mark_names(words, documents)
    if re.search(_MAKES_SLIDES, said) and any(one.kind in ("docx", "text") for one in documents):
        template = find_pattern(words, workspace, "pptx").document
        return None if template is None else (SLIDES, template)
    if re.search(_FORMATS, said) is None or re.search(_OTHER_WORK, said):
        return None
    sample = find_pattern(words, workspace, "docx")
    has_work = any(one.kind == "docx" and one != sample.document for one in documents)
    return (FORMATTING, sample.document) if has_work and (sample.document is not None or sample.is_unclear) else None


def choose_pattern(answer: str, workspace: Path, kind: DocumentKind) -> ConversationDocument | None:
    """The file that an answer names; None for the answer that there is none. `DocumentProblem` for another answer."""
    if answer in ("", NO_PATTERN) or re.search(_REFUSED, _fold(answer)):
        return None
    known = [one for one in list_documents(workspace) if one.kind == kind]
    exact = [one for one in known if answer in (one.id, one.name)]
    said = _mark_names(answer, known)
    found = exact or [one for at, one in enumerate(known) if chr(_FIRST_MARK + at) in said]
    if not found and answer == ATTACHED:
        found = [one for one in known if not one.id.startswith("documents/")]
    if len(found) != 1:
        raise DocumentProblem("pattern_not_found", name=answer[:40])
    return found[0]


def wants_kept_slides(words: str) -> bool:
    """Whether the slides that a template has shall stay."""
    return re.search(_KEPT, _fold(words)) is not None


def _mark_names(words: str, documents: Sequence[ConversationDocument]) -> str:
    """The words with a sign of its own for each file that they name: in full, with `@`, or without its ending."""
    said = _fold(words)
    marks = {one.id: chr(_FIRST_MARK + at) for at, one in enumerate(documents)}
    longest = sorted(documents, key=lambda one: -len(one.name))
    for one in longest:
        said = re.sub(rf"[@＠]?{re.escape(_fold(one.name))}", marks[one.id], said)
    for one in sorted(documents, key=lambda one: -len(_stem(one))):
        if len(_stem(one)) > 1:
            said = re.sub(rf"[@＠]?(?<![a-z0-9]){re.escape(_stem(one))}(?![a-z0-9.])", marks[one.id], said)
    return re.sub(r"(?<=[\u3000-\u9fff])\s+|\s+(?=[\u3000-\u9fff])", "", said)


def _stem(document: ConversationDocument) -> str:
    return _fold(PurePosixPath(document.name).stem)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
