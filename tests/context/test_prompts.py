import pytest

from metier.context import BasePrompt, RenderedPrompt, Voice
from metier.language import Language
from metier.tokens import count_tokens

TASK = "先定界，再给方案。\n\nUse `{{ 7*7 }}` and {% raw %} as they stand; {{ cycler.__init__ }}"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_shipped_prompt_is_short_and_shows_the_skill(language: Language) -> None:
    base = BasePrompt.default(language)
    assert base.render() == RenderedPrompt(base.render().text, has_skill=False)
    assert count_tokens(base.render().text) < 200
    with_skill = base.render(TASK)
    assert with_skill.has_skill
    assert not with_skill.note
    assert TASK in with_skill.text
    assert "use_skill" in base.render().text
    assert "use_skill" not in with_skill.text


VOICES: dict[str, tuple[Language, Voice, str]] = {
    "warm": ("zh", "warm", "温暖体贴"),
    "sarcastic": ("zh", "sarcastic", "毒舌俏皮"),
    "wise": ("zh", "wise", "沉稳通透"),
    "warm, English": ("en", "warm", "Speak warmly"),
    "sarcastic, English": ("en", "sarcastic", "dry wit"),
    "wise, English": ("en", "wise", "few words"),
}


@pytest.mark.parametrize(("language", "voice", "words"), VOICES.values(), ids=VOICES)
def test_the_tone_is_one_short_sentence_in_the_language_of_the_prompt(
    language: Language, voice: Voice, words: str
) -> None:
    base = BasePrompt.default(language)
    for text in (base.render(voice=voice).text, base.render(TASK, voice=voice).text):
        assert words in text
    assert 0 < count_tokens(base.render(voice=voice).text) - count_tokens(base.render().text) < 40
    assert words not in base.render().text


def test_the_operator_says_where_the_tone_stands() -> None:
    base = BasePrompt("{{ name }}{% if voice %}（{{ voice }}）{% endif %}", language="zh")
    assert base.render().text == "Metier"
    assert base.render(voice="wise").text.startswith("Metier（语气沉稳")


def test_a_skill_is_data_and_never_a_template() -> None:
    assert "{{ 7*7 }}" in BasePrompt("{{ skill_content }}").render(TASK).text


def test_the_operator_has_values_of_their_own() -> None:
    base = BasePrompt("{{ name }}：{{ house|join('；') }}", values={"name": "小满", "house": ["先问", "再做"]})
    assert base.render().text == "小满：先问；再做"


def test_a_template_that_leaves_the_skill_out_says_so() -> None:
    for template in ("Base.{{ skill_content|upper }}", "Base.", "Base.{{ skill_content|truncate(3, true, '', 0) }}"):
        found = BasePrompt(template).render("do this")
        assert not found.has_skill, template
        assert "as it stands" in found.note, template
        assert "do this" not in found.text.lower(), template
    assert BasePrompt("Base.\n{{ skill_content|indent(2) }}").render("do\nthis").has_skill


def test_a_name_without_a_value_is_told_once_in_the_log_and_the_prompt_stays_the_operators(
    caplog: pytest.LogCaptureFixture,
) -> None:
    base = BasePrompt("您好，{{ company }}。{{ skill_content }}", language="zh")
    found = [base.render("做这个") for _ in range(2)][1]
    assert found.text == "您好，。做这个"
    assert found.has_skill
    assert "company" in found.note
    assert "skill_content" in found.note
    assert [one.getMessage().partition(":")[0] for one in caplog.records] == ["prompt_name_undefined"]


def test_a_template_that_cannot_be_rendered_stands_as_its_own_words_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = {
        "{% if %}": "Expected an expression",
        "{{ 'a' * 500000000 }}": "'*'",
        "{% for a in range(99999) %}x{% endfor %}": "10000 rounds",
        "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}": "recursion",
        "{{ skill_content|no_such_filter }}": "no_such_filter",
        "{{ open('/etc/passwd') }}": "'open'",
        "{% if skill_content %}{{ 'a' * 500000000 }}{% endif %}": "'*'",
    }
    for tags, problem in broken.items():
        caplog.clear()
        base = BasePrompt(f"Be kind.{tags}", language="en")
        found = [base.render("do this") for _ in range(2)][1]
        assert found.text.startswith("Be kind."), tags
        assert "do this" not in found.text, tags
        assert not found.has_skill, tags
        assert problem in found.note, tags
        assert "skill_content" in found.note, tags
        assert ("own words" in found.note) is not tags.startswith("{% if skill_content"), tags
        assert [one.getMessage().partition(":")[0] for one in caplog.records] == ["prompt_template_failed"], tags
