"""The fit of the judge of roles: what ships is what the data give, and lines of authors left out are judged well."""

import numpy as np
import pytest

from metier.packs.office.analysis.meetings.roles import ROLES, WANTED, load_judge
from training.meeting_roles import LabelledTalk, fit, read_talks, score_left_out

_SURE = 0.9


@pytest.fixture(scope="module")
def talks() -> list[LabelledTalk]:
    return read_talks()


def test_every_line_of_the_data_has_known_roles(talks: list[LabelledTalk]) -> None:
    assert {role for talk in talks for roles in talk.roles for role in roles} == set(ROLES)
    assert all(len(talk.lines) == len(talk.roles) for talk in talks)


def test_decisions_and_work_of_authors_left_out_are_found_and_little_else(talks: list[LabelledTalk]) -> None:
    scores = score_left_out(talks)
    for at, role in enumerate(WANTED):
        called = np.array([one.odds[at] > _SURE for one in scores])
        is_so = np.array([role in one.talk.roles[one.at] for one in scores])
        assert (called & is_so).sum() >= 0.55 * is_so.sum()
        assert (called & is_so).sum() >= 0.85 * called.sum()


def test_the_shipped_weights_are_those_of_the_data(talks: list[LabelledTalk]) -> None:
    learned, shipped = fit(talks), load_judge()
    assert set(shipped.lines) <= set(learned.lines)
    assert np.abs(shipped.context - learned.context).max() < 0.02
    assert all(np.abs(own - learned.lines[name]).max() < 0.02 for name, own in shipped.lines.items())
