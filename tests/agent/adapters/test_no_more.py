"""Messages that want approvals without asking, by whole clauses."""

from metier.agent.adapters import asks_no_more, cut_no_more

NO_MORE = (
    "同意，下次不用问，直接下发", "不用再问了", "以后都不用再问我了", "好的，以后直接批准", "别再问我了",
    "don't ask me again", "yes, and from now on, don't ask", "approve it without asking", "always approve these",
)  # fmt: skip
OTHERS = (
    "别再问客户了", "next time I will ask the customer", "下次不用问客户的意见吗", "以后不用问路了",
    "stop asking the customer",
    "should it be applied without asking?", "don't ask the vendor again", "不用再问了吗？", "好的", "",
)  # fmt: skip


def test_only_a_whole_clause_about_asking_wants_approvals_without_asking() -> None:
    assert [one for one in NO_MORE if not asks_no_more(one)] == []
    assert [one for one in OTHERS if asks_no_more(one)] == []
    assert cut_no_more("不用再问了，取消") == "取消"
