"""Messages made of clauses: what the material of the task types is made of."""

from pathlib import Path

from training._labelled import Clause, Labelled, join_clauses, read_clauses

CLAUSES = (
    Clause(is_first=True, kind="web_task", text="get the results from the page"),
    Clause(is_first=True, kind="data_processing", text="add up the hours"),
    Clause(is_first=False, kind="data_processing", text="rank the teams"),
    Clause(is_first=False, kind="creation", text="做成海报"),
)


def test_two_clauses_have_the_types_of_both_and_one_type_twice_is_one() -> None:
    made = join_clauses(CLAUSES)
    assert {one.types for one in made} == {frozenset({"web_task", "data_processing"}), frozenset({"data_processing"})}
    assert all(one.message.endswith("rank the teams") for one in made)  # 做成海报 has no Chinese clause before it
    assert (
        Labelled(frozenset({"web_task", "data_processing"}), "get the results from the page and rank the teams") in made
    )


def test_lines_say_place_type_and_clause(tmp_path: Path) -> None:
    file = tmp_path / "clauses.txt"
    file.write_text("# about\nfirst\tcreation\twrite a letter\nnext\tresearch\tgive the sources\n", "utf-8")
    assert [(one.is_first, one.kind, one.text) for one in read_clauses(file)] == [
        (True, "creation", "write a letter"),
        (False, "research", "give the sources"),
    ]
