"""What a message wants with parameters: nothing is applied or taken back that was not asked for."""

from metier.packs.telecom._change_requests import read_change_request


def _read(message: str) -> str:
    found = read_change_request(message, "zh")
    return next((name for name in ("apply", "undo", "asks") if found.to_json()[name]), "told")


def test_the_first_clause_that_acts_says_whether_to_apply_or_to_undo() -> None:
    cases = {
        "下发参数": "apply",
        "把朝阳的推荐参数下发": "apply",
        "下发参数，不行再恢复": "apply",
        "下发参数,万一有问题再撤回": "apply",
        "可以下发参数了": "apply",
        "能把参数下发一下吗": "apply",
        "apply the parameters": "apply",
        "apply the parameters again, I can always roll back later": "apply",
        "can you apply the parameters?": "apply",
        "put the new tilts into force": "apply",
        "撤销刚才下发的参数": "undo",
        "回退浦东的参数": "undo",
        "取消刚才的下发": "undo",
        "恢复原来的参数": "undo",
        "undo the parameters of Pudong": "undo",
        "please roll the parameters back": "undo",
        "Could you revert the parameters?": "undo",
        "参数已经取消下发了吗": "asks",
        "下发参数之后还能恢复吗？": "asks",
        "Can I roll back later if I apply the parameters?": "asks",
        "改了哪些参数？": "asks",
        "who applied the parameters": "asks",
        "只下发功率的那几条": "told",
        "apply only the power changes": "told",
        "undo the parameters of 460-00-100031 only": "told",
    }
    assert {message: _read(message) for message in cases} == cases


def test_named_cells_restrict_what_is_applied() -> None:
    found = read_change_request("只下发460-00-100031和460-00-100034的参数", "zh")
    assert found.applies
    assert found.cells == ("460-00-100031", "460-00-100034")
