"""Users, keys and the audit log at the command line."""

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.settings import load_settings
from metier.store import Principal, Store

Capture = pytest.CaptureFixture[str]


def find_owner(secret: str) -> Principal | None:
    async def find() -> Principal | None:
        async with Store.open(load_settings().database_url) as store:
            return await store.keys.find_owner(secret)

    return asyncio.run(find())


def run_json(capsys: Capture, *arguments: str) -> dict[str, object]:
    assert run([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_user_is_added_with_a_key_that_is_shown_once(capsys: Capture) -> None:
    assert run(["users", "add", "ann", "--role", "approver"]) == 0
    told = capsys.readouterr()
    (secret,) = told.out.split()
    assert "it is shown only now" in told.err
    owner = find_owner(secret)
    assert owner is not None
    assert (owner.user, sorted(owner.roles)) == ("ann", ["approver", "user"])
    for command in (["users", "list"], ["keys", "list"], ["audit", "export"]):
        assert run(command) == 0
        assert secret.split("_", 2)[2] not in "".join(capsys.readouterr())


def test_a_key_is_made_listed_and_revoked(capsys: Capture) -> None:
    assert run(["users", "add", "ann"]) == 0
    capsys.readouterr()
    made = run_json(capsys, "keys", "create", "--user", "ann", "--role", "operator", "--label", "browser")
    key = made["key"]
    assert isinstance(key, dict)
    assert (key["user"], key["roles"], key["label"]) == ("ann", ["operator", "user"], "browser")
    assert run(["keys", "revoke", str(key["id"])]) == 0
    assert find_owner(str(made["secret"])) is None
    listed = run_json_keys(capsys)
    assert [bool(one["revoked_at"]) for one in listed if one["id"] == key["id"]] == [True]
    assert run(["keys", "revoke", str(key["id"])]) == 1


def run_json_keys(capsys: Capture) -> list[dict[str, object]]:
    capsys.readouterr()
    found = run_json(capsys, "keys", "list")["keys"]
    assert isinstance(found, list)
    return found


def test_removing_a_user_revokes_the_keys(capsys: Capture) -> None:
    assert run(["users", "add", "ann"]) == 0
    (secret,) = capsys.readouterr().out.split()
    assert run(["users", "remove", "ann"]) == 0
    assert capsys.readouterr().out == "removed ann; 1 key revoked\n"
    assert find_owner(secret) is None
    assert run_json(capsys, "users", "list") == {"users": []}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["keys", "create", "--user", "nobody"], 3, "there is no user 'nobody'"),
        (["users", "add", "ann", "--role", "admin"], 5, "there is no role 'admin'"),
        (["users", "add", " "], 5, "user must not be empty"),
        (["users", "remove", "nobody"], 3, "there is no user 'nobody'"),
        (["keys", "revoke", "nothing"], 3, "there is no key 'nothing'"),
        (["audit", "verify", "nothing.jsonl"], 3, "no file 'nothing.jsonl'"),
        (["audit", "export", "--since", "never"], 5, "'never' is no time"),
        (["approvals", "approve", "nothing"], 3, "there is no pause 'nothing'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(capsys: Capture, arguments: list[str], code: int, said: str) -> None:
    assert run(arguments) == code
    assert said in capsys.readouterr().err


def test_two_users_never_have_names_that_look_the_same(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_API_KEYS", json.dumps({"bob": "key-of-bob-0123456789"}))
    assert run(["users", "add", "Ann"]) == 0
    told = []
    for name in ("ann", "\uff21nn", "BOB", "bob"):
        assert run(["users", "add", name]) != 0, name
        told.append(capsys.readouterr().err)
    assert all("already" in one for one in told), told
    assert run(["users", "add", "bob", "--same-person"]) == 0


def test_a_refused_addition_leaves_nothing_behind(capsys: Capture) -> None:
    assert run(["users", "add", "ann", "--role", "admin"]) == 5
    capsys.readouterr()
    assert run_json(capsys, "users", "list") == {"users": []}


def test_the_audit_log_is_exported_and_an_export_is_checked(capsys: Capture, tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        assert run(["users", "add", name]) == 0
    capsys.readouterr()
    assert run(["audit", "export", "--since", "1h"]) == 0
    exported = capsys.readouterr().out
    lines = [json.loads(line) for line in exported.splitlines()]
    assert [one["action"] for one in lines] == ["user.added", "key.created"] * 2
    assert {one["key"] for one in lines} == {"terminal"}
    file = tmp_path / "audit.jsonl"
    file.write_text(exported, "utf-8")
    assert run(["audit", "verify", str(file)]) == 0
    assert capsys.readouterr().out == "4 lines checked, 0 problems\n"
    file.write_text("".join(exported.splitlines(keepends=True)[::2]), "utf-8")
    assert run(["audit", "verify", str(file)]) == 1
    assert "line 3 follows line 1" in capsys.readouterr().err
    file.write_text(exported.replace('"bob"', '"eve"'), "utf-8")
    assert run(["audit", "verify", str(file)]) == 1
    assert "was changed after it was written" in capsys.readouterr().err


def test_lines_that_were_cut_off_show_against_an_export(capsys: Capture, tmp_path: Path) -> None:
    assert run(["users", "add", "ann"]) == 0
    capsys.readouterr()
    assert run(["audit", "export"]) == 0
    file = tmp_path / "audit.jsonl"
    file.write_text(capsys.readouterr().out, "utf-8")
    for path in Path(load_settings().storage_dir).glob("metier.sqlite3*"):
        path.unlink()
    assert run(["audit", "verify"]) == 0
    assert run(["audit", "verify", str(file)]) == 1
    assert "line 2 of audit.jsonl is not in the log any more" in capsys.readouterr().err


def test_a_table_cannot_hold_a_formula(capsys: Capture) -> None:
    assert run(["users", "add", "=1+1"]) == 0
    capsys.readouterr()
    assert run(["audit", "export", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[0]["target"] == "'=1+1"
    assert rows[0]["action"] == "user.added"


def test_a_wrong_key_decides_nothing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["users", "add", "ann"]) == 0
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO("mtr_wrong_key\n"))
    assert run(["approvals", "approve", "anything"]) == 4
    told = capsys.readouterr()
    assert "this key opens nothing" in told.err
    assert "mtr_wrong_key" not in told.out + told.err


def test_nothing_waits_for_approval_in_a_new_store(capsys: Capture) -> None:
    assert run_json(capsys, "approvals", "list") == {"approvals": []}
