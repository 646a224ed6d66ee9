"""Points that are to have bullets, said beside them: 用项目符号列出来, “as bullets”."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["is_bulleted", "take_bullets"]
_AS_BULLETS: Final = re.compile(
    r"(?<=[,，;:\s点条])(?:要|请|都)?(?:用|以|按)(?:项目符号|圆点)(?:的?(?:形式|方式|格式|"
    r"样式))?(?:列(?:出来?|表|举)?|标(?:出来?|示)?|显示|排(?:列|好)?|写(?:出来?)?)?(?=[,，。;:]|$)|"
    r"(?<=[,;\s]) ?(?:as|using|with|in) (?:a )?bullet(?:s|ed)?(?: points?| list| form)?(?=[,.;:]|$)",
    re.IGNORECASE,
)
_BULLETS: Final = re.compile(r"项目符号|圆点|带点|无序|\bbullet", re.IGNORECASE)


def take_bullets(text: RequestText) -> bool:
    """Whether a request says beside its points that they have bullets; the words for it are consumed."""
    return text.take(_AS_BULLETS.pattern) is not None


def is_bulleted(text: RequestText) -> bool:
    """Whether a request for a list names bullets."""
    return _BULLETS.search(text.raw) is not None
