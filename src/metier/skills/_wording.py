"""Wording that has no place in a skill: orders to forget the rules, to fetch and run code, hidden orders.

A short list of plain patterns. It finds what is careless or crude; no finding does not mean no risk.
"""

import re
from dataclasses import dataclass

_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "tells the model to drop its instructions",
        re.compile(
            r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+){0,3}"
            r"(?:previous|prior|above|earlier|preceding|system)\s+(?:instructions?|prompts?|rules?|messages?)"
            r"|(?:忽略|无视|忘记|忘掉)(?:掉)?(?:你)?(?:之前|以上|先前|前面|上述|系统)(?:的)?(?:所有|全部|一切)?(?:的)?(?:指令|指示|提示词?|规则|要求)",
            re.IGNORECASE,
        ),
    ),
    (
        "pipes a download into a shell",
        re.compile(
            r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|;]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b"
            r"|\b(?:ba)?sh\s+(?:-c\s+)?[\"']?[<$]\(\s*(?:curl|wget)\b"
            r"|\beval\s*[\"'(]{0,3}\s*\$?\(?\s*(?:curl|wget)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "takes its instructions from an address",
        re.compile(
            r"\b(?:fetch|download|load|read|open|get)\b[^\n.]{0,60}https?://[^\s)]{1,300}[^\n.]{0,40}"
            r"\b(?:follow|obey|execute|run)\b[^\n.]{0,30}\b(?:instructions?|commands?|steps|it|them)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "hides an order in a comment",
        re.compile(
            r"<!--(?:(?!-->)[\s\S]){0,2000}?(?:\b(?:ignore|execute|run this|do not tell|don't tell|secretly|exfiltrate|"
            r"send (?:the|all|your))\b|执行以下|不要告诉|秘密)(?:(?!-->)[\s\S]){0,2000}?-->",
            re.IGNORECASE,
        ),
    ),
    (
        "hides text from the eye",
        re.compile(
            r"<[^>]{1,200}style\s*=\s*[\"'][^\"'>]{0,200}(?:color\s*:\s*(?:#?f{3,6}\b|white)|font-size\s*:\s*0|"
            r"display\s*:\s*none|opacity\s*:\s*0\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "asks to run an encoded block",
        re.compile(
            r"\b(?:base64|atob|decode)\b[^\n]{0,80}\b(?:run|exec(?:ute)?|eval|sh|bash|python)\b"
            r"|\b(?:run|exec(?:ute)?|eval)\b[^\n]{0,80}\n?[^\n]{0,20}\b[A-Za-z0-9+/]{80,}={0,2}",
            re.IGNORECASE,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A phrase that looks like an attack, and its line."""

    line: int
    message: str


def find_suspicious_wording(text: str) -> list[Suspicion]:
    """The first hit of every pattern, in the order of the list."""
    found: list[Suspicion] = []
    for what, pattern in _RULES:
        if hit := pattern.search(text):
            quoted = " ".join(hit[0].split())[:80]
            found.append(Suspicion(text.count("\n", 0, hit.start()) + 1, f"the text {what}: {quoted!r}"))
    return found
