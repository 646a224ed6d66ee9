"""Words for the direction of a sort, for tables of all kinds of files."""

from typing import Final

__all__ = ["SORT_DOWN", "SORT_UP"]

SORT_DOWN: Final = (
    r"从多到少|由多到少|\b(?:from )?(?:the )?(?:biggest|largest|highest|most|dearest|newest|latest|longest) "
    r"(?:down )?to (?:the )?(?:smallest|lowest|least|cheapest|oldest|earliest|shortest)\b|"
    r"降序|倒序|从高到低|由高到低|从大到小|由大到小|从多到少|由多到少|从新到旧|从晚到早|从近到远|"
        r"高的?(?:排)?在?前面?|从高往低|由高往低|从最?好到最?差|"
    r"大的?(?:排)?在?前面?|多的?(?:排)?在?前面?|最新的?(?:排)?在?前面?|\b(?:descending|desc|high(?:est)? to "
        r"low(?:est)?|largest (?:to smallest|first)|"
    r"biggest first|highest first|(?:newest|latest|most recent|biggest|highest|largest|most expensive) (?:to oldest|"
    r"first|(?:at|on|to) (?:the )?top|"
    r"up top)|z (?:to|-) a|"
    r"from high to low|reverse)\b(?: order)?"
)  # fmt: skip
SORT_UP: Final = (
    r"从少到多|由少到多|\b(?:from )?(?:the )?(?:smallest|lowest|least|cheapest|oldest|earliest|shortest) "
    r"(?:up )?to (?:the )?(?:biggest|largest|highest|most|dearest|newest|latest|longest)\b|"
    r"升序|正序|先后|早晚|从低到高|由低到高|从小到大|由小到大|从少到多|从旧到新|从早到晚|由早到晚|从远到近|"
        r"低的?(?:排)?在?前面?|"
    r"小的?(?:排)?在?前面?|少的?(?:排)?在?前面?|早的?(?:排)?在?前面?|按(?:姓氏)?拼音|\b(?:ascending|asc|"
        r"low(?:est)? to high(?:est)?|smallest (?:to largest|"
    r"first)|lowest first|(?:oldest|earliest|smallest|lowest|cheapest) (?:to newest|first|(?:at|on|to) (?:the )?top)|"
    r"alphabetical(?:ly)?|a (?:to|-) z|"
    r"from low to high)\b(?: order)?"
)  # fmt: skip
