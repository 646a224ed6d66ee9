"""Any layout becomes the open standard's, and nothing is lost unsaid."""

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import docx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from skills_ref.validator import validate

from metier.errors import InvalidInput, InvalidSkill, PathNotFound, Refused
from metier.skills import Catalog, Conversion, Skill, SkillLibrary, SkillRoot, convert
from metier.skills.read import read_skill, scan_root
from metier.skills.write._agent_skill import to_standard_name
from tests.skills.strategies import SkillFiles, skill_files

_FRONT = "---\nname: {name}\ndescription: Does one thing. Use it for that.\n---\n\nDo it.\n"


def put(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read_all(folder: Path) -> Catalog:
    return SkillLibrary.from_folders(folder).catalog()


def convert_one(source: Path, target: Path) -> Conversion:
    (done,), refused = convert(source, target)
    assert refused == ()
    assert validate(done.target) == []
    return done


def said_by(done: Conversion, words: str) -> bool:
    return any(words in note for note in done.notes)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(made=skill_files)
def test_a_converted_skill_reads_back_as_it_was_and_is_valid(
    made: SkillFiles, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("skills")
    made.write(folder / "in")
    (before,) = (read_skill(candidate) for candidate in scan_root(SkillRoot(folder / "in")).candidates)
    assume(before.skill is not None)
    assert before.skill is not None
    (done,), refused = convert(folder / "in", folder / "out")
    assert refused == ()
    assert validate(done.target) == []
    (after,) = (read_skill(candidate) for candidate in scan_root(SkillRoot(folder / "out")).candidates)
    assert after.skill is not None
    assert differences(before.skill, after.skill) == {}


def differences(before: Skill, after: Skill) -> dict[str, tuple[object, object]]:
    skipped = {"source", "digest", "files"} | ({"description"} if not before.description else set())
    return {
        field.name: (getattr(before, field.name), getattr(after, field.name))
        for field in fields(Skill)
        if field.name not in skipped and getattr(before, field.name) != getattr(after, field.name)
    }


# Names and descriptions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skill_id", "name"),
    [
        pytest.param("network_optimization", "network-optimization", id="underscore"),
        pytest.param("My_Skill", "my-skill", id="upper case"),
        pytest.param("网络优化", "网络优化", id="Chinese stays"),
        pytest.param("ＡＢ１", "ab1", id="full width"),
        pytest.param("-a__b-", "a-b", id="hyphens at the ends and in a row"),
        pytest.param("v1.2", "v1-2", id="dot"),
        pytest.param("x" * 90, "x" * 64, id="too long"),
        pytest.param("𠀀" * 64, "𠀀" * 60, id="too many bytes for a file name"),
        pytest.param("con_", "con-skill", id="reserved on some systems"),
        pytest.param("İx", "i-x", id="a letter whose lower case is two"),
    ],
)
def test_an_id_is_brought_to_the_standard(skill_id: str, name: str) -> None:
    assert to_standard_name(skill_id) == name


def test_an_id_without_a_letter_has_no_standard_name() -> None:
    with pytest.raises(InvalidSkill):
        to_standard_name("___")


def test_references_stay_valid_because_the_old_id_is_kept(tmp_path: Path) -> None:
    put(tmp_path / "in", {"first_step.md": _FRONT.format(name="first_step")})
    put(tmp_path / "in", {"second.md": "---\nname: second\nrequires: [first_step]\n---\nGo on.\n"})
    done, _ = convert(tmp_path / "in", tmp_path / "out")
    assert [path.target.name for path in done] == ["first-step", "second"]
    catalog = read_all(tmp_path / "out")
    assert catalog["second"].requires == ("first_step",)
    assert "first_step" in catalog
    assert said_by(done[0], "'first_step' became 'first-step'")


def test_two_skills_of_one_name_are_not_merged(tmp_path: Path) -> None:
    put(tmp_path / "in", {"a-b.md": _FRONT.format(name="a-b"), "a_b.md": _FRONT.format(name="a_b")})
    (done,), (refused,) = convert(tmp_path / "in", tmp_path / "out")
    assert done.skill == "a-b"
    assert refused.message == "'a_b' and 'a-b' would both be named 'a-b'"
    assert refused.to_json()["skill"] == "a_b"


@pytest.mark.parametrize(
    ("front", "body", "description"),
    [
        pytest.param("title: 周报\ntriggers: [周报, 汇总]\n", "Write.", "周报: 周报, 汇总", id="triggers"),
        pytest.param("when_to_use: at the end\ntriggers: [x]\n", "Write.", "a: at the end", id="when to use"),
        pytest.param("priority: 3\n", "# Head\n\n- Write it.", "a: Write it.", id="the first words"),
        pytest.param("priority: 3\n", "# Head", "a", id="only the title"),
    ],
)
def test_a_missing_description_is_made_and_said(tmp_path: Path, front: str, body: str, description: str) -> None:
    put(tmp_path, {"a.md": f"---\nname: a\n{front}---\n{body}\n"})
    done = convert_one(tmp_path / "a.md", tmp_path / "out")
    assert read_all(tmp_path / "out")["a"].description == description
    assert said_by(done, "no description")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("One sentence. " * 100, ("One sentence. " * 73).strip(), id="sentences"),
        pytest.param("一句话。" * 300, "一句话。" * 256, id="Chinese sentences"),
        pytest.param("word " * 300, ("word " * 204).strip() + "…", id="words"),
        pytest.param("字" * 1500, "字" * 1023 + "…", id="letters"),
    ],
)
def test_a_long_description_is_cut_and_kept_whole_beside(tmp_path: Path, text: str, kept: str) -> None:
    put(tmp_path, {"a.md": f'---\nname: a\ndescription: "{text.strip()}"\n---\nGo.\n'})
    done = convert_one(tmp_path / "a.md", tmp_path / "out")
    skill = read_all(tmp_path / "out")["a"]
    assert skill.description == kept
    assert skill.metadata["description_full"] == text.strip()
    assert said_by(done, "'metadata.description_full'")


def test_a_long_compatibility_note_is_cut_and_kept_whole_beside(tmp_path: Path) -> None:
    front = f"name: a\ndescription: d\ncompatibility: {'needs git ' * 80}"
    put(tmp_path, {"a/SKILL.md": f"---\n{front}\n---\nGo.\n"})
    done = convert_one(tmp_path / "a", tmp_path / "out")
    assert len(read_all(tmp_path / "out")["a"].compatibility) <= 500
    assert said_by(done, "compatibility_full")


# Keys -----------------------------------------------------------------------------------------------------------------


def test_foreign_keys_move_under_metadata_as_they_were_spelt(tmp_path: Path) -> None:
    front = (
        "name: a\ndescription: d\nauthor: 王\nmodel: opus\nratio: 1.10\nlinks: {home: x}\nmetadata:\n  build: 1.10\n"
    )
    put(tmp_path, {"a/SKILL.md": f"---\n{front}---\nGo.\n"})
    done = convert_one(tmp_path / "a", tmp_path / "out")
    assert read_all(tmp_path / "out")["a"].metadata == {
        "author": "王",
        "model": "opus",
        "ratio": "1.10",
        "links": '{"home": "x"}',
        "build": "1.10",
    }
    assert said_by(done, "author, model, ratio, links")


def test_a_foreign_key_never_becomes_a_field_of_ours(tmp_path: Path) -> None:
    put(tmp_path, {"a/SKILL.md": "---\nname: a\ndescription: d\nmetadata:\n  title: [x]\n---\nGo.\n"})
    convert_one(tmp_path / "a", tmp_path / "out")
    skill = read_all(tmp_path / "out")["a"]
    assert skill.title == "a"
    assert skill.metadata == {"x-title": '["x"]'}


def test_unknown_keys_of_a_manifest_are_said_to_be_left_out(tmp_path: Path) -> None:
    manifest = {"schema_version": "ah32.skill.v1", "meta": {"id": "ab", "descripton": "x"}}
    put(tmp_path / "ab", {"skill.json": json.dumps(manifest), "SYSTEM.md": "Go."})
    done = convert_one(tmp_path / "ab", tmp_path / "out")
    assert said_by(done, "key 'meta.descripton' is not known and was left out")


def test_three_dashes_in_a_value_are_not_the_end_of_the_front_matter(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": '---\nname: a\ndescription: "before --- after"\nsop: [{say: "----"}]\n---\n---\nbody\n'})
    done = convert_one(tmp_path / "a.md", tmp_path / "out")
    text = (done.target / "SKILL.md").read_text()
    assert text.split("---", 2)[2].strip() == "---\nbody"
    skill = read_all(tmp_path / "out")["a"]
    assert skill.description == "before --- after"
    assert skill.sop == ({"say": "----"},)


def test_pre_approved_tools_are_one_line_of_words(tmp_path: Path) -> None:
    tools = 'allowed-tools: [Read, "Bash(git:*)"]'
    put(tmp_path, {"a/SKILL.md": f"---\nname: a\ndescription: d\n{tools}\n---\nGo.\n"})
    done = convert_one(tmp_path / "a", tmp_path / "out")
    assert 'allowed-tools: "Read Bash(git:*)"\n' in (done.target / "SKILL.md").read_text()


def test_chinese_is_written_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, {"周报.md": "---\nname: 周报\ntitle: 每周汇报\ndescription: 写周报。\n---\n写。\n"})
    done = convert_one(tmp_path / "周报.md", tmp_path / "out")
    assert '  title: "每周汇报"\n' in (done.target / "SKILL.md").read_text()


# Files ----------------------------------------------------------------------------------------------------------------


def _document(text: str) -> bytes:
    made = docx.Document()
    made.add_heading(text, level=1)
    packed = io.BytesIO()
    made.save(packed)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("files", "kept"),
    [
        pytest.param({"SYSTEM.docx": _document("Glossary")}, "assets/SYSTEM.docx", id="bare"),
        pytest.param(
            {"SYSTEM.docx": _document("Glossary"), "assets/system.docx": _document("Other")},
            "assets/SYSTEM-1.docx",
            id="its place is taken",
        ),
        pytest.param(
            {
                "skill.json": '{"schema_version":"ah32.skill.v1", "meta":{"id":"gl"}, "entry":{"prompt":"p.docx"}}',
                "p.docx": _document("Glossary"),
            },
            "assets/p.docx",
            id="manifest with an entry",
        ),
    ],
)
def test_a_word_prompt_becomes_the_body_and_stays_as_an_asset(
    tmp_path: Path, files: dict[str, str | bytes], kept: str
) -> None:
    done = convert_one(put(tmp_path / "gl", files), tmp_path / "out")
    assert read_all(tmp_path / "out")["gl"].instructions == "# Glossary"
    assert (done.target / kept).is_file()
    assert said_by(done, f"kept as {kept}")


def test_every_other_file_is_copied_with_its_right_to_run(tmp_path: Path) -> None:
    names = ["scripts/run.sh", "references/a/b.md", "assets/x.csv", "rules/r.md", "evals/evals.json", "extra.txt"]
    put(tmp_path / "in/ab", {"SYSTEM.md": "Go.", **dict.fromkeys(names, "text")})
    (tmp_path / "in/ab/scripts/run.sh").chmod(0o755)
    done = convert_one(tmp_path / "in/ab", tmp_path / "out")
    found = sorted(str(path.relative_to(done.target)) for path in done.target.rglob("*") if path.is_file())
    assert found == sorted([*names, "SKILL.md"])
    assert (done.target / "scripts/run.sh").stat().st_mode & 0o111
    assert not (done.target / "extra.txt").stat().st_mode & 0o111


def test_tools_that_do_not_fit_the_front_matter_go_to_a_file(tmp_path: Path) -> None:
    tools = [{"name": f"t{number}", "description": "x" * 300, "parameters": {"type": "object"}} for number in range(60)]
    manifest = {"schema_version": "ah32.skill.v1", "meta": {"id": "ab", "description": "d"}, "tools": tools}
    put(tmp_path / "ab", {"skill.json": json.dumps(manifest), "SYSTEM.md": "Go."})
    before = read_all(tmp_path)["ab"]
    done = convert_one(tmp_path / "ab", tmp_path / "out")
    assert read_all(tmp_path / "out")["ab"].tools == before.tools
    assert said_by(done, "went to tools/tools.yaml")


def test_a_front_matter_that_cannot_shrink_is_refused_whole(tmp_path: Path) -> None:
    awkward = r"'\\" * 30  # in JSON inside YAML both characters double, whichever quotes are chosen
    steps = "".join(f'  - {{say: "{awkward}"}}\n' for _ in range(150))
    put(tmp_path, {"a.md": f"---\nname: a\ndescription: d\nsop:\n{steps}---\nGo.\n"})
    with pytest.raises(InvalidSkill) as caught:
        convert(tmp_path / "a.md", tmp_path / "out")
    assert "bytes" in caught.value.message
    assert not (tmp_path / "out").exists()


# Sources and targets --------------------------------------------------------------------------------------------------


def _zip(files: Mapping[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _tar(files: Mapping[str, str], link: str = "") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
        if link:
            member = tarfile.TarInfo("x/link")
            member.type, member.linkname = tarfile.SYMTYPE, link
            archive.addfile(member)
    return packed.getvalue()


_SKILL = {"SKILL.md": _FRONT.format(name="a"), "references/x.md": "x"}


@pytest.mark.parametrize(
    ("name", "raw", "found"),
    [
        pytest.param("a.zip", _zip(_SKILL), ["a"], id="files at the top"),
        pytest.param("b.skill", _zip({f"a/{name}": text for name, text in _SKILL.items()}), ["a"], id="one folder"),
        pytest.param("b.tar.gz", _tar({f"a/{name}": text for name, text in _SKILL.items()}), ["a"], id="tar"),
        pytest.param(
            "many.tgz", _tar({"in/b.md": _FRONT.format(name="b"), "in/c/SYSTEM.md": "Go."}), ["b", "c"], id="many"
        ),
        pytest.param("gl.zip", _zip({"SYSTEM.md": "Go."}), ["gl"], id="bare at the top is named after the archive"),
        pytest.param("a.zip", _zip({**_SKILL, "__MACOSX/._x": b"\x00"}), ["a"], id="leavings of macOS"),
    ],
)
def test_an_archive_is_unpacked_and_converted(tmp_path: Path, name: str, raw: bytes, found: list[str]) -> None:
    put(tmp_path, {name: raw})
    done, refused = convert(tmp_path / name, tmp_path / "out")
    assert [conversion.skill for conversion in done] == found
    assert refused == ()
    assert all(validate(conversion.target) == [] for conversion in done)
    assert all(str(conversion.source).startswith(str(tmp_path / name)) for conversion in done)


@pytest.mark.parametrize(
    ("name", "raw", "why"),
    [
        pytest.param("a.zip", _zip({"../../evil.md": "x"}), "archive_path_escape", id="leads out"),
        pytest.param("a.zip", _zip({"..\\evil.md": "x"}), "archive_path_escape", id="leads out with a backslash"),
        pytest.param("a.tar.gz", _tar(_SKILL, link="/etc/passwd"), "archive_link", id="link"),
        pytest.param("a.zip", b"PK\x03\x04 no", "archive_unreadable", id="broken"),
        pytest.param("a.tar.gz", _tar(_SKILL)[:60], "a.tar.gz", id="cut short"),
        pytest.param("a.zip", _zip({"a/con.md": "x"}), "reserved", id="a name that cannot be everywhere"),
        pytest.param("a.zip", _zip({"a/big.bin": b"\x00\xff" * 3_000_000}), "larger", id="too large a file"),
        pytest.param("a.zip", _zip({"a/x": "1", "a//x": "2"}), "cannot be unpacked", id="one file twice"),
        pytest.param("a.zip", _zip({"README": "x"}), "no skill", id="no skill in it"),
    ],
)
def test_a_bad_archive_is_refused_and_leaves_nothing(tmp_path: Path, name: str, raw: bytes, why: str) -> None:
    put(tmp_path, {name: raw})
    with pytest.raises(InvalidSkill) as caught:
        convert(tmp_path / name, tmp_path / "out")
    assert why in caught.value.message
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


def test_a_locked_archive_is_refused(tmp_path: Path) -> None:
    raw = bytearray(_zip(_SKILL))
    raw[6] |= 1  # the "encrypted" flag of the first local header
    at = raw.index(b"PK\x01\x02")
    raw[at + 8] |= 1
    put(tmp_path, {"a.zip": bytes(raw)})
    with pytest.raises(InvalidSkill) as caught:
        convert(tmp_path / "a.zip", tmp_path / "out")
    assert "encrypted" in caught.value.message


@pytest.mark.parametrize("name", ["SKILL.md", "references/../SKILL.md"])
def test_the_main_file_stands_for_its_folder(tmp_path: Path, name: str) -> None:
    put(tmp_path / "a", _SKILL)
    done = convert_one(tmp_path / "a" / name, tmp_path / "out")
    assert (done.target / "references/x.md").read_text() == "x"


def test_the_working_folder_can_be_a_skill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(put(tmp_path / "gl", {"SYSTEM.md": "Go."}))
    assert convert_one(Path(), tmp_path / "out").skill == "gl"


def test_a_refused_skill_does_not_stop_the_others_and_is_not_written(tmp_path: Path) -> None:
    put(tmp_path / "in", {"good.md": _FRONT.format(name="good"), "bad/SKILL.md": "---\nname: bad\n"})
    put(tmp_path / "in", {"NOTES.md": "# no skill at all\n"})
    (done,), (refused,) = convert(tmp_path / "in", tmp_path / "out")
    assert done.skill == "good"
    assert refused.skill == "bad"
    assert "front_matter_unclosed" in refused.message
    assert [found.code for found in refused.diagnostics] == ["front_matter_unclosed"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["good"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("---\nname: a\ntags: &x [b]\n---\n", "line 3", id="refused with its line"),
        pytest.param("# nothing but text\n", "no_front_matter", id="no skill"),
        pytest.param('---\nname: a\ndescription: "x\\u202e y"\n---\nGo.\n', "hidden_bidi", id="hidden by an escape"),
    ],
)
def test_the_only_skill_refused_is_an_error(tmp_path: Path, text: str, why: str) -> None:
    put(tmp_path, {"a.md": text})
    with pytest.raises(InvalidSkill) as caught:
        convert(tmp_path / "a.md", tmp_path / "out")
    assert why in caught.value.message
    assert not (tmp_path / "out").exists()


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    manifest = '{"schema_version": "ah32.skill.v1", "meta": {"id": "ab", "description": "x\\ud800"}}'
    put(tmp_path / "ab", {"skill.json": manifest, "SYSTEM.md": "Go."})
    with pytest.raises(InvalidSkill):
        convert(tmp_path / "ab", tmp_path / "out")


def test_an_existing_folder_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    put(tmp_path / "in", {"a.md": _FRONT.format(name="a"), "b.md": _FRONT.format(name="b")})
    put(tmp_path / "out/b", {"mine.txt": "mine"})
    with pytest.raises(Refused) as caught:
        convert(tmp_path / "in", tmp_path / "out")
    assert "'b'" in caught.value.message
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b"]


def test_overwriting_replaces_the_whole_folder(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": _FRONT.format(name="a"), "out/a/old.txt": "old"})
    convert(tmp_path / "a.md", tmp_path / "out", overwrite=True)
    assert [str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*")] == ["a", "a/SKILL.md"]


def test_converting_in_place_is_overwriting(tmp_path: Path) -> None:
    put(tmp_path / "skills/a", {"SKILL.md": "---\nname: a\ntitle: T\ndescription: d\n---\nGo.\n", "extra.txt": "x"})
    convert(tmp_path / "skills", tmp_path / "skills", overwrite=True)
    assert validate(tmp_path / "skills/a") == []
    assert (tmp_path / "skills/a/extra.txt").read_text() == "x"
    again = (tmp_path / "skills/a/SKILL.md").read_text()
    convert(tmp_path / "skills", tmp_path / "skills", overwrite=True)
    assert (tmp_path / "skills/a/SKILL.md").read_text() == again


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound) as caught:
        convert(tmp_path / "nowhere", tmp_path / "out")
    assert "nowhere" in caught.value.message


def test_a_target_must_be_a_folder(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": _FRONT.format(name="a"), "out": "a file"})
    with pytest.raises(InvalidInput):
        convert(tmp_path / "a.md", tmp_path / "out")


def test_a_target_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": _FRONT.format(name="a"), "file": "x"})
    with pytest.raises(Refused):
        convert(tmp_path / "a.md", tmp_path / "file" / "out")


def test_a_conversion_is_plain_json(tmp_path: Path) -> None:
    put(tmp_path, {"a.md": _FRONT.format(name="a")})
    done = convert_one(tmp_path / "a.md", tmp_path / "out")
    assert json.loads(json.dumps(done.to_json()))["skill"] == "a"
