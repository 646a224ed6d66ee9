import pytest
from jinja2 import TemplateSyntaxError

from metier.context import _template
from metier.context._template import TemplateRefused, compile_template, find_undefined_names, render


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
        pytest.param("{% set x = 'aaaa' %}" + "{% set x = x ~ x %}" * 40 + "{{ x }}", id="doubling by joining"),
        pytest.param("{% set x = 'aaaa' %}" + "{% set x = x + x %}" * 40 + "{{ x }}", id="doubling by adding"),
        pytest.param("{% set x = 'a' %}" + "{% set x = [x, x] %}" * 40 + "{{ x }}", id="doubling a list"),
        pytest.param("{% for a in range(100000) %}{% endfor %}", id="a long range"),
        pytest.param("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", id="a macro that calls itself"),
        pytest.param("{% for a in x recursive %}{{ loop(a) }}{% endfor %}", id="a loop that calls itself"),
        pytest.param("{% include '/etc/passwd' %}", id="another file"),
        pytest.param("{{ ''.__class__.__mro__[1].__subclasses__() }}", id="the way to the machine"),
        pytest.param("{{ x|counted_ }}", id="our own filter"),
        pytest.param("a" * 64_001, id="a template longer than any prompt"),
    ],
)
def test_what_would_run_away_or_leave_the_prompt_is_refused(source: str) -> None:
    with pytest.raises(TemplateRefused):
        shown(source, x="x")


def test_what_filters_tests_and_operators_go_through_is_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_template, "_MAX_WORK", _template._MAX_WORK // 10)
    works = (
        *("{{ range(9999)|sum }}", "{{ [t]|join|length }}"),
        *("{{ 'a' in range(9999) }}", "{{ 'a' is in(range(9999)) }}", "{{ t == u }}"),
        *("{{ t.count('b') }}", "{{ t[::2]|first }}", "{{ (x + x)|first }}", "{{ t|upper|first }}"),
    )
    values = {"t": "a" * 90_000, "u": "a" * 89_999 + "b", "x": list(range(9_000))}
    passed = []
    for work in works:
        assert shown(work, **values)
        try:
            shown(f"{{% for i in range(9999) %}}{work}{{% endfor %}}", **values)
        except TemplateRefused:
            continue
        passed.append(work)
    assert passed == []
    assert len(shown("{% for one in x %}{{ loop.cycle(1, 2) }}{{ x|length }}{% endfor %}", x=list("ab" * 500))) == 5000


def test_calls_of_filters_are_counted_even_if_there_is_little_to_go_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call takes nine millionths of a second: without their count, a template could compute for ten seconds."""
    monkeypatch.setattr(_template, "_MAX_WORK", _template._MAX_WORK // 10)
    assert shown("{{ range(9999)|map('string')|list|length }}") == "9999"
    with pytest.raises(TemplateRefused, match="more than 300000 steps"):
        shown("{% for i in range(3) %}{{ range(9999)|map('string')|list|length }}{% endfor %}")


def test_templates_as_people_write_them_render() -> None:
    cases = {
        "{{ d|tojson }} {{ d.items()|list|length }}": '{"k": "值"} 1',
        "{% set t = x|replace('b', 'B')|title %}{{ t }}{{ x[:1] }}{{ x ~ 1 }}": "Abaab1",
        "{% for k, v in d|dictsort %}{{ loop.index0 + 1 }}.{{ k }}={{ v }}{% endfor %}": "1.k=值",
        "{{ '%s/%02d'|format(x, 3) }} {{ [3, 1]|sort|map('string')|join(',') }}": "ab/03 1,3",
        "{% if 60000 is gt 50000 and x is in ['ab'] %}{{ (1, 2)|sum }}{% endif %}": "3",
        "{% filter upper %}{{ x }}{% endfilter %}{{ y|default('d') }}{% if y %}!{% endif %}": "ABd",
    }
    assert {source: shown(source, x="ab", d={"k": "值"}) for source in cases} == cases


def test_a_name_without_a_value_is_empty_and_reported() -> None:
    template = compile_template("a{{ company }}{{ one.two }}{% for x in rules %}{% endfor %}{{ y|default('') }}z")
    assert render(template, {}) == "az"
    assert set(find_undefined_names(template)) == {"company", "one", "rules"}


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
    assert shown("{{ text.__class__.__mro__ }}", text="x") == ""


def test_wrong_syntax_is_reported_as_jinja_reports_it() -> None:
    with pytest.raises(TemplateSyntaxError):
        compile_template("{% if %}")
