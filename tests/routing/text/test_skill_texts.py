from types import MappingProxyType

import pytest

from metier.routing.text import build_routing_text
from metier.skills import OutputContract, Text
from tests.routing.support import skill, text


def test_the_body_is_never_read() -> None:
    found = text("a", body=Text("secret instructions"))
    assert found == text("a")


def test_what_people_say_is_kept_apart_from_what_the_skill_says() -> None:
    found = text("a-b", title="T", description="D", when_to_use="W", examples=("e",), intents=("i",), triggers=("t",))
    assert (found.examples, found.about) == (("e", "i", "t"), ("T", "D W"))
    assert found.labels == ("a b",)


@pytest.mark.parametrize(
    ("description", "sentences"),
    [
        ("Writes weekly reports. Use when the user asks for a status; or for a plan.", 3),
        ("写周报：汇总本周进展。需要下周计划时使用。", 2),
        ("Writes weekly reports.", 1),
        ("Yes. No. Writes weekly reports.", 1),
        ("A sentence about one thing. " * 5 + " ".join(f"Does thing number {at}." for at in range(40)), 12),
    ],
)
def test_a_description_is_cut_into_its_sentences(description: str, sentences: int) -> None:
    found = text("a", title="T", description=description)
    assert len(found.sentences) == sentences
    assert all(one.strip(".;；。") in description for one in found.sentences)


def test_a_skill_with_examples_needs_no_sentences_and_one_without_a_description_has_its_title() -> None:
    assert text("a", title="T", description="Does this. Does that too.", examples=("e",)).sentences == ()
    assert text("a", title="Weekly report", description="").sentences == ("Weekly report",)
    assert text("a", title="", description="").sentences == ()


def test_triggers_are_folded_and_said_once() -> None:
    assert text("a", triggers=("ＰＰＴ", "ppt", " ", "Don't")).triggers == ("ppt", "dont")


def test_a_skill_may_be_refused_by_trigger_id_and_title() -> None:
    found = text("weekly_report", title="Status Update", triggers=("周报",))
    assert set(found.names) == {"周报", "weekly_report", "weekly report", "status update"}


@pytest.mark.parametrize(
    "hints",
    [
        pytest.param("短句", id="text"),
        pytest.param({"tone": ["短句", 3, None]}, id="object"),
        pytest.param(MappingProxyType({"tone": MappingProxyType({"is": "短句"})}), id="frozen object"),
    ],
)
def test_style_hints_are_read_whatever_holds_them(hints: object) -> None:
    found = build_routing_text(skill("a", output=OutputContract(style_hints=hints)))  # type: ignore[arg-type]
    assert "短句" in found.labels[-1]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"description": "other"}, id="description"),
        pytest.param({"examples": ("other",)}, id="examples"),
        pytest.param({"tags": ("other",)}, id="tags"),
        pytest.param({"group": "other"}, id="group"),
        pytest.param({"output": OutputContract(schema="other.v1")}, id="output schema"),
    ],
)
def test_the_digest_changes_with_the_texts(fields: dict[str, object]) -> None:
    assert text("a", **fields).digest != text("a").digest


def test_the_digest_does_not_change_with_anything_else() -> None:
    assert text("a", version="2", priority=9, enabled=False).digest == text("a").digest


def test_a_skill_without_any_text_has_an_id() -> None:
    found = text("a", title="")
    assert (found.examples, found.about, found.labels) == ((), (), ("a",))


def test_half_a_character_in_a_description_is_no_obstacle() -> None:
    assert text("a", description="x\ud800").digest
