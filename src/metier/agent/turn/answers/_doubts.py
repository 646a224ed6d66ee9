"""Words beside an open approval that may be a limit or a doubt: the next plain yes is asked about once."""

import re
from typing import Final

from metier.agent.adapters import is_hum
from metier.agent.turn.answers._control import read_control
from metier.agent.turn.answers._reactions import read_reaction
from metier.agent.turn.answers._row_choices import sounds_partial
from metier.names import is_command
from metier.patterns import compile_later
from metier.questions import asks_only, find_places, is_detail_question, read_proposal_question
from metier.routing import read_small_talk
from metier.textsearch import fold

# Words of doing or leaving what is proposed: 第二处可以不改吗 may be a wish, 第六行呢 is a question.
_DEED: Final = compile_later(
    r"改|写|批准|同意|动|留|删|执行|下发|跳过|\b(?:chang|writ|appl|approv|agree|leav|left|skip|delet|edit|fix|keep)\w*",
    re.IGNORECASE,
)
# A wish, a limit or an objection may be put as a question: 功率的先别下发行吗, "should we not touch power?".
_LIMIT: Final = compile_later(
    r"不(?!是什么)|别|先|等|留|缓|除|只|但|明[天早]|以后|之后|晚|周[一二三四五六日]|错"
    r"|n['’]t\b|\b(?:not|no|hold|wait|tomorrow|until|later|only|except|but|without|unless|instead|first|before|says?)\b",
    re.IGNORECASE,
)
# A yes or no with more behind it: yes to the tilts, 同意下倾角的那些, 好的那就这样吧明天见.
_REPLY: Final = compile_later(
    r"\s*(?:好的?|行|可以|同意|批准|嗯|对|是的|没问题|不|别|yes\b|yeah\b|ok(?:ay)?\b|sure\b|no\b|approved?\b|fine\b)",
    re.IGNORECASE,
)


def raises_doubt(message: str) -> bool:
    """Whether words beside an open approval neither answer it nor only ask: 前两处同意，后面的再说, "yes, tomorrow"."""
    if is_command(message) or is_hum(message) or read_small_talk(fold(message)) is not None:
        return False
    if read_control(message) is not None or read_reaction(message) in ("thanks", "praise", "slow"):
        return False
    only_asks = asks_only(message) or is_detail_question(message) or read_proposal_question(message) is not None
    return may_limit(message) or not only_asks


def may_limit(message: str) -> bool:
    """Whether words may limit what an open approval is about, or put it off, also as a question."""
    has_limit = _LIMIT.search(message) is not None or sounds_partial(message)
    return has_limit or (bool(find_places(message)) and _DEED.search(message) is not None)


def may_reply(message: str) -> bool:
    """Whether words may be about an open approval: a limit, or a yes or no with more behind it."""
    return not is_command(message) and (may_limit(message) or _REPLY.match(message) is not None)
