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
    assert BasePrompt("{{ nobody }}", language="en").render(voice="warm").text.count("Speak warmly") == 1


def test_a_skill_is_data_and_never_a_template() -> None:
    assert "{{ 7*7 }}" in BasePrompt("{{ skill_content }}").render(TASK).text


def test_the_operator_has_values_of_their_own() -> None:
    base = BasePrompt("{{ name }}：{{ house|join('；') }}", values={"name": "小满", "house": ["先问", "再做"]})
    assert base.render().text == "小满：先问；再做"


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        pytest.param("Base.{% if skill_content %}{{ nobody }}{% endif %}", "'nobody' is undefined", id="unknown name"),
        pytest.param("Base.{% if skill_content %}{{ skill_content|first|int }}{% endif %}", "", id="unknown filter"),
        pytest.param("Base.{{ skill_content|upper }}", "as it stands", id="changed on the way"),
        pytest.param("Base.", "as it stands", id="forgotten"),
    ],
)
def test_a_template_that_fails_on_the_skill_is_used_without_it(template: str, reason: str) -> None:
    found = BasePrompt(template).render("do this")
    assert not found.has_skill
    assert reason in found.note
    assert "do this" not in found.text.lower()


@pytest.mark.parametrize(
    "template",
    [
        pytest.param("{% if %}", id="syntax"),
        pytest.param("{{ nobody }}", id="unknown name"),
        pytest.param("{{ 'a' * 500000000 }}", id="runs away"),
        pytest.param("{% for a in range(999999999) %}x{% endfor %}", id="counts for ever"),
        pytest.param("{{ name.a.b }}", id="unknown attribute"),
        pytest.param("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", id="nested too deep"),
    ],
)
def test_a_template_that_cannot_be_used_gives_way_to_the_shipped_one(template: str) -> None:
    found = BasePrompt(template, language="zh").render("做这个")
    assert found.text == BasePrompt.default("zh").render().text
    assert not found.has_skill
    assert found.note.startswith("基础提示词无法使用")
