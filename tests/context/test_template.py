import pytest
from jinja2 import TemplateSyntaxError

from metier.context._template import TemplateRefused, compile_template, render


def shown(source: str, **values: object) -> str:
    return render(compile_template(source), values)  # type: ignore[arg-type]


def test_text_values_conditions_loops_and_filters_work() -> None:
    source = "{% for one in rules if one %}{{ loop.index }} {{ one|trim|upper }}\n{% endfor %}{{ names|join('、') }}"
    assert shown(source, rules=[" a ", "", "b"], names=["甲", "乙"]) == "1 A\n2 B\n甲、乙"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("{{ 'a' * 500000000 }}", id="a long text by multiplication"),
        pytest.param("{{ 10 ** 10 ** 10 }}", id="a great power"),
        pytest.param("{{ '%300000000d' % 1 }}", id="a wide number"),
        pytest.param("{{ '%300000000d'|format(1) }}", id="a wide number by a filter"),
        pytest.param("{{ 'a'|center(300000000) }}", id="a wide line by a filter"),
        pytest.param("{{ 'a'.center(300000000) }}", id="a wide line by a method"),
        pytest.param("{{ 'a'|replace('a', 'aaaa') }}", id="replacing"),
        pytest.param("{{ x ~ x }}", id="joining"),
        pytest.param("{% for a in range(1000000000) %}{% endfor %}", id="a long range"),
        pytest.param("{% set x = 'a' %}{{ x }}", id="an assignment"),
        pytest.param("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", id="a macro that calls itself"),
        pytest.param("{% for a in x recursive %}{{ loop(a) }}{% endfor %}", id="a loop that calls itself"),
        pytest.param("{% include '/etc/passwd' %}", id="another file"),
        pytest.param("{{ ''.__class__.__mro__[1].__subclasses__() }}", id="the way to the machine"),
        pytest.param("{{ x|counted_ }}", id="our own filter"),
        pytest.param("a" * 64_001, id="a template longer than any prompt"),
    ],
)
def test_what_a_prompt_does_not_need_is_refused_before_it_runs(source: str) -> None:
    with pytest.raises(TemplateRefused):
        compile_template(source)


def test_loops_inside_loops_are_counted_together() -> None:
    source = "{% for a in x %}{% for b in x %}{% for c in x %}{% endfor %}{% endfor %}{% endfor %}"
    with pytest.raises(TemplateRefused, match="more than 10000 rounds"):
        shown(source, x=list(range(100)))


def test_output_beyond_any_prompt_stops_the_rendering() -> None:
    with pytest.raises(TemplateRefused, match="more than 1000000 characters"):
        shown("{% for a in x %}{{ text }}{% endfor %}", x=list(range(2000)), text="字" * 1000)


def test_join_cannot_be_stacked_into_a_flood() -> None:
    with pytest.raises(TemplateRefused, match="'join' makes"):
        shown("{{ text|join(text)|join(text) }}", text="x" * 1000)


def test_attributes_that_python_keeps_for_itself_are_not_there() -> None:
    from jinja2.exceptions import SecurityError, UndefinedError

    with pytest.raises((SecurityError, UndefinedError)):
        shown("{{ text.__class__.__mro__ }}", text="x")


def test_wrong_syntax_is_reported_as_jinja_reports_it() -> None:
    with pytest.raises(TemplateSyntaxError):
        compile_template("{% if %}")
