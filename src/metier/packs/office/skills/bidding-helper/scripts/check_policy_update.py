"""Tool `check_policy_update`: whether cited policies are in force."""

from metier.packs.office.analysis.script_tools import check_policies


def check_policy_update(doc_text: str) -> dict:
    """文中引用的法规是否现行 · whether cited policies are in force."""
    return dict(check_policies(doc_text=doc_text))
