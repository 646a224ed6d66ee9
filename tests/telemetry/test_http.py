"""Batches over HTTP, against a real server that is sometimes away."""

import json
import logging
from collections.abc import Sequence

import pytest

from metier.errors import InvalidSettings
from metier.telemetry._http import HttpBatchQueue, validate_url
from tests.telemetry.support import receiver


def _encode(batch: Sequence[int]) -> bytes:
    return json.dumps(list(batch)).encode()


def _lane(url: str) -> HttpBatchQueue[int]:
    return HttpBatchQueue("receiver", url, _encode, {"content-type": "application/json"}, retry_s=(0.001, 0.001))


def test_what_is_put_is_posted() -> None:
    with receiver() as found:
        lane = _lane(found.url + "/in?key=1")
        for number in range(3):
            lane.put(number)
        assert lane.queue.flush(60)
        lane.close(10)
    assert [number for _, _, body in found.bodies for number in json.loads(body)] == [0, 1, 2]
    assert {(path, kind) for path, kind, _ in found.bodies} == {("/in?key=1", "application/json")}


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_service_that_is_away_gets_it_later_and_is_told_of_once(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with receiver(status, status, status) as found, caplog.at_level(logging.INFO):
        lane = _lane(found.url)
        lane.put(7)
        assert lane.queue.flush(60)
        lane.close(10)
    assert [json.loads(body) for _, _, body in found.bodies] == [[7]] * 4
    assert lane.queue.lost == {}
    assert [record.getMessage() for record in caplog.records if "receiver" in record.getMessage()] == [
        f"receiver cannot be reached (status {status}); events wait for it",
        "receiver is back",
    ]


@pytest.mark.parametrize("status", [400, 401, 404, 413, 302])
def test_what_is_refused_is_not_sent_again_and_is_counted(status: int) -> None:
    with receiver(status) as found:
        lane = _lane(found.url)
        lane.put(7)
        assert lane.queue.flush(60)
        lane.close(10)
    assert len(found.bodies) == 1
    assert lane.queue.lost == {"refused": 1}


def test_an_address_where_nobody_listens_holds_up_nobody() -> None:
    with receiver() as found:
        pass
    lane = _lane(found.url)
    lane.put(7)
    lane.close(0.05)
    assert sum(lane.queue.lost.values()) == 1


@pytest.mark.parametrize("url", ["", "localhost:4318", "ftp://host", "http://", "http://host:port", "http://h:99999"])
def test_an_address_that_cannot_be_posted_to_is_refused(url: str) -> None:
    with pytest.raises(InvalidSettings):
        validate_url(url, "telemetry_url")
