"""Names in a call that nobody gave: for reading and for writing, with files, results and addresses."""

from metier.agent.adapters import find_invented_name

ASKED = "把 costs.csv 的合计写到 total.csv"


def test_a_name_is_invented_if_neither_user_nor_result_nor_workspace_has_it() -> None:
    reads = {
        "costs.csv": None,
        "./costs.csv": None,
        "notes/plan.md": None,
        "found.html": None,
        "made-up.csv": "made-up.csv",
        "https://a.test/x": None,
        "https://b.test/y": "https://b.test/y",
        "a sentence about v2.1": None,
    }
    seen = ["see found.html and https://a.test/x"]
    for path, expected in reads.items():
        found = find_invented_name({"path": path}, asked=ASKED, results=seen, files=["plan.md"], writes=False)
        assert (found[0] if found else None) == expected, path
    assert find_invented_name({"path": "new.csv"}, asked="写个表", results=[], files=[], writes=False) is None


def test_a_call_that_writes_may_choose_a_name_unless_another_of_its_kind_was_asked_for() -> None:
    for path, expected in {"total.csv": None, "other.csv": "other.csv", "costs.csv": None, "chart.png": None}.items():
        found = find_invented_name({"path": path}, asked=ASKED, results=[], files=["costs.csv"], writes=True)
        assert (found[0] if found else None) == expected, path
    assert find_invented_name({"path": "a.md"}, asked="写份报告", results=[], files=["b.md"], writes=True) is None
