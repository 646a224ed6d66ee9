import json

from metier.tasks import Task, TaskList, TaskOutput, describe_order, has_clear_order, tasks_from_json


def make_list() -> TaskList:
    return TaskList((Task("1", "a", "A", "do a"), Task("2", "b", "B", "do b")))


def test_tasks_run_one_after_the_other_and_survive_json() -> None:
    tasks = make_list().start_next(1).finish(TaskOutput("done a", {"n": 1})).start_next(4)
    assert [one.state for one in tasks] == ["done", "running"]
    assert tasks.outputs == {"n": 1}
    assert tasks_from_json(json.loads(json.dumps(tasks.to_json()))) == tasks


def test_what_was_stopped_can_be_taken_up_again() -> None:
    stopped = make_list().start_next(1).stop()
    assert not stopped.is_open
    assert [one.state for one in stopped.reopen()] == ["pending", "pending"]


def test_after_a_failure_the_rest_is_skipped_with_the_reason() -> None:
    failed = make_list().start_next(1).fail("broken", "A failed")
    assert [(one.state, one.why) for one in failed] == [("failed", "broken"), ("skipped", "A failed")]


def test_entries_that_cannot_be_read_are_left_out() -> None:
    assert len(tasks_from_json([{"id": "1"}, 3, {"id": "1", "skill": "a", "state": "gone"}])) == 0
    assert len(tasks_from_json("none")) == 0


def test_a_later_part_that_comes_first_leaves_the_order_open() -> None:
    assert has_clear_order(["先做试卷", "写纪要"])
    assert not has_clear_order(["写纪要", "先做试卷"])
    assert describe_order(["A", "B"], "en") == [
        ((0, 1), "First A, then B"),
        ((1, 0), "First B, then A"),
        ((0,), "Only A"),
        ((1,), "Only B"),
    ]
